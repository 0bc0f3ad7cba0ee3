r"""Reads Rich Text Format: paragraphs, headings by their outline level, and rows of tables.

Governing source: Rich Text Format Specification 1.9.1, Microsoft, "RTF Syntax" and "Unicode RTF".
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any, Final

from ..document import LOST, SourceDocument, UnreadableError
from .elements import list_names, map_names
from .outline import Outline, TableCell, clean_title
from .shown import is_shown

_TOKEN: Final = re.compile(
    r"\\(?P<word>[a-z]{1,32})(?P<number>-?\d{1,10})? ?|(?P<bytes>(?:\\'[0-9a-f]{2}){1,8})|\\(?P<sign>[^a-z'])"
    r"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)",
    re.IGNORECASE | re.DOTALL,
)
_SILENT: Final = list_names("rtf", "silent")
"""Destinations whose text is none of the document's."""
_SHOWN: Final = map_names("rtf", "shown")
"""Destinations whose text is shown, also within silent ones, and where it stands."""
_PICTURES: Final = ("pict", "shppict")
"""Pictures that stand in their sentence."""
_SIGNS: Final = map_names("rtf", "signs")
_LONGEST_LABEL: Final = 10
_ENCODINGS: Final = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
_CHARSETS: Final = map_names("rtf", "charsets")
"""The code pages of the character sets that fonts have; 0 and 1 are the document's own."""


@dataclass(frozen=True, slots=True)
class _RtfGroup:
    """What holds up to the end of a group in braces."""

    is_skipped: bool = False
    is_closed: bool = False
    """Whether also what is shown elsewhere is skipped: it says again what older programs can't draw."""
    is_title: bool = False
    is_fonts: bool = False
    hiding: frozenset[str] = frozenset()
    """The control words in force that hide its text or strike it out."""
    font: int | None = None
    replaced: int = 1
    """The characters behind a Unicode one that stand for it in other programs (``\\uc``)."""
    level: int | None = None
    is_item: bool = False
    in_table: bool = False


@dataclass(slots=True)
class _Story:
    """A text beside the body, such as a note: its kind, and the number of groups around it."""

    kind: str
    depth: int
    words: list[str] = field(default_factory=list)


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
        self._stories = [_Story("body", 0)]
        self._boxes: list[str] = []
        self._margins: list[str] = []
        self._title: list[str] = []
        self._cells: list[TableCell] = []
        self._rows: list[list[TableCell]] = []
        self._goes_on = [False]
        """Of each cell of the row, whether the cell above goes on in it; then of the next cell."""
        self._encoding = "cp1252"
        self._fonts: dict[int, str] = {}
        self._default_font: int | None = None
        self._decoder = _make_decoder(self._encoding)
        self._decoded = self._encoding
        self._is_cut = False
        """Whether a letter has begun, whose second byte may be written as a letter of ASCII."""
        self._omit = 0
        """Characters of a replacement that are still to be left out."""
        self._begins = False
        self._unread = Counter[str]()

    def take(self, token: re.Match[str]) -> None:
        """Take the next control word, brace, bytes or text."""
        kind = token.lastgroup
        if kind == "bytes":
            self._add_bytes(bytes.fromhex(token["bytes"].replace("\\'", "")))
            self._begins = False
        elif kind == "text":
            text = token["text"]
            self._begins = self._begins and text.isspace()
            if self._is_cut or not text.isascii():
                self._add_bytes(text.encode("latin-1"))
            else:
                self._add(text)
        else:
            self._take_control(token)

    def _take_control(self, token: re.Match[str]) -> None:
        begins, self._begins = self._begins, False
        if word := token["word"]:
            self._follow(word, token["number"], begins=begins)
        elif token["brace"] == "{":
            self._groups.append(self._groups[-1])
            self._begins = True
        elif token["brace"]:
            self._end_group()
        elif token["sign"] == "*":  # a destination that not all programs know
            self._change(is_skipped=self._groups[-1].is_skipped or begins)
            self._begins = begins
        elif token["sign"] in "\r\n":
            self._end_paragraph()
        else:
            self._add(token["sign"] if token["sign"] in "\\{}" else _SIGNS.get(token["sign"], ""))

    def build(self) -> SourceDocument:
        """The document, once all is taken; what is open at the end is written, too."""
        while len(self._stories) > 1:
            self._end_story()
        self._rows += [self._cells] if self._cells else []
        self._change(in_table=False)
        self._end_paragraph()
        self._end_table()
        self._outline.add_margins(self._margins)
        return self._outline.build(clean_title("".join(self._title)), self._unread)

    def _change(self, **changes: Any) -> None:
        group = self._groups[-1]
        if any(getattr(group, name) != value for name, value in changes.items()):
            self._groups[-1] = replace(group, **changes)

    def _end_group(self) -> None:
        if len(self._groups) > 1:
            self._groups.pop()
        if len(self._groups) < self._stories[-1].depth:
            self._end_story()

    def _end_story(self) -> None:
        """Write a note behind the words so far, a box behind its paragraph, a margin at the end."""
        kind, words = self._stories[-1].kind, self._take_words()
        self._stories.pop()
        if kind == "note":
            self._stories[-1].words.append(f" ({' '.join(words.split())})" if words else "")
        elif kind == "box":
            self._boxes += words.split("\n")
        else:
            self._margins.append(words)

    def _follow(self, word: str, number: str | None, *, begins: bool) -> None:
        if begins and self._begin_destination(word):
            return
        group = self._groups[-1]
        if group.is_skipped and not group.is_fonts:
            return
        value = int(number) if number else None
        if word == "u" and value is not None:
            self._add(chr(value % 0x10000))
            self._omit = group.replaced
        elif word == "uc" and value is not None:
            self._change(replaced=value)
        elif word == "ansicpg" and value:
            self._encoding = f"cp{value}"
        elif word in _ENCODINGS:
            self._encoding = _ENCODINGS[word]
        elif word in _SIGNS:
            self._add(_SIGNS[word])
        elif word in ("f", "deff", "fcharset"):
            self._follow_font(word, value)
        else:
            self._follow_layout(word, value)

    def _begin_destination(self, word: str) -> bool:
        """Whether a word that begins a group makes it a destination, of which this takes note."""
        group = self._groups[-1]
        if word in _PICTURES and (word == "shppict" or not group.is_skipped):
            self._stories[-1].words += LOST if "".join(self._stories[-1].words).strip() else ""
        if word in _SILENT:
            closed = group.is_closed or word == "shprslt"
            self._change(is_skipped=True, is_closed=closed, is_fonts=word == "fonttbl")
        elif word == "title":
            self._change(is_title=True)
        elif word in _SHOWN and not group.is_closed:
            self._change(is_skipped=False)
            if _SHOWN[word] != "body":
                self._change(level=None, is_item=False, in_table=False)
                self._stories.append(_Story(_SHOWN[word], len(self._groups)))
        elif word == "moMath":
            self._unread["equation"] += 1
            self._stories[-1].words.append(LOST)
        else:
            return False
        return True

    def _follow_font(self, word: str, value: int | None) -> None:
        if word == "deff":
            self._default_font = value
        elif word == "f":
            self._change(font=value)
        elif self._groups[-1].is_fonts and str(value) in _CHARSETS:
            self._fonts[self._groups[-1].font or 0] = _CHARSETS[str(value)]

    def _follow_layout(self, word: str, value: int | None) -> None:
        match word:
            case "v" | "deleted" | "strike" | "striked":
                hiding = {word} if not is_shown({word: "1" if value is None else str(value)}) else set()
                self._change(hiding=self._groups[-1].hiding - {word} | hiding)
            case "plain":
                self._change(hiding=frozenset(), font=self._default_font)
            case "par" | "sect" | "page":
                self._end_paragraph()
            case "pard":
                self._change(level=None, is_item=False, in_table=False)
            case "outlinelevel" if value is not None and value < 9:
                self._change(level=value)
            case "ls" | "pnlvlblt":
                self._change(is_item=True)
            case "intbl":
                self._change(in_table=True)
            case _:
                self._follow_table(word)

    def _follow_table(self, word: str) -> None:
        if len(self._stories) > 1 and word in ("cell", "row"):
            self._add(" ")
            return
        match word:
            case "trowd":
                self._goes_on = [False]
            case "clvmrg":
                self._goes_on[-1] = True
            case "cellx":
                self._goes_on.append(False)
            case "cell":
                goes_on = self._goes_on[len(self._cells) : len(self._cells) + 1] == [True]
                words = " ".join((self._take_words(), *self._boxes))
                self._boxes = []
                self._cells.append(TableCell(None if goes_on and not words.strip() else words))
            case "row":
                self._rows.append(self._cells)
                self._cells = []

    def _add_bytes(self, data: bytes) -> None:
        """Add bytes in the code page of the font in force, without those that stand for a character."""
        encoding = self._find_encoding()
        if encoding != self._decoded:
            self._decoder, self._decoded = _make_decoder(encoding), encoding
        kept, self._omit = data[self._omit :], max(0, self._omit - len(data))
        text = self._decoder.decode(kept)
        self._is_cut = bool(self._decoder.getstate()[0])
        self._add(text)

    def _find_encoding(self) -> str:
        """The code page of the font in force, else the document's."""
        font = self._groups[-1].font
        return self._fonts.get(font if font is not None else self._default_font or 0, self._encoding)

    def _add(self, text: str) -> None:
        if self._omit:
            text, self._omit = text[self._omit :], max(0, self._omit - len(text))
        group = self._groups[-1]
        if group.is_title:
            self._title.append(text)
        elif not (group.is_skipped or group.hiding):
            self._stories[-1].words.append(text)

    def _take_words(self) -> str:
        # Halves of a surrogate pair come one by one.
        words = "".join(self._stories[-1].words).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        self._stories[-1].words.clear()
        return words.strip()

    def _end_paragraph(self) -> None:
        group = self._groups[-1]
        if len(self._stories) > 1 or group.in_table:
            self._add("\n" if len(self._stories) > 1 else " ")
            return
        self._end_table()
        words = self._take_words()
        if not words:
            pass
        elif group.level is not None:
            self._outline.add_heading(group.level + 1, words)
        elif group.is_item:
            label, tab, rest = words.partition("\t")
            is_label = bool(tab) and len(label) <= _LONGEST_LABEL
            number = label if is_label and any(map(str.isalnum, label)) else ""
            self._outline.add_item(rest if is_label else words, 0, number)
        else:
            self._outline.add_paragraph(words)
        for box in self._boxes:
            self._outline.add_paragraph(box)
        self._boxes = []

    def _end_table(self) -> None:
        if self._rows:
            self._outline.add_cells(self._rows)
            self._rows = []


def _make_decoder(encoding: str) -> codecs.IncrementalDecoder:
    try:
        return codecs.getincrementaldecoder(encoding)("replace")
    except LookupError:
        return codecs.getincrementaldecoder("cp1252")("replace")
