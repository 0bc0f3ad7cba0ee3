"""What is always true of a rendering for Web Chat, whatever the answer and its references are."""

from __future__ import annotations

import re
from random import Random
from time import process_time

import pytest
from hypothesis import assume, example, given

from citations import Answer, RenderingStream, TextDelta, channel, check, cite, render
from citations.markdown import sanitize
from tests.agreement import COMMONMARK, Page
from tests.clients.answers import hostile_answer
from tests.clients.short_texts import short_text
from tests.commonmark import html, is_plain
from tests.depth import examples
from tests.rendering_promises import (
    assert_positions_are_in_order_of_first_use,
    assert_sanitizing_is_idempotent,
    assert_text_and_graph_agree_and_nothing_else_is_live,
    assert_the_graph_is_clean_json,
    rendered,
)
from tests.strategies import answers, hostile_texts, many_sources, plain_texts, texts_

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


_HEADING = re.compile(r"<h[1-6]>.*?</h", re.DOTALL)


def _join_lines(heading: re.Match[str]) -> str:
    """A heading with a line below it may have several lines; we write a heading on one."""
    return heading[0].replace("\n", " ")


@many
@given(plain_texts)
@example("\\\\[ ]word[ ][ ]")
def test_a_plain_answer_is_shown_as_it_was(text: str) -> None:
    assume(is_plain(text))
    rendering = render(cite(Answer(text=text)), channel("webchat"))
    assert _HEADING.sub(_join_lines, html(rendering.text).replace("\u200b", "")) == _HEADING.sub(
        _join_lines, html(text)
    )


@many
@given(texts_)
@example("\u2028\r\n**bold**")
@example("---\u2028")
@example("![www.evil.com]")
def test_making_inert_is_done_once_and_for_all(text: str) -> None:
    assert_sanitizing_is_idempotent(text)


@many
@given(hostile_texts)
def test_nobody_but_the_host_list_keeps_a_link(text: str) -> None:
    link = "[here](http://localhost:3978/documents/a%20b.md)"
    sanitized = sanitize(f"{link}\n\n{text}", live_hosts=frozenset({"localhost:3978"}))
    targets = {target for _, target in Page(sanitized, COMMONMARK).links}
    assert targets <= {"http://localhost:3978/documents/a%20b.md"}


SHORT_LINES = {
    "cells that no row has": "|" + "a|" * 250 + "\n|" + "-|" * 250 + "\n" + "a\n" * 250,
    "names of columns": ("⟬" * 40 + "|") * 50 + "\n" + "-|" * 50 + "\n" + ("x|" * 50 + "\n") * 50,
    "lazy lines of a quote": "> " * 8 + "a\n" + "b\n" * 500,
    "lazy lines of a list": "999999999. " * 8 + "a\n" + "⟬\n" * 500,
    "line breaks in a list": "999999999. " * 8 + "a" + "<br>b" * 500,
}


@pytest.mark.parametrize("channel_id", ["webchat", "msteams", "email", "sms", "plain"])
@pytest.mark.parametrize("text", SHORT_LINES.values(), ids=SHORT_LINES)
def test_a_text_is_at_most_eight_times_as_long(text: str, channel_id: str) -> None:
    assert len(render(cite(Answer(text=text)), channel(channel_id)).text) <= 8 * len(text)


@pytest.mark.parametrize("channel_id", ["webchat", "msteams", "email", "sms", "plain"])
def test_so_is_any_other(channel_id: str) -> None:
    """Without sources, of which a badge, an address and a name are as long as they are."""
    for seed in range(300):
        text = hostile_answer(Random(seed), short_text if seed % 2 else None).answer.text
        assert len(render(cite(Answer(text=text)), channel(channel_id)).text) <= 8 * len(text), text


@pytest.mark.parametrize("channel_id", ["webchat", "msteams"])
@pytest.mark.parametrize("text", SHORT_LINES.values(), ids=SHORT_LINES)
def test_so_is_each_interim(text: str, channel_id: str) -> None:
    stream = RenderingStream(channel(channel_id))
    for start in range(0, len(text), 50):
        stream.feed(TextDelta(text[start : start + 50]))
        if interim := stream.interim():
            assert len(interim.text) <= 8 * (start + 50)
    assert len(stream.close().text) <= 8 * len(text)


@pytest.mark.parametrize("channel_id", ["webchat", "msteams", "email"])
def test_check_has_nothing_against_what_render_writes(channel_id: str) -> None:
    for seed in range(300):
        hostile = hostile_answer(Random(seed), short_text if seed % 2 else None)
        rendering = render(cite(hostile.answer), channel(channel_id), live_hosts=hostile.live_hosts)
        found = check(rendering.to_activity(), channel_id=channel_id)
        assert found == (), (hostile.answer, rendering.text, found)


@pytest.mark.parametrize("piece", ["word *b* ", "**a *b* c** ", "`c` *b* [1] "])
def test_time_grows_with_the_emphasis_of_a_paragraph(piece: str) -> None:
    """In seconds of a processor: what a set costs is no call of a function."""

    def seconds(times: int) -> float:
        cited = cite(Answer(text=piece * times))
        begun = process_time()
        render(cited, channel("webchat"))
        return process_time() - begun

    most = 24 * max(0.02, min(seconds(2000) for _ in range(3)))
    assert any(seconds(16_000) < most for _ in range(2))
