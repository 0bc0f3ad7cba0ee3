"""Each format into a document: what is a heading, what is text, what is dropped, what is refused."""

from __future__ import annotations

import io
import itertools
import re
import zipfile
from email.message import EmailMessage

import docx
import pypdfium2
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from bot.retrieval.document import SourceDocument, UnreadableError
from bot.retrieval.files import READERS, read
from bot.retrieval.files.decode import decode
from bot.retrieval.files.html import parse_page
from bot.retrieval.files.outline import Outline


def outline(document: SourceDocument) -> list[tuple[str, str]]:
    """Each section's path and text, as they read."""
    return [
        (" › ".join(section.headings), document.text[section.start : section.end].strip())
        for section in document.sections
    ]


MARKDOWN = {
    "headings nest": ("# A\none\n## B\ntwo\n# C\nthree", [("A", "one"), ("A › B", "two"), ("C", "three")]),
    "text before the first heading": ("zero\n\n# A\none", [("", "zero"), ("A", "one")]),
    "underlined headings": (
        "Title\n=====\n\none\n\nPart\n----\ntwo",
        [("Title", "one"), ("Title › Part", "two")],
    ),
    "a heading's marks are not its title": ("## A **b** `c` ##\none", [("A b c", "one")]),
    "not in code": ("# A\n```\n# no\n```\nyes", [("A", "```\n# no\n```\nyes")]),
    "seven are none": ("####### A\none", [("", "####### A\none")]),
    "without a space is none": ("#A\none", [("", "#A\none")]),
    "comments are silent": ("one\n<!-- # two\n-->\nthree", [("", "one"), ("", "three")]),
    "front matter is silent": ("---\ntitle: T\nsubtitle: S\n---\n# A\none", [("A", "one")]),
    "front matter alone says what it describes": (
        "---\ntitle: T\nsubtitle: 'S'\nimage: a.png\ndescription: >-\n  one\n  two\n---\n# T\n",
        [("T", "S"), ("T", "one\n  two"), ("", "T")],
    ),
    "a title alone says nothing": ("---\ntitle: T\n---\n", []),
    "definitions of links are silent": (
        "[a]: x\n\none [b]\n[c]: y\n\n[b]: <y z> 'T'\n[//]: # (to do)\n  [d]:\n  z\n\n[^1]: note\n\n[e]: two words",
        [("", "one [b]\n[c]: y"), ("", "[^1]: note\n\n[e]: two words")],
    ),
    "a definition in code is code": ("```\n\n[a]: x\n```", [("", "```\n\n[a]: x\n```")]),
    "a table is no heading": ("| a |\n| --- |\n| b |", [("", "| a |\n| --- |\n| b |")]),
    "rows without pipes at their ends": (
        "City | Limit\n--- | ---\nBerlin | 120\n| Rome | 90\nBonn | a \\|\n\nor | not",
        [
            (
                "",
                "| City | Limit |\n--- | ---\n| Berlin | 120 |\n| Rome | 90 |\n| Bonn | a \\| |\n\nor | not",
            )
        ],
    ),
    "a quotation is read as what it has": (
        "# A\n1. Note:\n>a. one\n>b. two\n\n> [!NOTE]\n> three\n> > four\nfive",
        [("A", "1. Note:\n\na. one\nb. two\n\n\nthree\nfour\nfive")],
    ),
    "a heading in a quotation begins no section": ("# A\n\n> ## B\n>\n> one", [("A", "B\n\none")]),
    "code and a table in a quotation": (
        "> ```\n> one\n> ```\n>\n> a | b\n> --|--\n> 1 | 2",
        [("", "```\none\n```\n\n| a | b |\n--|--\n| 1 | 2 |")],
    ),
    "a sign in code is no quotation": (
        "```\n> # one\n```\n\n    > two",
        [("", "```\n> # one\n```\n\n    > two")],
    ),
    "blocks of HTML are read as HTML": (
        '<h1 align="center">A</h1>\n<p>one <b>two</b>,<br>three &lt;four&gt;</p>\n\n<ul><li>five</li>\n<li>six</li></ul>',
        [("A", "one two,\nthree &lt;four&gt;\n\n\n\n- five\n- six")],
    ),
    "signs in blocks of HTML are shown as they are": (
        "<p>R&D &amp; AT&T&nbsp;pay &amp;lt; 5&euro;</p>\n<p>&gt; 3 days</p>\n<pre>if a &lt; b:\n  c</pre>",
        [("", "R&D & AT&T pay &amp;lt; 5€\n\n&gt; 3 days\n\n```\nif a < b:\n  c\n```")],
    ),
    "an address at the beginning of a line": (
        "<https://a.example>\n<p>one</p>",
        [("", "<https://a.example>\n\none")],
    ),
    "a table of HTML": (
        "<table>\n<tr><th>Day</th><th>Open</th></tr>\n\n<tr><td>Monday</td><td>9 to 17</td></tr>\n</table>\none",
        [("", "| Day | Open |\n| --- | --- |\n| Monday | 9 to 17 |\n\none")],
    ),
    "Markdown between blocks of HTML": (
        "<center>A\n\n- **one**\n\n</center>\n\n## B\n<div>two</div>",
        [("", "A\n\n\n- **one**"), ("B", "two")],
    ),
    "a summary is the heading of its details": (
        "# A\n<details>\n<summary>**B**?</summary>\n\n- **one**\n\n</details>\n\ntwo\n<p><details><summary>C?</summary>three</details>\n\n## D\nfour",
        [("A › B?", "- **one**"), ("A", "two"), ("A › C?", "three"), ("A › D", "four")],
    ),
    "a heading without words ends those above it": (
        "# A\n## B\none\n##\ntwo",
        [("A › B", "one"), ("A", "two")],
    ),
    "a table without an end": ("<table><tr><td>one\n\n# A\ntwo", [("", "one"), ("A", "two")]),
    "a paragraph that begins with a tag": (
        "<b>one</b> [two](x)\n- *three*",
        [("", "<b>one</b> [two](x)\n- *three*")],
    ),
    "tags in code are code": ("```\n<p>one</p>\n```", [("", "```\n<p>one</p>\n```")]),
    "tags in front matter are silent": ("---\nbody: |\n<p>one</p>\n---\ntwo", [("", "two")]),
    "a heading without text is text itself": ("# A\n## B\n## C ##\n", [("A", "B"), ("A", "C")]),
    "underlined, too": ("A\n==\n\nB *b*\n---\n\n[c]: d", [("A", "B *b*")]),
    "what a generator of sites fills in": (
        "# {% if a %}Fees{% endif %} &amp; <em>taxes</em> {{ year }} {:#fees .wide}\none",
        [("Fees & taxes", "one")],
    ),
}


@pytest.mark.parametrize(("source", "expected"), MARKDOWN.values(), ids=MARKDOWN)
def test_markdown(source: str, expected: list[tuple[str, str]]) -> None:
    assert outline(READERS[".md"](source.encode())) == expected


LINES = st.sampled_from((
    "a | b", "| a | b", "a | b |", "| a | b |", "a \\| b", "c", "", "--- | ---", "|---|---", "---", "|-",
    "| a", "a | b\\|", "```", "  a | b", "  :-- | --:", "# a | b", "`a | b`",
))  # fmt: skip
ENDS = st.sampled_from(("", "- a | b", "1. a | b"))


@given(st.lists(LINES, max_size=9), ENDS)
def test_pipes_at_the_ends_of_rows_change_no_table(lines: list[str], end: str) -> None:
    source = "\n".join((*lines, end))
    engine = MarkdownIt("commonmark").enable("table")
    assert engine.render(READERS[".md"](source.encode()).text) == engine.render(source)


def test_markdown_titles() -> None:
    assert READERS[".md"](b"---\ntitle: 'From above'\n---\n# A\none").title == "From above"
    assert READERS[".md"](b"# A\none").title == "A"
    assert READERS[".md"](b"---\ntitle: Rock &amp; <em>Roll</em>\n---\none").title == "Rock & Roll"


HTML = {
    "headings and paragraphs": (
        "<h1>A</h1><p>one<p>two<h2>B</h2>three",
        [("A", "one\n\ntwo"), ("A › B", "three")],
    ),
    "what surrounds a page": ("<nav>menu</nav><p>text</p><footer>end</footer>", [("", "text\n\nend")]),
    "scripts and styles": (
        "<script>a<b</script><style>p{}</style>text<noscript>no</noscript>",
        [("", "text")],
    ),
    "hidden": ("<p hidden>no<b>no</b></p><p>yes <b aria-hidden=true>AA</b></p>", [("", "yes AA")]),
    "nested navigation": ("<nav>a<nav>b</nav>c</nav>yes", [("", "yes")]),
    "lists": ("<ul><li>one</li><li>two</ul>", [("", "- one\n- two")]),
    "numbered lists": (
        "<ol start=3><li>one<li>two<ul><li>three</ul><li><p>four</ol><ol><li>five</ol>",
        [("", "3. one\n4. two\n  - three\n5. four\n1. five")],
    ),
    "tables": ("<table><tr><th>A<th>B<tr><td>1<td>2</table>", [("", "| A | B |\n| --- | --- |\n| 1 | 2 |")]),
    "a table that lays out": ("<table><tr><td>only text</td></tr></table>", [("", "only text")]),
    "entities and spaces": ("<p>5&nbsp;&euro; &lt;b&gt;\n  x</p>", [("", "5 € <b> x")]),
    "a caption, and what stands in no cell, is above its table": (
        "<table><caption>C\n d</caption>\n<tr>\n<th>A</th>\n<th>B</th>\n</tr>e<tr><td>1<td>2</table>",
        [("", "C d\n\ne\n\n| A | B |\n| --- | --- |\n| 1 | 2 |")],
    ),
    "a cell that spans rows is in each of them": (
        "<table><tr><th>A<th>B<th>C<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5<tr><td>6<td rowspan=0>7<tr><td>8",
        [("", "| A | B | C |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 1 | 4 | 5 |\n| 6 | 7 |\n| 8 | 7 |")],
    ),
    "a cell that spans columns is in the first": (
        "<table><tr><th>A<th>B<th>C<tr><td colspan=2>1<td>2<tr><td colspan=3>3</table>",
        [("", "| A | B | C |\n| --- | --- | --- |\n| 1 |  | 2 |\n| 3 |")],
    ),
    "tables in tables": (
        "<table><tr><td>a<table><tr><td>b</td></tr></table></td><td>c</td></tr><tr><td>d<td>e</table>",
        [("", "| a b | c |\n| --- | --- |\n| d | e |")],
    ),
    "a table that is never closed": (
        "<table><tr><th>A<th>B<tr><td>1<td>2",
        [("", "| A | B |\n| --- | --- |\n| 1 | 2 |")],
    ),
    "program text": ("<pre>one\ntwo</pre>three", [("", "```\none\ntwo\n```\n\nthree")]),
    "program text in lines": (
        "<pre>\n<div>if x:</div><div>  y = `1`</div></pre>",
        [("", "```\nif x:\n  y = `1`\n```")],
    ),
    "program text in a table": (
        "<table><tr><td><pre>a\nb</pre><td>c<tr><td>d<td>e</table><p>one<p>two",
        [("", "| a b | c |\n| --- | --- |\n| d | e |\n\none\n\ntwo")],
    ),
    "line breaks": ("<p>one<br>two</p>", [("", "one\ntwo")]),
    "a summary is the heading of its details": (
        "<h2>A</h2><details><summary><h3>B <b>c</b></h3> d?</summary>one<p>two</details><p>three",
        [("A › B c d?", "one\n\ntwo"), ("A", "three")],
    ),
    "details in details": (
        "<details><summary>A</summary>one<details><summary>B</summary>two</details>three</details>four",
        [("A", "one"), ("A › B", "two"), ("A", "three"), ("", "four")],
    ),
    "details without a summary": (
        "<h2>A</h2>one<details>two</details>three",
        [("A", "one\n\ntwo"), ("A", "three")],
    ),
    "details in a cell": (
        "<table><tr><td><details><summary>A</summary>one</details><td>b<tr><td>c<td>d</table>e",
        [("", "| A one | b |\n| --- | --- |\n| c | d |\n\ne")],
    ),
    "a summary without an end": ("<details><summary>A<p>b<h2>c</details>d", [("", "A b c"), ("", "d")]),
    "nothing but navigation is text after all": ("<nav>menu</nav>", [("", "menu")]),
    "elements that touch, whose words a style sets apart": (
        "<p><b>12</b><b>.10</b><i>Für</i> <a>Home</a><a>Contact</a> <i><b>Nr</b></i><i><b>5</b></i> 3<button>x</button>A",
        [("", "12.10 Für Home Contact Nr 5 3 A")],
    ),
    "elements that touch within a word": (
        "<p><b>F</b><b>ett</b>druck 10<b>km</b> <i>H</i><i>T</i><i>ML</i> <code><i>f</i><i>(</i></code>",
        [("", "Fettdruck 10km HTML f(")],
    ),
    "small digits": (
        "<p>10<sup>-6</sup> m<sup>2</sup> 12<sup><a>1</a></sup> 1<sup>st</sup> H<sub>2</sub>O",
        [("", "10⁻⁶ m² 12¹ 1st H₂O")],
    ),
    "cells of a table in a table": (
        "<table><tr><td>a<table><tr><td>1<td>b</table><td>c<tr><td>d<td>e</table>",
        [("", "| a 1 b | c |\n| --- | --- |\n| d | e |")],
    ),
    "what stands around dropped blocks": (
        "<p>1<nav>no</nav>a<fieldset><legend>b</legend>2",
        [("", "1\n\na\n\nb\n\n2")],
    ),
    "cells without a table": ("<tr><td>1</td><td>a</td></tr>", [("", "1\n\na")]),
    "unclosed everything": ("<div><h2>A<p>one<b>two", [("A", "onetwo")]),
}


@pytest.mark.parametrize(("source", "expected"), HTML.values(), ids=HTML)
def test_html(source: str, expected: list[tuple[str, str]]) -> None:
    assert outline(READERS[".html"](source.encode())) == expected


@pytest.mark.parametrize(
    "rows",
    [
        "<tr><td rowspan=60000 colspan=1000>a" * 2000,
        "<tr>" + ("<td rowspan=0>" + "x" * 200) * 50 + "<tr><td>a" * 20_000,
    ],
)
def test_cells_that_span_very_much_cost_no_more_than_their_file_allows(rows: str) -> None:
    assert len(READERS[".html"](f"<table>{rows}".encode()).text) < 20 * len(rows)


def test_a_chapter_of_a_book_has_the_details_of_its_page() -> None:
    book = Outline()
    book.add_document(parse_page("<h1>A</h1><details><summary>B</summary>one</details>two"), 1)
    assert outline(book.build()) == [("A › B", "one"), ("A", "two")]


def test_html_has_a_title_and_says_its_encoding() -> None:
    page = '<head><meta charset="iso-8859-1"><title> The\n page </title></head>caf\xe9'.encode("latin-1")
    document = READERS[".html"](page)
    assert (document.title, document.text.strip()) == ("The page", "café")


@pytest.mark.parametrize(
    ("title", "read"),
    [
        ("Rooms – House", "Rooms"),
        ("House: Rooms", "Rooms"),
        ("Rooms and desks | House", "Rooms and desks | House"),
        ("New Rooms", "New Rooms"),
    ],
)
def test_the_name_of_a_site_is_no_part_of_a_title_but_its_own_words_are(title: str, read: str) -> None:
    assert READERS[".html"](f"<title>{title}</title><h1>Rooms</h1>text".encode()).title == read


ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_any_usual_encoding(encoding: str) -> None:
    assert decode("Größe: 5\r\nmore\rtext".encode(encoding)) == "Größe: 5\nmore\ntext"


@given(st.binary(max_size=300))
def test_bytes_are_text_or_refused(data: bytes) -> None:
    for suffix in (".md", ".txt", ".html"):
        try:
            document = READERS[suffix](data)
        except UnreadableError:
            with pytest.raises(UnreadableError, match=r"it is not text|its encoding is unknown"):
                decode(data)
            continue
        assert all(0 <= part.start < part.end <= len(document.text) for part in document.sections)


def test_a_few_accented_words_may_be_of_the_east() -> None:
    """Two detectors find the same of them, and nothing of a lone sign of a Western text."""
    for words, encoding in (
        ("Vsakdo ima pravico, da spreminja svoje prepričanje ali vero. 23. člen", "cp1250"),
        ("Sva ljudska bića rađaju se slobodna i jednaka u dostojanstvu i pravima.", "cp1250"),
        ("Kiekvienas žmogus turi pareigas visuomenei, kurioje gali visiškai vystytis.", "cp1257"),
        ("The café opens at nine, for 10 € per night.", "cp1252"),
        ("Smith’s house", "cp1252"),
        ("Attach your résumé to the e-mail, please.", "cp1252"),
    ):
        assert decode(words.encode(encoding)) == words


def test_what_is_struck_out_in_markdown_is_not_read() -> None:
    document = READERS[".md"](b"It costs ~~900~~ 950 euros, <del>now</del> `~~x~~`.\n\n```\n~~y~~\n```\n")
    assert document.text == "It costs  950 euros,  `~~x~~`.\n\n```\n~~y~~\n```\n"


def test_a_file_of_which_nothing_can_be_read_says_what() -> None:
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w") as packed:
        name = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
        body = f'<w:document xmlns:w="{name}"><w:body><w:p><w:subDoc/></w:p></w:body></w:document>'
        packed.writestr("word/document.xml", body)
    with pytest.raises(UnreadableError, match="1 embedded document is not read"):
        read(package.getvalue(), "a.docx")


def test_groups_in_groups_and_classes_in_classes_take_no_time() -> None:
    assert READERS[".rtf"](b"{\\rtf1 " + b"{" * 100_000 + b"deep" + b"}" * 100_000).text == "deep\n\n"
    code = "".join(f"{' ' * depth}class A:\n" for depth in range(1000))
    assert max(len(part.headings[-1]) for part in READERS[".py"](code.encode()).sections) < 100


def test_two_superscripts_within_a_word_are_no_western_text() -> None:
    """They are the letters of Windows-1250 that a Polish word may have beside each other."""
    for words in ("Umowa jest w załączniku.", "Połączenie jest płatne."):
        assert decode(words.encode("cp1250")) == words


def test_text_with_underlined_headings() -> None:
    document = READERS[".txt"](b"Welcome\n\nFirst\n-----\n\none\n\nSecond\n------\n\ntwo")
    assert outline(document) == [("Welcome › First", "one"), ("Welcome › Second", "two")]


def word_document() -> bytes:
    document = docx.Document()
    document.add_heading("Expenses", level=0)
    document.add_paragraph("Before the table.")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(
        (cell for row in table.rows for cell in row.cells), ("What", "Limit", "Car", "0.35 €"), strict=True
    ):
        cell.text = text
    document.add_paragraph("After the table.")
    document.add_heading("Not paid", level=1)
    document.add_paragraph("Fines", style="List Bullet")
    packed = io.BytesIO()
    document.save(packed)
    return packed.getvalue()


def test_word() -> None:
    document = READERS[".docx"](word_document())
    table = "| What | Limit |\n| --- | --- |\n| Car | 0.35 € |"
    assert outline(document) == [
        ("Expenses", f"Before the table.\n\n{table}\n\nAfter the table."),
        ("Expenses › Not paid", "- Fines"),
    ]
    assert document.title == "Expenses"


WORD_BODY = {
    "a content control": ("<w:sdt><w:sdtContent><w:p>{run}</w:p></w:sdtContent></w:sdt>", "Some words."),
    "a control in a sentence": (
        "<w:p>{run}<w:sdt><w:sdtPr/><w:sdtContent>{run}</w:sdtContent></w:sdt></w:p>",
        "Some words.Some words.",
    ),
    "a table of contents": (
        (
            '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
            "<w:sdtContent><w:p>{run}</w:p></w:sdtContent></w:sdt>"
        ),
        "",
    ),
    "what was inserted": ("<w:p><w:ins>{run}</w:ins></w:p>", "Some words."),
    "what was deleted": (
        "<w:p><w:del><w:r><w:delText>No.</w:delText></w:r></w:del>{run}</w:p>",
        "Some words.",
    ),
    "what was moved": (
        "<w:p><w:moveFrom>{run}</w:moveFrom></w:p><w:p><w:moveTo>{run}</w:moveTo></w:p>",
        "Some words.",
    ),
    "a smart tag in another": (
        "<w:p><w:smartTag><w:smartTagPr/><w:smartTag>{run}</w:smartTag></w:smartTag></w:p>",
        "Some words.",
    ),
    "a field": ('<w:p><w:fldSimple w:instr="REF x">{run}</w:fldSimple></w:p>', "Some words."),
    "words from right to left": ('<w:p><w:bdo w:val="rtl">{run}</w:bdo></w:p>', "Some words."),
    "a text box, which older programs get too": (
        (
            "<w:p>{run}<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:txbxContent><w:p>{run}</w:p>"
            "</w:txbxContent></mc:Choice><mc:Fallback><w:pict><w:txbxContent><w:p>{run}</w:p></w:txbxContent>"
            "</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
        ),
        "Some words.\n\nSome words.",
    ),
    "a cell in a control": (
        (
            "<w:tbl><w:tblGrid/><w:tr><w:tc><w:p>{run}</w:p></w:tc><w:tc><w:p/></w:tc></w:tr><w:tr><w:sdt>"
            "<w:sdtContent><w:tc><w:p>{run}</w:p></w:tc></w:sdtContent></w:sdt><w:tc><w:p/></w:tc></w:tr></w:tbl>"
        ),
        "| Some words. |  |\n| --- | --- |\n| Some words. |  |",
    ),
}


@pytest.mark.parametrize(("body", "expected"), WORD_BODY.values(), ids=WORD_BODY)
def test_word_is_read_as_its_reader_sees_it(body: str, expected: str) -> None:
    document = docx.Document()
    run = "<w:r><w:t>Some words.</w:t></w:r>"
    names = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    for element in parse_xml(f"<w:body {nsdecls('w')} {names}>{body.format(run=run)}</w:body>"):
        document.element.body.insert_element_before(element, "w:sectPr")
    stream = io.BytesIO()
    document.save(stream)
    assert READERS[".docx"](stream.getvalue()).text.strip() == expected


def test_word_with_merged_cells() -> None:
    document = docx.Document()
    table = document.add_table(4, 3)
    for row, texts in zip(table.rows, ("ABC", "123", "145", "6 7"), strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text.strip()
    table.cell(1, 0).merge(table.cell(2, 0)).text = "1"
    table.cell(3, 0).merge(table.cell(3, 1))
    stream = io.BytesIO()
    document.save(stream)
    text = READERS[".docx"](stream.getvalue()).text.strip()
    assert text.splitlines()[2:] == ["| 1 | 2 | 3 |", "| 1 | 4 | 5 |", "| 6 |  | 7 |"]


NUMBERING = f"""<w:numbering {nsdecls("w")}><w:abstractNum w:abstractNumId="90">
<w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1"/></w:lvl>
<w:lvl w:ilvl="1"><w:numFmt w:val="upperLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl>
</w:abstractNum><w:num w:numId="90"><w:abstractNumId w:val="90"/></w:num>
<w:num w:numId="91"><w:abstractNumId w:val="90"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>
</w:numbering>"""


def test_word_shows_the_numbers_of_headings_and_of_lists_in_cells() -> None:
    document = docx.Document()
    document.part.numbering_part.element.extend(parse_xml(NUMBERING))
    for level in (1, 2):
        numbers = parse_xml(
            f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level - 1}"/><w:numId w:val="90"/></w:numPr>'
        )
        document.styles[f"Heading {level}"].element.get_or_add_pPr().append(numbers)
    for level, words in ((1, "Rooms"), (2, "Small"), (2, "Large")):
        document.add_heading(words, level)
    table = document.add_table(2, 2)
    for cell in (cell for row in table.rows for cell in row.cells):
        properties = cell.paragraphs[0]._p.get_or_add_pPr()
        properties.append(parse_xml(f'<w:numPr {nsdecls("w")}><w:numId w:val="91"/></w:numPr>'))
        cell.paragraphs[0].add_run("Bed")
    packed = io.BytesIO()
    document.save(packed)
    read = READERS[".docx"](packed.getvalue())
    assert read.sections[-1].headings == ("1 Rooms", "1.B) Large")
    assert "| 1 Bed | 2 Bed |" in read.text


def test_word_without_styles_for_headings() -> None:
    document = docx.Document()
    document.add_paragraph("Who pays?\t2")
    document.add_paragraph("1.\tLimits\t3")
    document.add_paragraph("Lasagne\t12")
    document.add_paragraph().add_run("Who pays?").bold = True
    document.add_paragraph("The office pays.")
    document.add_paragraph().add_run("Never pay in cash.").bold = True
    document.add_paragraph().add_run("Limits").bold = True
    document.add_paragraph("").add_run("Rome").bold = True
    document.paragraphs[-1].add_run(": 140 €")
    packed = io.BytesIO()
    document.save(packed)
    assert outline(READERS[".docx"](packed.getvalue())) == [
        ("", "Lasagne\t12"),
        ("Who pays?", "The office pays.\n\nNever pay in cash."),
        ("Limits", "Rome: 140 €"),
    ]


PROSE = (
    "This line of the document is long enough to be a full line of its text, as most lines of a letter are."
)


def pdf(*pages: list[tuple[int, str]], encrypt: str | None = None) -> bytes:
    """A PDF of lines, each with its size in points; None of them makes an empty page."""
    packed = io.BytesIO()
    canvas = Canvas(packed, encrypt=StandardEncryption(encrypt, canPrint=0) if encrypt else None)
    for page in pages:
        height = 800
        for size, line in page:
            height -= 2 * size if size > 12 else 14
            canvas.setFont("Helvetica", size)
            canvas.drawString(60, height, line)
        canvas.showPage()
    canvas.save()
    return packed.getvalue()


def test_pdf_flows_again_and_knows_its_pages() -> None:
    long = (
        "This line of the document is long enough to be a full line of the text, and goes on with a compli-"
    )
    document = READERS[".pdf"](
        pdf(
            [(20, "Guide"), (10, long), (10, "cated word. It ends here.")],
            [(20, "Second part"), (10, "On page two.")],
        )
    )
    assert outline(document) == [
        ("Guide", long.removesuffix("-") + "cated word. It ends here."),
        ("Second part", "On page two."),
    ]
    assert [section.place for section in document.sections] == [1, 2]


def test_pdf_type_is_as_large_as_it_is_drawn() -> None:
    packed = io.BytesIO()
    canvas = Canvas(packed)
    for scale, height, line in [(20, 800, "Guide"), (10, 770, PROSE), (10, 740, "It ends here.")]:
        text = canvas.beginText()
        text.setFont("Helvetica", 1)
        text.setTextTransform(scale, 0, 0, scale, 60, height)
        text.textOut(line)
        canvas.drawText(text)
    canvas.save()
    assert [heading for heading, _ in outline(READERS[".pdf"](packed.getvalue()))] == ["Guide"]


def test_pdf_signs_that_are_no_text_shift_nothing() -> None:
    cmap = b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <0002> endbfchar endcmap"
    drawn = b"BT /F 10 Tf 60 780 Td (AAA) Tj ET BT /F 20 Tf 60 760 Td (Guide) Tj ET BT /F 10 Tf 60 740 Td (It is a long text.) Tj ET"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(drawn), drawn),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(cmap), cmap),
    ]
    body = b"".join(b"%d 0 obj%s endobj\n" % numbered for numbered in enumerate(objects, 1))
    file = b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R>>\n%%EOF"
    assert outline(READERS[".pdf"](file)) == [("Guide", "It is a long text.")]


def test_a_row_of_a_pdf_has_the_cell_beside_its_long_label() -> None:
    packed = io.BytesIO()
    canvas = Canvas(packed)
    canvas.setFont("Helvetica", 10)
    drawn = [(60, 780, PROSE), (60, 768, PROSE), (60, 740, "The operation of"), (60, 728, "any lawn mower.")]
    for left, height, words in (
        *drawn,
        (300, 740, "9:00 PM to 7:00 AM"),
        (60, 712, "Fireworks"),
        (300, 712, "Never"),
    ):
        canvas.drawString(left, height, words)
    canvas.save()
    lines = READERS[".pdf"](packed.getvalue()).text.split("\n")
    assert {"The operation of any lawn mower. 9:00 PM to 7:00 AM", "Fireworks Never"} <= set(lines)


def test_a_pdf_has_paragraphs_in_larger_type() -> None:
    lead = [
        "All members are invited to the dinner on 20 October, at the house of the club from seven to nine."
    ] * 3
    document = READERS[".pdf"](
        pdf([(20, "Dinner"), *((12, line) for line in lead), *((10, PROSE) for _ in range(9))])
    )
    ((heading, text),) = outline(document)
    assert (heading, text.startswith("All members")) == ("Dinner", True)


def test_pdf_lines_go_on_behind_a_footnote_mark() -> None:
    packed = io.BytesIO()
    canvas = Canvas(packed)
    for height, pieces in [(780, [PROSE]), (760, ["Of the chairs", "1", " Ada and Tom"]), (746, [PROSE])]:
        left = 60.0
        for piece in pieces:
            size, rise = (6, 4) if piece == "1" else (10, 0)
            canvas.setFont("Helvetica", size)
            canvas.drawString(left, height + rise, piece)
            left += canvas.stringWidth(piece, "Helvetica", size)
    canvas.save()
    assert "Of the chairs1 Ada and Tom\n" in READERS[".pdf"](packed.getvalue()).text


@pytest.mark.parametrize("turned", [90, 180, 270])
def test_pdf_pages_that_are_shown_turned_are_read_as_they_are_shown(turned: int) -> None:
    def draw(turned: int) -> str:
        packed = io.BytesIO()
        width, height = A4 if turned in (0, 180) else reversed(A4)
        canvas = Canvas(packed, pagesize=A4)  # it turns the page's box with the page
        canvas.setPageRotation(turned)
        canvas.translate(*{0: (0, 0), 90: (width, 0), 180: (width, height), 270: (0, height)}[turned])
        canvas.rotate(turned)
        for line in range(9):
            canvas.drawString(60, 780 - 14 * line - 20 * (line // 3), PROSE)
        canvas.save()
        return READERS[".pdf"](packed.getvalue()).text

    assert draw(turned) == draw(0)


def test_pdf_drops_running_heads() -> None:
    pages = [
        [(10, "Nordlicht handbook"), (10, f"Content number {n} is here."), (8, f"page {n}")]
        for n in range(1, 5)
    ]
    text = READERS[".pdf"](pdf(*pages)).text
    assert text.count("Nordlicht") == 1
    assert "page" not in text
    assert text.count("Content") == 4


def tagged_pdf(*lines: tuple[str, str]) -> bytes:
    """A PDF of one page whose lines have one size, each with its tag (ISO 32000-1, 14.7.4.2)."""
    marked = [
        f"/{tag} <</MCID {number}>> BDC BT /F1 10 Tf 60 {800 - 20 * number} Td ({words}) Tj ET EMC"
        for number, (tag, words) in enumerate(lines)
    ]
    content = "\n".join(marked)
    first = 8
    elements = [f"{first + number} 0 R" for number in range(len(lines))]
    objects = [
        "<</Type/Catalog/Pages 2 0 R/StructTreeRoot 5 0 R/MarkInfo<</Marked true>>>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 850]/Contents 4 0 R/StructParents 0/Resources 7 0 R>>",
        f"<</Length {len(content)}>>stream\n{content}\nendstream",
        f"<</Type/StructTreeRoot/K 6 0 R/ParentTree<</Nums[0 [{' '.join(elements)}]]>>/RoleMap<</Kop/H2>>>>",
        f"<</Type/StructElem/S/Document/P 5 0 R/K[{' '.join(elements)}]>>",
        "<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>",
        *(
            f"<</Type/StructElem/S/{tag}/P 6 0 R/Pg 3 0 R/K {number}>>"
            for number, (tag, _) in enumerate(lines)
        ),
    ]
    written = "".join(f"{number} 0 obj\n{one}\nendobj\n" for number, one in enumerate(objects, 1))
    return f"%PDF-1.7\n{written}trailer<</Root 1 0 R/Size {len(objects) + 1}>>".encode()


def test_a_tagged_pdf_has_the_headings_of_its_tags_whatever_their_size() -> None:
    prose = "Trains are booked in second class for all trips that take less than four hours in all."
    file = tagged_pdf(("H1", "Travel"), ("P", prose), ("Kop", "Refunds"), ("P", prose), ("H2", "Hotels"))
    document = READERS[".pdf"](file)
    assert [section.headings for section in document.sections] == [
        ("Travel",),
        ("Travel", "Refunds"),
        ("Travel",),
    ]
    assert document.text[document.sections[-1].start :].strip() == "Hotels"
    assert document.title == "Travel"


def test_one_tag_alone_makes_no_heading() -> None:
    document = READERS[".pdf"](tagged_pdf(("H1", "Travel"), ("P", "Trains are booked in second class.")))
    assert [section.headings for section in document.sections] == [()]


def test_pdf_drops_ornaments_and_numbers_and_has_what_returns_once() -> None:
    pages = [
        [
            (8, "Nordlicht Ltd."),
            (8, f"SEITE {n}") if n % 2 else (8, f"Guide {n}"),
            (10, "s s s s s s"),
            *[(10, f"The content of line {line} of page {n} is here.") for line in range(n, n + 4)],
            (8, f"{n} / 6"),
            (8, "•••••••"),
        ]
        for n in range(1, 7)
    ]
    text = READERS[".pdf"](pdf(*pages)).text
    assert not re.search(r"SEITE|Guide|s s s|•|/ 6", text)
    assert text.count("content") == 24
    assert text.count("Nordlicht") == 1


def test_pdf_drops_a_long_running_head_that_counts_the_pages_and_no_line_that_does_not() -> None:
    pages = [
        [
            (8, "The by-law on scooters of the town"),
            (8, f"By-law # 8209-25 of the town, page {number + 1} of 9"),
            (10, f"Group {number} pays for a place: {number * number}"),
            (10, f"The {kind} of scooter has rules."),
        ]
        for number, kind in enumerate(("first", "second", "third", "fourth"), 1)
    ]
    text = READERS[".pdf"](pdf(*pages)).text
    assert (text.count("8209"), text.count("of the town")) == (1, 2)  # each head once
    assert (text.count("Group"), text.count("rules")) == (4, 4)


def scanned() -> bytes:
    document = pypdfium2.PdfDocument.new()
    document.new_page(200, 200)
    packed = io.BytesIO()
    document.save(packed)
    return packed.getvalue()


def bomb() -> bytes:
    """A Word document that unpacks to 300 MB."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(3):
            archive.writestr(f"word/{number}.xml", b"0" * 100_000_000)
    return packed.getvalue()


REFUSED = {
    "empty.md": (b"  \n\t", "it is empty"),
    "no-words.md": (b"---\ntitle: A\n---\n", "it has no text"),
    "binary.md": (bytes(range(256)) * 20, "it is not text"),
    "encrypted.pdf": (pdf([(10, "secret")], encrypt="password"), "it is protected by a password"),
    "scanned.pdf": (scanned(), "it is scanned"),
    "broken.pdf": (pdf([(10, "text")])[:200], "it is damaged"),
    "text.pdf": (b"not a PDF at all", "it is damaged"),
    "truncated.docx": (word_document()[:5000], "it is damaged"),
    "text.docx": (b"not a zip", "it is damaged"),
    "old.docx": (bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600, "it is of the old .doc format"),
}


@pytest.mark.parametrize(("name", "case"), REFUSED.items(), ids=REFUSED)
def test_refused_with_a_reason(name: str, case: tuple[bytes, str]) -> None:
    data, reason = case
    with pytest.raises(UnreadableError, match=reason):
        read(data, name)


def test_a_document_that_unpacks_to_too_much_is_refused() -> None:
    with pytest.raises(UnreadableError, match="it unpacks to more than 256 MB"):
        read(bomb(), "bomb.docx")


def test_a_pdf_that_only_its_owner_may_change_is_read() -> None:
    packed = io.BytesIO()
    canvas = Canvas(packed, encrypt=StandardEncryption("", ownerPassword="owner"))
    canvas.drawString(60, 700, "Open to everyone.")
    canvas.save()
    assert READERS[".pdf"](packed.getvalue()).text.strip() == "Open to everyone."


def test_a_pdf_whose_pages_all_say_the_same_is_read() -> None:
    packed = io.BytesIO()
    canvas = Canvas(packed)
    for _ in range(4):
        canvas.drawString(60, 700, "The lift is closed.")
        canvas.showPage()
    canvas.save()
    assert "The lift is closed." in READERS[".pdf"](packed.getvalue()).text


@pytest.mark.parametrize(
    ("text", "page", "said"),
    [
        (
            "> Dogs stay outside.\nRead https://example.com/x",
            "<p>Dogs stay outside.</p><p>Read</p>",
            "Dogs stay outside.",
        ),
        (
            "Your program shows no pages.",
            "<p>The lift is <b>closed</b> today.</p>",
            "The lift is closed today.",
        ),
        ("The lift is closed. Call 4711 and 4712.", "<p>The lift is closed.</p>", "The lift is closed."),
    ],
)
def test_of_alternatives_what_programs_show_is_read(text: str, page: str, said: str) -> None:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "ada@example.com", "House"
    mail.set_content(text)
    mail.add_alternative(page, subtype="html")
    written = READERS[".eml"](mail.as_bytes()).text
    assert said in written
    assert "4711" not in written
    assert "program" not in written


def test_steps_of_a_word_document_have_the_numbers_that_word_shows() -> None:
    document = docx.Document()
    numbering = document.part.numbering_part.element
    other = numbering.add_num(numbering.num_having_numId(5).abstractNumId.val)
    other.add_lvlOverride(0).add_startOverride(4)
    numbers = [None, None, None, other.numId, other.numId]
    for words, style, number in zip("abcde", ["List Number"] * 2 + ["List Bullet"] * 3, numbers, strict=True):
        item = document.add_paragraph(words, style=style)
        if number:
            item._p.get_or_add_pPr().get_or_add_numPr().get_or_add_numId().val = number
    packed = io.BytesIO()
    document.save(packed)
    assert READERS[".docx"](packed.getvalue()).text.strip() == "1. a\n2. b\n- c\n4. d\n5. e"


def test_numbers_that_a_word_document_lacks_lose_nothing() -> None:
    document = docx.Document()
    for level in document.part.numbering_part.element.iter(qn("w:lvl")):
        del level.attrib[qn("w:ilvl")]
    item = document.add_paragraph("Water the fern.", style="List Number")
    item._p.get_or_add_pPr().get_or_add_numPr()._add_ilvl().set(qn("w:val"), "deep")
    packed = io.BytesIO()
    document.save(packed)
    assert READERS[".docx"](packed.getvalue()).text.strip() == "- Water the fern."


def test_columns_are_read_one_after_the_other() -> None:
    packed = io.BytesIO()
    canvas = Canvas(packed)
    for page in (1, 2):
        canvas.setFont("Times-Bold", 16)
        canvas.drawString(120, 770, f"Chapter {page} spans both columns of the page")
        canvas.setFont("Times-Roman", 10)
        for column, line in itertools.product((0, 1), range(40)):
            words = f"{'LR'[column]}{page}{line:02d} is a line of prose, which fills the whole column"
            canvas.drawString(60 + 245 * column, 740 - 12 * line, words)
        canvas.showPage()
    canvas.save()
    text = READERS[".pdf"](packed.getvalue()).text
    lines = re.findall(r"\b([LR]\d\d\d)\b", text)
    assert lines == [f"{column}{page}{line:02d}" for page in (1, 2) for column in "LR" for line in range(40)]
    assert text.index("Chapter 1") < text.index("L100") < text.index("R139") < text.index("Chapter 2")


@pytest.mark.parametrize("width", [2, 3, 4])
def test_the_columns_of_a_table_are_no_columns_of_prose(width: int) -> None:
    packed = io.BytesIO()
    canvas = Canvas(packed)
    canvas.setFont("Helvetica", 10)
    for row in range(40):
        for column in range(width):
            canvas.drawString(60 + column * 480 / width, 780 - 14 * row, f"Cell {row}-{column}")
    canvas.save()
    text = " ".join(READERS[".pdf"](packed.getvalue()).text.split())
    assert text.startswith(" ".join(f"Cell 0-{column}" for column in range(width)) + " Cell 1-0")
