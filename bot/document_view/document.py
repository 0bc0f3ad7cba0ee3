"""Renders one file: in its own structure, or else by the text that was read of it."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Final

from markdown_it import MarkdownIt

from ..retrieval.files import read
from ..retrieval.files.html import decode_page
from ..retrieval.files.markdown import FRONT_MATTER
from ..retrieval.passages import Markup, SourceDocument
from ..retrieval.reading import LONGEST_TEXT, read_bytes
from ..retrieval.words import detect
from .outline import render_code, render_outline
from .rendered_document import RenderedDocument
from .sanitize import NAVIGATION, has_words, sanitize
from .word import render_word

_MARKDOWN: Final = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_LONGER: Final = 4
"""HTML may have this many times the characters of a text, for its tags and pictures."""


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
            html = render_word(data)
        case _:
            html = ""
    if has_words(html):
        return html
    if document.markup is Markup.CODE:
        return render_code(document.text)
    is_markdown = document.markup is Markup.MARKDOWN
    return sanitize(_render_markdown(document.text) if is_markdown else render_outline(document))


def _render_markdown(text: str) -> str:
    """Render CommonMark with tables and strikethrough, without front matter."""
    front = FRONT_MATTER.match(text)
    html: str = _MARKDOWN.render(text[front.end() :] if front else text)
    return html


def _render_page(data: bytes) -> str:
    """Render an HTML file as its reader reads it: without navigation, unless there is nothing else."""
    source = decode_page(data)
    html = sanitize(source, NAVIGATION)
    return html if has_words(html) else sanitize(source)
