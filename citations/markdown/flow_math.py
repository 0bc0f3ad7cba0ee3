r"""Formulas at the beginning of a line, which Web Chat's main build reads as blocks.

Its ``mathExtension/math.ts`` adds ``$$…$$``, ``\[…\]`` and ``\(…\)`` to the blocks of micromark. The
character behind a block then counts as a line end, whatever it is. So the character after that begins a
line.
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
"""A formula, the text before it on its line, and one character behind it, followed by more than words."""
_MARKER: Final = re.compile(r"[^ \t>]")


def without_flow_math(text: str) -> str:
    """``text`` with a line end for each formula that begins a line, where more than words follows."""
    if "$$" not in text and "\\[" not in text and "\\(" not in text:
        return text
    return _SPILLS.sub(_break, text)


def _break(found: re.Match[str]) -> str:
    """A thematic break, which ends a paragraph as a formula does, and the beginning of a line."""
    # markdown-it takes an indented `>` for one more line of a quote: a blank line ends that.
    return f"{found[1]}***\n" + (_MARKER.sub(" ", found[1]) if found[2] else "")
