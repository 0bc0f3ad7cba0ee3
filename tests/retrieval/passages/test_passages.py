"""Passages as a person reads them: whole paragraphs, lists, tables and code, and one sentence in bold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.retrieval.answer.excerpts import NumberedPassage
from bot.retrieval.answer.rank import RankedPassage
from bot.retrieval.document import Markup, Section, SourceDocument
from bot.retrieval.files import read
from bot.retrieval.passages.inline import write_inline
from bot.retrieval.passages.markdown import write_passage, write_row, write_sentence
from bot.retrieval.passages.passage import Passage
from bot.retrieval.passages.record import IndexedPassage, compute_passage_digest
from bot.retrieval.passages.sentences import Unit
from bot.retrieval.passages.split import split_passages
from bot.sources.folder.references import describe_passage, tell_apart
from citations import Answer, Reference, cite
from tests.retrieval.document_formats import AFTER, CODE, FORMATS, ITEMS, PROSE, TITLE

COMMONMARK = MarkdownIt("commonmark", {"html": True}).enable("table")
ACTIVE = {"link_open", "image", "html_inline", "html_block", "em_open"}


def passages_of(text: str, markup: Markup = Markup.MARKDOWN) -> list[Passage]:
    document = SourceDocument(text=text, sections=(Section(0, len(text)),), markup=markup)
    return list(split_passages(document, "a", None))


def read_tokens(markdown: str) -> Iterator[Token]:
    for token in COMMONMARK.parse(markdown):
        yield token
        yield from token.children or ()


def read_bold(markdown: str) -> list[str]:
    """The words of each bold run, in order."""
    runs: list[str] = []
    is_bold = False
    for token in read_tokens(markdown):
        if token.type == "strong_open":
            is_bold = True
            runs.append("")
        elif token.type == "strong_close":
            is_bold = False
        elif is_bold and token.type in ("text", "text_special", "code_inline"):
            runs[-1] += token.content
    return runs


def read_inline(markdown: str) -> str:
    """The words of one paragraph."""
    return "".join(token.content for token in read_tokens(markdown) if token.type in ("text", "code_inline"))


MARKED = st.text(
    alphabet=st.sampled_from("ab cd.!?。今天\n-*_`~#1|[](){}<>&:/\\\"'=+\t "), max_size=300
) | st.lists(
    st.sampled_from(
        ["One is here. ", "Two [is](http://x.example) there. ", "今天下雨。", "明天**晴天**！", "`a *b* [1]` ", "- item\n", "  1. sub\n", "\n", "\n\n",
         "| a | b |\n", "| --- | --- |\n", "```\n", "~~~sh\n", "    code = 1\n", "> quoted\n", "[1] ", "[1]: http://x.example\n", "![i](x) ", "<b>", "**", "http://y.example "]
    ),
    max_size=40,
).map("".join)  # fmt: skip


@given(MARKED, st.sampled_from(Markup), st.data())
def test_a_passage_reads_as_what_it_says_and_only_the_sentence_is_bold(
    text: str, markup: Markup, data: st.DataObject
) -> None:
    for passage in passages_of(text, markup)[:2]:
        chosen = tuple(data.draw(st.lists(st.sampled_from(passage.units), max_size=1)))
        written = write_passage(passage, chosen)
        assert not {token.type for token in read_tokens(written)} & ACTIVE
        assert not cite(Answer(text=written, references=(Reference(id="1"),))).uses
        assert read_bold(written) == [words for unit in chosen for words in bold_words(passage, unit)]


def bold_words(passage: Passage, unit: Unit) -> list[str]:
    """What is bold of a unit: the whole of it, each cell of a row, and no code."""
    if unit.kind == "row":
        raw = passage.text[unit.start : unit.end].strip()[1:-1].replace("\\|", "\0").split("|")
        cells = [write_inline(cell.replace("\0", "|").strip(), passage.markup) for cell in raw]
        return [read_inline(cell) for cell in cells if cell]
    written = write_sentence(passage, unit)
    return [read_inline(written).strip("… ")] if written and unit.kind != "code" else []


LIST_READS = f"- {ITEMS[0]}\n- {ITEMS[1]}"
TABLE_READS = "| City | Limit |\n| --- | --- |\n| Berlin | 140 € |\n| Zurich | 220 CHF |"
CODE_READS = f"```\n{CODE}\n```"


@pytest.mark.parametrize(("name", "data"), FORMATS.items(), ids=FORMATS)
def test_a_document_reads_the_same_in_every_format(name: str, data: bytes) -> None:
    document = read(data, name)
    (passage,) = split_passages(document, name, None)
    table = [] if name.endswith(".pdf") else [TABLE_READS]
    assert document.title == TITLE
    assert write_passage(passage) == "\n\n".join([PROSE, LIST_READS, *table, CODE_READS, AFTER])
    (code,) = (unit for unit in passage.units if unit.kind == "code")
    assert write_sentence(passage, code) == CODE_READS


LONG = "It is a long paragraph of many sentences. " * 80
SHOWN = {
    "the sentence in its paragraph": (
        "One is here. Two is there.\n\nThree is elsewhere.",
        "Two is there.",
        "One is here. **Two is there.**\n\nThree is elsewhere.",
    ),
    "a step of a list, with its number": (
        "Do this:\n\n1. Open the lid.\n2. Clean it:\n   - with water\n   - with a brush\n3. Close the lid.",
        "   - with a brush",
        "Do this:\n\n1. Open the lid.\n2. Clean it:\n   - with water\n   - **with a brush**\n3. Close the lid.",
    ),
    "a row below its header": (
        "| City | Limit |\n|---|---|\n| Bern | 1 |\n| Rome | [2](x) |",
        "| Rome | [2](x) |",
        "| City | Limit |\n| --- | --- |\n| Bern | 1 |\n| **Rome** | **2** |",
    ),
    "code is not bold": (
        'Run this:\n\n```sh\npip install "a b" --pre  # now\n```\nAnd wait until it is done.',
        'pip install "a b" --pre  # now',
        'Run this:\n\n```\npip install "a b" --pre  # now\n```\n\nAnd wait until it is done.',
    ),
    "words in code, a link and an option": (
        'Set **`a "b"`** as [the `guide`](https://e.example/x_(y)) says, with --all and https://e.example/z now.',
        None,
        'Set `a "b"` as the `guide` says, with &#45;-all and https://e.example/z now.',
    ),
    "Chinese, which has no spaces": ("今天下雨。明天晴天。", "明天晴天。", "今天下雨。\u200a**明天晴天。**"),
    "what shows nothing": ("One.\n\n<p align=center>\n\n- ![](x.png)\n- two\n\nThree.", None, "One.\n\n- two\n\nThree."),
    "what a document may not do": (
        "See [1] and ![x](https://e.example/y.png), <b onclick=x>b</b>.",
        None,
        "See &#91;1&#93; and x, b .",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "sentence", "shown"), SHOWN.values(), ids=SHOWN)
def test_shown(text: str, sentence: str | None, shown: str) -> None:
    (passage,) = passages_of(text)
    chosen = [
        unit for unit in passage.units if passage.text[unit.start : unit.end] == (sentence or "").strip()
    ]
    assert write_passage(passage, tuple(chosen) if sentence else ()) == shown


NUMBERED = {
    "sections of a law": ("(1) One.\n\n(2) Only\n\n1.  a,\n\n2.  b.\n\n(3) Three.", "- (1) One.\n- (2) Only\n1. a,\n2. b.\n- (3) Three."),
    "a number that is not the first": ("- a\n\n4. c\n5. d", "- a\n4. c\n5. d"),
    "the same number": ("1. a\n1. b\n   1. c\n   1. d\n1. e", "1. a\n2. b\n   1. c\n   2. d\n3. e"),
    "a gap": ("3. a\n7. b", "3. a\n\n…\n\n7. b"),
    "a list that begins with 2": ("2. a\n3. b", "2. a\n3. b"),
    "letters and boxes": ("a) one\nb) two\n- [ ] three", "- a) one\n- b) two\n- three"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "shown"), NUMBERED.values(), ids=NUMBERED)
def test_items_have_their_numbers(text: str, shown: str) -> None:
    (passage,) = passages_of(text)
    assert write_passage(passage) == shown


def test_two_lists_that_touch_are_counted_apart() -> None:
    (passage,) = passages_of("1. a\n2. b\n1. c\n2. d\n1. e", Markup.PLAIN)
    assert write_passage(passage) == "1. a\n2. b\n1) c\n2) d\n1. e"


def test_a_number_that_is_not_known_is_not_shown() -> None:
    first, second = passages_of(
        "\n".join(f"1. This is item {number} of a long list." for number in range(100))
    )
    assert write_passage(first).startswith("1. This is item 0 of a long list.\n2. This is item 1")
    assert write_passage(second).startswith("…\n\n- This is item 51 of a long list.\n- This is item 52")


def source_of(*passages: Passage, bold: Unit | None = None) -> NumberedPassage:
    ranked = RankedPassage(IndexedPassage(passages[0], (), frozenset(), digest=0), 1.0, (), frozenset())
    return NumberedPassage("1", passages, ranked, bold)


def test_passages_below_one_heading_are_one_source() -> None:
    first, second = passages_of(
        "\n".join(f"- This is item {number} of a long list." for number in range(100))
    )
    source = source_of(first, second)
    described = describe_passage(source, Reference(id="a/b.md", document_url="a/b.md"), "B")
    assert described.text
    assert described.text.count("This is item") == 100
    assert described.text.count("\n\n…\n\n") == 1
    assert described.aliases == ("a/b.md", "b.md")


def test_passages_of_one_name_are_numbered() -> None:
    names = [
        Reference(id=number, name=name, page=page)
        for number, name, page in (("1", "A", 1), ("2", "A", 1), ("3", "A", 2))
    ]
    assert [one.name for one in tell_apart(names)] == ["A", "A (2)", "A"]


@pytest.mark.parametrize("sign", ["word ", "字"])
def test_a_paragraph_that_is_a_heading_is_named_by_its_beginning(sign: str) -> None:
    document = read(f"# {(sign * 400).strip()}\n\nText.".encode(), "a.md")
    (passage,) = split_passages(replace(document, title="Other"), "a.md", None)
    name = describe_passage(source_of(passage), Reference(id="a.md"), "A").name or ""
    assert name.startswith(f"A › {sign}{sign}")
    assert name.endswith(f"{sign.strip()}…")
    assert 100 < len(name) < 130


PAGES = [(0, 1, None, 1), (1, 1, 2, 1), (2, 2, None, 2), (None, 1, 2, 1)]


@pytest.mark.parametrize(("bold", "page", "last_page", "opens"), PAGES)
def test_a_source_has_the_pages_of_what_is_bold_or_of_all(
    bold: int | None, page: int, last_page: int | None, opens: int
) -> None:
    text = "This is on page one. This begins on one page and ends on another. This is on page two."
    document = SourceDocument(text=text, sections=(Section(0, 40, (), 1), Section(40, len(text), (), 2)))
    (passage,) = split_passages(document, "a.pdf", None)
    source = source_of(passage, bold=None if bold is None else passage.units[bold])
    whole = Reference(id="a.pdf", document_url="a.pdf", media_type="application/pdf")
    described = describe_passage(source, whole, "A")
    assert (described.page, described.last_page) == (page, last_page)
    assert described.document_url == f"a.pdf#page={opens}"


LEFT_OUT = {
    "a sentence": ("Pay first. Then wait. Then go.", [1], "… **Then wait.** …"),
    "sentences of one paragraph": ("Pay first. Then wait. Then go.", [0, 2], "**Pay first.** … Then go."),
    "sentences of two": ("Pay first. Then wait.\n\nGo home. Sleep.", [1, 2], "… **Then wait.**\n\nGo home. …"),
    "items": ("- one\n- two\n- three\n- four", [1, 3], "- **two**\n- four"),
    "items at the end of a list": ("- One.\n- Two.\n- Three.", [0], "- **One.** …"),
    "numbered items": ("1. one\n2. two\n3. three", [0, 2], "1. **one**\n\n…\n\n3. three"),
    "numbered items that all have the number 1": ("1. a\n1. b\n1. c", [0, 2], "1. **a**\n\n…\n\n3. c"),
    "steps below an item": ("- a\n  1. b\n  2. c\n  3. d\n- e", [0, 1, 3, 4], "- **a**\n  1. b\n\n  …\n\n  3. d\n- e"),
    "the end of an item": ("- One. More of it.\n- Two. More of this.", [0, 3], "- **One.** …\n- … More of this."),
    "the middle of an item": ("- One. More of it. Most of it.\n- Two.", [0, 2], "- **One.** … Most of it. …"),
    "an item above others": ("- One:\n  - two\n  - three\n- four", [1, 3], "- **two**\n- four"),
    "rows": ("| A |\n| --- |\n| 1 |\n| 2 |\n| 3 |", [1, 3], "| A |\n| --- |\n| **1** |\n| 3 |"),
    "rows around others": ("| A |\n| --- |\n| 1 |\n| 2 |\n| 3 |", [2], "| A |\n| --- |\n| **2** |\n\n…"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "chosen", "shown"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_is_left_out_of_an_excerpt_is_marked(text: str, chosen: list[int], shown: str) -> None:
    (passage,) = passages_of(text)
    units = [passage.units[index] for index in chosen]
    assert write_passage(passage, tuple(units[:1]), tuple(units)) == shown


HALF_MARKS = {
    "emphasis over two sentences": ("It says: *The bot runs. Let it answer.*", ["It says: The bot runs.", "Let it answer."]),
    "bold type, too": ("**Pay first. Then wait.** Then go.", ["Pay first.", "Then wait.", "Then go."]),
    "with more of it inside": ("*Pay **now**. Then wait.*", ["Pay now.", "Then wait."]),
    "a link over two sentences": ("See [the page. It has more.](https://x.example) Go.", ["See the page.", "It has more. Go."]),
    "asterisks that are none": ("Plus tax*. It is 2 * x. So *it* is.", ["Plus tax*.", "It is 2 * x.", "So it is."]),
    "emphasis within an item": ("- *Pay first. Then wait.*\n- Go.", ["Pay first.", "Then wait.", "Go."]),
    "code": ("Write `*a. b*`. Then *go. Or stay*.", ["Write *a. b*.", "Then go.", "Or stay."]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "sentences"), HALF_MARKS.values(), ids=HALF_MARKS)
def test_a_sentence_has_no_half_of_a_pair_of_marks(text: str, sentences: list[str]) -> None:
    (passage,) = passages_of(text)
    assert [read_inline(write_sentence(passage, unit)) for unit in passage.units] == sentences


def test_an_excerpt_of_a_long_list_has_no_line_that_is_only_a_gap() -> None:
    _, middle, _ = passages_of("\n".join(f"- This is item {number} of a long list." for number in range(150)))
    written = write_passage(middle, (), (middle.units[0], middle.units[-1]))
    assert written.count("\n") == 1
    assert written.endswith("of a long list. …")


def test_what_is_cut_says_so_at_both_ends() -> None:
    first, second = passages_of(LONG.strip())
    assert (write_passage(first)[-3:], write_passage(second)[:3]) == (". …", "… I")


def test_a_table_that_goes_on_has_its_header_and_says_that_rows_are_missing() -> None:
    rows = "\n".join(f"| town number {number} | {number} € |" for number in range(80))
    first, *_, last = passages_of(f"| Town | Limit |\n| --- | --- |\n{rows}")
    assert write_passage(first).startswith("| Town | Limit |\n| --- | --- |\n| town number 0 |")
    assert write_passage(first).endswith("\n\n…")
    assert write_passage(last).startswith("…\n\n| Town | Limit |\n| --- | --- |\n| town number")
    assert write_passage(last).endswith("| town number 79 | 79 € |")


def test_a_row_that_is_longer_than_a_passage_is_not_put_into_a_wrong_column() -> None:
    row = f"| Scope | {'Runs many projects. ' * 110}| Reviews them. |"
    first, second = passages_of(f"| Kind | Lead | Head |\n|---|---|---|\n{row}\n| Pay | 1 | 2 |")
    assert write_passage(first, (first.units[1],)).endswith("Runs many** |\n\n…")
    assert write_passage(second).startswith("… projects. Runs many projects.")
    assert write_passage(second).endswith(
        "Reviews them.\n\n…\n\n| Kind | Lead | Head |\n| --- | --- | --- |\n| Pay | 1 | 2 |"
    )
    assert write_passage(second, (second.units[0],)).startswith("… **projects. Runs many projects.")


def test_a_part_of_a_sentence_says_so() -> None:
    (passage,) = passages_of("A sentence, " * 60 + "ends. Another one.")
    part, rest, other = (write_sentence(passage, unit) for unit in passage.units)
    assert part.endswith("A sentence, …")
    assert rest.startswith("… A sentence,")
    assert (rest[-5:], other) == ("ends.", "Another one.")


def test_a_passage_that_is_split_differently_has_other_vectors() -> None:
    (passage,) = passages_of("One. Two.")
    joined = replace(passage, units=(Unit(0, len(passage.text)),))
    assert compute_passage_digest(joined) != compute_passage_digest(passage)


def test_a_row_is_one_sentence() -> None:
    (passage,) = passages_of("| Notice : | Until |\n|---|---|\n| Three months. | the end of a month. |")
    assert write_row(passage, passage.units[1]) == "Notice: Three months; Until: the end of a month."
