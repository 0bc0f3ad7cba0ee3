"""Measures characters of a PDF in points, as its page is shown: that may be turned, and its type scaled."""

from __future__ import annotations

import ctypes
import math
import re
from typing import Final

import pypdfium2
import pypdfium2.raw as pdfium

_FIXED: Final = re.compile(
    rb"courier|mono(?!type)|consolas|menlo|inconsolata|lucidaconsole|typewriter|cmtt|lmtt", re.IGNORECASE
)

_LAM_ALEF: Final = re.compile("[آأإا]ل")
_LOST: Final = "\ufffe"
"""What PDFium writes for a sign without a letter, and for a hyphen at the end of a line."""
_UPRIGHT: Final = frozenset((359, 0, 1))


def find_index(textpage: pypdfium2.PdfTextPage, character: int) -> int:
    """PDFium's index of a character of the page's text, which leaves out what it can't write."""
    return int(pdfium.FPDFText_GetCharIndexFromTextIndex(textpage.raw, character))


def locate(textpage: pypdfium2.PdfTextPage, character: int) -> tuple[float, float]:
    """The place of a character on its page: it grows to the right, and to the head of the page."""
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(textpage.raw, find_index(textpage, character), x, y)
    return _turn(textpage, x.value, y.value)


def is_on_page(textpage: pypdfium2.PdfTextPage, character: int) -> bool:
    """Whether a character lies on its page, and not outside of its crop box, where nobody sees it."""
    left, bottom, right, top = textpage.get_charbox(find_index(textpage, character))
    edges = textpage.page.get_bbox()
    return bool(edges[0] < right and left < edges[2] and edges[1] < top and bottom < edges[3])


def is_turned(textpage: pypdfium2.PdfTextPage, character: int) -> bool:
    """Whether a character stands upright in no way that its page is shown, as in a stamp at the side."""
    angle = math.degrees(pdfium.FPDFText_GetCharAngle(textpage.raw, find_index(textpage, character)))
    return round(angle + textpage.page.get_rotation()) % 360 not in _UPRIGHT


def find_unknown(textpage: pypdfium2.PdfTextPage, text: str, first: int) -> frozenset[int]:
    """The places in a line, which stands from ``first`` on, of signs whose font does not say their letters.

    PDFium has the sign's number in the font instead, or none (ISO 32000-1, 9.10.2).
    """
    samples = {0, len(text) // 2, len(text) - 1, *(place for place, sign in enumerate(text) if sign in _LOST)}
    if not any(_is_unknown(textpage, first + one) for one in samples):
        return frozenset()
    return frozenset(place for place in range(len(text)) if _is_unknown(textpage, first + place))


def _is_unknown(textpage: pypdfium2.PdfTextPage, character: int) -> bool:
    index = find_index(textpage, character)
    if pdfium.FPDFText_GetUnicode(textpage.raw, index) == 0:
        return True
    if pdfium.FPDFText_HasUnicodeMapError(textpage.raw, index) != 1:
        return False
    # A font of Type 3 has no file; its codes are letters more often than not.
    drawn, size = pdfium.FPDFText_GetTextObject(textpage.raw, index), ctypes.c_size_t()
    font = pdfium.FPDFTextObj_GetFont(drawn) if drawn else None
    return bool(font and pdfium.FPDFFont_GetFontData(font, None, 0, size) and size.value)


def order_ligatures(textpage: pypdfium2.PdfTextPage, text: str, first: int) -> str:
    """The words of a line from a character on, with the letters of Arabic ligatures in their order.

    PDFium turns a line round, and with it the two letters that stand at one place.
    """
    places = (find.start() for find in _LAM_ALEF.finditer(text))
    turned = [one for one in places if locate(textpage, first + one) == locate(textpage, first + one + 1)]
    for one in turned:
        text = f"{text[:one]}{text[one + 1]}{text[one]}{text[one + 2 :]}"
    return text


def measure_size(textpage: pypdfium2.PdfTextPage, character: int) -> float:
    """The size of a character's type. Many files scale a font whose own size is 1."""
    index, scale = find_index(textpage, character), pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(textpage.raw, index, scale)
    return float(pdfium.FPDFText_GetFontSize(textpage.raw, index)) * math.hypot(scale.c, scale.d)


def measure_advance(textpage: pypdfium2.PdfTextPage, first: int, last: int) -> float:
    """The width of a letter of a line in a fixed-width font; 0 for a line in other fonts."""
    if last <= first or not all(_is_fixed(textpage, one) for one in (first, (first + last) // 2, last)):
        return 0.0
    return max(0.0, (locate(textpage, last)[0] - locate(textpage, first)[0]) / (last - first))


def _turn(textpage: pypdfium2.PdfTextPage, x: float, y: float) -> tuple[float, float]:
    """A place on a page that is shown turned clockwise (ISO 32000-1, table 30)."""
    match textpage.page.get_rotation():
        case 90:
            return y, -x
        case 180:
            return -x, -y
        case 270:
            return -y, x
        case _:
            return x, y


def _is_fixed(textpage: pypdfium2.PdfTextPage, character: int) -> bool:
    name, flags = ctypes.create_string_buffer(100), ctypes.c_int()
    pdfium.FPDFText_GetFontInfo(textpage.raw, find_index(textpage, character), name, len(name), flags)
    # ISO 32000-2, table 121: the first flag of a font is FixedPitch. The standard fonts have no flags.
    return bool(flags.value & 1) or bool(_FIXED.search(name.value))
