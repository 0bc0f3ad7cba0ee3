"""What a person who opens a document does not see is not read, and so is in no answer and no view."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import docx
import pptx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from openpyxl.worksheet.worksheet import Worksheet
from reportlab.pdfgen.canvas import Canvas

from bot.document_view.document import render_document
from bot.retrieval.files import read
from bot.retrieval.files.shown import StyleProperties

from ..office_files import save, workbook

WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def word() -> bytes:
    """Hidden by itself, by the style of the words or the paragraph, or by the style of their style."""
    made: Any = docx.Document()
    for name, kind in (("Secret", WD_STYLE_TYPE.PARAGRAPH), ("Words", WD_STYLE_TYPE.CHARACTER)):
        made.styles.add_style(name, kind).font.hidden = True
    made.styles.add_style("Below", WD_STYLE_TYPE.PARAGRAPH).base_style = made.styles["Secret"]
    shown = made.styles.add_style("Shown", WD_STYLE_TYPE.PARAGRAPH)
    shown.base_style, shown.font.hidden = made.styles["Secret"], False
    made.add_heading("Seen1", 1).add_run(" unseen1").font.hidden = True
    paragraph = made.add_paragraph("seen2 ")
    paragraph.add_run("unseen2 ").font.hidden = True
    paragraph.add_run("unseen3 ", style="Words")
    paragraph.add_run("seen3").font.hidden = False
    made.add_paragraph("unseen4", style="Secret")
    made.add_paragraph("unseen5", style="Below")
    made.add_paragraph("seen4", style="Shown")
    rows = "".join(
        f"<w:tr><w:trPr>{mark}</w:trPr><w:tc><w:p><w:r><w:t>{words}</w:t></w:r></w:p></w:tc></w:tr>"
        for words, mark in (("seen5", ""), ("unseen6", '<w:del w:author="Ada"/>'))
    )
    grid = "<w:tblGrid><w:gridCol/></w:tblGrid>"
    made.element.body.sectPr.addprevious(parse_xml(f"<w:tbl {WORD}><w:tblPr/>{grid}{rows}</w:tbl>"))
    return save(made)


def slides() -> bytes:
    """Shapes and groups that were hidden in the selection pane."""
    made: Any = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[1])
    slide.shapes.title.text, slide.placeholders[1].text_frame.text = "seen1", "seen2"
    box, group = slide.shapes.add_textbox(0, 0, 9, 9), slide.shapes.add_group_shape()
    box.text_frame.text = "unseen1"
    group.shapes.add_textbox(0, 0, 9, 9).text_frame.text = "unseen2"
    for shape in (box, group):
        shape._element._nvXxPr.cNvPr.set("hidden", "1")
    return save(made)


def sheet() -> bytes:
    def fill(rows: Worksheet) -> None:
        rows.append(["name", "pay"])
        rows.append(["seen1", "unseen1"])
        rows.append(["seen2", 4711])
        rows["B2"].number_format = rows["B3"].number_format = ";;;"

    return workbook(Pay=fill)


PAGE = b"""<h1>seen1</h1><p style="color: red; Display : none">unseen1</p><p>seen2
<span style="visibility:hidden">unseen2</span></p><div style="mso-hide:all">unseen3</div><p hidden>unseen4</p>
<video>unseen5</video><datalist><option>unseen6</option></datalist><noembed>unseen7</noembed>
<table><tr><td>seen3</td><td style="display:none">unseen8</td></tr></table><p style="display:block">seen4</p>"""
MAIL = b"""From: Ada <ada@example.com>\r\nSubject: Fern\r\nContent-Type: text/html\r\n\r\n""" + PAGE
MARKDOWN = b"# seen1\n\nseen2\n\n    <!-- seen3\n\nseen4\n\n <!-- unseen1\n\nunseen2\n"
RTF = rb"""{\rtf1\ansi\pard seen1 {\v unseen1} \v unseen2\v0  seen2 {\deleted unseen3}{\xe unseen4}{\v\b unseen5}\par
{\pard\v unseen6\plain seen3\par}seen4\par}"""

ODT_NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text", "table", "style", "drawing")
)
ODT_SVG = 'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
ODT_STYLES = """<style:style style:name="Base" style:family="text"><style:text-properties text:display="none"/></style:style>
<style:style style:name="Shown" style:parent-style-name="Base"><style:text-properties text:display="true"/></style:style>"""
ODT_OWN = '<style:style style:name="T1" style:parent-style-name="Base" style:family="text"/>'
ODT = """<text:h text:outline-level="1">seen1</text:h><text:p>seen2 <text:span text:style-name="Base">unseen1</text:span>
<text:span text:style-name="T1">unseen2</text:span> seen3 <text:span text:style-name="Shown">seen4</text:span>
<office:annotation><text:p>seen7</text:p></office:annotation>
<text:hidden-text text:is-hidden="true">unseen4</text:hidden-text></text:p>
<text:p><text:hidden-paragraph text:is-hidden="true"/>unseen5</text:p><text:p text:style-name="Base">unseen6</text:p>
<text:section text:display="none"><text:p>unseen7</text:p></text:section>
<text:section text:display="condition" text:is-hidden="true"><text:p>unseen8</text:p></text:section>
<table:table><table:table-row><table:table-cell><text:p>seen5</text:p></table:table-cell></table:table-row>
<table:table-row table:visibility="collapse"><table:table-cell><text:p>unseen9</text:p></table:table-cell>
</table:table-row></table:table><text:p><svg:title>unseen10</svg:title>seen6</text:p>"""


def odt() -> bytes:
    parts = {
        "META-INF/manifest.xml": "<manifest/>",
        "styles.xml": f"<office:document-styles {ODT_NAMES}>{ODT_STYLES}</office:document-styles>",
        "content.xml": f"<office:document-content {ODT_NAMES} {ODT_SVG}>{ODT_OWN}<office:body><office:text>{ODT}"
        "</office:text></office:body></office:document-content>",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return packed.getvalue()


def pdf() -> bytes:
    """What lies outside of the page, and outside of the part of it that is shown."""
    packed = io.BytesIO()
    canvas = Canvas(packed, pagesize=(600, 800))
    canvas.setCropBox((0, 100, 600, 800))
    for left, height, words in (
        (60, 700, "seen1"),
        (60, 50, "unseen1"),
        (60, 900, "unseen2"),
        (-200, 500, "unseen3"),
    ):
        canvas.drawString(left, height, words)
    canvas.save()
    return packed.getvalue()


FILES: dict[str, tuple[Callable[[], bytes], int]] = {
    "a.docx": (word, 5),
    "a.pptx": (slides, 2),
    "a.xlsx": (sheet, 2),
    "a.html": (lambda: PAGE, 4),
    "a.eml": (lambda: MAIL, 4),
    "a.md": (lambda: MARKDOWN, 4),
    "a.rtf": (lambda: RTF, 4),
    "a.odt": (odt, 7),
    "a.pdf": (pdf, 1),
}
"""Each with the number of words that are seen."""


@pytest.mark.parametrize(
    ("name", "made", "count"), [(name, *made) for name, made in FILES.items()], ids=FILES
)
def test_what_is_not_seen_is_not_read(name: str, made: Callable[[], bytes], count: int) -> None:
    data = made()
    document = read(data, name)
    told = [document.title or "", *(heading for one in document.sections for heading in one.headings)]
    told += [document.text[one.start : one.end] for one in document.sections]
    seen = {f"seen{number}" for number in range(1, count + 1)}
    assert set(re.findall(r"(?:un)?seen\d+|4711", " ".join(told).lower())) == seen
    view = render_document(data, name).html.lower()
    assert seen <= set(re.findall(r"\bseen\d+", view)) or name == "a.pdf"  # the browser draws it
    shown = re.sub(r'<(\w+)[^<>]* hidden=""[^<>]*>.*?</\1>', "", view, flags=re.DOTALL)
    assert "unseen" not in shown


def test_styles_that_are_based_on_each_other() -> None:
    """However long the chain is, and where it is a circle, too."""
    based: dict[str, tuple[str, dict[str, str]]] = {
        str(number): (str(number + 1), {}) for number in range(5_000)
    }
    based["5000"] = ("", {"vanish": "1"})
    based["4999"] = ("5000", {"strike": "1"})
    based |= {"hen": ("egg", {"vanish": "1"}), "egg": ("hen", {}), "self": ("self", {"v": "1"})}
    styles = StyleProperties(based, lambda style: style)
    assert styles.find("0") == {"vanish": "1", "strike": "1"}
    assert not styles.is_shown("17")
    assert not styles.is_shown("hen")
    assert not styles.is_shown("self")
    assert styles.is_shown("in no table")


HIDING = (
    "opacity:0", "font:0/0 a", "font:bold 0 a", "max-height:0;overflow-y:hidden", "left:-9999px", "inset:-9999px auto auto 0",
    "transform:scale(0)", "transform:translateX(-9999px)", "translate:-9999px", "scale:0", "zoom:0", "filter:opacity(0%)",
    "color:rgba(0, 0, 0, 0)", "color:rgb(0 0 0 / 0)", "color:#0000", "clip-path:polygon(0 0, 0 0, 0 0)", "transform:rotate(9deg) scale(0,1)", r"display:\6eone",
)  # fmt: skip
SHOWING = (
    "opacity:.5", "font:10px a", "font:700 10px a", "font:12px/0 a", "max-height:0", "left:-5px", "transform:scale(.5)",
    "transform:translateX(-50%)", "color:rgba(0, 0, 0, 1)", "color:rgb(0,0,0)", "color:#000", "color:#ff0000", "inset:0",
    "transform:translateX(-100%)", "translate:-100%", "clip-path:polygon(" + "0 0   " * 40 + "x)",
)  # fmt: skip


@pytest.mark.parametrize("style", HIDING)
def test_a_style_hides_words(style: str) -> None:
    assert read(f'<p>seen</p><p style="{style}">unseen</p>'.encode(), "a.html").text == "seen\n\n"


@pytest.mark.parametrize("style", SHOWING)
def test_a_style_shows_words(style: str) -> None:
    assert "seen too" in read(f'<p>seen</p><p style="{style}">seen too</p>'.encode(), "a.html").text


def test_what_unfolds_a_text_is_read_and_an_open_dialog() -> None:
    page = """<p>Rules</p><button aria-expanded="false">When do I pay?</button><div>At noon.</div><button>Send</button>
<dialog open>Closed today.</dialog><dialog>Really?</dialog><div role="heading" aria-level="3"><button>Where?</button></div>Here."""
    document = read(page.encode(), "a.html")
    words = document.text.split()
    assert {"pay?", "today.", "Where?"} <= set(words)
    assert {"Send", "Really?"}.isdisjoint(words)
    assert document.sections[-1].headings == ("Where?",)
