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
_FORMULA: Final = rf"(?:\$\$(?!\$){_CONTENT}\$\$|\\[\[(](?s:.){{1,{MAX_FORMULA}}}?\\[\])](?=[ \t\n]))"
# Words go on as they would have, and so does a badge.
_ELSE: Final = r"(?! {0,3}(?:[^\W\d_]|[,.;!?)]|\[[0-9]+\](?![\[(:])|\n|\Z))"
_SPILLS: Final = re.compile(rf"{_PREFIX}{_FORMULA}(?:([^\n]){_ELSE}|[^\n]?[ \t]*(?=\n{_ELSE}))")
"""A formula with what stands in front of it on its line, and the character behind it, where more follows."""
_MARKER: Final = re.compile(r"[^ \t>]")


def without_flow_math(text: str) -> str:
    """``text`` with a line of its own for each formula that begins one, where more than words follows."""
    if "$$" not in text and "\\[" not in text and "\\(" not in text:
        return text
    return _SPILLS.sub(_break, text)


def _break(found: re.Match[str]) -> str:
    """A thematic break, which ends a paragraph as a formula does, and the beginning of a line."""
    # markdown-it takes an indented `>` for one more line of a quote: a blank line ends that.
    return f"{found[1]}***\n" + (_MARKER.sub(" ", found[1]) if found[2] else "")
