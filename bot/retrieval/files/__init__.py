"""This package reads files into documents, with one reader for each format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath
from types import MappingProxyType
from typing import Final

from ..passage import SourceDocument, UnreadableError
from . import docx, html, markdown, pdf, text

Reader = Callable[[bytes], SourceDocument]
"""Reads a file's bytes. Raises :class:`UnreadableError` where they are not of its format."""

READERS: Final[Mapping[str, Reader]] = MappingProxyType(
    {
        ".md": markdown.read,
        ".markdown": markdown.read,
        ".txt": text.read,
        ".text": text.read,
        ".html": html.read,
        ".htm": html.read,
        ".pdf": pdf.read,
        ".docx": docx.read,
    }
)
MEDIA_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        ".md": "text/markdown",
        ".markdown": "text/markdown",
        ".txt": "text/plain",
        ".text": "text/plain",
        ".html": "text/html",
        ".htm": "text/html",
        ".pdf": "application/pdf",
        ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    }
)
UNREAD: Final = frozenset(
    """.doc .dotx .docm .rtf .odt .pages .ppt .pptx .odp .key .xls .xlsx .ods .numbers .epub .mobi
    .rst .adoc .org .tex""".split()
)
"""Formats of documents without a reader. Such a file is reported as skipped; a picture is not."""


def read(data: bytes, name: str) -> SourceDocument:
    """Read a file in the format of its name. Raises :class:`UnreadableError` where that fails."""
    if not data.strip():
        raise UnreadableError("it is empty")
    document = READERS[PurePath(name).suffix.lower()](data)
    if not document.sections:
        raise UnreadableError("it has no text")
    return document
