"""Decodes text files, whose encoding may be unknown."""

from __future__ import annotations

import codecs
import re
from typing import Final

from ..passages import UnreadableError

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]")
_SAMPLE: Final = 4096


def decode(data: bytes, declared: str | None = None) -> str:
    """Decode a file, and end each line with a line feed.

    A byte order mark decides first, then the ``declared`` encoding. Without them it is UTF-16 if every
    second byte is zero, or UTF-8 if the bytes are valid. Old editors wrote Windows-1252, the last choice.
    Raises :class:`UnreadableError` where the result is not text.
    """
    text = _decode_as(data, declared)
    if len(_CONTROLS.findall(text[:_SAMPLE])) > len(text[:_SAMPLE]) // 100:
        raise UnreadableError("it is not text")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _decode_as(data: bytes, declared: str | None) -> str:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data.decode(name, errors="replace")
    for encoding in filter(None, (declared, _guess_utf16(data), "utf-8")):
        try:
            return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("cp1252", errors="replace")


def _guess_utf16(data: bytes) -> str | None:
    """Guess the byte order of UTF-16, in which Latin text has a zero in every second byte."""
    first, second = data[:_SAMPLE:2], data[1:_SAMPLE:2]
    for name, zeros, others in (("utf-16-le", second, first), ("utf-16-be", first, second)):
        if zeros.count(0) > 0.4 * len(second) and others.count(0) < 0.1 * len(second):
            return name
    return None
