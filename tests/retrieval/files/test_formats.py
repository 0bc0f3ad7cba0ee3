"""The formats of an office: what each file says, where, and below which headings."""

from __future__ import annotations

import datetime
import io
import re
import zipfile
from typing import Any

import pptx
import pytest
from openpyxl.comments import Comment
from openpyxl.worksheet.worksheet import Worksheet
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from bot.languages import speaking
from bot.retrieval.document import SourceDocument, UnreadableError, say_unread
from bot.retrieval.files import READERS, UNREAD, read
from bot.retrieval.files.number_format import format_value
from bot.retrieval.passages.markdown import write_passage, write_sentence
from bot.retrieval.passages.split import split_passages
from bot.sources.skip_reason import explain_skip
from tests.retrieval.office_files import PROTECTED, book, presentation, save, workbook


def passages(document: SourceDocument, path: str = "a") -> list[tuple[str, tuple[int, int] | None, str]]:
    """Each passage's headings, first and last place, and text."""
    return [
        (" › ".join(one.headings), one.find_places(), one.text)
        for one in split_passages(document, path, "english")
    ]


TEXTS = {
    "CSV: a row is below the names of its columns": ("a.csv", "City,Limit\nBerlin,140\nRome,150", [
        ("", (1, 3), "| City | Limit |\n| --- | --- |\n| Berlin | 140 |\n| Rome | 150 |")]),
    "CSV: semicolons, decimal commas and quoted line feeds": ("a.csv", 'Name;Preis\n"zwei\nZeilen";1,5\nB;2,5', [
        ("", (1, 3), "| Name | Preis |\n| --- | --- |\n| zwei Zeilen | 1,5 |\n| B | 2,5 |")]),
    "CSV: Excel's own line says the delimiter": ("a.csv", "sep=|\na,b|c\nd,e|f", [
        ("", (1, 2), "| a,b | c |\n| --- | --- |\n| d,e | f |")]),
    "CSV: without names, columns have letters": ("a.csv", "1,2\n3,4", [
        ("", (1, 2), "| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |")]),
    "CSV: a title, an empty row, a table": ("a.csv", "Prices,\n,\nItem,Price\nDesk,3", [
        ("", (1, 4), "Prices\n\n| Item | Price |\n| --- | --- |\n| Desk | 3 |")]),
    "TSV": ("a.tsv", "Item\tPrice\nDesk\t3", [("", (1, 2), "| Item | Price |\n| --- | --- |\n| Desk | 3 |")]),
    "MDX: without imports, components and comments": (
        "a.mdx", "import A from 'a'\nexport const b = {\n  c: 1\n}\n\n# Desk\n\n{/* no */}\n<A b={() => 1}\n   c=\"x > y\">\n\nIt is of **oak**.\n\n</A>\n", [
        ("Desk", None, "It is of **oak**.")]),
    "MDX: code stays": ("a.mdx", "```jsx\nimport A from 'a'\n<A>\n```", [("", None, "import A from 'a'\n<A>")]),
    "MDX: a table of HTML": (
        "a.mdx", "<A>\n<table>\n<tr><th>Day</th><th>Open</th></tr>\n<tr><td>Monday</td><td>9</td></tr>\n</table>\n</A>\n", [
        ("", None, "| Day | Open |\n| --- | --- |\n| Monday | 9 |")]),
    "MDX: a comment within a line": ("a.mdx", "Of {/* no */} oak.", [("", None, "Of  oak.")]),
    "Markdown: front matter of Hugo": ("a.md", '+++\ntitle = "Desks"\ndate = 2024-01-01\n+++\nOf oak.', [("", None, "Of oak.")]),
    "Markdown: front matter in JSON": ("a.md", '{\n "title": "Desks",\n "tags": {\n  "a": 1\n }\n}\n\nOf oak.', [("", None, "Of oak.")]),
    "Markdown: braces that are text": ("a.md", "{\nOf oak.\n}\n", [("", None, "{\nOf oak.\n}")]),
    "RST: sections, roles, notes and code": (
        "a.rst", "Desks\n=====\n\nSee :ref:`Oak <oak>` and ``make``.\n\nOak\n---\n\n.. note:: It is heavy.\n\n.. code-block:: sh\n\n   ls\n", [
        ("Desks", None, "See Oak and make."), ("Desks › Oak", None, "It is heavy.\n\n```\nls")]),
    "RST: what Sphinx knows, and no other file": (
        "a.rst", "Desks\n=====\n\n.. toctree::\n   :maxdepth: 2\n\n   a\n\n.. include:: /etc/passwd\n.. raw:: html\n\n   <b>no</b>\n\n.. tab-set::\n   :x: y\n\n   Of oak.\n\n* one\n* two\n", [
        ("Desks", None, "Of oak.\n\n- one\n- two")]),
    "RST: formulas": (
        "a.rst", "It costs :math:`C = 12 \\cdot 250` euros.\n\n.. math:: x = \\frac{1}{2}\n", [
        ("", None, "It costs C = 12 ⋅ 250 euros.\n\nx = 1/2")]),
    "RST: conditions": (
        "a.rst", "Desks\n=====\n\nNew.\n\n.. only:: Partners\n\n Oak\n ---\n\n Fine.\n\n .. ifconfig:: x\n\n    Two.\n\n.. only:: latex\n\n   On paper.\n\nEnd.\n", [
        ("Desks", None, "New."), ("Desks › Oak", None, "Fine.\n\nTwo.\n\nEnd.")]),
    "RST: tables": ("a.rst", "====  =====\nItem  Price\n====  =====\nDesk  3\n====  =====\n", [("", None, "| Item | Price |\n| --- | --- |\n| Desk | 3 |")]),
    "code: by class and function, with what stands above": (
        "a.py", "LIMIT = 3\n\n\nclass Desk:\n    # Of oak.\n    @cached\n    def wood(self):\n        def inner():\n            return 1\n\n        return inner()\n\n\nif LIMIT:\n    run()\n", [
        ("", (1, 1), "LIMIT = 3"), ("Desk", (4, 4), "class Desk:"),
        ("Desk › Desk.wood", (5, 11), "    # Of oak.\n    @cached\n    def wood(self):\n        def inner():\n            return 1\n\n        return inner()"),
        ("", (14, 15), "if LIMIT:\n    run()")]),
    "code: with braces": (
        "a.ts", "// Adds.\nexport function add(a: number) {\n\treturn a;\n}\n\nexport const half = (a) => {\n  return a / 2;\n};\n", [
        ("add", (1, 4), "// Adds.\nexport function add(a: number) {\n\treturn a;\n}"),
        ("half", (6, 8), "export const half = (a) => {\n  return a / 2;\n};")]),
    "code: Go": ("a.go", "package a\n\ntype Desk struct {\n\tWood int\n}\n\nfunc (d *Desk) Saw() {\n}\n", [
        ("", (1, 1), "package a"), ("Desk", (3, 5), "type Desk struct {\n\tWood int\n}"), ("Saw", (7, 8), "func (d *Desk) Saw() {\n}")]),
    "code: C": ("a.c", "#include <a.h>\n\nstatic int main(int argc, char **argv)\n{\n  return 0;\n}\n", [
        ("", (1, 1), "#include <a.h>"), ("main", (3, 6), "static int main(int argc, char **argv)\n{\n  return 0;\n}")]),
}  # fmt: skip


@pytest.mark.parametrize(("path", "source", "expected"), TEXTS.values(), ids=TEXTS)
def test_text_formats(path: str, source: str, expected: list[tuple[str, Any, str]]) -> None:
    assert passages(read(source.encode(), path), path) == expected


MESSAGE = """\
From: Ada Lovelace <ada@x.example>
To: Bob <bob@x.example>
Subject: =?utf-8?q?Re=3A_Caf=C3=A9?=
Date: Fri, 3 May 2024 10:00:00 +0200
Content-Type: text/plain; charset=utf-8

"""
HEADER = "- From: Ada Lovelace (ada@x.example)\n- To: Bob (bob@x.example)\n- Date: Fri, 03 May 2024 10:00:00 +0200\n\n"
ADA = "Ada Lovelace, 2024-05-03"
MESSAGES = {
    "a text": ("At noon.\n\n-- \nAda, CEO", [(ADA, "At noon.\n\n\nAda, CEO")]),
    "a reply between the lines": (
        "On Thu, 2 May 2024 at 09:00 Bob\n<bob@x.example> wrote:\n> When?\n>> I ask, too.\n\nAt noon.\n\n> Where?\n\nHere.",
        [(ADA, ""), (f"{ADA} › On Thu, 2 May 2024 at 09:00 Bob <bob@x.example> wrote", "When?"),
         (f"{ADA} › Café", "I ask, too."), (ADA, "At noon."), (f"{ADA} › Café", "Where?"), (ADA, "Here.")]),
    "a reply above": (
        "At noon.\n\n-----Original Message-----\nFrom: Bob\nSent: Monday\nTo: Ada\nSubject: Café\n\nWhen?\n\nAm 1. Mai schrieb Carl:\n\nAsk her.",
        [(ADA, "At noon."), (f"{ADA} › Bob, Monday", "To: Ada\nSubject: Café\n\nWhen?"), (f"{ADA} › Bob, Monday › Am 1. Mai schrieb Carl", "Ask her.")]),
    "a line that ends in a colon": ("Bring these:\n\n> a pen", [(ADA, "Bring these:"), (f"{ADA} › Café", "a pen")]),
}  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_messages_say_who_wrote_what(body: str, expected: list[tuple[str, str]]) -> None:
    document = read((MESSAGE + body).encode(), "a.eml")
    assert document.title == "Re: Café"
    found = [(headings, text) for headings, _, text in passages(document)]
    assert found == [(expected[0][0], (HEADER + expected[0][1]).strip()), *expected[1:]]


def test_fields_of_a_message_may_be_in_utf_8() -> None:
    source = "From: Jürgen <j@x.example>\nSubject: Café\nDate: Fri, 3 May 2024 10:00:00 +0200\n\nAt noon.\n"
    document = read(source.encode(), "a.eml")
    assert document.title == "Café"
    [(headings, _, text)] = passages(document)
    assert headings == "Jürgen, 2024-05-03"
    assert text.startswith("- From: Jürgen (j@x.example)")


def test_a_blank_may_stand_before_the_colon_of_a_field() -> None:
    source = b"Subject: Caf\xc3\xa9\r\nFrom : Ada <a@x.example>\r\n\r\nNote : at noon.\r\n"
    document = read(source, "a.eml")
    assert document.title == "Café"
    assert passages(document) == [("Ada", None, "- From: Ada (a@x.example)\n\nNote : at noon.")]


@pytest.mark.parametrize("field", ["To: @", "To: <", 'Cc: "', 'Content-Type: "'])
def test_a_field_that_cannot_be_read_costs_no_message(field: str) -> None:
    source = f"From: Ada <a@x.example>\nSubject: Café\n{field}\n\nAt noon.\n"
    document = read(source.encode(), "a.eml")
    assert passages(document) == [("Ada", None, "- From: Ada (a@x.example)\n\nAt noon.")]


def test_a_message_in_html_whose_attachments_are_counted() -> None:
    source = (
        "Subject: Plan\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n"
        "<p>See the plan.</p>\n--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\nno\n--b--\n"
    )
    document = read(source.encode(), "a.eml")
    assert passages(document) == [("", None, "- Attachment: a.txt\n\nSee the plan.")]
    assert document.unread == ("1 attachment is not read",)


def test_slides_have_their_numbers_items_notes_and_tables() -> None:
    made = presentation(
        ("Plan 2026", [(0, "Grow"), (1, "In Europe"), (0, "Save energy")], "Say that the budget is 5 million."),
        ("Hidden", [(0, "No.")], ""),
        ("Limits", [], ""),
    )  # fmt: skip
    opened = pptx.Presentation(io.BytesIO(made))
    opened.slides[1]._element.set("show", "0")
    table = opened.slides[2].shapes.add_table(2, 2, 0, Inches(5), Inches(4), Inches(1)).table
    for cell, text in zip(
        (cell for row in table.rows for cell in row.cells), ("City", "Limit", "Rome", "140 €"), strict=True
    ):
        cell.text = text
    document = read(save(opened), "a.pptx")
    assert passages(document) == [
        ("Plan 2026", (1, 1), "- Grow\n  - In Europe\n- Save energy\n\nSay that the budget is 5 million."),
        ("Limits", (3, 3), "| City | Limit |\n| --- | --- |\n| Rome | 140 € |"),
    ]
    assert (document.title, document.unread) == ("Plan 2026", ("1 hidden slide is not read",))


def test_titles_of_a_chart_and_its_axes_are_read() -> None:
    opened = pptx.Presentation(io.BytesIO(presentation(("Costs", [], ""))))
    make: Any = CategoryChartData
    data = make()
    data.categories = ["East", "West"]
    data.add_series("2024", (1, 2))
    kind = XL_CHART_TYPE.COLUMN_CLUSTERED
    chart = opened.slides[0].shapes.add_chart(kind, 0, Inches(2), Inches(5), Inches(4), data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Rent"
    for axis, words in ((chart.category_axis, "Region"), (chart.value_axis, "Million euros")):
        axis.has_title = True
        axis.axis_title.text_frame.text = words
    text = read(save(opened), "a.pptx").text
    assert "| Rent | 2024 |\n| --- | --- |\n| East | 1 |\n| West | 2 |\n\nRegion\n\nMillion euros" in text


def test_a_cell_of_a_slide_is_in_each_row_that_it_spans() -> None:
    opened = pptx.Presentation(io.BytesIO(presentation(("Limits", [], ""))))
    table = opened.slides[0].shapes.add_table(4, 3, 0, Inches(5), Inches(4), Inches(1)).table
    texts = "Country City Limit DE Berlin 120 - Bonn 90 others - 80".replace("-", "").split(" ")
    for cell, text in zip((cell for row in table.rows for cell in row.cells), texts, strict=True):
        cell.text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    table.cell(3, 0).merge(table.cell(3, 1))
    text = read(save(opened), "a.pptx").text
    assert "| DE | Berlin | 120 |\n| DE | Bonn | 90 |\n| others |  | 80 |" in text


def fill_prices(sheet: Worksheet) -> None:
    for row in (
        ["Price list"],
        [],
        ["Item", "Group", "Price", "Since", "Share"],
        ["Chair", "Office", 1234.5, datetime.date(2024, 5, 3), 0.125],
        ["Desk", None, 340, datetime.date(2024, 6, 1), -0.5],
        ["Secret", None, 1, None, None],
        [],
        ["Lamp", "Home", 7, None, None],
    ):
        sheet.append(row)
    sheet.merge_cells("B4:B5")
    for row in sheet.iter_rows(min_row=4):
        row[2].number_format, row[3].number_format, row[4].number_format = (
            '#,##0.00 "€"',
            "dd.mm.yyyy",
            "0.0%",
        )
    sheet.row_dimensions[6].hidden = True


def fill_quarters(sheet: Worksheet) -> None:
    for row in ([None, 2023, None, 2024, None], ["Name", "Q1", "Q2", "Q1", "Q2"], ["Ada", 1, 2, 3, 4]):
        sheet.append(row)
    sheet.merge_cells("B1:C1")
    sheet.merge_cells("D1:E1")
    sheet.column_dimensions["C"].hidden = True


def hide(sheet: Worksheet) -> None:
    sheet.append(["No."])
    sheet.sheet_state = "hidden"


def test_sheets_read_as_excel_shows_them() -> None:
    document = read(workbook(Prices=fill_prices, Quarters=fill_quarters, Hidden=hide), "a.xlsx")
    assert passages(document) == [
        ("Prices", (1, 8), ("Price list\n\n| Item | Group | Price | Since | Share |\n| --- | --- | --- | --- | --- |\n"
         "| Chair | Office | 1,234.50 € | 03.05.2024 | 12.5% |\n| Desk | Office | 340.00 € | 01.06.2024 | -50.0% |\n\n"
         "| Item | Group | Price | Since | Share |\n| --- | --- | --- | --- | --- |\n| Lamp | Home | 7.00 € |  |  |")),
        ("Quarters", (1, 3), "| Name | 2023 Q1 | 2024 Q1 | 2024 Q2 |\n| --- | --- | --- | --- |\n| Ada | 1 | 3 | 4 |"),
    ]  # fmt: skip
    assert document.unread == ("1 hidden row is not read", "1 hidden sheet is not read")


def test_a_row_is_understood_alone() -> None:
    rows: list[list[object]] = [
        ["Item", "Price"],
        *([f"Item number {number}", number] for number in range(2, 300)),
    ]
    *_, last = split_passages(read(workbook(Prices=rows), "a.xlsx"), "a.xlsx", "english")
    assert (last.sheet, last.find_places(last.units[-1:])) == ("Prices", (299, 299))
    assert write_sentence(last, last.units[-1]) == "Item: Item number 299; Price: 299"
    assert write_passage(last, last.units[-1:]).startswith("…\n\n| Item | Price |\n| --- | --- |\n")


def test_a_long_row_names_its_columns_in_a_list() -> None:
    (passage,) = split_passages(
        read(workbook(Jobs=[["Title", "Task"], ["Cook", "Cooks. " * 100]]), "a.xlsx"), "a.xlsx", None
    )
    assert passage.text.startswith("Title: Cook:\n\n- Task: Cooks. Cooks.")


def fill_areas(sheet: Worksheet) -> None:
    sheet.append(["Measures of the year under review, by area, person and date of their end"])
    sheet.append(["Area", "Measure"])
    for number in range(40):
        sheet.append([None if number else "The area of work " * 30, f"Measure {number}. " * 10])
    sheet.merge_cells("A1:B1")
    sheet.merge_cells("A3:A42")


def test_a_merged_cell_is_repeated_in_a_few_words() -> None:
    document = read(workbook(Areas=fill_areas), "a.xlsx")
    assert document.text.count("Measures of the year") == 1
    assert document.text.count(("The area of work " * 30).strip()) == 1
    assert (
        "Area: The area of work The area of work The area of work The area…:\n\n- Measure: Measure 7."
        in document.text
    )


def test_a_row_of_many_columns_names_them_in_a_list() -> None:
    names = [f"A column with a long name {number}" for number in range(30)]
    (passage,) = split_passages(read(workbook(Jobs=[names, list(range(30))]), "a.xlsx"), "a.xlsx", None)
    assert write_sentence(passage, passage.units[-1]) == "A column with a long name 29: 29"


VALUES = [
    (1234.5, "General", "1234.5"), (3.0, "General", "3"), (0.1 + 0.2, "General", "0.3"), (True, "General", "TRUE"),
    (1234.5, "#,##0", "1,235"), (2.5, "0", "3"), (0.5, "0.00%", "50.00%"), (0.5, "#.##", ".5"), (7, "000", "007"),
    (-5, "0;(0)", "(5)"), (0, '0;-0;"none"', "none"), (1234567, '0.0,,"M"', "1.2M"), (12345, "0.00E+00", "1.23E+04"),
    (5, "[$€-407] #,##0.00", "€ 5.00"), (5, '_-* #,##0.00 "€"_-', "5.00 €"), (5, "[Red][>3]0;0", "5"), (0.25, "# ?/?", "0.25"),
    (datetime.datetime(2024, 5, 3), "mm-dd-yy", "2024-05-03"), (datetime.datetime(2024, 5, 3, 9, 5), "m/d/yy h:mm", "2024-05-03 09:05"),
    (datetime.datetime(2024, 5, 3, 9, 5), "d. mmmm yyyy hh:mm", "3. May 2024 09:05"), (datetime.datetime(2024, 5, 3, 15, 5), "h:mm AM/PM", "3:05 PM"),
    (datetime.date(2024, 5, 3), "d-mmmmm", "3-May"), (datetime.time(9, 5), "h:mm", "9:05"), (datetime.timedelta(hours=30), "[h]:mm", "30:00"), (datetime.date(2024, 5, 3), "yyyy\\-mm\\-dd", "2024-05-03"),
    (float("inf"), "0.0", "inf"), ("text", "0.0", "text"), (None, "0", ""),
]  # fmt: skip


@pytest.mark.parametrize(("value", "number_format", "shown"), VALUES)
def test_values_as_excel_shows_them(value: object, number_format: str, shown: str) -> None:
    assert format_value(value, number_format) == shown


def test_a_formula_is_its_last_result() -> None:
    # openpyxl writes formulas without results, as a program does that never computed them.
    document = read(workbook(S=[["Item", "Sum"], ["Desk", "=1+1"], ["Lamp", 2]]), "a.xlsx")
    assert "| Desk |  |" in document.text


def test_books_follow_the_spine_and_take_titles_from_the_table_of_contents() -> None:
    document = read(
        book({"b.xhtml": "<p>It was dark.</p>", "a.xhtml": "<h1>The end</h1><p>They slept.</p>"}, {"b.xhtml": "The start"}),
        "a.epub",
    )  # fmt: skip
    assert passages(document) == [("The start", None, "It was dark."), ("The end", None, "They slept.")]
    assert document.title == "A book"


PROTECTED_BY = "StrongEncryptionDataSpace".encode("utf-16-le") + "EncryptedPackage".encode("utf-16-le")
DRM = {
    "META-INF/encryption.xml": '<encryption><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/></encryption>'
}
REFUSED = {
    "a sheet with a password": ("a.xlsx", PROTECTED + PROTECTED_BY, "it is protected by a password"),
    "slides that a service encrypted": ("a.pptx", PROTECTED + "EncryptedPackage".encode("utf-16-le"), "it is encrypted"),
    "an old sheet": ("a.xlsx", PROTECTED, "it is of the old .xls format"),
    "a truncated workbook": ("a.xlsx", workbook(S=[["a"]])[:2000], "it is damaged"),
    "truncated slides": ("a.pptx", presentation(("A", [], ""))[:9000], "it is damaged"),
    "a workbook that is slides": ("a.xlsx", presentation(("A", [], "")), "it is damaged"),
    "slides that are a workbook": ("a.pptx", workbook(S=[["a"]]), "it is damaged"),
    "a book that is a workbook": ("a.epub", workbook(S=[["a"]]), "it is damaged"),
    "a book that is a text": ("a.epub", b"A text.", "it is damaged"),
    "a book with protection": ("a.epub", book({"a.xhtml": "<p>a"}, {}, **DRM), "it is protected against copying"),
    "an empty workbook": ("a.xlsx", workbook(S=[]), "it has no text"),
    "slides without text": ("a.pptx", save(pptx.Presentation()), "it has no text"),
    "a message without a header": ("a.eml", b"Hello.", "it is no e-mail message"),
    "a message for one person": ("a.eml", b"From: a\nContent-Type: application/pkcs7-mime\n\nx", "it is encrypted"),
    "packed code": ("a.js", b"x;" * 3000, "it is packed for machines"),
    "a picture that is called CSV": ("a.csv", bytes(range(256)) * 8, "it is not text"),
}  # fmt: skip


@pytest.mark.parametrize(("path", "data", "reason"), REFUSED.values(), ids=REFUSED)
def test_refused_with_a_reason(path: str, data: bytes, reason: str) -> None:
    with pytest.raises(UnreadableError) as refused:
        read(data, path)
    assert str(refused.value) == reason


def test_a_format_is_read_or_not() -> None:
    assert not READERS.keys() & UNREAD.keys()


SKIPPED = {
    "the format .ppt is not read (save it as PDF or PPTX)": "Das Format .ppt wird nicht gelesen. Speichern Sie die Datei als PDF oder PPTX.",
    "1 file of a format that is not read": "1 Datei in einem Format, das nicht gelesen wird",
    "2 hidden rows are not read": "2 ausgeblendete Zeilen werden nicht gelesen.",
    "2 charts are not read": "2 Teile werden nicht gelesen: chart.",
    "1 list of notes is not read": "1 Teil wird nicht gelesen: list of notes.",
    "its fonts do not say which letters they show (run it through OCR first)": "Die Schriften sagen nicht, welche Buchstaben sie zeigen. Lassen Sie zuerst eine Texterkennung laufen.",
    "its encoding is unknown: save it as UTF-8": "Die Zeichenkodierung der Datei ist unbekannt. Speichern Sie sie als UTF-8.",
    "it is of the old .xls format": "Die Datei hat das alte Format .xls. Speichern Sie sie als .xlsx.",
}  # fmt: skip


@pytest.mark.parametrize(("reason", "said"), SKIPPED.items())
def test_reasons_are_said_in_the_language_of_the_reader(reason: str, said: str) -> None:
    with speaking("de"):
        assert explain_skip(reason) == said


def test_no_reason_stays_in_english() -> None:
    reasons = {f"the format .x is not read ({advice})" for advice in UNREAD.values()}
    reasons |= {reason for *_, reason in REFUSED.values()}
    reasons |= {
        said
        for name in ("hidden slide", "hidden sheet", "attachment", "damaged line")
        for said in say_unread(2, name)
    }
    with speaking("fr"):
        assert not [
            reason for reason in reasons if explain_skip(reason).removesuffix(".").lower() == reason.lower()
        ]


def test_a_cell_that_refers_to_an_entity_is_not_expanded() -> None:
    packed = io.BytesIO(workbook(S=[["Item", "Price"], ["Desk", 3]]))
    hostile = io.BytesIO()
    with zipfile.ZipFile(packed) as before, zipfile.ZipFile(hostile, "w") as after:
        for name in before.namelist():
            text = before.read(name).decode()
            if name.endswith("sheet1.xml"):
                text = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;">]>' + text.replace(
                    "<v>3</v>", "<v>&c;</v>"
                )
            after.writestr(name, text)
    assert "| Desk |  |" in read(hostile.getvalue(), "a.xlsx").text


MACRO_ENABLED = {
    "a.pptm": (
        presentation(("Desks", [(0, "They are of oak.")], "")),
        "openxmlformats-officedocument.presentationml.presentation.main",
        "ms-powerpoint.presentation.macroEnabled.main",
    ),
    "a.xlsm": (
        workbook(Desks=[["Item", "Wood"], ["Desk", "oak"]]),
        "openxmlformats-officedocument.spreadsheetml.sheet.main",
        "ms-excel.sheet.macroEnabled.main",
    ),
}


@pytest.mark.parametrize(("name", "case"), MACRO_ENABLED.items(), ids=MACRO_ENABLED)
def test_a_file_with_macros_is_read_as_one_without(name: str, case: tuple[bytes, str, str]) -> None:
    data, kind, with_macros = case
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as plain, zipfile.ZipFile(written, "w") as macros:
        for part in plain.namelist():
            content = plain.read(part)
            if part == "[Content_Types].xml":
                assert kind.encode() in content
                content = content.replace(kind.encode(), with_macros.encode())
            macros.writestr(part, content)
        macros.writestr("vbaProject.bin", b"\x00macro")
    document = read(written.getvalue(), name)
    assert "oak" in document.text
    assert document == read(data, name[:-1] + "x")


def test_a_comment_on_an_empty_cell_stands_below_the_rows() -> None:
    def fill(sheet: Worksheet) -> None:
        sheet.append(["Desk", 3])
        sheet["B1"].comment, sheet["D9"].comment = Comment("or four", "Ada"), Comment("soon", "Ada")

    kept = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook(Prices=fill))) as made, zipfile.ZipFile(kept, "w") as written:
        for name in made.namelist():  # the cell is not listed where it has no style
            written.writestr(name, re.sub(rb'<row r="9".*?</row>', b"", made.read(name)))
    assert read(kept.getvalue(), "a.xlsx").text == "Prices\n\nDesk; 3 (or four)\n\nsoon\n\n"
