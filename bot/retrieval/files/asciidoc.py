"""This module reads AsciiDoc: headings, paragraphs, lists, tables and blocks of code, without its marks.

Governing source: docs.asciidoctor.org, "AsciiDoc Language". No library with a licence that fits reads it.
Files that it includes are documents of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from ..passage import SourceDocument
from .decode import decode
from .outline import Outline

_HEADING: Final = re.compile(r"(?P<marks>={1,6}|#{1,6})[ \t]+(?P<title>\S.*?)(?:[ \t]+(?P=marks))?$")
_ATTRIBUTE: Final = re.compile(r":(?P<unset>!?)(?P<name>\w[\w-]*)!?:(?:[ \t]+(?P<value>.*))?$")
_CONDITION: Final = re.compile(
    r"(?:ifdef|ifndef|ifeval|endif|include|toc|image|video|audio)::?\S*\[.*\]$|'''$|<<<$|toc::\[\]"
)
_STYLE: Final = re.compile(r"\[(?!\[)[^\]]*\]$|\[\[[^\]]*\]\]$")
_BLOCK_TITLE: Final = re.compile(r"\.(?![.\s])(?P<title>.+)$")
_FENCES: Final = re.compile(r"(-{4,}|\.{4,}|`{3,}|\+{4,}|/{4,}|={4,}|\*{4,}|_{4,}|--)(?=\w*$)")
_CODE: Final = "-.`"
"""The first signs of fences around code. Text stands between the others, except for comments."""
_ITEM: Final = re.compile(r"[ \t]*(?P<mark>\*{1,6}|-|\.{1,6}|\d+\.)[ \t]+(?:\[[ x*]\][ \t]+)?(?P<text>\S.*)$")
_TERM: Final = re.compile(r"[ \t]*(?P<term>\S.*?)(?<!:)(?::{2,4}|;;)(?:[ \t]+(?P<text>.*))?$")
_ADMONITION: Final = re.compile(r"(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+")
_CELLS: Final = re.compile(
    r"(?:^|(?<=\s))(?:(?P<repeat>\d{1,2})\*)?(?:\d*(?:\.\d+)?\+)?[<^>.]{0,3}[adehlmsv]?\|"
)
_REFERENCE: Final = re.compile(r"\{(?P<name>\w[\w-]*)\}")
_INLINE: Final = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\[\[[^\[\]\n]{0,200}\]\]|\[#[\w-]{1,100}\](?=[#*_`])", ""),  # anchors
        (r"\b(?:image|icon):[^\s\[\]]{1,300}\[([^\[\],\n]{0,300})[^\[\]\n]{0,300}\]", r"\1"),
        (r"<<[^<>,\n]{1,200},\s?([^<>\n]{1,300})>>", r"\1"),
        (r"<<([^<>\n]{1,300})>>", r"\1"),
        (r"\b(?:link|xref|mailto):[^\s\[\]]{1,300}\[([^\[\]\n]{1,300}?)\^?\]", r"\1"),
        (r"\b(?:link|xref):([^\s\[\]]{1,300})\[\]", r"\1"),
        (r"(https?://[^\s\[\]]{1,500})\[\]", r"\1"),
        (r"https?://[^\s\[\]]{1,500}\[([^\[\]\n]{1,300}?)\^?\]", r"\1"),
        (r"\bfootnote:\w{0,50}\[([^\[\]\n]{0,1000})\]", r" (\1)"),
        (r"\b(?:kbd|btn|menu|pass|stem|latexmath|asciimath):[^\s\[]{0,50}\[([^\[\]\n]{0,500})\]", r"\1"),
        (r"\(\(\([^()\n]{0,200}\)\)\)|\(\(([^()\n]{0,200})\)\)", r"\1"),
        (r"(?<!\w)`\+?([^`\n]{1,300}?)\+?`(?!\w)|``([^`\n]{1,300})``", r"\1\2"),
        (r"\*\*([^*\n]{1,300})\*\*|(?<![\w*])\*(?=\S)([^*\n]{1,300}?)(?<=\S)\*(?![\w*])", r"\1\2"),
        (r"__([^_\n]{1,300})__|(?<![\w_])_(?=\S)([^_\n]{1,300}?)(?<=\S)_(?![\w_])", r"\1\2"),
        (r"(?:\[[\w.#%-]*\])?(?<!\w)#(?=\S)([^#\n]{1,300}?)(?<=\S)#(?!\w)", r"\1"),
        (r"[ \t]\+$", ""),  # hard line breaks
    )
)


def read(data: bytes) -> SourceDocument:
    """Read an AsciiDoc file. Raises ``UnreadableError`` for bytes that are not text."""
    return _AsciiDoc(decode(data).split("\n")).read()


class _AsciiDoc:
    """Writes an outline from the lines of a document."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._next = 0
        self._outline = Outline()
        self._attributes: dict[str, str] = {}
        self._paragraph: list[str] = []
        self._item: int | None = None
        """The level of the open list item, whose lines the paragraph has."""
        self._title: str | None = None

    def read(self) -> SourceDocument:
        """Return the document of all lines."""
        while self._next < len(self._lines):
            line = self._lines[self._next].rstrip()
            self._next += 1
            self._read_line(line)
        self._flush()
        return self._outline.build(self._title)

    def _read_line(self, line: str) -> None:
        if not line or line == "+":
            self._flush()
        elif line.startswith(("|===", ",===")):
            self._flush()
            self._read_table(line)
        elif fence := _FENCES.match(line):
            self._flush()
            self._read_block(fence[1])
        elif line.startswith("//") or _CONDITION.match(line) or (_STYLE.match(line) and not self._paragraph):
            return
        elif attribute := _ATTRIBUTE.match(line):
            self._set(attribute)
        elif not self._paragraph and (heading := _HEADING.match(line)):
            self._add_heading(len(heading["marks"]), self._clean(heading["title"]))
        else:
            self._read_text(line)

    def _read_text(self, line: str) -> None:
        if item := _ITEM.match(line):
            self._flush()
            self._item = len(item["mark"]) - 1 if item["mark"][0] in "*." else 0
            self._paragraph = [item["text"]]
        elif not self._paragraph and (title := _BLOCK_TITLE.match(line)):
            self._outline.add_paragraph(self._clean(title["title"]))
        elif (term := _TERM.match(line)) and "://" not in term["term"]:
            self._flush()
            self._outline.add_paragraph(self._clean(f"{term['term']}:"))
            self._item = 0 if term["text"] else None
            self._paragraph = [term["text"]] if term["text"] else []
        else:
            self._paragraph.append(line.strip())

    def _set(self, attribute: re.Match[str]) -> None:
        if attribute["unset"]:
            self._attributes.pop(attribute["name"], None)
        else:
            self._attributes[attribute["name"]] = self._fill(attribute["value"] or "")

    def _add_heading(self, level: int, title: str) -> None:
        self._outline.add_heading(level, title)
        if level == 1 and self._title is None:
            self._title = title
            # Author and revision may follow the title, up to an empty line.
            while self._next < len(self._lines) and (line := self._lines[self._next].strip()):
                if attribute := _ATTRIBUTE.match(line):
                    self._set(attribute)
                self._next += 1

    def _read_block(self, fence: str) -> None:
        """Read code up to the closing fence. Of other blocks only the fences are left out."""
        if fence[0] == "/" or (fence[0] in _CODE and fence != "--"):
            first = self._next
            while self._next < len(self._lines) and self._lines[self._next].rstrip() != fence:
                self._next += 1
            if fence[0] != "/":
                self._outline.add_code("\n".join(self._lines[first : self._next]))
            self._next += 1

    def _read_table(self, fence: str) -> None:
        """Read a table, whose columns are those of the line that has the first cells, or of ``cols``."""
        style = self._lines[self._next - 2] if self._next > 1 else ""
        cells: list[str] = []
        width = _count_columns(style)
        while self._next < len(self._lines) and (line := self._lines[self._next].rstrip()) != fence:
            self._next += 1
            found = list(_split_cells(line))
            if found and not _CELLS.match(line) and cells:
                cells[-1] += f" {found.pop(0)}"
            cells += found
            width = width or len(found)
        self._next += 1
        written = [self._clean(cell) for cell in cells]
        self._outline.add_table(
            [written[start : start + width] for start in range(0, len(written), width or 1)]
        )

    def _flush(self) -> None:
        text = self._clean(" ".join(self._paragraph))
        if self._item is not None:
            self._outline.add_item(text, self._item)
        else:
            self._outline.add_paragraph(_ADMONITION.sub("", text))
        self._paragraph, self._item = [], None

    def _clean(self, text: str) -> str:
        text = self._fill(text)
        for pattern, replacement in _INLINE:
            text = pattern.sub(replacement, text)
        return text.strip()

    def _fill(self, text: str) -> str:
        """Put the values of attributes in their places, once; a name without a value stays as it is."""
        return _REFERENCE.sub(lambda match: self._attributes.get(match["name"], match[0])[:1000], text)


def _count_columns(style: str) -> int:
    """Return the number of columns that ``[cols="1,3*"]`` says; 0 where it says none."""
    columns = re.search(r'cols="?([^"\]]*)', style)
    if not columns:
        return 0
    parts = [part.strip() for part in columns[1].split(",")]
    return sum(int(repeat[1]) if (repeat := re.match(r"(\d{1,2})\*", part)) else 1 for part in parts)


def _split_cells(line: str) -> Iterator[str]:
    """Yield the cells of a line, and first what continues the cell of the line above."""
    starts = list(_CELLS.finditer(line))
    before = line[: starts[0].start()].strip() if starts else line.strip()
    if before:
        yield before
    for start, following in zip_longest(starts, starts[1:]):
        cell = line[start.end() : following.start() if following else None].strip()
        yield from [cell] * int(start["repeat"] or 1)
