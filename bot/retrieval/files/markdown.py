"""Reads Markdown: its headings, and its text without marks of quotation, in rows with a pipe at each end.

CommonMark 0.31 § 4.2 and 4.3 define headings, and § 4.6 blocks of HTML, which become Markdown. Front matter,
comments and definitions of links are not text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from ..document import Markup, Section, SourceDocument
from ..passages import split_cells, strip_markup
from .decode import decode
from .html import BLOCKS, write_markdown
from .sections import DocumentHeading, cut_sections, find_title

FRONT_MATTER: Final = re.compile(
    # In YAML between hyphens, in TOML between plus signs, or an object of JSON.
    r"(?P<mark>---|\+\+\+)[ \t]*\n(?P<body>.*?\n)?(?:(?P=mark)|\.\.\.)[ \t]*(?:\n|\Z)"
    r'|(?P<json>\{[ \t]*\n[ \t]*"[^"\n]*"[ \t]*:.*?\n\}[ \t]*(?:\n|\Z))',
    re.DOTALL,
)
_FIELD: Final = r"^{}[ \t]*[:=][ \t]*(?:[>|][-+]?[ \t]*)?(?P<{}>\S.*(?:\n[ \t]+\S.*)*|(?:\n[ \t]+\S.*)+)"
"""A plain scalar goes on in lines that are indented (YAML 1.2 § 7.3.3)."""
_FRONT_TITLE: Final = re.compile(_FIELD.format("title", "title"), re.MULTILINE | re.IGNORECASE)
_FRONT_WORDS: Final = re.compile(
    _FIELD.format("(?:subtitle|description|summary)", "words"), re.MULTILINE | re.IGNORECASE
)
"""What is read of a page that is front matter alone. A title alone would stand before what says something."""
_JSON_TITLE: Final = re.compile(r'^[ \t]*"title"[ \t]*:[ \t]*(?P<title>"(?:[^"\\\n]|\\.)*+")', re.MULTILINE)
_FENCED: Final = re.compile(
    r"^ {0,3}(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^ {0,3}(?P=fence)[`~]*[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_COMMENT: Final = re.compile("^ {0,3}<!--", re.MULTILINE)
_GENERATED: Final = re.compile(
    r"\{%.{0,200}?%\}|\{\{.{0,200}?\}\}|\{:?[ \t]*+(?:[#.][\w:-]++[ \t]*+)++\}[ \t]*\Z"
)
"""Tags and variables of templates, and the attributes of a heading: ``{:#fees .wide}``."""
_ATX: Final = re.compile(r"^ {0,3}(?P<marks>#{1,6})(?P<title>[ \t][^\n]*|)$", re.MULTILINE)
_UNDERLINED: Final = re.compile(
    # A single line above its underline that is not a list, a quote, a table or a heading. Some texts
    # have a line above it, too.
    r"(?:\A|(?<=\n\n)|(?<=^\n))(?:={3,}[ \t]*\n)?(?P<title> {0,3}(?![-+*>|#=]|\d+[.)]|\s)[^\n]{1,200})"
    r"\n {0,3}(?P<mark>=+|-{3,})[ \t]*$",
    re.MULTILINE,
)
_UNDERLINE: Final = re.compile(r"\n {0,3}(?:=|---)[-=]*+[ \t]*$", re.MULTILINE)
_STRUCK_END: Final = re.compile("~~|</(?:del|s|strike)>", re.IGNORECASE)
_STRUCK: Final = re.compile(
    # GFM § 6.5, and the elements of HTML within a line; code stays (CommonMark § 6.1).
    r"(?P<code>(?<!`)(?P<fence>`++)[^`\n]*+(?P=fence)(?!`))"
    r"|(?<![\\~])~~(?=[^\s~])[^~`\n]*+(?<=\S)~~(?!~)|<(?P<tag>del|s|strike)>[^<>`\n]*+</(?P=tag)>",
    re.IGNORECASE,
)
_DEFINITIONS: Final = re.compile(
    # Definitions of links (CommonMark § 4.7), which begin no line of a paragraph. A footnote is text.
    r"""(?:\A|^[ \t]*\n)(?P<all>(?:
    [ ]{0,3}\[(?!\^)(?:[^\[\]\\\n]|\\.)++\]:[ \t]*+\n?[ \t]*+(?:<[^<>\n]*>|[^\s<]\S*+)
    (?:[ \t]++(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*+(?:\n|\Z)
    )+)""",
    re.MULTILINE | re.VERBOSE,
)
_QUOTE: Final = re.compile(
    # CommonMark § 5.1. A heading in a quotation begins no section, and GitHub shows an icon for ``[!NOTE]``.
    r"(?: {0,3}>)+ ?(?:#{1,6}[ \t]+|\[![A-Za-z]+\][ \t]*$)?"
)
_TAGGED: Final = re.compile(r" {0,3}</?[A-Za-z][\w-]*(?:[\s/>]|$)")
"""The tag at the beginning of a line that may begin a block of HTML; an address in ``<>`` is none."""
_BLOCK_TAG: Final = re.compile(rf"</?(?:{'|'.join(sorted(BLOCKS))})(?![\w:-])", re.IGNORECASE)
_TABLE_TAG: Final = re.compile(r"<(?P<end>/?)table(?![\w:-])", re.IGNORECASE)
_DELIMITERS: Final = re.compile(
    r"[ \t]*+(?=[^|\n]*\|)\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+"
)
"""The row between the header and the body of a table."""
_ROW: Final = re.compile(r"(?![ \t]*(?:[-*+][ \t]|\d+[.)][ \t]|[>#<]|`{3}|~{3})).*?(?<!\\)\|.*")
"""A line with a pipe that begins no other block."""


def read(data: bytes) -> SourceDocument:
    """Read a Markdown file. Raises ``UnreadableError`` for bytes that are not text."""
    return parse_markdown(decode(data))


def parse_markdown(text: str) -> SourceDocument:
    """Read the text of a Markdown file."""
    text = "\n".join(_write_html(without_struck(text)))
    text = "\n".join(_complete_rows("\n".join(_unquote(text))))
    front = FRONT_MATTER.match(text)
    fences = find_fences(text)
    silent = [*_find_comments(text), *(match.span("all") for match in _DEFINITIONS.finditer(text))]
    gaps = [span for span in silent if not is_within(span[0], fences)]
    gaps = [front.span(), *gaps] if front else gaps
    found = sorted((*_find_atx_headings(text), *find_underlined(text)), key=lambda heading: heading.start)
    hidden = sorted((*fences, *gaps))
    headings = [heading for heading in found if not is_within(heading.start, hidden)]
    title = _read_front_title(front) or find_title(headings)
    sections = cut_sections(text, headings, gaps)
    if front and all(is_within(one.start, [(at.start, at.end) for at in headings]) for one in sections):
        sections = (*_read_front_words(front, (title,) if title else ()), *sections)
    return SourceDocument(
        text=text,
        sections=sections,
        title=title,
        markup=Markup.MARKDOWN,
    )


def without_struck(text: str) -> str:
    """The text without what is struck out within a line."""
    if not _STRUCK_END.search(text):
        return text
    fences = find_fences(text)

    def write(match: re.Match[str]) -> str:
        return match[0] if match["code"] or is_within(match.start(), fences) else ""

    return _STRUCK.sub(write, text)


def _write_html(text: str) -> Iterator[str]:
    """Yield the lines, and blocks of HTML as Markdown.

    A block begins at a line with a tag, and ends at an empty line (CommonMark § 4.6), or with its tables.
    A paragraph that only begins with a tag, such as ``<b>``, is Markdown.
    """
    front = FRONT_MATTER.match(text)
    hidden = [*([front.span()] if front else ()), *find_fences(text)] if "<" in text else []
    last_table = max((tag.start() for tag in _TABLE_TAG.finditer(text) if tag["end"]), default=-1)
    block: list[str] = []
    offset, tables = 0, 0
    for line in text.split("\n"):
        if not line.strip() and (tables <= 0 or offset > last_table):
            yield from _write_block(block)
            block, tables = [], 0
        if block or (_TAGGED.match(line) and not is_within(offset, hidden)):
            block.append(line)
            tables += sum(-1 if tag["end"] else 1 for tag in _TABLE_TAG.finditer(line))
        else:
            yield line
        offset += len(line) + 1
    yield from _write_block(block)


def _write_block(lines: list[str]) -> Iterator[str]:
    block = "\n".join(lines)
    if not _BLOCK_TAG.search(block):
        yield from lines
    elif written := write_markdown(block).strip("\n"):
        yield from ("", written, "")


def _unquote(text: str) -> Iterator[str]:
    """Yield the lines without marks of quotation, below an empty line where a quotation begins."""
    fences = find_fences(text) if ">" in text else []
    before, offset, is_quoted = "", 0, False
    for line in text.split("\n"):
        quote = None if is_within(offset, fences) else _QUOTE.match(line)
        if quote and before and not is_quoted:
            yield ""
        yield line[quote.end() :] if quote else line
        before, offset, is_quoted = line, offset + len(line) + 1, bool(quote)


def _complete_rows(text: str) -> Iterator[str]:
    """Yield the lines, and the rows of tables with a pipe at each end, which both may lack (GFM § 4.10)."""
    lines, offset, is_table = text.split("\n"), 0, False
    fences = find_fences(text) if any(map(_DELIMITERS.fullmatch, lines)) else []
    for line, below in zip(lines, (*lines[1:], ""), strict=True):
        is_header = (
            bool(_DELIMITERS.fullmatch(below))
            and len(split_cells(line)) == len(split_cells(below))
            and not is_within(offset, fences)
        )
        is_table = bool(_ROW.fullmatch(line)) and (is_table or is_header)
        is_row = is_table and not _DELIMITERS.fullmatch(line)
        yield _complete_row(line) if is_row else line
        offset += len(line) + 1


def _complete_row(line: str) -> str:
    row = line.strip(" \t")
    first = "" if row.startswith("|") else "| "
    last = "" if row.endswith("|") and not row.endswith("\\|") else " |"
    return line if not first and not last else f"{line[: len(line) - len(line.lstrip())]}{first}{row}{last}"


def find_fences(text: str) -> list[tuple[int, int]]:
    """The spans of the blocks of code between fences."""
    return [match.span() for match in _FENCED.finditer(text)]


def _find_comments(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of comments. One that begins a line and has no end goes on to the text's (§ 4.6)."""
    start = text.find("<!--")
    while start >= 0 and (end := text.find("-->", start)) >= 0:
        yield start, end + 3
        start = text.find("<!--", end)
    if start >= 0 and (open_one := _COMMENT.search(text, max(0, start - 3))):
        yield open_one.start(), len(text)


def _find_atx_headings(text: str) -> Iterator[DocumentHeading]:
    for match in _ATX.finditer(text):
        title = _read_title(_strip_marks(match["title"]))
        yield DocumentHeading(match.start(), match.end(), len(match["marks"]), title)


def _strip_marks(title: str) -> str:
    """An ATX heading's title without the marks behind it, which a space separates from it."""
    title = title.strip(" \t")
    body = title.rstrip("#")
    return body.rstrip(" \t") if not body or body[-1] in " \t" else title


def find_underlined(text: str) -> Iterator[DocumentHeading]:
    """Yield the headings that are underlined with ``=`` or ``-``."""
    for match in _UNDERLINED.finditer(text) if _UNDERLINE.search(text) else ():
        level = 1 if match["mark"].startswith("=") else 2
        yield DocumentHeading(match.start(), match.end(), level, _read_title(match["title"]))


def is_within(offset: int, spans: list[tuple[int, int]]) -> bool:
    """Whether an offset lies in one of the spans, which are in order."""
    before = bisect_right(spans, offset, key=lambda span: span[0]) - 1
    return before >= 0 and spans[before][0] <= offset < spans[before][1]


def _read_front_title(front: re.Match[str] | None) -> str | None:
    if front and front["json"]:
        title = _JSON_TITLE.search(front["json"])
    else:
        title = _FRONT_TITLE.search(front["body"] or "") if front else None
    words = " ".join(title["title"].split()) if title else ""
    is_quoted = len(words) > 1 and words[0] == words[-1] and words[0] in "'\""
    return _read_title(words[1:-1] if is_quoted else words) or None


def _read_front_words(front: re.Match[str], headings: tuple[str, ...]) -> Iterator[Section]:
    for words in _FRONT_WORDS.finditer(front.string, 0, front.end()):
        start, end = words.span("words")
        is_quoted = words["words"][0] in "'\"" and words["words"].endswith(words["words"][0])
        yield Section(start + is_quoted, end - is_quoted, headings)


def _read_title(markdown: str) -> str:
    """The words of a title, without what a generator of sites fills in or reads from it."""
    return " ".join(strip_markup(_GENERATED.sub(" ", markdown)).split())
