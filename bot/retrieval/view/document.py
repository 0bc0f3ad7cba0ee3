"""This module renders one file: in its own structure, or else by the text that was read of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final

from ..files import read
from ..language import detect
from ..passage import Markup, SourceDocument
from .markdown import render_markdown
from .outline import render_outline
from .page import render_page
from .sanitize import has_words, sanitize
from .word import render_word

_RENDERERS: Final[Mapping[str, Callable[[bytes], str]]] = MappingProxyType(
    {".html": render_page, ".htm": render_page, ".docx": render_word}
)
"""The formats that are rendered from their bytes. All others are rendered from the text that was read."""
_BY_BROWSER: Final = frozenset({".pdf"})
"""The formats that the browser renders."""


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


def render_document(data: bytes, name: str) -> RenderedDocument:
    """Read and render a file in the format of its name. Raises ``UnreadableError`` where it can't be read.

    This is the one call that meets the bytes of a file, so it can run in a process with limits.
    """
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
    is_markdown = document.markup is Markup.MARKDOWN
    return sanitize(render_markdown(document.text) if is_markdown else render_outline(document))
