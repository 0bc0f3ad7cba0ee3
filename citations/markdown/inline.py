"""An inline text, read as CommonMark reads it, as it arrives: what in it isn't plain text, and where.

Whatever needs more text than there is waits for it, but never for longer than the bounds of
:mod:`.spans` and :mod:`.brackets`: a construct beyond them is text. A finished text is read by the
same rules, so that both can't differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from markdown_it.rules_inline import escape

from .brackets import closing, opening, opening_image, wide
from .construct import Bracket, Kind, Span
from .spans import angle, code, entity_or_wait, literal
from .state import InlineState, Rule

_SPECIAL: Final = re.compile(r"[`\[\]【［]|\\(?=[!-/:-@\[-`{-~\n])|<(?=[A-Za-z/!?])|&(?=[#A-Za-z])|!(?=\[)")
"""Where something other than text may begin."""
_LAST: Final = frozenset("\\<&!")
"""What begins something only with the next character."""


class InlineReader:
    """Reads one inline text piece by piece; ``feed`` it, ``read`` on, and ``cut`` off what is settled.

    Offsets count from the last cut: what was cut off is forgotten, but for the brackets that it
    left open.
    """

    def __init__(self) -> None:
        self.state = InlineState()

    @property
    def content(self) -> str:
        """The text since the last cut."""
        return self.state.src

    def feed(self, text: str) -> None:
        """Append ``text``."""
        state = self.state
        state.src += text
        state.posMax = len(state.src)

    def read(self, *, final: bool) -> int:
        """Read on, and return the offset up to which nothing will change.

        ``final`` says that the text is complete: then it is all of it.
        """
        state = self.state
        state.final = final
        _scan(state)
        return len(state.src) if final else state.settled()

    def constructs(self) -> Iterator[tuple[int, int]]:
        """Where what was found since the last cut begins and ends, the last first."""
        for span in reversed(self.state.spans):
            yield span.start, span.end
        for bracket in reversed(self.state.brackets):
            yield bracket.start, max((bracket.end, *(tail.end for tail in bracket.loose)))

    def found(self) -> tuple[tuple[Span, ...], tuple[Bracket, ...]]:
        """What was found since the last cut."""
        return _outermost(self.state.spans), tuple(self.state.brackets)

    def cut(self, end: int) -> tuple[tuple[Span, ...], tuple[Bracket, ...]]:
        """Forget ``content[:end]``, and return what was found in it."""
        state = self.state
        spans = [span for span in state.spans if span.end <= end]
        brackets = tuple(bracket for bracket in state.brackets if bracket.start < end)
        state.forget(end)
        return _outermost(spans), brackets


def _scan(state: InlineState) -> None:
    """Read from ``state.pos`` on, up to the end or to what needs more text."""
    source = state.src
    while found := _SPECIAL.search(source, state.pos):
        start = state.pos = found.start()
        for rule in _RULES[source[start]]:
            matched = rule(state)
            if matched is None:
                state.pos = start
                return
            if matched:
                break
        else:
            state.pos = start + 1
    waits = not state.final and source[-1:] in _LAST and len(source) > state.pos
    state.pos = max(state.pos, len(source) - waits)


def _outermost(spans: list[Span]) -> tuple[Span, ...]:
    if not spans or not any(span.kind is Kind.IMAGE for span in spans):
        return tuple(spans)
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return tuple(kept)


_RULES: Final[dict[str, tuple[Rule, ...]]] = {
    "\\": (literal(escape),),
    "`": (code,),
    "<": (angle,),
    "&": (entity_or_wait,),
    "[": (opening,),
    "!": (opening_image,),
    "]": (closing,),
    "【": (wide,),
    "［": (wide,),
}
"""What may begin with a character, in the order of precedence."""
