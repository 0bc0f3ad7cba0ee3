"""One document in each format that a folder reads."""

from __future__ import annotations

import html
import io
from typing import Final

import docx
from reportlab.pdfgen.canvas import Canvas

from .office_files import book

TITLE: Final = "Travel by train"
PROSE: Final = (
    "Book the train in the portal, and keep the ticket. It is paid with the next salary, in one sum."
)
ITEMS: Final = ("Take the ticket along.", "Take the card of the railway along.")
ROWS: Final = (("City", "Limit"), ("Berlin", "140 €"), ("Zurich", "220 CHF"))
CODE: Final = 'def limit(city):\n    if city == "Zurich":\n        return "220"\n\n    return "140"'
AFTER: Final = "This is how the portal computes the limit of a city, which the travel desk may change."


def _markdown() -> bytes:
    items = "\n".join(f"- {item}" for item in ITEMS)
    header, *rows = (f"| {' | '.join(row)} |" for row in ROWS)
    table = "\n".join((header, "| --- | --- |", *rows))
    return f"# {TITLE}\n\n{PROSE}\n\n{items}\n\n{table}\n\n```python\n{CODE}\n```\n\n{AFTER}\n".encode()


def _text() -> bytes:
    items = "\n".join(f"* {item}" for item in ITEMS)
    table = "\n".join(f"| {' | '.join(row)} |" for row in ROWS)
    code = "\n".join(f"    {line}".rstrip() for line in CODE.split("\n"))
    return f"{TITLE}\n{'=' * len(TITLE)}\n\n{PROSE}\n\n{items}\n\n{table}\n\n{code}\n\n{AFTER}\n".encode()


def _html() -> bytes:
    items = "".join(f"<li>{item}" for item in ITEMS)
    rows = "".join(f"<tr>{''.join(f'<td>{cell}' for cell in row)}" for row in ROWS)
    code = html.escape(CODE)
    body = f"<p>{PROSE}<ul>{items}</ul><table>{rows}</table><pre><code>{code}</code></pre><p>{AFTER}"
    return f"<!doctype html><title>{TITLE} | Nordlicht</title><h1>{TITLE}</h1>{body}".encode()


def _word() -> bytes:
    document = docx.Document()
    document.core_properties.title = "Word Document"
    document.add_heading(TITLE, level=0)
    document.add_paragraph(PROSE)
    for item in ITEMS:
        document.add_paragraph(item, style="List Bullet")
    table = document.add_table(rows=0, cols=2)
    for row in ROWS:
        for cell, words in zip(table.add_row().cells, row, strict=True):
            cell.text = words
    for line in CODE.split("\n"):
        document.add_paragraph().add_run(line).font.name = "Courier New"
    document.add_paragraph(AFTER)
    packed = io.BytesIO()
    document.save(packed)
    return packed.getvalue()


def _pdf() -> bytes:
    packed = io.BytesIO()
    canvas = Canvas(packed)
    canvas.setTitle("Microsoft Word - train_v2.docx")
    height = 800
    lines = [("Helvetica", 20, TITLE), ("", 0, ""), ("Helvetica", 10, PROSE), ("", 0, "")]
    lines += [("Helvetica", 10, f"• {item}") for item in ITEMS] + [("", 0, "")]
    lines += [("Courier", 9, line) for line in CODE.split("\n")] + [("", 0, ""), ("Helvetica", 10, AFTER)]
    for font, size, line in lines:
        height -= 14
        if line:
            canvas.setFont(font, size)
            canvas.drawString(60, height, line)
    canvas.save()
    return packed.getvalue()


def _rst() -> bytes:
    items = "\n".join(f"* {item}" for item in ITEMS)
    rows = "\n".join(f"   * - {row[0]}\n     - {row[1]}" for row in ROWS)
    table = f".. list-table::\n   :header-rows: 1\n\n{rows}"
    code = "\n".join(f"   {line}".rstrip() for line in CODE.split("\n"))
    heading = f"{TITLE}\n{'=' * len(TITLE)}"
    return f"{heading}\n\n{PROSE}\n\n{items}\n\n{table}\n\n.. code-block:: python\n\n{code}\n\n{AFTER}\n".encode()


def _book() -> bytes:
    return book({"a.xhtml": _html().decode().partition("</title>")[2]}, {}, TITLE)


def _message() -> bytes:
    header = f"Subject: {TITLE}\nContent-Type: text/html; charset=utf-8\n\n"
    return header.encode() + _html().partition(b"</h1>")[2]


FORMATS: Final = {
    "a.rst": _rst(),
    "a.epub": _book(),
    "a.eml": _message(),
    "a.mdx": b"import A from 'a'\n\n" + _markdown(),
    "a.md": _markdown(),
    "a.txt": _text(),
    "a.html": _html(),
    "a.docx": _word(),
    "a.pdf": _pdf(),
}
