"""An inline text, read as CommonMark reads it, as it arrives: what in it isn't plain text, and where.

Whatever needs more text than there is waits for it, but never for longer than the bounds of
:mod:`.spans` and :mod:`.brackets`: a construct beyond them is text. A finished text is read by the
same rules, so that both can't differ.
"""

from __future__ import annotations

import re
from typing import Final

from .brackets import close_bracket, open_bracket, open_image, wide
from .formulas import backslash, dollars
from .inline_state import InlineState, Rule
from .spans import angle, code, entity_or_wait

_SPECIAL: Final = re.compile(
    r"[`\[\]【［\\<&!$]"
    r"(?:(?<=`)`*|(?<=\[)\[*|(?<=[\]【［])|(?<=\\)(?=[!-/:-@\[-`{-~\n])|(?<=<)(?=[A-Za-z/!?])|(?<=&)(?=[#A-Za-z])"
    r"|(?<=!)(?=\[)|(?<=\$)(?=\$))"
)
"""Where something other than text may begin; of ``[`` and backticks all that are in a row."""
_LAST: Final = frozenset("\\<&!$")
"""What begins something only with the next character."""
_RULES: Final[dict[str, Rule]] = {
    "\\": backslash,
    "$": dollars,
    "`": code,
    "<": angle,
    "&": entity_or_wait,
    "[": open_bracket,
    "!": open_image,
    "]": close_bracket,
    "【": wide,
    "［": wide,
}
"""What may begin with a character."""


def read_inline(state: InlineState, *, final: bool) -> None:
    """Read on, up to the end or to what needs more text; ``final`` says that there is no more."""
    state.final = final
    source = state.src
    end = state.posMax = len(source)
    while found := _SPECIAL.search(source, state.pos):
        start, state.run_end = found.span()
        state.pos = start
        matched = _RULES[source[start]](state)
        if matched is None:
            state.pos = start
            return
        if not matched:
            state.pos = start + 1
    waits = not final and source[-1:] in _LAST and end > state.pos
    state.pos = max(state.pos, end - waits)
