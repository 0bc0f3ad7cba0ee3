"""Code for Teams: it keeps its characters where every reading of what is written takes it for code.

What has been shown stays. So this is decided before a piece leaves, by what stands in front of it.
"""

from __future__ import annotations

from typing import Final

from ...markdown.block_mark import BlockMark
from ...markdown.sanitizer import is_inert

_MOST_READ: Final = 8000
"""Characters of written text that are read to decide."""
_MOST_READINGS: Final = 8
"""How often the same text is read with more and more behind it: time must grow with the answer alone."""
_PROBE: Final = "![x](https://x.example/y) <b> https://x.example"
"""What would come alive wherever text isn't code."""


class WrittenCode:
    """What is written since a block began that can be read by itself, and what is code in there."""

    def __init__(self) -> None:
        self._written: list[str] = []
        self._length = 0
        self._end = "\n\n"
        """The last two characters."""
        self._readings = 0
        self._in_code = False
        self._block_keeps: bool | None = None
        """Whether the open block of code keeps its characters; None where it isn't decided."""
        self.in_info = False
        """Whether the line goes on that opens a fence."""

    def begin_block(self, mark: BlockMark) -> None:
        """A block begins with ``mark``."""
        self._in_code = mark.part in ("code", "fence")
        # markdown-it takes code on the line of a list's marker for the header of a table, if one follows.
        self._block_keeps = None if self._in_code and not (mark.part == "code" and mark.opened) else False
        self.in_info = mark.part == "fence"
        if mark.outer and self._end == "\n\n":
            self._written.clear()
            self._length = self._readings = 0

    def may_change(self, text: str) -> bool:
        """Whether ``text``, which is in no inline text, may be code that is written otherwise."""
        return self._in_code and not text.isalnum()

    def add(self, written: str) -> None:
        """Take what is written next."""
        self._written.append(written)
        self._length += len(written)
        self._end = (self._end + written)[-2:]
        self.in_info = self.in_info and "\n" not in written

    def block_keeps(self) -> bool:
        """Whether what comes next is in a block of code that keeps its characters."""
        if self.in_info:
            return False
        if self._block_keeps is None:
            self._block_keeps = self._is_inert(_PROBE)
        return self._block_keeps

    def span_keeps(self, code: str) -> bool:
        """Whether ``code``, a code span that comes next, keeps its characters.

        A line end or a pipe may part it in a reader that finds a table there.
        """
        return not ("\n" in code or "|" in code) and self._is_inert(code)

    def _is_inert(self, code: str) -> bool:
        if self._length + len(code) > _MOST_READ or self._readings >= _MOST_READINGS:
            return False
        self._readings += 1
        return is_inert("".join((*self._written, code)), frozenset())
