r"""Formulas that begin a line, as Web Chat's main build reads them: as blocks of their own.

Its ``mathExtension/math.ts`` adds ``$$…$$``, ``\[…\]`` and ``\(…\)`` to micromark's blocks. micromark takes
the character behind a block for the line's end, whatever it is. So the next one begins a line.
"""

from __future__ import annotations

import re
from typing import Final

from .formulas import MAX_FORMULA

_PREFIX: Final = r"(?m:^)((?:[ \t>]|(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t]))*+)"
_CONTENT: Final = rf"(?:[^\\$]|\\[$\\]?|\$(?!\$)){{1,{MAX_FORMULA}}}+"
_SPILLS: Final = re.compile(
    rf"{_PREFIX}(?:\$\$(?!\$){_CONTENT}\$\$[^\n]|\\[\[(](?s:.){{1,{MAX_FORMULA}}}?\\[\])][ \t])"
    # Words go on as they would have, and so does a badge.
    r"(?! {0,3}(?:[^\W\d_]|[,.;!?)]|\[[0-9]+\](?![\[(:])|\n|\Z))"
)
"""A formula, what stands in front of it on its line, and one character behind it, before more of the line."""
_MARKER: Final = re.compile(r"[^ \t>]")


def without_flow_math(text: str) -> str:
    """``text`` with a line end for each formula that begins a line, where more than words follows."""
    if "$$" not in text and "\\[" not in text and "\\(" not in text:
        return text
    # A thematic break ends the paragraph above, too.
    return _SPILLS.sub(lambda found: f"{found[1]}***\n{_MARKER.sub(' ', found[1])}", text)
