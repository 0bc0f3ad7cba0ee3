"""Make the two sample documents that can't be typed: a Word document and a PDF.

Run it after changing them, and commit what it makes::

    pip install python-docx reportlab
    python examples/make_samples.py
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import docx
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.units import cm
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

SAMPLES = Path(__file__).resolve().parent.parent / "bot" / "samples"

EXPENSES: Final = """\
# Expenses and reimbursement

This document says what Nordlicht pays back, how to ask for it and how long it takes.

## How do I hand in an expense?

Photograph the receipt in the Quittly app on the day that you pay. Choose the cost centre and the project,
and send it to your team lead with one tap. Hand in every expense within 30 days; after 90 days we can no
longer pay it back.

## When do I get my money back?

Expenses that are approved by the 20th are paid with that month's salary. Amounts above 500 € are paid
within five working days if you tick the box “urgent”.

## What is paid, and up to which amount?

| What | Limit | Receipt needed |
| Mileage, own car | 0.35 € per km | No, the route is enough |
| Mileage, own bicycle | 0.15 € per km | No |
| Meal with a customer | 60 € per person | Yes, with names of the guests |
| Team event | 45 € per person and quarter | Yes |
| Phone, private contract | 15 € per month | Once a year |
| Training and conferences | 1,800 € per year | Yes |
| Gift for a customer | 35 € per person and year | Yes |
| Glasses for screen work | 150 € every two years | Yes, with prescription |

## What is not paid?

- Fines and parking tickets
- Alcohol, except at a meal with a customer
- Upgrades of flights and hotels
- Anything without a receipt above 20 €

## I lost a receipt. What now?

Ask the shop for a copy first. If that fails, fill in the form “Own receipt” in Quittly. Two own receipts
a year are accepted, up to 50 € each.

## Company credit card

Colleagues who travel more than ten times a year get a company card. Its limit is 3,000 € a month. Private
purchases are not allowed, and cash is only for emergencies. If the card is lost, block it at +49 116 116
and tell the finance team.
"""

GUIDE: Final = """\
# Aurora 3 user guide

## 1 Unpacking

The box contains the Aurora 3 monitor, a wall bracket with two screws, a USB-C cable of 1.5 m and this
guide. Remove the transparent film from the display and from the air inlet on the left side. Keep the box:
it is needed if you ever return the device.

## 2 Choosing a place

Mount the monitor at the height of a sitting person's head, between 1.0 and 1.5 metres above the floor.
Keep a distance of at least one metre from windows, doors, radiators and people. Do not place it in direct
sunlight, because warmth from the sun raises the temperature reading by up to four degrees.

One monitor covers a room of up to 60 square metres. Larger rooms need one for every 60 square metres or
part of them.

---

## 3 First start

Press the button on the back for two seconds. The light blinks blue while the sensors warm up, which takes
two minutes. After that the display shows the first reading. Full accuracy is reached after 24 hours of
operation.

## 4 Connecting to the network

Open the Nordlicht app, choose “Add device” and hold your phone near the monitor. Enter the password of
your wireless network. If the connection fails, check that the network uses 2.4 GHz: the monitor cannot
see 5 GHz networks. After three failed attempts the monitor waits for ten minutes.

| Error code | Meaning | Remedy |
| E01 | No network found | Move the monitor closer to the router |
| E02 | Wrong password | Enter the password again in the app |
| E07 | Sensor blocked | Clean the air inlet with a soft brush |
| E12 | Battery below 5 % | Charge for three hours |

---

## 5 Care and cleaning

Wipe the housing with a dry cloth once a month. Never use alcohol or sprays: they poison the sensor for
organic compounds and void the warranty. Clean the air inlet every six months with a soft brush.

## 6 Resetting

To restart the monitor, hold the button for five seconds. To return to factory settings, hold it for
fifteen seconds until the light turns white. A factory reset deletes all stored readings and the network
password.

---

## 7 Technical data

| Property | Value |
| Dimensions | 92 x 92 x 28 mm |
| Weight | 186 g |
| Operating temperature | -5 to 45 degrees Celsius |
| Carbon dioxide range | 400 to 5,000 ppm |
| Carbon dioxide accuracy | 30 ppm plus 3 % of the reading |
| Battery | 5,200 mAh, lithium iron phosphate |
| Protection class | IP40, indoor use only |

## 8 Disposal

Do not throw the monitor into household waste. Send it back to Nordlicht free of charge, or take it to the
recycling point of your town. Delete your readings before you give the monitor away.
"""
_KINDS: Final = {"# ": "title", "##": "heading", "- ": "item", "| ": "table", "--": "page"}
"""The kinds of blocks by how they begin; any other block is a paragraph."""


def read_blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of each block."""
    for block in re.split(r"\n\n|\n(?=- )", text.strip()):
        kind = _KINDS.get(block[:2], "text")
        yield kind, block if kind == "table" else " ".join(block.lstrip("#- ").split())


def read_rows(table: str) -> list[list[str]]:
    """The cells of each row."""
    return [line.strip("| ").split(" | ") for line in table.splitlines()]


def make_word_document(path: Path) -> None:
    """Write the expenses page as DOCX."""
    document = docx.Document()
    document.core_properties.author = "Nordlicht Instruments"
    document.core_properties.title = "Expenses and reimbursement"
    document.core_properties.created = document.core_properties.modified = dt.datetime(2026, 1, 1)
    for kind, text in read_blocks(EXPENSES):
        if kind == "table":
            rows = read_rows(text)
            table = document.add_table(rows=0, cols=len(rows[0]), style="Light Grid Accent 1")
            for row in rows:
                for cell, written in zip(table.add_row().cells, row, strict=True):
                    cell.text = written
        elif kind in ("text", "item"):
            document.add_paragraph(text, style="List Bullet" if kind == "item" else None)
        else:
            document.add_heading(text, level=0 if kind == "title" else 1)
    document.save(str(path))


def make_pdf(path: Path) -> None:
    """Write the user guide as PDF, with page numbers in its footer."""
    styles = getSampleStyleSheet()
    names = {"title": "Title", "heading": "Heading2", "text": "BodyText"}
    grid = TableStyle(
        [("GRID", (0, 0), (-1, -1), 0.5, "#888888"), ("BACKGROUND", (0, 0), (-1, 0), "#e8eef7")]
    )
    flow: list[Any] = []
    for kind, text in read_blocks(GUIDE):
        if kind == "page":
            flow.append(PageBreak())
        elif kind == "table":
            flow += [Spacer(1, 8), Table(read_rows(text), style=grid, hAlign="LEFT"), Spacer(1, 8)]
        else:
            flow.append(Paragraph(text, styles[names[kind]]))

    def footer(canvas: Any, template: Any) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(2.5 * cm, 1.5 * cm, f"Aurora 3 user guide · page {template.page}")

    template = SimpleDocTemplate(
        str(path), pagesize=A4, title="Aurora 3 user guide", author="Nordlicht Instruments", invariant=1
    )
    template.build(flow, onFirstPage=footer, onLaterPages=footer)


if __name__ == "__main__":
    make_word_document(SAMPLES / "expenses.docx")
    make_pdf(SAMPLES / "aurora-user-guide.pdf")
