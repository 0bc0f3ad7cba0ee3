"""What is always true of a rendering for Web Chat, whatever the answer and its references are."""

from __future__ import annotations

import re

from hypothesis import assume, example, given

from citations import Answer, channel, cite, render
from citations.markdown import read_layout, read_markdown, sanitize
from citations.markdown.sanitizer import is_harmless, write_closing_fence

from .agreement import COMMONMARK, Page
from .commonmark import html, is_plain
from .depth import examples
from .rendering_promises import (
    assert_positions_are_in_order_of_first_use,
    assert_sanitizing_is_idempotent,
    assert_text_and_graph_agree_and_nothing_else_is_live,
    assert_the_graph_is_clean_json,
    rendered,
)
from .strategies import answers, hostile_texts, many_sources, plain_texts, texts_

# A code span over the lines of what is a table to GFM, where a cell ends it. So its backticks are shown as
# characters. Fences are left out, too: they begin with backticks.
CODE_OVER_TABLE = re.compile(r"`[^`]*\n[ \t>]*[|:-][|:\- \t]*\n[^`]*`")
many = examples(150)


@many
@given(answers)
def test_text_and_graph_agree_and_nothing_else_is_live(answer: Answer) -> None:
    assert_text_and_graph_agree_and_nothing_else_is_live(answer)


@many
@given(answers)
def test_positions_are_in_order_of_first_use(answer: Answer) -> None:
    assert_positions_are_in_order_of_first_use(answer)


@given(many_sources)
def test_at_most_twenty_sources_and_the_rest_is_reported(answer: Answer) -> None:
    rendering, claims = rendered(answer)
    assert len(claims) == min(20, len(answer.references))
    reported = [problem for problem in rendering.problems if problem.code == "too-many-citations"]
    assert len(reported) == max(0, len(answer.references) - 20)


@many
@given(answers)
def test_the_graph_is_clean_json(answer: Answer) -> None:
    assert_the_graph_is_clean_json(answer)


def is_read_alike(text: str) -> bool:
    """Whether clients agree on code and lists in ``text``: where they don't, it is shown as characters."""
    return not read_markdown(text, addresses=True).doubtful and not CODE_OVER_TABLE.search(text)


@many
@given(plain_texts)
@example("\\\\[ ]word[ ][ ]")
def test_a_plain_answer_is_shown_as_it_was(text: str) -> None:
    assume(is_plain(text) and is_read_alike(text))
    rendering = render(cite(Answer(text=text)), channel("webchat"))
    assert html(rendering.text) == html(text)


@many
@given(texts_)
@example("\u2028\r\n**bold**")
@example("---\u2028")
@example("![www.evil.com]")
def test_making_inert_is_done_once_and_for_all(text: str) -> None:
    assert_sanitizing_is_idempotent(text)


@many
@given(texts_ | plain_texts)
@example("1. 1. 1. a")
@example("a\n- ```\nb")
def test_what_is_left_as_it_was_needs_nothing(text: str) -> None:
    assume(sanitize(text) == text)
    layout = read_layout(text)
    assert layout.complete
    assert not write_closing_fence(layout)
    assert is_harmless(text, frozenset())


@many
@given(hostile_texts)
def test_nobody_but_the_host_list_keeps_a_link(text: str) -> None:
    link = "[here](http://localhost:3978/documents/a%20b.md)"
    sanitized = sanitize(f"{link}\n\n{text}", live_hosts=frozenset({"localhost:3978"}))
    targets = {target for _, target in Page(sanitized, COMMONMARK).links}
    assert targets <= {"http://localhost:3978/documents/a%20b.md"}
