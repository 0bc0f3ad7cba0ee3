"""Presentations, workbooks and books, as the libraries of their formats write them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import openpyxl
import pptx
from openpyxl.worksheet.worksheet import Worksheet

PROTECTED = bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 504
"""The beginning of the container in which Office puts an encrypted file."""


def presentation(*slides: tuple[str, Sequence[tuple[int, str]], str], title: str = "") -> bytes:
    """A presentation: each slide has a title, items with their levels, and notes."""
    made = pptx.Presentation()
    made.core_properties.title = title or "PowerPoint Presentation"
    for heading, items, notes in slides:
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = heading
        frame = slide.placeholders[1].text_frame
        for number, (level, text) in enumerate(items):
            paragraph = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
            paragraph.text, paragraph.level = text, level
        if notes:
            slide.notes_slide.notes_text_frame.text = notes
    return save(made)


def workbook(**sheets: Callable[[Worksheet], None] | Iterable[Any]) -> bytes:
    """A workbook: each sheet has its rows, or is filled by a function."""
    made = openpyxl.Workbook()
    made.remove(made.worksheets[0])
    for name, content in sheets.items():
        sheet = made.create_sheet(name)
        if callable(content):
            content(sheet)
        else:
            for row in content:
                sheet.append(row)
    return save(made)


def save(made: Any) -> bytes:
    """The bytes that a library saves."""
    packed = io.BytesIO()
    made.save(packed)
    return packed.getvalue()


def book(chapters: dict[str, str], contents: dict[str, str], title: str = "A book", **parts: str) -> bytes:
    """An EPUB book of chapters by file name, and the titles of some of them in its table of contents."""
    items = "".join(
        f'<item id="c{number}" href="{name}" media-type="application/xhtml+xml"/>'
        for number, name in enumerate(chapters)
    )
    spine = "".join(f'<itemref idref="c{number}"/>' for number in range(len(chapters)))
    links = "".join(f'<li><a href="{name}">{words}</a></li>' for name, words in contents.items())
    written = {
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OPS/package.opf"/></rootfiles></container>',
        "OPS/package.opf": '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<metadata><dc:title>{title}</dc:title></metadata><manifest>{items}"
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/></manifest>'
        f'<spine><itemref idref="nav"/>{spine}</spine></package>',
        "OPS/nav.xhtml": f'<html xmlns="http://www.w3.org/1999/xhtml"><body><nav><ol>{links}</ol></nav></body></html>',
        **{f"OPS/{name}": f'<html xmlns="http://www.w3.org/1999/xhtml"><body>{text}</body></html>' for name, text in chapters.items()},
        **parts,
    }  # fmt: skip
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in written.items():
            archive.writestr(name, text)
    return packed.getvalue()
