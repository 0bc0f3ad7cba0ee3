"""Perplexity as the source: what it is asked, what comes of its answers, and how a person reads them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.app.settings import Settings
from bot.config.answer_sources import PerplexityOptions
from bot.config.env import SettingsError
from bot.sources.errors import AnswerCut, AnswerEmpty, KeyRefused, NotFoundAtSource
from bot.sources.perplexity import PerplexitySource
from citations import (
    AnswerFormatError,
    EventStreamError,
    Reference,
    RenderingStream,
    channel,
    cite,
    render,
)
from citations.__main__ import main
from citations.readers import FORMATS

from ..bot.running import message, running, send
from ..bot.streaming_connector import TeamsConnector, WebChatConnector, graph, serving
from ..model_server import END, Handler, ScriptedReply, saying, sending
from .asking import ask_once
from .faults import FAULTS, Good, hurried, one_answer
from .searching_server import KEY, SearchingServer, replaying, searching_server
from .writer_server import chunk, event

CORPUS = Path(__file__).parents[1] / "corpus" / "perplexity"

NIGHT, SLEEPERS, FERRIES = (
    "https://trains.example.com/night",
    "https://www.example.org/sleepers?lang=en",
    "https://example.net/ferries",
)
WHOLE: dict[str, Any] = json.loads((CORPUS / "whole.json").read_bytes())
DEFINED = f'[1]: {NIGHT} "Night trains in 2026"\n[2]: {SLEEPERS} "Sleepers compared"'


@pytest.fixture
async def server() -> AsyncIterator[SearchingServer]:
    async with searching_server("perplexity", CORPUS / "stream.sse") as serving_it:
        yield serving_it


# What it sends


def test_a_response_has_the_pages_in_the_order_of_their_markers() -> None:
    assert FORMATS["perplexity"].read(WHOLE).references == (
        Reference(
            id="1",
            ordinal=True,
            url=NIGHT,
            name="Night trains in 2026",
            text="A sleeper runs from Zürich to Hamburg every night.",
            modified="2026-10-12",
        ),
        Reference(
            id="2",
            ordinal=True,
            url=SLEEPERS,
            name="Sleepers compared",
            text="A berth for two is 129 €.",
            modified="2025-11-30",
        ),
        Reference(id="3", ordinal=True, url=FERRIES, name="A page that is not cited", text="Ferries."),
    )


PAGES: dict[str, tuple[dict[str, Any], list[tuple[str, str | None]]]] = {
    "URLs alone": ({"citations": [NIGHT, SLEEPERS]}, [(NIGHT, None), (SLEEPERS, None)]),
    "results alone": ({"search_results": [{"url": NIGHT, "title": "N"}]}, [(NIGHT, "N")]),
    "results in another order": (
        {"citations": [NIGHT, SLEEPERS], "search_results": [{"url": SLEEPERS, "title": "S"}, {"url": NIGHT, "title": "N"}]},
        [(NIGHT, "N"), (SLEEPERS, "S")],
    ),
    "one page twice": ({"citations": [NIGHT, NIGHT]}, [(NIGHT, None), (NIGHT, None)]),
    "titles that are blank": ({"search_results": [{"url": NIGHT, "title": " ", "snippet": ""}]}, [(NIGHT, None)]),
    "null": ({"citations": None, "search_results": None}, []),
    "neither": ({}, []),
    "results that are null": ({"search_results": [None, {"url": NIGHT}]}, [(NIGHT, None)]),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "pages"), PAGES.values(), ids=PAGES)
def test_pages_come_in_several_forms(fields: dict[str, Any], pages: list[tuple[str, str | None]]) -> None:
    answer = FORMATS["perplexity"].read({"choices": WHOLE["choices"]} | fields)
    assert [(one.url, one.name) for one in answer.references] == pages


@pytest.mark.parametrize("name", ["stream.sse", "reasoning.sse"])
@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_a_stream_is_the_response_however_it_is_cut(name: str, size: int) -> None:
    sent = (CORPUS / name).read_bytes()
    reading, rendering = FORMATS["perplexity"].stream(), RenderingStream(channel("webchat"))
    for start in range(0, len(sent), size):
        for events in reading.feed(sent[start : start + size]):
            for one in events:
                rendering.feed(one)
    for events in reading.close():
        for one in events:
            rendering.feed(one)
    final = rendering.close()
    assert final == render(cite(FORMATS["perplexity"].read(WHOLE)), channel("webchat"))
    assert final.text.endswith(DEFINED)


def test_a_message_beside_each_delta_is_not_read_again() -> None:
    events = [
        {"choices": [{"delta": {"content": piece}, "message": {"content": so_far}}]}
        for piece, so_far in (("It ", "It "), ("is.", "It is."), ("", "It is."))
    ]
    reading = FORMATS["perplexity"].stream()
    said = [*reading.feed(b"".join(map(event, events)) + b"data: [DONE]\n\n"), *reading.close()]
    assert [getattr(one, "text", None) for events in said for one in events] == [None, "It ", "is."]


@pytest.mark.parametrize("name", ["whole.json", "stream.sse", "reasoning.sse"])
def test_the_command_line_takes_what_it_sends(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    stream = ["--stream"] if name.endswith(".sse") else []
    assert main(["render", "--from", "perplexity", *stream, str(CORPUS / name)]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["text"].endswith(DEFINED)


# What it is asked


EVERY_OPTION = {
    "PERPLEXITY_API_KEY": KEY,
    "PERPLEXITY_MODEL": "sonar-pro",
    "PERPLEXITY_BASE_URL": "https://proxy.example.com/",
}


def settings(**environ: str) -> Settings:
    return Settings.from_env({"ANSWER_SOURCE": "perplexity", **environ})


def test_every_option_can_be_set() -> None:
    assert settings(**EVERY_OPTION).source_options == PerplexityOptions(
        api_key=KEY, model="sonar-pro", base_url="https://proxy.example.com"
    )
    assert settings(PERPLEXITY_API_KEY=KEY).source_options == PerplexityOptions(
        api_key=KEY, model="sonar", base_url="https://api.perplexity.ai"
    )


def test_every_fault_at_once() -> None:
    with pytest.raises(SettingsError) as caught:
        settings(PERPLEXITY_BASE_URL="api.perplexity.ai")
    assert caught.value.faults == (
        "ANSWER_SOURCE=perplexity needs PERPLEXITY_API_KEY",
        "PERPLEXITY_BASE_URL is not an http or https URL such as https://api.perplexity.ai",
    )


async def test_it_is_asked_with_the_key_and_the_model(server: SearchingServer) -> None:
    source = server.source(PERPLEXITY_MODEL="sonar-pro")
    assert (await ask_once(source, "Which night trains are there?")).text.endswith(DEFINED)
    assert server.keys == [f"Bearer {KEY}"]
    body = {
        "model": "sonar-pro",
        "messages": [{"role": "user", "content": "Which night trains are there?"}],
        "stream": True,
    }
    assert server.asked == [("/chat/completions", body)]
    assert await source.facts() == {"source": "perplexity", "answers": "yes", "model": "sonar-pro"}


# What becomes of its answers


@pytest.mark.parametrize("name", ["stream.sse", "reasoning.sse", "whole.json"])
async def test_each_form_becomes_the_same_answer(name: str, server: SearchingServer) -> None:
    server.behave = replaying(CORPUS / name)
    assert await ask_once(server.source()) == render(
        cite(FORMATS["perplexity"].read(WHOLE)), channel("webchat")
    )


async def test_pages_that_are_not_cited_are_listed(server: SearchingServer) -> None:
    server.behave = saying(
        {"search_results": [{"url": NIGHT, "title": "Night trains"}], "choices": [{"message": {"content": "There is one."}, "finish_reason": "stop"}]}
    )  # fmt: skip
    text = (await ask_once(server.source())).text
    assert text.startswith("There is one.")
    assert text.endswith(f'[1]: {NIGHT} "Night trains"')


async def test_an_answer_is_whole_where_its_stream_breaks_off_behind_it(server: SearchingServer) -> None:
    server.behave = sending(event(chunk("All said.", "stop")), b'data: {"choices": [')
    assert (await ask_once(server.source())).text == "All said."


FAILURES: dict[str, tuple[Handler, type[Exception], str]] = {
    "a model that it doesn't have": (
        saying({"error": {"message": "Invalid model 'x'.", "type": "invalid_model", "code": 400}}, 400),
        NotFoundAtSource,
        "no model",
    ),
    "a key that it refuses": (saying({"error": "x"}, 401), KeyRefused, "401"),
    "no text": (saying({"choices": [{"message": {"content": " "}}]}), AnswerEmpty, "no words"),
    "pages of another form, and no text": (
        saying({"citations": "x", "choices": []}),
        AnswerEmpty,
        "no words",
    ),
    "an error with 200": (saying({"error": {"message": "no credit"}}), AnswerFormatError, "no credit"),
    "the limit of tokens": (
        sending(event(chunk("It is [1]", "length"))),
        AnswerCut,
        "as much as it may",
    ),
    "no end": (sending(event(chunk("It is"))), EventStreamError, "ended before"),
}


@pytest.mark.parametrize(("behave", "kind", "words"), FAILURES.values(), ids=FAILURES)
async def test_failures_have_a_reason(
    behave: Handler, kind: type[Exception], words: str, server: SearchingServer
) -> None:
    server.behave = behave
    with pytest.raises(kind, match=words) as caught:
        await ask_once(server.source())
    assert KEY not in str(caught.value)


GOOD = Good(
    pieces=tuple(part + b"\n\n" for part in (CORPUS / "stream.sse").read_bytes().split(b"\n\n") if part),
    piece=lambda text: event(chunk(text)),
    beginning="A sleeper runs from",
)


@pytest.mark.parametrize(
    "name", ["none", "reset in the middle", "429, then well", "HTML with 200", "an event named error"]
)
async def test_one_answer(name: str) -> None:
    def asking(url: str) -> PerplexitySource:
        return hurried(PerplexitySource(PerplexityOptions(base_url=url, api_key=KEY)))

    await one_answer(FAULTS[name], GOOD, asking)


# A conversation over sockets


@pytest.mark.parametrize("kind", [WebChatConnector, TeamsConnector])
async def test_a_person_reads_it_while_it_is_being_written(
    kind: type[WebChatConnector | TeamsConnector], server: SearchingServer
) -> None:
    question = {"channelId": kind.channel_id, "conversation": {"id": "c1", "conversationType": "personal"}}
    server.behave = told = ScriptedReply()
    async with (
        running(server.source()) as bot,
        serving(kind()) as connector,
        asyncio.timeout(60),
    ):
        turn = asyncio.create_task(
            send(bot, message(connector.service_url, "Which night trains are there?", **question))
        )
        half = len(GOOD.pieces) // 2
        told.send(*GOOD.pieces[:half])
        interim = await connector.next("streaming")
        assert interim["text"].startswith("A sleeper runs from")
        told.send(*GOOD.pieces[half:], END)
        final = await connector.next("final")
        assert (await turn)[0] < 300
    expected = render(cite(FORMATS["perplexity"].read(WHOLE)), channel(connector.channel_id))
    assert (final["text"], graph(final)) == (expected.text, list(expected.entities))
    assert connector.broken == []
