"""Passages as a person reads them: whole paragraphs, lists, tables and code, and one sentence in bold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.retrieval.inline import write_inline
from bot.retrieval.passage import Markup, Passage, Section, SourceDocument
from bot.retrieval.quote import write_passage, write_sentence
from bot.retrieval.sentences import Unit
from bot.retrieval.split import split_passages
from citations import Answer, Reference, cite

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
        chosen: Sequence[Unit] = data.draw(st.lists(st.sampled_from(passage.units), max_size=1))
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
    return [read_inline(written)] if written and unit.kind != "code" else []
