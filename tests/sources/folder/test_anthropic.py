"""A folder whose answers an Anthropic model writes: a real HTTP server is asked, and the spans come out."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from bot.direct_line.bundle import Bundle
from bot.languages import say
from bot.sources import EarlierTurn, SourceError
from bot.sources.anthropic_writer import AnthropicWriter
from bot.sources.errors import AnswerCut, AnswerFiltered
from bot.sources.folder import FolderSource
from bot.sources.model_writer import NO_ANSWER, ModelWriter
from bot.sources.permission import EVERYTHING
from citations import AnswerEvent, AnswerKind, LabelRanking, OriginKnown, Rendering, RenderingStream, channel
from citations.model import KindKnown
from citations.readers import answer_of
from tests.anthropic_messages import Block, event, events, failing, message, telling
from tests.bot.running import running
from tests.model_server import KEY, Handler, ModelServer, ScriptedReply, model_server, saying, sending

TRAVEL = "# Travel\n## Hotels\nThe hotel limit is 150 € per night. Book with the travel desk.\n## Trains\nTrains go second class."
OTHER = "# Pay\nThe hotel limit of the board is 400 € per night."
QUESTION = "What is the hotel limit?"
ANSWER: tuple[Block, ...] = (("The hotel limit is 150 €", [1]), (". See settings[1], too.", ()))
SEALED = LabelRanking.from_toml(
    """
    [[label]]
    id = "sealed"
    name = "Sealed"
    priority = 1
    encrypted = true
    [[rule]]
    file = "pay.md"
    label = "sealed"
    """
)
SOON = 60.0
WRITTEN = "Written by test-model from your documents"
QUOTES = (
    "The model that writes the answers could not answer, so these are sentences from your documents.\n\n"
    "*Travel › Hotels* [1]\n\n> **The hotel limit is 150 € per night.** Book with the travel desk."
)


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server() as serving:
        serving.behave = telling(*ANSWER)
        yield serving


@contextlib.asynccontextmanager
async def opened(
    home: Path,
    writer: ModelWriter,
    files: Mapping[str, str] = {"travel.md": TRAVEL},
    ranking: LabelRanking | None = None,
) -> AsyncIterator[FolderSource]:
    folder = home / "docs"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    source = FolderSource(
        folder, document_base="http://localhost/d/", cache=home / "cache", writer=writer, ranking=ranking
    )
    await source.open()
    await source.wait_until_read()
    try:
        yield source
    finally:
        await source.close()


@pytest.fixture
async def source(tmp_path: Path, server: ModelServer) -> AsyncIterator[FolderSource]:
    async with opened(tmp_path, server.anthropic_writer()) as made:
        yield made


async def ask(source: FolderSource, question: str = QUESTION) -> list[AnswerEvent]:
    async with asyncio.timeout(SOON):
        return [event async for event in source.answer(question)]


def show(answered: list[AnswerEvent], channel_id: str) -> tuple[list[Rendering], Rendering]:
    """The interims and the final of an answer, with an interim after each event."""
    stream, interims = RenderingStream(channel(channel_id)), []
    for one in answered:
        stream.feed(one)
        if interim := stream.interim():
            interims.append(interim)
    return interims, stream.close()


# An answer that is well


async def test_the_passages_are_search_results_with_citations(
    source: FolderSource, server: ModelServer
) -> None:
    await ask(source)
    (body,) = server.bodies
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert (body["model"], body["stream"]) == ("test-model", True)
    assert NO_ANSWER in body["system"]
    (asked,) = body["messages"]
    found, question = asked["content"]
    assert question == {"type": "text", "text": QUESTION}
    assert found == {
        "type": "search_result",
        "source": "1",
        "title": "Travel › Hotels",
        "content": [
            {"type": "text", "text": "The hotel limit is 150 € per night. Book with the travel desk."}
        ],
        "citations": {"enabled": True},
    }


SHOWN = {
    "webchat": "The hotel limit is 150 €[1]. See settings&#91;1&#93;, too.",
    "msteams": "The hotel limit is 150 €[1]. See settings&#91;\u200b1&#93;, too.",
    "email": "The hotel limit is 150 €",
    "sms": "The hotel limit is 150 € (1). See settings[1], too.",
}


@pytest.mark.parametrize("channel_id", SHOWN)
@pytest.mark.parametrize("whole", [False, True], ids=["streamed", "whole"])
async def test_a_badge_stands_behind_the_words_that_the_model_cites(
    whole: bool, channel_id: str, source: FolderSource, server: ModelServer
) -> None:
    server.behave = saying(message(*ANSWER)) if whole else telling(*ANSWER)
    answered = await ask(source)
    assert isinstance(first := answered[0], OriginKnown)
    assert (first.origin.slogan, first.origin.generated) == (WRITTEN, True)
    assert answered[-1] == KindKnown(AnswerKind.ANSWERED)
    interims, final = show(answered, channel_id)
    assert final.text.startswith(SHOWN[channel_id])
    assert final.problems == ()
    if channel_id == "msteams":
        shown = [one.text for one in interims] + [final.text]
        assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(shown))
    if channel_id == "webchat":
        assert 'cite:1 "Travel › Hotels"' in final.text


async def test_an_answer_may_be_cut_at_every_byte(source: FolderSource, server: ModelServer) -> None:
    whole = answer_of(await ask(source))
    received = b"".join(events(*ANSWER))
    for size in (1, 7):
        server.behave = sending(*(received[place : place + size] for place in range(0, len(received), size)))
        assert answer_of(await ask(source)) == whole


async def test_what_the_model_has_written_is_shown_before_it_ends(
    source: FolderSource, server: ModelServer
) -> None:
    server.behave = told = ScriptedReply()
    *first, last_delta, stop, delta, end = events(*ANSWER)
    stream = RenderingStream(channel("msteams"))
    async with asyncio.timeout(SOON), contextlib.aclosing(source.answer(QUESTION)) as answered:
        told.send(
            *first, event("content_block_delta", index=1, delta={"type": "text_delta", "text": "\n\nMore"})
        )
        async for one in answered:
            stream.feed(one)
            if (interim := stream.interim()) and "[1]" in interim.text:
                break
        assert interim
        assert interim.text.startswith("The hotel limit is 150 €[1].")
        told.send(last_delta, stop, delta, end, b"")


async def test_two_passages_of_one_statement_are_two_badges(tmp_path: Path, server: ModelServer) -> None:
    server.behave = telling(("Both limits exist", [2, 1]), (".", ()))
    async with opened(tmp_path, server.anthropic_writer(), {"travel.md": TRAVEL, "pay.md": OTHER}) as source:
        _, final = show(await ask(source), "webchat")
    assert final.text.startswith("Both limits exist[1]\u200b[2].")


async def test_a_citation_of_a_result_that_was_not_sent_is_left_out(
    source: FolderSource, server: ModelServer
) -> None:
    server.behave = telling(("It is 150 €", [9, 1]), (".", ()))
    answer = answer_of(await ask(source))
    assert [span.ids for span in answer.spans] == [("1",)]


async def test_a_question_that_leans_on_the_one_before_is_completed_by_the_model(
    source: FolderSource, server: ModelServer
) -> None:
    answers = [telling(("What is the hotel limit in trains?", ())), telling(*ANSWER)]

    async def behave(request: web.Request) -> web.StreamResponse:
        return await answers[len(server.bodies) - 1](request)

    server.behave = behave
    async with asyncio.timeout(SOON):
        coming = source.answer_for("And for hotels?", EVERYTHING, (EarlierTurn(QUESTION),))
        answered = [one async for one in coming]
    assert "And for hotels?" in server.bodies[0]["messages"][0]["content"]
    _, final = show(answered, "sms")
    # The line above the answer moves its spans.
    assert "150 € (1)." in final.text
    assert final.text.index("in trains?") < final.text.index("150 €")


# The passages do not answer, or are not cited


@pytest.mark.parametrize("channel_id", ["webchat", "msteams", "sms"])
@pytest.mark.parametrize("answer", [NO_ANSWER, f"Sorry: {NO_ANSWER}.", "There is no answer."])
async def test_where_the_passages_do_not_answer_they_are_shown_with_badges(
    answer: str, channel_id: str, source: FolderSource, server: ModelServer
) -> None:
    server.behave = telling((answer, ()))
    answered = await ask(source)
    assert [one.kind for one in answered if isinstance(one, KindKnown)] == [AnswerKind.UNSURE]
    interims, final = show(answered, channel_id)
    assert not any("NOAN" in one.text for one in (*interims, final))
    assert "The nearest passages" in final.text
    assert ("Travel > Hotels (1)" if channel_id == "sms" else "*Travel › Hotels*[1]") in final.text
    assert "> **The hotel limit" in final.text or channel_id == "sms"


async def test_below_a_text_that_cites_nothing_stand_the_nearest_passages(
    source: FolderSource, server: ModelServer
) -> None:
    server.behave = telling(("It is 150 € [1].", ()))
    answered = await ask(source)
    _, final = show(answered, "sms")
    # The model's own "[1]" is no citation.
    assert final.text.startswith("It is 150 € [1].\n\nThe model did not say which passage supports this.")
    assert "Travel > Hotels (1)" in final.text
    assert [one.kind for one in answered if isinstance(one, KindKnown)] == [AnswerKind.UNSURE]


async def test_a_model_that_answers_a_part_says_so_of_the_rest(
    source: FolderSource, server: ModelServer
) -> None:
    server.behave = telling(
        ("It is 150 €", [1]), (f". Trains: {NO_ANSWER}. But ", ()), ("desks book", [1]), (".", ())
    )
    _, final = show(await ask(source), "sms")
    assert final.text.startswith(
        "It is 150 € (1). Trains: Your documents seem not to say this. But desks book (1)."
    )


async def test_a_document_that_may_not_be_quoted_is_named_and_not_sent(
    tmp_path: Path, server: ModelServer
) -> None:
    files = {
        "days.md": "# Days\n\nThe yearly salary of young plovers is paid late.\n",
        "pay.md": "# Bands\n\nThe yearly salary of young plovers is nine euros.\n",
    }
    server.behave = telling(("It is paid late", [1]), (".", ()))
    async with opened(tmp_path, server.anthropic_writer(), files, SEALED) as source:
        answered = await ask(source, "What is the yearly salary of young plovers?")
    assert "paid late" in str(server.bodies)
    assert "nine" not in str(server.bodies)
    for channel_id in ("webchat", "msteams"):
        _, final = show(answered, channel_id)
        assert final.text.startswith("It is paid late[1].\n\nThere is more that I may not quote")
        assert "md[2]" in final.text


# The model fails


TRIALS: dict[str, tuple[Handler, str | None, int]] = {
    "a wrong key": (failing(401, "authentication_error", "invalid x-api-key"), "model_key_refused", 1),
    "an unknown model": (failing(404, "not_found_error", "model: m"), "model_unknown", 1),
    "another address": (sending(b"404 page not found", status=404, headers={"Content-Type": "text/plain"}), "model_not_there", 1),
    "a redirect": (sending(status=307, headers={"Location": "http://127.0.0.1:1/"}), "model_not_there", 1),
    "a web page": (sending(b"<!doctype html>", headers={"Content-Type": "text/html"}), "model_not_there", 1),
    "no money": (failing(400, "invalid_request_error", "Your credit balance is too low"), "model_unreachable", 1),
    "too much to do": (failing(529, "overloaded_error", "Overloaded"), "model_unreachable", 3),
    "an answer": (telling(("ready", ())), None, 1),
}  # fmt: skip


@pytest.mark.parametrize(("behave", "problem", "requests"), TRIALS.values(), ids=TRIALS)
async def test_a_trial_tells_what_is_wrong(
    behave: Handler, problem: str | None, requests: int, server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.behave = behave
    writer = server.anthropic_writer()
    await writer.try_once()
    facts = writer.facts()
    await writer.close()
    assert facts.get("model problem") == problem
    assert (facts["model"], facts["model API"]) == ("test-model", "anthropic")
    assert problem or facts["model answers"] == "yes"
    assert len(server.bodies) == requests
    assert KEY not in str(facts)
    assert KEY not in caplog.text


async def test_a_server_that_is_down_is_named_and_asked_again_with_the_next_question(
    server: ModelServer, tmp_path: Path
) -> None:
    down = AnthropicWriter(base_url="http://127.0.0.1:1", api_key=KEY, model="test-model")
    async with opened(tmp_path, down) as source:
        await source.try_model()
        assert (await source.facts())["model problem"] == "model_unreachable"
        assert answer_of(await ask(source)).text == QUOTES


async def test_a_request_has_the_headers_of_anthropics_own_library(server: ModelServer) -> None:
    library = pytest.importorskip("anthropic")
    own = library.AsyncAnthropic(api_key=KEY, base_url=server.url, max_retries=0)
    await own.messages.create(model="m", max_tokens=1, messages=[{"role": "user", "content": "?"}])
    await own.close()
    writer = server.anthropic_writer()
    await writer.try_once()
    await writer.close()
    theirs, ours = (
        {name: headers.get(name) for name in ("Authorization", "X-Api-Key", "anthropic-version")}
        for headers in server.headers
    )
    assert ours == theirs


async def test_a_server_without_keys_gets_none(server: ModelServer) -> None:
    writer = AnthropicWriter(base_url=server.url, model="test-model")
    await writer.try_once()
    await writer.close()
    assert "Authorization" not in server.headers[0]


async def test_the_page_names_the_variable_to_look_at(tmp_path: Path, server: ModelServer) -> None:
    server.behave = TRIALS["a wrong key"][0]
    (tmp_path / "docs").mkdir()
    writer = server.anthropic_writer()
    source = FolderSource(tmp_path / "docs", document_base="", cache=tmp_path / "cache", writer=writer)
    async with running(source, bundle=Bundle(None)) as bot, aiohttp.ClientSession() as session:
        page = await (await session.get(f"http://{bot}/")).text()
    assert "its server refuses the key (ANTHROPIC_API_KEY)" in page
    assert "OPENAI_" not in page


SILENT: dict[str, Handler] = {
    "a status": failing(400, "invalid_request_error", KEY),
    "HTML": sending(b"<html>gateway</html>", headers={"Content-Type": "text/html"}),
    "an error before the text": sending(*[*events()][:1], event("error", error={"type": "overloaded_error", "message": KEY})),
    "no text": telling(),
    "an end at once": sending(*[*events(*ANSWER)][:1]),
    "a refusal at once": telling(reason="refusal"),
}  # fmt: skip


@pytest.mark.parametrize("behave", SILENT.values(), ids=SILENT)
async def test_where_the_model_says_nothing_the_quotes_are_given(
    behave: Handler, source: FolderSource, server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.behave = behave
    assert answer_of(await ask(source)).text == QUOTES
    assert KEY not in caplog.text


STOPS: dict[str, tuple[list[bytes | None], type[SourceError]]] = {
    "the connection is lost": ([*[*events(*ANSWER)][:7], None], SourceError),
    "an error": ([*[*events(*ANSWER)][:7], event("error", error={"type": "overloaded_error", "message": KEY}), b""], SourceError),
    "the limit of tokens": ([*events(*ANSWER, reason="max_tokens"), b""], AnswerCut),
    "a refusal": ([*events(*ANSWER, reason="refusal"), b""], AnswerFiltered),
}  # fmt: skip


@pytest.mark.parametrize(("pieces", "error"), STOPS.values(), ids=STOPS)
async def test_where_the_model_stops_in_the_middle_its_words_stay(
    pieces: list[bytes | None], error: type[SourceError], source: FolderSource, server: ModelServer
) -> None:
    server.behave = told = ScriptedReply()
    told.send(*pieces)
    stream = RenderingStream(channel("webchat"))

    async def read() -> None:
        async for one in source.answer(QUESTION):
            stream.feed(one)

    with pytest.raises(error) as caught:
        await asyncio.wait_for(read(), SOON)
    final = stream.interrupt(say(caught.value.suffix))
    assert final.text.startswith("The hotel")
    assert "This answer is not complete" in final.text
    assert KEY not in str(caught.value)


async def test_a_model_that_fails_again_and_again_is_left_alone_for_a_while(
    source: FolderSource, server: ModelServer
) -> None:
    server.behave = SILENT["HTML"]
    for _ in range(7):
        assert answer_of(await ask(source)).text == QUOTES
    assert len(server.bodies) == 5


async def test_an_answer_that_is_given_up_hangs_up(source: FolderSource, server: ModelServer) -> None:
    server.behave = told = ScriptedReply()
    told.send(*[*events(*ANSWER)][:7])
    async with asyncio.timeout(SOON):
        answered = source.answer(QUESTION)
        async for one in answered:
            if isinstance(one, OriginKnown):
                break
        await answered.aclose()
        await server.left.wait()
