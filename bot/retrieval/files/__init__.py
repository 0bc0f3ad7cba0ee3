"""Reads files into documents, with one reader for each format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import PurePath
from types import MappingProxyType
from typing import Final

from citations.text import SURROGATE

from ..document import SourceDocument, UnreadableError
from .markdown import parse_markdown

Reader = Callable[[bytes], SourceDocument]
"""Reads a file's bytes. Raises :class:`UnreadableError` where they are not of its format."""

_OPEN_XML: Final = "application/vnd.openxmlformats-officedocument"
_CODE: Final = (
    ".py .bash .c .cc .cpp .cs .dart .ex .fs .go .groovy .h .hpp .hs .java .jl .js .jsx .kt .lua .m .mjs "
    ".php .pl .ps1 .r .rb .rs .scala .sh .sql .swift .ts .tsx .vb"
)
"""The suffixes of source code."""
_FORMATS: Final = {
    # The suffixes, the module that reads them, and the media type.
    ".md .markdown": ("markdown", "text/markdown"),
    ".mdx": ("mdx", "text/markdown"),
    ".txt .text": ("text", "text/plain"),
    ".html .htm .xhtml": ("html", "text/html"),
    ".pdf": ("pdf", "application/pdf"),
    ".docx": ("docx", f"{_OPEN_XML}.wordprocessingml.document"),
    ".odt": ("odt", "application/vnd.oasis.opendocument.text"),
    ".rtf": ("rtf", "application/rtf"),
    ".pptx": ("pptx", f"{_OPEN_XML}.presentationml.presentation"),
    ".pptm": ("pptx", "application/vnd.ms-powerpoint.presentation.macroenabled.12"),
    ".xlsx": ("xlsx", f"{_OPEN_XML}.spreadsheetml.sheet"),
    ".xlsm": ("xlsx", "application/vnd.ms-excel.sheet.macroenabled.12"),
    ".csv": ("csv", "text/csv"),
    ".tsv": ("csv", "text/tab-separated-values"),
    ".rst": ("rst", "text/x-rst"),
    ".epub": ("epub", "application/epub+zip"),
    ".eml": ("eml", "message/rfc822"),
    _CODE: ("code", "text/plain"),
}
FORMATS: Final = tuple(names.split()[0] for names, (module, _) in _FORMATS.items() if module != "code")
"""The usual suffix of each format; source code has too many to name."""
MEDIA_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {suffix: media_type for names, (_, media_type) in _FORMATS.items() for suffix in names.split()}
)
LABELLED: Final = frozenset((".docx", ".pptx", ".pptm", ".xlsx", ".xlsm", ".pdf", ".eml"))
"""The formats whose metadata can have sensitivity labels."""
_ALTERNATIVES: Final = {
    ".doc .dotx .docm .dot .ott .pages .wpd .tex .org": "save it as PDF or DOCX",
    ".one .vsd .vsdx .pub .xps .djvu": "save it as PDF or DOCX",
    ".ppt .odp .key .pps .ppsx": "save it as PDF or PPTX",
    ".xls .ods .numbers .xlsb": "save it as XLSX or CSV",
    ".mobi .azw .azw3": "save it as EPUB or PDF",
    ".msg .mbox .pst": "save it as EML or PDF",
    ".zip .7z .rar .tar .gz .tgz .bz2 .xz": "unpack it into the folder",
    ".json .jsonl .ndjson": "save it as text, CSV or Markdown",
    ".adoc .asciidoc": "save it as HTML or PDF",
}
UNREAD: Final[Mapping[str, str]] = MappingProxyType(
    {suffix: advice for names, advice in _ALTERNATIVES.items() for suffix in names.split()}
)
"""Formats of documents without a reader, and what a person can do. Such a file is reported as skipped."""


def _read_with(module: str, data: bytes) -> SourceDocument:
    """Read a file with the module of its format, which is imported for the first such file.

    The libraries of all formats together take a second and 60 MB.
    """
    try:
        document: SourceDocument = import_module(f".{module}", __package__).read(data)
    except (UnreadableError, MemoryError):
        raise
    except Exception as error:  # a parser has many errors for bytes that are not of its format
        raise UnreadableError("it is damaged") from error
    return document


READERS: Final[Mapping[str, Reader]] = MappingProxyType(
    {
        suffix: partial(_read_with, module)
        for names, (module, _) in _FORMATS.items()
        for suffix in names.split()
    }
)


def read(data: bytes, name: str) -> SourceDocument:
    """Read a file in the format of its name. Raises :class:`UnreadableError` where that fails."""
    if not data.strip():
        raise UnreadableError("it is empty")
    suffix = PurePath(name).suffix.lower()
    document = READERS[suffix](data)
    if not document.sections:
        raise UnreadableError(document.unread[0] if document.unread else "it has no text")
    try:
        f"{document.title}{document.text}".encode()
    except UnicodeEncodeError:
        return _replace_surrogates(document)
    return document


def read_text(text: str) -> SourceDocument:
    """Read a text that is no file, such as a retriever's, as Markdown. It may have no sections."""
    text = SURROGATE.sub("\ufffd", text.removeprefix("\ufeff"))
    return parse_markdown(text.replace("\r\n", "\n").replace("\r", "\n"))


def _replace_surrogates(document: SourceDocument) -> SourceDocument:
    """Replace halves of surrogate pairs, which UTF-7 can have and no index can store. Offsets stay."""

    def clean(text: str) -> str:
        return SURROGATE.sub("\ufffd", text)

    sections = (replace(one, headings=tuple(map(clean, one.headings))) for one in document.sections)
    title = document.title and clean(document.title)
    return replace(document, text=clean(document.text), sections=tuple(sections), title=title)
