"""Documents as they are shown: sanitized, whole, and with the cited words marked."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Final

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app.settings import SAMPLES
from bot.document_view.document import render_document
from bot.document_view.mark import MarkStyle, fold, mark_words
from bot.document_view.rendered_document import RenderedDocument
from bot.retrieval.files import read
from bot.retrieval.passages.anchor import Anchor, CitedWords, read_anchor
from bot.retrieval.passages.split import split_passages
from tests.retrieval.hostile_documents import HOSTILE
from tests.retrieval.office_files import book, presentation, workbook

MARK: Final = MarkStyle("Cited words")
MARKED: Final = re.compile(r"<mark[^>]*>(.*?)</mark>", re.DOTALL)
TAG: Final = re.compile(r"<[^>]*>")

# A document, the words that are cited, and what is marked of it; ``|`` stands between two marks.
SHOWN: Final = [
    ("a.md", "# Trips\n\nTake the train. It is **cheap** and fast.\n", "It is **cheap** and fast.", "It is | cheap | and fast."),
    ("a.md", "See [the desk](https://a.example/x_(y)) now. Then go.", "See [the desk](https://a.example/x_(y)) now.", "See | the desk | now."),
    ("a.md", "- Wait.\n- Call the\n  `desk`.\n", "- Call the\n  `desk`.", "Call the\n | desk|."),
    ("a.md", "1. Wait.\n2. Call 5 times.\n", "2. Call 5 times.", "Call 5 times."),
    ("a.md", "| City | Limit |\n| --- | --- |\n| Berlin | 140 |\n| Bern | 140 |\n", "| Bern | 140 |", "Bern|140"),
    ("a.md", "Yes.\n\n# Two\n\nYes.\n", 13, "Yes."),
    ("a.md", "```\nmake\n  all\n```\n", "make\n  all", "make\n  all"),
    ("a.md", "> Quoted **in\n> two** lines.\n", "Quoted **in\ntwo** lines.", "Quoted | in\ntwo | lines."),
    ("a.md", "A note[^1] about [it] & <b>this</b>.\n", "A note[^1] about [it] & <b>this</b>.", "A note[^1] about [it] &amp; | this | ."),
    ("a.md", "<table>\n<tr><th>Day</th><th>Open</th></tr>\n<tr><td>Monday</td><td>9 to 17</td></tr>\n</table>\n", "| Monday | 9 to 17 |", "Monday|9 to 17"),
    ("a.md", "<p>One.<br>Two &amp; <b>three</b>.</p>\n", "Two & three.", "Two &amp; | three | ."),
    ("a.md", "---\ntitle: Meals\nsubtitle: Marco Wick\n---\n", "Marco Wick", "Marco Wick"),
    ("a.txt", "TITLE\n=====\n\nOne (with a bracket). Two “quoted”.\nThree.", "Two “quoted”.", "Two “quoted”."),
    ("a.html", "<p>One.<p>Two is <i>in</i>&nbsp;it.<nav>Two is in it.</nav>", "Two is in it.", "Two is | in | &nbsp;it."),
    ("a.html", "<table><tr><th>A<th>B<tr><td>1<td>2</table>", "| 1 | 2 |", "1|2"),
    ("a.txt", "Die Straße ist zu. 中文句子。第二句。", "第二句。", "第二句。"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "source", "cited", "marked"), SHOWN, ids=[row[1][:20] for row in SHOWN])
def test_cited_words_are_marked(name: str, source: str, cited: str | int, marked: str) -> None:
    document = render_document(source.encode(), name)
    start = document.text.index(cited) if isinstance(cited, str) else cited
    words = cited if isinstance(cited, str) else document.text[start:].strip()
    shown = mark(document, CitedWords.of(start, words))
    assert [one.strip() for one in MARKED.findall(shown)] == [one.strip() for one in marked.split("|")]
    assert shown.count('id="cited"') == 1


def mark(document: RenderedDocument, *words: CitedWords) -> str:
    return mark_words(document.html, document.text, document.find(words), MARK)


def test_the_cited_one_of_equal_sentences_is_marked() -> None:
    document = render_document(b"Yes.\n\nNo.\n\nYes.\n\nYes.", "a.txt")
    shown = mark(document, CitedWords.of(11, "Yes."))
    assert TAG.sub("", shown[: shown.index("<mark")]).split() == ["Yes.", "No."]


def test_words_that_changed_are_not_marked() -> None:
    document = render_document(b"The limit is 5.", "a.md")
    assert mark(document, CitedWords.of(0, "The limit is 4.")) == document.html
    assert mark(document, CitedWords(0, 999_999_999, "00000000")) == document.html


def units(data: bytes, name: str) -> Iterator[CitedWords]:
    for passage in split_passages(read(data, name), name, None):
        for unit in passage.units:
            yield CitedWords.of(passage.start + unit.start, passage.text[unit.start : unit.end])


ROWS: Final[list[tuple[object, object]]] = [
    ("City", "Limit"),
    *((f"Town {number}", number) for number in range(40)),
]
DOCUMENTS: Final[dict[str, Callable[[], bytes]]] = {
    **{path.name: path.read_bytes for path in SAMPLES.iterdir() if path.suffix not in (".toml", ".pdf")},
    "a.xlsx": lambda: workbook(Prices=ROWS, Limits=ROWS[:3]),
    "a.csv": lambda: "\n".join(f"{first},{second}" for first, second in ROWS).encode(),
    "a.pptx": lambda: presentation(
        ("Plan", [(0, "Grow"), (1, "In Europe"), (0, "Save")], "Say it."), ("End", [(0, "Go.")], "")
    ),
    "a.epub": lambda: book({"b.xhtml": "<p>It was dark.</p>", "c.xhtml": "<h1>End</h1><p>Sleep.</p>"}, {}),
    "a.eml": lambda: b"From: Ada <ada@x.example>\nSubject: Desks\n\nOf oak.\n\n1. One\n2. Two\n",
    "a.rst": lambda: b"Desks\n=====\n\nSee ``make``.\n\n* one\n\n  * two\n\n.. note:: Heavy.\n",
    "a.mdx": lambda: b"import A from 'a'\n\n# Desk\n\n<A b={1}>\n\nIt is of **oak**.\n\n</A>\n",
    "a.py": lambda: b"LIMIT = 3\n\n\nclass Desk:\n    def wood(self):\n        return '<b>&amp;'\n",
}


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_each_sentence_of_a_document_is_marked_and_nothing_else_changes(name: str) -> None:
    data = DOCUMENTS[name]()
    document = render_document(data, name)
    for words in units(data, name):
        shown = mark(document, words)
        assert "<mark" in shown, words.find_in(document.text)
        assert re.sub("</?mark[^>]*>", "", shown) == document.html


def test_text_is_shown_with_its_lists_tables_and_lines() -> None:
    shown = {
        name: render_document(DOCUMENTS[name](), name).html for name in ("a.pptx", "a.eml", "a.csv", "a.py")
    }
    assert "<ul><li>Grow<ul><li>In Europe</li></ul></li><li>Save</li></ul>" in shown["a.pptx"]
    assert '<ol><li value="1">One</li><li value="2">Two</li></ol>' in shown["a.eml"]
    assert shown["a.csv"].count("<table>") == 1
    assert "<thead><tr><th>City</th><th>Limit</th></tr></thead>" in shown["a.csv"]
    assert shown["a.py"].startswith('<pre class="lines"><code><span>LIMIT = 3\n</span><span>\n</span>')
    assert "&#x27;&lt;b&gt;&amp;amp;&#x27;" in shown["a.py"]


WORDS: Final = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=30)
PIECES: Final = st.lists(
    st.sampled_from(["**", "_", "`", " ", "\n", "\n\n", "- ", "1. ", "| a | b |\n", "<b>", "</b>", "&amp;", "[x](y)", "Word", "ten.", "é", "ﬁ"]) | WORDS,
    max_size=20,
)  # fmt: skip


@given(st.lists(PIECES, min_size=1, max_size=4), st.sampled_from(["a.txt", "a.md", "a.html"]))
def test_marks_change_nothing_and_mark_what_is_cited(pieces: list[list[str]], name: str) -> None:
    source = "\n\n".join(map("".join, pieces)) + "\n\nIt is so."
    try:
        document = render_document(source.encode(), name)
    except Exception:  # noqa: BLE001 - what can't be read is not shown
        return
    for passage in split_passages(read(source.encode(), name), name, None):
        for unit in passage.units:
            cited = passage.text[unit.start : unit.end]
            shown = mark(document, CitedWords.of(passage.start + unit.start, cited))
            assert re.sub("</?mark[^>]*>", "", shown) == document.html
            if name == "a.txt" and fold(cited):
                marked = "".join(unescape(one) for one in MARKED.findall(shown))
                assert fold(marked) in fold(cited)
                assert marked


ALLOWED: Final = re.compile(
    r"</?[a-z][a-z0-9]*(?: (?:(?:alt|dir|lang|rel|target|colspan|rowspan|start|scope|tabindex|role|aria-label)=\"[^\"]*\""
    r"|class=\"(?:scroll|picture|cited)\"|id=\"cited\"|href=\"(?:https?://|mailto:|[^\":/]+\?view=)[^\"]*\"))*>"
)
ACTIVE: Final = {"script", "img", "svg", "iframe", "object", "embed", "link", "style", "base", "meta", "form", "input", "button", "math", "video", "audio", "template", "noscript", "title"}  # fmt: skip


@pytest.mark.parametrize("name", ["a.md", "a.html", "a.txt", "a.docx"])
def test_a_hostile_document_has_no_effect(name: str) -> None:
    sources = [f"Before it.\n\n{attack}\n\nIt is cited.\n" for attack in HOSTILE]
    whole = "\n\n".join(HOSTILE) + "\n\nIt is cited.\n"
    for source in (whole,) if name == "a.docx" else (whole, *sources):
        document = render_document(word(source) if name == "a.docx" else source.encode(), name)
        start = document.text.find("It is cited.")
        shown = mark(document, CitedWords.of(start, "It is cited."))
        for tag in TAG.findall(shown):
            assert ALLOWED.fullmatch(tag), tag
            assert tag.strip("</>").split()[0] not in ACTIVE, tag
        assert shown.count("<mark") == (start >= 0), source


def word(text: str) -> bytes:
    written = docx.Document()
    for line in text.split("\n"):
        written.add_paragraph(line)
    data = io.BytesIO()
    written.save(data)
    return data.getvalue()


def test_links_to_documents_nearby_open_their_view() -> None:
    source = "[VPN](../it/vpn%20guide.md#setup) [x](run.exe) [y](/etc/a.md) [z](https://a.example/b.md)"
    html = render_document(source.encode(), "a.md").html
    assert re.findall('href="([^"]*)"', html) == ["../it/vpn%20guide.md?view=", "https://a.example/b.md"]


@pytest.mark.parametrize(
    "target",
    [
        "%2f%2fevil.example/x.md",
        "%2F/evil.example/x.md",
        "/%2fevil.example/x.md",
        "%2fetc/x.md",
    ],
)
def test_a_link_to_another_host_is_none_to_a_document_nearby(target: str) -> None:
    """Web addresses are read after decoding."""
    assert "href" not in render_document(f'<p><a href="{target}">x</a></p>'.encode(), "a.html").html
    assert "href" not in render_document(f"[x]({target})".encode(), "a.md").html


def test_a_picture_in_a_word_file_is_shown_and_others_are_described() -> None:
    html = render_document(
        b"Text ![a chart](chart.png) <img src='data:image/png;base64,iVBORw0='>", "a.md"
    ).html
    assert '<span class="picture">a chart</span>' in html
    assert '<img alt="" src="data:image/png;base64,iVBORw0=">' in html


anchors = st.builds(
    Anchor,
    st.lists(st.builds(CitedWords.of, st.integers(0, 10**8), WORDS), max_size=8).map(tuple),
    is_passage=st.booleans(),
)


@given(anchors)
def test_an_anchor_is_read_as_it_was_written(anchor: Anchor) -> None:
    assert read_anchor(anchor.write()) == anchor


@given(st.text())
def test_whatever_is_no_anchor_leads_nowhere(written: str) -> None:
    assert len(read_anchor(written).words) <= 8
