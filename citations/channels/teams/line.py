"""Writes the text of a heading or a table's cell into a line or a part of one.

White space is written before the text that follows it, and so never at an end. There it would keep ``**``
from closing bold text (CommonMark § 6.2, "right-flanking").
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ...markdown import Inline
from ...markdown.edit import Edit
from ...model.citation import Use

_WORD: Final = r"[^\s*_#.,;:!?)\]}’”»、。，；：！？）】」』]+"
_TOKEN: Final = re.compile(
    r"(?P<space>\s+)|(?P<run>\*+|_+)|(?P<hashes>#+)|(?P<marks>[.,;:!?)\]}’”»、。，；：！？）】」』]+)"
    rf"|{_WORD}(?: {_WORD})*"
)
"""A token of text. Words with single spaces between them are one, as nothing is written in between."""
_CLOSED: Final = re.compile(r"\s+#+\Z|\s+\Z")
"""White space, or the possible closing sequence of a heading, so far."""
_MAX_PENDING: Final = 64
"""Characters of white space, or of a closing sequence, that are held back."""


class _Piece(NamedTuple):
    """``content[start:end]`` of an inline text: a token of text, a whole construct, or a citation."""

    kind: str | None
    start: int
    end: int
    use: Use | None = None


class EditBehindBadge(Edit):
    """An edit at the place of a badge that replaces no words. It comes behind the badge."""


class TeamsLine:
    """The edits of a line, piece by piece.

    ``begin`` is written before the first text; if it is empty, that text begins the line. With ``bold``,
    text is bold. Badges are not, because Teams' emulator doesn't show them in bold text. Nor is text from
    the first ``*`` or ``_`` on that may be emphasis, because its partner isn't known. With ``heading``,
    "the optional closing sequence of #s" is left out (CommonMark § 4.2).
    """

    def __init__(self, *, begin: str = "", bold: bool = False, heading: bool = False) -> None:
        self.is_empty = True
        self._begin = begin
        self._bold = bold
        self._heading = heading
        self._open = False
        self._pending = ""
        """White space, followed by the possible closing sequence of a heading."""
        self._run = ""
        """The ``*`` or ``_`` at the beginning of the line, while it is unknown whether text follows."""
        self._last = ""
        """The last character."""
        self._behind_badge = False

    def edits(self, inline: Inline, uses: Sequence[Use]) -> Iterator[Edit]:
        """The edits of the next piece of the text; ``uses`` are its citations, in order."""
        badge = -1
        for piece in _pieces(inline, uses):
            place = _place(inline, piece.start)
            text = inline.content[piece.start : piece.end]
            if self._keeps(piece, text):
                yield Edit(place, inline.place_end(piece.end), "")
                continue
            if new := self._before(piece, text):
                yield (EditBehindBadge if place == badge else Edit)(place, place, new)
            badge = place if piece.use and not text else badge
            self._last = text[-1:] or self._last

    def close(self) -> str:
        """The text to write at the end of the line."""
        end = "".join(f"\\{character}" for character in self._run) + "**" * self._open
        self.is_empty = self.is_empty and not end
        self._open, self._run = False, ""
        return end

    def _keeps(self, piece: _Piece, text: str) -> bool:
        """Hold a piece back if its form depends on the text behind it; returns whether it was held back."""
        if piece.kind == "space":
            self._pending += text[: _MAX_PENDING - len(self._pending)]
        elif piece.kind == "run" and self.is_empty and not self._begin and not (self._run and self._pending):
            # "* a" would be a list and isn't emphasis, but "*a" may be.
            self._run += text
            self._pending = ""
        elif piece.kind == "hashes" and self._may_close(text):
            self._pending += text
        else:
            return False
        return True

    def _may_close(self, hashes: str) -> bool:
        short = len(self._pending) + len(hashes) <= _MAX_PENDING
        return self._heading and short and _CLOSED.match(self._pending) is not None

    def _before(self, piece: _Piece, text: str) -> str:
        """The text to write before a piece: held-back text, and the end or beginning of bold text."""
        emphasis = piece.kind == "run" and not (text[0] == "_" and self._in_word())
        written = self._release()
        closes = self._open and (emphasis or piece.use is not None)
        mark = piece.kind == "marks" and self._behind_badge and not self._pending
        opens = self._bold and not self._open and not emphasis and piece.use is None and not mark
        space, behind = _split_leading_space(self._pending)
        if closes:
            written += "**"
            if emphasis and not space:
                # `**a***b*` would close in the wrong place.
                space = "\u200b" if self._last.isalnum() else " "
        written += f"{'' if self.is_empty else space}{'**' * opens}{behind}"
        self._open = (self._open or opens) and not closes
        self._bold = self._bold and not emphasis and not (piece.use and piece.use.rest)
        self._behind_badge = piece.use is not None or mark
        self._pending = ""
        begin, self.is_empty = self._begin * self.is_empty, False
        return begin + written

    def _release(self) -> str:
        """The held-back run at the beginning of the line, now that text follows it."""
        run, self._run = self._run, ""
        if not run:
            return ""
        self.is_empty, self._bold = False, False
        return "".join(f"\\{character}" for character in run) if self._pending else run

    def _in_word(self) -> bool:
        """Whether ``_`` is inside a word here: "a left-flanking delimiter run … not right-flanking"."""
        return not self._pending and (self._last.isalnum() or self._last == "_")


def _split_leading_space(pending: str) -> tuple[str, str]:
    """The white space at the beginning of ``pending``, as one space, and the rest."""
    behind = pending.lstrip()
    space = pending[: len(pending) - len(behind)]
    return (" " if space.strip(" \t") == "" and space else space), behind


def _place(inline: Inline, offset: int) -> int:
    """The offset in the source of ``content[offset]``, including the backslash of an escaped pipe."""
    return inline.place_end(offset) if offset else inline.rows[0].source


def _pieces(inline: Inline, uses: Sequence[Use]) -> Iterator[_Piece]:
    content = inline.content
    first, last = inline.rows[0].source, inline.place_end(len(content))
    # A use without words may stand at the end.
    inside = uses[
        bisect_left(uses, first, key=lambda use: use.start) : bisect_right(
            uses, last, key=lambda use: use.end
        )
    ]
    whole = [_Piece(None, *inline.span(use.start, use.end), use) for use in inside]
    whole.extend(_Piece(None, span.start, span.end) for span in inline.spans if span.kind != "formula")
    whole.sort(key=lambda piece: piece.start)
    behind = 0
    for piece in (*whole, _Piece(None, len(content), len(content))):
        if piece.start < behind:
            continue
        for token in _TOKEN.finditer(content, behind, piece.start):
            yield _Piece(token.lastgroup, token.start(), token.end())
        if piece.end > piece.start or piece.use:
            yield piece
        behind = piece.end
