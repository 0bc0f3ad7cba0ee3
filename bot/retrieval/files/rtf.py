r"""Reads Rich Text Format: paragraphs, headings by their outline level, and rows of tables.

Governing source: Rich Text Format Specification 1.9.1, Microsoft, "RTF Syntax" and "Unicode RTF".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from ..passages import SourceDocument, UnreadableError
from .outline import Outline, TableCell, clean_title

_TOKEN: Final = re.compile(
    r"\\(?P<word>[a-z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<byte>[0-9a-f]{2})|\\(?P<sign>[^a-z'])"
    r"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)",
    re.IGNORECASE | re.DOTALL,
)
_SKIPPED: Final = frozenset(
    "fonttbl colortbl stylesheet pict object header footer headerl headerr headerf footerl footerr footerf "
    "listtable listoverridetable rsidtbl generator themedata colorschememapping datastore latentstyles "
    "xmlnstbl fldinst pntext nonshppict bkmkstart bkmkend annotation atnid atnauthor filetbl revtbl comment "
    "xe tc ftnsep ftnsepc aftnsep aftnsepc".split()
)
"""Destinations whose text is none of the document's."""
_SIGNS: Final = {
    "line": "\n", "tab": "\t", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ", "~": "\u00a0", "_": "\u2011",
}  # fmt: skip
_LITERAL: Final = "\\{}"
_ENCODINGS: Final = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}


@dataclass(frozen=True, slots=True)
class _RtfGroup:
    """What holds up to the end of a group in braces."""

    is_skipped: bool = False
    is_title: bool = False
    is_hidden: bool = False
    """Whether its text is hidden, or taken out by a tracked change."""
    replaced: int = 1
    """The characters behind a Unicode one that stand for it in other programs (``\\uc``)."""


def read(data: bytes) -> SourceDocument:
    """Read an RTF file. Raises :class:`UnreadableError` where it is none."""
    if not data.lstrip().startswith(b"{\\rtf"):
        raise UnreadableError("it is not of the format that its name says")
    reader = _Reader()
    for token in _TOKEN.finditer(data.decode("latin-1")):
        reader.take(token)
    return reader.build()


class _Reader:
    def __init__(self) -> None:
        self._outline = Outline()
        self._groups = [_RtfGroup()]
        self._words: list[str] = []
        self._title: list[str] = []
        self._cells: list[TableCell] = []
        self._rows: list[list[TableCell]] = []
        self._goes_on = [False]
        """Of each cell of the row, whether the cell above goes on in it; then of the next cell."""
        self._encoding = "cp1252"
        self._bytes = bytearray()
        self._omit = 0
        """Characters of a replacement that are still to be left out."""
        self._level: int | None = None
        self._is_item = self._in_table = self._begins = False

    def take(self, token: re.Match[str]) -> None:
        """Take the next control word, byte, brace or text."""
        if token["byte"]:
            self._add_byte(int(token["byte"], 16))
            return
        self._end_bytes()
        if token["brace"] == "{":
            self._groups.append(self._groups[-1])
            self._begins = True
            return
        if token["brace"]:
            self._groups[1:] = self._groups[1:-1]
        elif token["word"]:
            self._follow(token["word"], token["number"])
        elif token["sign"]:
            self._follow_sign(token["sign"])
        else:
            self._add(token["text"])
        self._begins = False

    def build(self) -> SourceDocument:
        """The document, once all is taken."""
        self._end_bytes()
        self._end_paragraph()
        self._end_table()
        return self._outline.build(clean_title("".join(self._title)))

    def _follow_sign(self, sign: str) -> None:
        if sign == "*":  # a destination that not all programs know
            self._skip()
        elif sign in "\r\n":
            self._end_paragraph()
        else:
            self._add(sign if sign in _LITERAL else _SIGNS.get(sign, ""))

    def _follow(self, word: str, number: str | None) -> None:
        value = int(number) if number else None
        if word in _SKIPPED and self._begins:
            self._skip()
        elif word == "title" and self._begins:
            self._groups[-1] = replace(self._groups[-1], is_title=True)
        elif word == "info" and self._begins:
            self._groups[-1] = replace(self._groups[-1], is_skipped=True)
        elif word == "u" and value is not None:
            self._add(chr(value % 0x10000))
            self._omit = self._groups[-1].replaced
        elif word == "uc" and value is not None:
            self._groups[-1] = replace(self._groups[-1], replaced=value)
        elif word == "ansicpg" and value:
            self._encoding = f"cp{value}"
        elif word in _ENCODINGS:
            self._encoding = _ENCODINGS[word]
        elif word in _SIGNS:
            self._add(_SIGNS[word])
        else:
            self._follow_layout(word, value)

    def _follow_layout(self, word: str, value: int | None) -> None:
        match word:
            case "v" | "deleted" | "plain":
                self._groups[-1] = replace(self._groups[-1], is_hidden=word != "plain" and value != 0)
            case "par" | "sect" | "page":
                self._end_paragraph()
            case "pard":
                self._level, self._is_item, self._in_table = None, False, False
            case "outlinelevel" if value is not None and value < 9:
                self._level = value
            case "ls" | "pnlvlblt":
                self._is_item = True
            case "intbl":
                self._in_table = True
            case _:
                self._follow_table(word)

    def _follow_table(self, word: str) -> None:
        match word:
            case "trowd":
                self._goes_on = [False]
            case "clvmrg":
                self._goes_on[-1] = True
            case "cellx":
                self._goes_on.append(False)
            case "cell":
                goes_on = self._goes_on[len(self._cells) : len(self._cells) + 1] == [True]
                words = self._take_words()
                self._cells.append(TableCell(None if goes_on else words))
            case "row":
                self._rows.append(self._cells)
                self._cells = []

    def _skip(self) -> None:
        self._groups[-1] = replace(self._groups[-1], is_skipped=True)

    def _add_byte(self, byte: int) -> None:
        if self._omit:
            self._omit -= 1
        else:
            self._bytes.append(byte)

    def _end_bytes(self) -> None:
        if self._bytes:
            try:
                text = self._bytes.decode(self._encoding, "replace")
            except LookupError:
                text = self._bytes.decode("cp1252", "replace")
            self._bytes.clear()
            self._add(text)

    def _add(self, text: str) -> None:
        kept, self._omit = text[self._omit :], max(0, self._omit - len(text))
        group = self._groups[-1]
        if group.is_title:
            self._title.append(kept)
        elif not (group.is_skipped or group.is_hidden):
            self._words.append(kept)

    def _take_words(self) -> str:
        # Halves of a surrogate pair come one by one.
        words = "".join(self._words).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        self._words = []
        return words.strip()

    def _end_paragraph(self) -> None:
        if self._in_table:
            self._words.append(" ")
            return
        self._end_table()
        words = self._take_words()
        if not words:
            return
        if self._level is not None:
            self._outline.add_heading(self._level + 1, words)
        elif self._is_item:
            self._outline.add_item(words)
        else:
            self._outline.add_paragraph(words)

    def _end_table(self) -> None:
        if self._rows:
            self._outline.add_cells(self._rows)
            self._rows = []
