"""OpenDocument texts and Rich Text Format: what public bodies and old programs write."""

from __future__ import annotations

import io
import zipfile

import pytest

from bot.retrieval.document import UnreadableError
from bot.retrieval.files import read

NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text", "table", "manifest", "style")
)
BODY = """
<text:h text:outline-level="1">Travel by train</text:h>
<text:p>Book the train<text:s/>in the <text:span>portal</text:span>.<text:note><text:note-citation>1</text:note-citation>
<text:note-body><text:p>Or by phone.</text:p></text:note-body></text:note></text:p>
<text:tracked-changes><text:p>An old sentence.</text:p></text:tracked-changes>
<text:list><text:list-item><text:p>Take the ticket along.</text:p></text:list-item></text:list>
<table:table><table:table-row><table:table-cell><text:p>City</text:p></table:table-cell>
<table:table-cell><text:p>Limit</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell><text:p>Zurich</text:p></table:table-cell>
<table:table-cell><text:p>220 CHF</text:p></table:table-cell>
<table:table-cell table:number-columns-repeated="1000000"/></table:table-row></table:table>
<text:section><text:h text:outline-level="2">Abroad</text:h><text:p>Ask the travel desk.</text:p></text:section>
"""
RTF = rb"""{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Arial;}}{\info{\title Travel desk}{\author Ada}}
{\stylesheet{\s1 heading 1;}}{\*\generator Editor;}
\pard\outlinelevel0 Travel by train\par
\pard Book the train in the {\b portal} f\'fcr 3\~000 \u8364?. \u55357?\u56960?\par
\pard\ls1 Take the ticket along.\par
\trowd\intbl City\cell Limit\cell\row\trowd\intbl Zurich\cell 220 CHF\cell\row
\pard\outlinelevel1 Abroad\par\pard Ask the \{travel\} desk.\par}"""


def odt(body: str, manifest: str = "", styles: str = "") -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        file.writestr("META-INF/manifest.xml", f"<manifest:manifest {NAMES}>{manifest}</manifest:manifest>")
        content = f"<office:styles>{styles}</office:styles>"
        content += f"<office:body><office:text>{body}</office:text></office:body>"
        file.writestr("content.xml", f"<office:document-content {NAMES}>{content}</office:document-content>")
    return packed.getvalue()


def test_an_open_document_is_read_in_its_order() -> None:
    document = read(odt(BODY), "travel.odt")
    assert document.title == "Travel by train"
    assert [section.headings for section in document.sections] == [
        ("Travel by train",), ("Travel by train", "Abroad"),
    ]  # fmt: skip
    for words in (
        "Book the train in the portal. (Or by phone.)",
        "Take the ticket along.",
        "Ask the travel desk.",
    ):
        assert words in document.text
    assert "| Zurich | 220 CHF |" in document.text
    assert "old sentence" not in document.text
    assert len(document.text) < 1000


NUMBERED = """
<text:outline-style><text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="."/>
<text:outline-level-style text:level="2" style:num-format="a" text:display-levels="2"/></text:outline-style>
<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style>
"""


def test_numbers_of_headings_and_of_lists_in_cells_are_read() -> None:
    items = "".join(f"<text:list-item><text:p>{words}</text:p></text:list-item>" for words in ("Bed", "Desk"))
    cells = (f'<text:list text:style-name="L">{items}</text:list>', "<text:p>Rome</text:p>")
    rows = "".join(f"<table:table-cell>{cell}</table:table-cell>" for cell in cells)
    row = f"<table:table-row>{rows}</table:table-row>"
    body = (
        '<text:h text:outline-level="1">Rooms</text:h><text:h text:outline-level="2">Small</text:h>'
        f'<text:h text:outline-level="2">Large</text:h><table:table>{row}{row}</table:table>'
    )
    document = read(odt(body, styles=NUMBERED), "rooms.odt")
    assert document.sections[-1].headings == ("1. Rooms", "1.b Large")
    assert "| 1 Bed 2 Desk | Rome |" in document.text


SPANNED = "| DE | Berlin | 120 |\n| DE | Bonn | 90 |\n| others |  | 80 |"


def test_a_cell_of_an_open_document_is_in_each_row_that_it_spans() -> None:
    def row(*cells: str) -> str:
        return f"<table:table-row>{''.join(cells)}</table:table-row>"

    def cell(words: str, spans: str = "") -> str:
        return f"<table:table-cell {spans}><text:p>{words}</text:p></table:table-cell>"

    covered = "<table:covered-table-cell/>"
    rows = (
        row(*map(cell, ("Country", "City", "Limit"))),
        row(cell("DE", 'table:number-rows-spanned="2"'), cell("Berlin"), cell("120")),
        row(covered, cell("Bonn"), cell("90")),
        row(cell("others", 'table:number-columns-spanned="2"'), covered, cell("80")),
    )
    assert SPANNED in read(odt(f"<table:table>{''.join(rows)}</table:table>"), "travel.odt").text


def test_a_cell_of_rich_text_is_in_each_row_that_it_spans() -> None:
    rows = rb"""{\rtf1 \trowd\cellx1\cellx2\cellx3\intbl Country\cell City\cell Limit\cell\row
        \trowd\clvmgf\cellx1\cellx2\cellx3\intbl DE\cell Berlin\cell 120\cell\row
        \trowd\clvmrg\cellx1\cellx2\cellx3\intbl\cell Bonn\cell 90\cell\row
        \trowd\clmgf\cellx1\clmrg\cellx2\cellx3\intbl others\cell\cell 80\cell\row}"""
    assert SPANNED in read(rows, "travel.rtf").text


def test_numbers_of_lists_in_rich_text_are_their_labels() -> None:
    items = rb"{\rtf1 {\pard\ls1{\listtext 2.\tab}Bed\par}{\pard\ls1{\pntext\'b7\tab}Desk\par}}"
    assert read(items, "rooms.rtf").text == "2. Bed\n- Desk\n"


def test_an_open_document_with_a_password_says_so() -> None:
    entry = "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>"
    with pytest.raises(UnreadableError, match="password"):
        read(odt(BODY, entry), "travel.odt")


def test_rich_text_is_read_in_its_order() -> None:
    document = read(RTF, "travel.rtf")
    assert document.title == "Travel desk"
    assert [section.headings[-1] for section in document.sections] == ["Travel by train", "Abroad"]
    assert "Book the train in the portal für 3\u00a0000 €. \U0001f680" in document.text
    assert "Take the ticket along." in document.text
    assert "| Zurich | 220 CHF |" in document.text
    assert "Ask the {travel} desk." in document.text
    assert not any(word in document.text for word in ("Arial", "heading 1", "Editor", "Ada"))


@pytest.mark.parametrize("data", [b"no rtf", b"{\\rt"])
def test_what_is_no_rich_text_says_so(data: bytes) -> None:
    with pytest.raises(UnreadableError, match="not of the format"):
        read(data, "travel.rtf")


@pytest.mark.parametrize("end", range(5, len(RTF), 7))
def test_a_cut_file_is_read_as_far_as_it_goes(end: int) -> None:
    assert find_reason(RTF[:end]) in {"", "it has no text"}


def find_reason(data: bytes) -> str:
    """Why a file can't be read; empty where it can."""
    try:
        read(data, "travel.rtf")
    except UnreadableError as error:
        return str(error)
    return ""
