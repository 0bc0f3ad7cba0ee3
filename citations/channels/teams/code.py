"""Code for Teams. It keeps its characters where every reading of the text takes it for code.

Text that was shown stays. So the text before a piece of code decides, before the piece is sent.
"""

from __future__ import annotations

import re
from typing import Final

from ...markdown.block_mark import BlockMark
from ...markdown.sanitizer import is_harmless

_MOST_READ: Final = 8000
"""Characters of the written text that are read to decide."""
_MOST_READINGS: Final = 8
"""Readings of the same text with ever more behind it: the time must stay linear."""
_PROBE: Final = "![x](https://x.example/y) <b> https://x.example"
"""Text that would be live if it weren't code."""

_LABEL: Final = re.compile(r"(?m:^)[^\[\n]{0,40}\[[^\[\]]{0,999}\Z")
"""A bracket at the beginning of a line that may open a definition's label, and is still open."""


class WrittenCode:
    """The text written since a block that can be read by itself, and whether code in it is safe."""

    def __init__(self) -> None:
        self._written: list[str] = []
        self._length = 0
        self._end = "\n\n"
        """The last two characters."""
        self._readings = 0
        self._block_keeps: bool | None = None
        """Whether the open block of code keeps its characters; None if undecided."""
        self.in_info = False
        """Whether the line that opens a fence continues."""
        self.ends_in_brace = False
        """Whether the last character but white space opens a brace, which only code does."""

    def begin_block(self, mark: BlockMark, *, indented: bool) -> None:
        """Begin the block of ``mark``, whose line may be ``indented``."""
        # Code on the line of a list's marker may be a table's header to markdown-it.
        is_open = mark.part == "fence" or (mark.part == "code" and not mark.opened)
        self._block_keeps = None if is_open else False
        self.in_info = mark.part == "fence"
        # An indented line may belong to a list item that HTML ended before it was written as text.
        if mark.outer and not indented and self._end == "\n\n":
            self._written.clear()
            self._length = self._readings = 0

    def add(self, written: str) -> None:
        """Add the next written text."""
        self._written.append(written)
        self._length += len(written)
        self._end = (self._end + written)[-2:]
        self.in_info = self.in_info and "\n" not in written
        if end := written.rstrip():
            self.ends_in_brace = end.endswith("{")

    def block_keeps(self) -> bool:
        """Whether the next text is in a block of code that keeps its characters."""
        if self.in_info:
            return False
        if self._block_keeps is None:
            self._block_keeps = self._is_harmless(_PROBE)
        return self._block_keeps

    def span_keeps(self, code: str) -> bool:
        """Whether ``code``, the next code span, keeps its characters.

        A line end or a pipe may divide it in an engine that finds a table there. To cmark-gfm a definition's
        target may have unbalanced parentheses, and its label may end in code.
        """
        if "\n" in code or "|" in code or ("]:" in code and _LABEL.search("".join(self._written))):
            return False
        return self._is_harmless(code)

    def _is_harmless(self, code: str) -> bool:
        if self._length + len(code) > _MOST_READ or self._readings >= _MOST_READINGS:
            return False
        self._readings += 1
        return is_harmless("".join((*self._written, code)), frozenset())
