"""What Teams is given to show: blocks that it knows, and all the words of the answer.

``tests/corpus/teams`` has answers and what is written of them; ``¦`` stands for U+200B.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from random import Random
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.utils import read_fixture_file

from citations import Answer, Reference, channel, cite
from citations.model.wording import ENGLISH
from tests.depth import examples
from tests.normal_html import normal_html
from tests.stream_assertions import assert_ends_as_finished
from tests.streams import events, finished, long_answers, marked_answers, short_answers, small_pieces, watch

CORPUS = Path(__file__).parents[2] / "corpus" / "teams"
REFERENCES = tuple(
    Reference(id=str(number), name=f"Document {number}", url=f"https://example.com/{number}")
    for number in (1, 2, 3)
)
CASES = {
    f"{path.stem}: {title}": (given.removesuffix("\n"), expected.removesuffix("\n"))
    for path in sorted(CORPUS.glob("*.md"))
    for _, title, given, expected in read_fixture_file(path)
}
MODEL_TOKEN = re.compile(r"turn\d|oaicite|†|##\d|[\ue200-\ue206]")
"""What models write for their own clients: without a source, nothing of it is shown."""
READER = MarkdownIt("commonmark", {"maxNesting": 200, "inline_definitions": True}).enable("table")
READER.validateLink = lambda url: True  # type: ignore[method-assign]
READER.normalizeLink = lambda url: url  # type: ignore[method-assign]
READER.normalizeLinkText = lambda link: link  # type: ignore[method-assign]
NOT_SHOWN = {
    "heading_open",
    "table_open",
    "hr",
    "image",
    "html_block",
    "html_inline",
    "link_open",
    "definition",
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_what_teams_is_given(text: str, expected: str) -> None:
    answer = Answer(text=text, references=REFERENCES)
    whole = finished("msteams", answer)
    assert normal_html(whole.text) == normal_html(expected.replace("¦", "\u200b"))
    watched = watch("msteams", events(answer, list(text)), answer)
    assert_ends_as_finished(watched, answer, whole)


@pytest.mark.parametrize("text", [text for text, _ in CASES.values()], ids=CASES)
def test_cut_in_two_it_is_the_same(text: str) -> None:
    answer = Answer(text=text, references=REFERENCES)
    whole = finished("msteams", answer)
    for cut in range(len(text)):
        watched = watch("msteams", events(answer, [text[:cut], text[cut:]]), answer)
        assert_ends_as_finished(watched, answer, whole)


def tokens(text: str) -> Iterator[Token]:
    for token in READER.parse(text):
        yield token
        yield from token.children or ()


def language(token: Token) -> str:
    return (token.info.split() or [""])[0] if token.type == "fence" else ""


def letters(text: str) -> str:
    """The letters and digits that a reader gets, code and HTML among them, but not where links go."""
    shown = (
        unescape(token.content) if token.type.startswith("html") else f"{language(token)}{token.content}"
        for token in tokens(text)
        if token.type != "inline"
    )
    return re.sub(r"[^\w]|_", "", "".join(shown))


def assert_shown(text: str) -> None:
    """Without sources: nothing in ``text`` becomes a block that Teams doesn't show, and no word goes."""
    written = finished("msteams", Answer(text=text)).text
    assert {token.type for token in tokens(written)}.isdisjoint(NOT_SHOWN), written
    rest = iter(normalize("NFKC", letters(written)))
    # Entities in a tag are shown as they were typed, and three tags are what they stand for.
    words = re.sub(r"<br ?/?>|</?su[bp]>", "", text.replace("&ouml;", ""))
    assert all(letter in rest for letter in normalize("NFKC", letters(words))), (text, written)


def test_nothing_is_left_that_teams_does_not_show() -> None:
    for answer in (*short_answers(), *marked_answers()[::4], *long_answers()):
        if not MODEL_TOKEN.search(answer.text):
            assert_shown(answer.text)
    for text, _ in CASES.values():
        assert_shown(text)


BLOCKS = (
    "# Blue *green* [1] #", "## **Blue**", "Blue", "===", "---", "***", "| a | b [1] | c |", "|---|---|---|",
    "| **x** | `y` | |", "a | b", "- Blue [1]", "  - red", "1. grey [2]", "> quote", "> # Blue", "```", "    code [2]",
    "<!-- ` -->", "<div>", "[a]: https://x.example", "", "", "`blue` **red** [3]", "-", "  | a |", "  |---|", "> | q |", "> |---|",
)  # fmt: skip


@examples(40)
@given(st.lists(st.sampled_from(BLOCKS), max_size=9), st.randoms(use_true_random=False))
def test_blocks_in_any_order(lines: list[str], chance: Random) -> None:
    text = "\n".join(lines)
    assert_shown(text)
    answer = Answer(text=text, references=REFERENCES)
    watched = watch("msteams", events(answer, small_pieces(text, chance)), answer)
    assert_ends_as_finished(watched, answer, finished("msteams", answer))


def test_code_below_any_block_does_not_come_alive() -> None:
    for block in BLOCKS:
        for code in (
            "```\n<img src=x> [x](https://x.example)\n```",
            "    <img src=x> [x](https://x.example)",
        ):
            assert_shown(f"{block}\n{code}\n")
            assert_shown(f"{block}\n\n{code}\n")


HOSTILE = {
    "rows with one cell": ("| " + "name " * 90 + "|\n|---|\n", "| a |\n"),
    "rows with twelve": ("| name " * 12 + "|\n" + "|---" * 12 + "|\n", "|a" * 12 + "|\n"),
    "a hundred columns": ("| a | b |\n|---|---|\n", "| c " * 100 + "|\n"),
    "a row without end": ("| a | b |\n|---|---|\n", "| c "),
    "code in a cell": ("| a | b |\n|---|---|\n| c | ", "`d` "),
    "backticks in a cell": ("| a | b |\n|---|---|\n| c | ", "` `` "),
    "headings": ("", "# a *b* [1]\n"),
    "a heading of asterisks": ("# ", "* "),
    "a heading of hashes": ("# a", " #"),
    "a heading of badges": ("# a", "[1] b "),
    "breaks": ("", "a\n***\n"),
    "items": ("", "- a [1]\n"),
    "comments": ("", "<!-- ` -->\n"),
}


@pytest.mark.parametrize(("begin", "piece"), HOSTILE.values(), ids=HOSTILE)
def test_twice_the_answer_costs_twice_as_much(begin: str, piece: str) -> None:
    count = 2000 // len(piece) + 1
    once, twice = (_calls(begin + piece * times) for times in (count, 2 * count))
    assert twice <= 2.3 * once + 500


def _calls(text: str) -> int:
    """How many functions are called to write ``text``: a clock that no other process disturbs."""
    cited = cite(Answer(text=text, references=REFERENCES))
    count = 0

    def profile(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(profile)
    try:
        channel("msteams").write(cited, (), frozenset(), ENGLISH)
    finally:
        sys.setprofile(None)
    return count
