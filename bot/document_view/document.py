"""Renders one file: in its own structure, or else by the text that was read of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from html import escape
from pathlib import Path, PurePosixPath
from textwrap import dedent
from typing import Final

from markdown_it import MarkdownIt

from ..retrieval.files import READERS, read
from ..retrieval.files.decode import decode, decode_page
from ..retrieval.files.docx import without_hidden
from ..retrieval.files.markdown import FRONT_MATTER, without_struck
from ..retrieval.files.shown import is_hiding
from ..retrieval.passages import (
    BULLET,
    Markup,
    SourceDocument,
    Unit,
    group_units,
    join_sections,
    split_cells,
    split_text,
)
from ..retrieval.reading import LONGEST_TEXT, read_bytes
from ..retrieval.words import detect
from .rendered_document import RenderedDocument
from .sanitize import NAVIGATION, has_words, sanitize
from .word import render_word

_MARKDOWN: Final = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_LONGER: Final = 4
"""HTML may have this many times the characters of a text, for its tags and pictures."""
_RULE: Final = re.compile(r"[-=_*`~\s]*")
_SIGN: Final = re.compile(r"(?<![ \t])[ \t]*+[-*+•‣▪◦–—o][ \t]+")
"""A bullet that says nothing; a number says which item it is."""
_NUMBER: Final = re.compile(r"[ \t]*(\d{1,3})[.)][ \t]+")
_sanitize: Final = partial(sanitize, endings=tuple(READERS), is_hiding=is_hiding)
"""Links to documents nearby that are read lead to their views."""


def render_file(file: Path) -> RenderedDocument | None:
    """Render a file, in a child process. Return None where it can't be read, or has too much text.

    Raises ``MemoryError`` alone.
    """
    try:
        rendered = render_document(read_bytes(file), file.name)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a bug with one file; the browser opens the file itself
        return None
    return rendered if max(len(rendered.text), len(rendered.html) // _LONGER) <= LONGEST_TEXT else None


def render_document(data: bytes, name: str) -> RenderedDocument:
    """Read and render a file in the format of its name. Raises ``UnreadableError`` where it can't be read."""
    document = read(data, name)
    return RenderedDocument(
        html=_render(document, data, PurePosixPath(name).suffix.lower()),
        text=document.text,
        markup=document.markup,
        title=document.title,
        language=detect(document.text),
    )


def _render(document: SourceDocument, data: bytes, suffix: str) -> str:
    """Render a file from its bytes where its format has a structure of its own, else from its text."""
    match suffix:
        case ".pdf":  # the browser renders it
            return ""
        case ".html" | ".htm" | ".xhtml":
            html = _render_page(data)
        case ".docx":
            html = _sanitize(render_word(without_hidden(data)))
        case ".md" | ".markdown":
            html = _sanitize(_render_markdown(without_struck(decode(data))))
        case _:
            html = ""
    if has_words(html):
        return html
    if document.markup is Markup.CODE:
        return _render_code(document.text)
    written = _render_markdown(document.text) if document.markup is Markup.MARKDOWN else ""
    return _sanitize(written if has_words(written) else _render_outline(document))


def _render_markdown(text: str) -> str:
    """Render CommonMark with tables and strikethrough, without front matter."""
    front = FRONT_MATTER.match(text)
    html: str = _MARKDOWN.render(text[front.end() :] if front else text)
    return html


def _render_page(data: bytes) -> str:
    """Render an HTML file as its reader reads it: without navigation, unless there is nothing else."""
    source = decode_page(data)
    html = _sanitize(source, NAVIGATION)
    return html if has_words(html) else _sanitize(source)


def _render_outline(document: SourceDocument) -> str:
    """Render a document as HTML that is not sanitized yet; all its text is escaped."""
    text = document.text
    parts: list[str] = []
    offset = 0
    for run in join_sections(document.sections):
        parts += _write_headings(text[offset : run[0].start], run[0].headings)
        for group in group_units(text, split_text(document, run[0].start, run[-1].end)):
            parts += _WRITERS[group[0].kind](text, group)
        offset = run[-1].end
    return "\n".join((*parts, *_write_headings(text[offset:], ())))


def _render_code(text: str) -> str:
    """Render source code as HTML in which each line is an element, so that it can have its number."""
    lines = "".join(f"<span>{escape(line)}\n</span>" for line in text.rstrip("\n").split("\n"))
    return f'<pre class="lines"><code>{lines}</code></pre>'


def _write_headings(between: str, headings: Sequence[str]) -> Iterator[str]:
    """Write the lines between two sections; ``headings`` are those that the second one stands under."""
    for line in between.split("\n"):
        words = " ".join(line.split())
        if not _RULE.fullmatch(words):
            level = headings.index(words) + 1 if words in headings else len(headings) + 1
            yield f"<h{min(level, 6)}>{escape(words)}</h{min(level, 6)}>"


def _write_paragraph(text: str, group: Sequence[Unit]) -> Iterator[str]:
    yield f"<p>{escape(text[group[0].start : group[-1].end])}</p>"


def _write_items(text: str, group: Sequence[Unit]) -> Iterator[str]:
    """Write items as a list, nested as they are indented and numbered as they are.

    Single lines without a bullet are paragraphs.
    """
    items = list(_split_by_opening(text, group))
    if not any(BULLET.match(item) for _, item in items):
        yield from (f"<p>{escape(item)}</p>" for _, item in items)
        return
    written: list[str] = []
    opened: list[tuple[int, str]] = []
    for indent, item in items:
        while opened and opened[-1][0] > indent:
            written.append(f"</li></{opened.pop()[1]}>")
        number = _NUMBER.match(item)
        if opened and opened[-1][0] == indent:
            written.append("</li>")
        else:
            opened.append((indent, "ol" if number else "ul"))
            written.append(f"<{opened[-1][1]}>")
        is_counted = number and opened[-1][1] == "ol"
        words = item[number.end() :] if number and is_counted else _SIGN.sub("", item, count=1)
        written.append(f'<li value="{number[1]}">' if number and is_counted else "<li>")
        written.append(escape(words))
    yield "".join((*written, *(f"</li></{tag}>" for _, tag in reversed(opened))))


def _write_table(text: str, group: Sequence[Unit]) -> Iterator[str]:
    """Write rows as a table, below the first row as its header."""
    rows = [split_cells(row) for _, row in _split_by_opening(text, group)]
    width = max(map(len, rows))
    header, *others = ([escape(cell) for cell in (*row, *[""] * (width - len(row)))] for row in rows)
    head = "".join(f"<th>{cell}</th>" for cell in header)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in others)
    yield f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _write_code(text: str, group: Sequence[Unit]) -> Iterator[str]:
    start = text.rfind("\n", 0, group[0].start) + 1
    yield f"<pre><code>{escape(dedent(text[start : group[-1].end]))}</code></pre>"


def _split_by_opening(text: str, group: Sequence[Unit]) -> Iterator[tuple[int, str]]:
    """Yield the items or rows of a group, each of one or several units, with their indentation."""
    first = 0
    for index in range(1, len(group) + 1):
        if index == len(group) or group[index].opens:
            yield group[first].indent, text[group[first].start : group[index - 1].end]
            first = index


_WRITERS: Final = {
    "sentence": _write_paragraph,
    "item": _write_items,
    "row": _write_table,
    "code": _write_code,
}
