"""Reads an inline text as CommonMark does, as it arrives, and notes its constructs.

A construct that needs more text waits for it, within the bounds of :mod:`.spans` and :mod:`.brackets`. A
longer construct is text. A finished text follows the same rules, so that both cannot differ.
"""

from __future__ import annotations

import re
from typing import Final

from .brackets import close_bracket, open_bracket, open_image, wide
from .formulas import backslash, dollars
from .inline_state import InlineState, NeedsText, Rule
from .spans import angle, code, entity_or_wait

_SPECIAL: Final = re.compile(
    r"[`\[\]【［\\<&!$]"
    r"(?:(?<=`)`*|(?<=\[)\[*|(?<=[\]【［])|(?<=\\)(?=[!-/:-@\[-`{-~\n])|(?<=<)(?=[A-Za-z/!?])|(?<=&)(?=[#A-Za-z])"
    r"|(?<=!)(?=\[)|(?<=\$)(?=\$))"
)
"""The possible beginnings of constructs; consecutive ``[`` or backticks are taken together."""
_LAST: Final = frozenset("\\<&!$")
"""Characters that begin a construct only together with the next one."""
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
"""The rule for each first character."""


def read_inline(state: InlineState, *, final: bool) -> None:
    """Read up to the end, or to a construct that needs more text. ``final`` says that there is no more."""
    state.final = final
    source = state.src
    end = state.posMax = len(source)
    while found := _SPECIAL.search(source, state.pos):
        start, state.run_end = found.span()
        state.pos = start
        try:
            state.pos = _RULES[source[start]](state)
        except NeedsText:
            state.pos = start
            return
    waits = not final and source[-1:] in _LAST and end > state.pos
    state.pos = max(state.pos, end - waits)
