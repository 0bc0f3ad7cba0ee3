"""This module renders one file: in its own structure, or else by the text that was read of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Final

from ..file_reader import read_bytes
from ..files import read
from ..language import detect
from ..passage import Markup, SourceDocument
from .markdown import render_markdown
from .outline import render_code, render_outline
from .page import render_page
from .sanitize import has_words, sanitize
from .word import render_word

_RENDERERS: Final[Mapping[str, Callable[[bytes], str]]] = MappingProxyType(
    {".html": render_page, ".htm": render_page, ".xhtml": render_page, ".docx": render_word}
)
"""The formats that are rendered from their bytes. All others are rendered from the text that was read."""
_BY_BROWSER: Final = frozenset({".pdf"})
"""The formats that the browser renders."""
_LONGER: Final = 4
"""HTML may have this many times the characters of a text, for its tags and pictures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedDocument:
    """A document as sanitized HTML, and its text, in which anchors count.

    ``html`` is empty where the browser renders the file itself. ``language`` is the name that
    :mod:`..language` gives the language of the text, or None.
    """

    html: str
    text: str
    markup: Markup
    title: str | None = None
    language: str | None = None


def render_file(file: Path, most: int) -> RenderedDocument | None:
    """Render a file, in a child process. Return None where it can't be read, or has more text than ``most``.

    Raises ``MemoryError`` alone.
    """
    try:
        rendered = render_document(read_bytes(file), file.name)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a bug with one file; the browser opens the file itself
        return None
    return rendered if max(len(rendered.text), len(rendered.html) // _LONGER) <= most else None


def render_document(data: bytes, name: str) -> RenderedDocument:
    """Read and render a file in the format of its name. Raises ``UnreadableError`` where it can't be read."""
    document = read(data, name)
    suffix = PurePosixPath(name).suffix.lower()
    html = "" if suffix in _BY_BROWSER else _render(document, data, suffix)
    return RenderedDocument(
        html=html,
        text=document.text,
        markup=document.markup,
        title=document.title,
        language=detect(document.text),
    )


def _render(document: SourceDocument, data: bytes, suffix: str) -> str:
    if renderer := _RENDERERS.get(suffix):
        html = renderer(data)
        if has_words(html):
            return html
    if document.markup is Markup.CODE:
        return render_code(document.text)
    is_markdown = document.markup is Markup.MARKDOWN
    return sanitize(render_markdown(document.text) if is_markdown else render_outline(document))
