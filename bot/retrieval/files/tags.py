"""Reads the headings of a tagged PDF: what its author marked as one, whatever its size.

Governing source: ISO 32000-1, 14.7 (logical structure) and 14.8.4.3.2 (``H1`` to ``H6``, and ``H``).
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping
from typing import Any, Final

import pypdfium2
import pypdfium2.raw as pdfium

_HEADING: Final = re.compile("H([1-6])?")


def read_heading_levels(page: pypdfium2.PdfPage) -> Mapping[int, int]:
    """The levels of a page's headings, from 1, by the ids of their marked content.

    It is empty for a page without tags.
    """
    tree = pdfium.FPDF_StructTree_GetForPage(page.raw)
    if not tree:
        return {}
    try:
        levels: dict[int, int] = {}
        roots = range(pdfium.FPDF_StructTree_CountChildren(tree))
        elements = [(pdfium.FPDF_StructTree_GetChildAtIndex(tree, index), 0) for index in roots]
        while elements:
            element, level = elements.pop()
            if not element:  # marked content, or what another page has
                continue
            level = _read_level(element) or level
            for index in range(pdfium.FPDF_StructElement_CountChildren(element)):
                content = pdfium.FPDF_StructElement_GetChildMarkedContentID(element, index)
                if level and content >= 0:
                    levels[content] = level
                elements.append((pdfium.FPDF_StructElement_GetChildAtIndex(element, index), level))
        return levels
    finally:
        pdfium.FPDF_StructTree_Close(tree)


def _read_level(element: Any) -> int:
    """The level of an element that is a heading; 0 for any other."""
    name = ctypes.create_string_buffer(2 * len("H1") + 2)
    size = pdfium.FPDF_StructElement_GetType(element, name, len(name))
    if size > len(name):  # no heading has a longer name; PDFium then wrote nothing
        return 0
    found = _HEADING.fullmatch(name.raw[:size].decode("utf-16-le", "replace").rstrip("\0"))
    return int(found[1] or 1) if found else 0
