"""Decodes text files, whose encoding may be unknown."""

from __future__ import annotations

import codecs
import re
from typing import Final

from citations.text import BYTE_ORDER_MARKS

from ..document import UnreadableError

_CHARSET: Final = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w-]{2,40})""", re.IGNORECASE)
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]")
_SAMPLE: Final = 4096
_FOREIGN: Final = re.compile(
    # In Windows-1252: an odd sign between letters, three signs beyond ASCII, an accented capital in a word.
    r"[^\W\d_][^\w\s\x00-\x7f’‘·–—-]+[^\W\d_]|[^\W\d_][¹²³¼½¾][^\W\d_]|[^\x00-\x7f…–—·•]{3}|[a-zà-öø-ÿšžœ][À-ÖØ-ÞŠŽŒŸ]|[\x80-\x9f\ufffd]"
)
_ACCENTED: Final = re.compile(r"\b\w*[À-ÖØ-öø-ÿŠšŽžŒœŸƒ]\w*")
_FEW: Final = 3
"""A text with fewer accented words is too short for one detector, which takes each for another alphabet."""
_DETECTED: Final = 10_000
"""Bytes by which an encoding is detected, of lines that are not in ASCII."""
_KNOWN: Final = (
    "cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp874 iso8859-2 iso8859-5 iso8859-6 iso8859-7 "
    "koi8-r koi8-u cp866 cp932 euc-jp cp949 gb18030 big5"
).split()
"""What people's files are in, of all that detectors know."""
_POLISH: Final = frozenset(("cp1250", "iso8859-2"))
"""Encodings that one detector tells apart better than the other."""
_LATIN: Final = frozenset(("cp1252", "iso8859-1", "iso8859-15"))
_SURE: Final = 150
"""Signs beyond ASCII from which on one detector is enough."""


def decode(data: bytes, declared: str | None = None) -> str:
    """Decode a file, and end each line with a line feed.

    A byte order mark decides first, then the ``declared`` encoding. Without them it is UTF-16 if every
    second byte is zero, or UTF-8 if the bytes are valid. Then detectors decide, unless the text is
    Western: in Windows-1252, which old editors wrote, it has no signs where no word has them. They decide
    of a few accented words where both find the same.
    Raises :class:`UnreadableError` where the result is not text, or in an unknown encoding.
    """
    text = _decode_as(data, declared)
    _check_text(text)
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def decode_page(data: bytes) -> str:
    """Decode an HTML file, whose encoding it may declare. Raises ``UnreadableError`` where it is not text."""
    charset = _CHARSET.search(data[:2048])
    return decode(data, charset[1].decode("ascii") if charset else None)


def _check_text(text: str) -> None:
    if len(_CONTROLS.findall(text[:_SAMPLE])) > len(text[:_SAMPLE]) // 100:
        raise UnreadableError("it is not text")


def _decode_as(data: bytes, declared: str | None) -> str:
    for mark, name in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.decode(name, errors="replace")
    if _name_codec(declared or "") == "iso8859-1":  # as on the web (Encoding Standard § 4.2)
        declared = "cp1252"
    for encoding in filter(None, (declared, _guess_utf16(data), "utf-8")):
        try:
            return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    western = data.decode("cp1252", errors="replace")
    _check_text(western.replace("\ufffd", " "))
    accented, may_be_western = len(set(_ACCENTED.findall(western))), not _FOREIGN.search(western)
    if may_be_western and not accented:
        return western
    if detected := _detect(data, may_be_western=may_be_western, is_brief=may_be_western and accented < _FEW):
        return data.decode(detected, errors="replace")
    raise UnreadableError("its encoding is unknown: save it as UTF-8")


def _detect(data: bytes, *, may_be_western: bool, is_brief: bool) -> str:
    """Detect an encoding; in a short text two detectors have to find the same. Empty where they don't.

    A ``is_brief`` text, of few accented words, is Western then.
    """
    import cchardet  # noqa: PLC0415 - most folders need no detector
    import chardet  # noqa: PLC0415

    lines = (line for line in data.splitlines(keepends=True) if not line.isascii())
    sample = b"".join(lines)[:_DETECTED]
    first = _name_codec(chardet.detect(sample, include_encodings=_KNOWN)["encoding"] or "")
    second = _name_codec(cchardet.detect(sample)["encoding"] or "")
    are_alike = bool(first and second) and _decode_alike(sample, first, second)
    if is_brief:
        return second if are_alike else "cp1252"
    if {first, second} <= _POLISH:
        return second
    is_long = len(sample) - len(sample.decode("ascii", "ignore")) >= _SURE
    if first and (is_long or are_alike):
        return first
    return "cp1252" if may_be_western and not _LATIN.isdisjoint((first, second)) else ""


def _decode_alike(data: bytes, *encodings: str) -> bool:
    return len({data.decode(encoding, "replace") for encoding in encodings}) == 1


def _name_codec(encoding: str) -> str:
    """Python's name of an encoding; empty for one that it does not know."""
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return ""


def _guess_utf16(data: bytes) -> str | None:
    """Guess the byte order of UTF-16, in which Latin text has a zero in every second byte."""
    first, second = data[:_SAMPLE:2], data[1:_SAMPLE:2]
    for name, zeros, others in (("utf-16-le", second, first), ("utf-16-be", first, second)):
        if zeros.count(0) > 0.4 * len(second) and others.count(0) < 0.1 * len(second):
            return name
    return None
