"""The folder with a model that writes: its words as they come, its passages, and what there is without it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.languages import Sentence, say, speaking
from bot.sources import SourceError
from bot.sources.errors import AnswerCut
from bot.sources.folder import FolderSource
from bot.sources.model_writer import NO_ANSWER, SearchedElsewhereError
from bot.sources.open_ai import OpenAIWriter
from bot.sources.step import listening
from citations import (
    AnswerEvent,
    AnswerKind,
    Origin,
    OriginKnown,
    Reference,
    ReferencesFound,
    RenderingStream,
    TextDelta,
    channel,
)
from citations.model import KindKnown
from citations.readers import text_of
from tests.model_server import (
    BREAKS,
    DONE,
    END,
    KEY,
    Handler,
    ModelServer,
    ScriptedReply,
    chunk,
    model_server,
    saying,
    sending,
    streaming,
)

TRAVEL = "# Travel\n## Hotels\nThe hotel limit is 150 € per night. Book with the travel desk.\n## Trains\nTrains go second class."
NOTHING = "Your documents seem not to say this."
QUESTION = "What is the hotel limit?"
WRITTEN = Origin(slogan="Written by test-model from your documents", generated=True)
QUOTED = Origin(slogan="Quoted from your documents", generated=False)
PASSAGE = "*Travel › Hotels* [1]\n\n> **The hotel limit is 150 € per night.** Book with the travel desk."
SOON = 60.0


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server() as serving:
        yield serving


@pytest.fixture
async def source(tmp_path: Path, server: ModelServer) -> AsyncIterator[FolderSource]:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "travel.md").write_text(TRAVEL, encoding="utf-8")
    made = folder_source(folder, tmp_path / "cache", server.writer())
    await made.open()
    await made.wait_until_read()
    yield made
    await made.close()


def folder_source(folder: Path, cache: Path, writer: OpenAIWriter) -> FolderSource:
    return FolderSource(folder, document_base="http://localhost/d/", cache=cache, writer=writer)


async def ask(source: FolderSource, question: str = QUESTION) -> tuple[str, Origin, tuple[Reference, ...]]:
    async with asyncio.timeout(SOON):
        events: list[AnswerEvent] = [event async for event in source.answer(question)]
    *_, origin = (event.origin for event in events if isinstance(event, OriginKnown))
    references = tuple(
        one for event in events if isinstance(event, ReferencesFound) for one in event.references
    )
    return text_of(events), origin, references


async def test_the_folder_gives_its_passages_and_the_model_s_answer(
    source: FolderSource, server: ModelServer
) -> None:
    text, origin, references = await ask(source)
    assert text == "It is 150 € [1]."
    assert origin == WRITTEN
    assert references[0].text == "The hotel limit is 150 € per night. Book with the travel desk."
    assert (
        f'<source id="1" name="Travel › Hotels">\n{references[0].text}\n</source>'
        in server.bodies[0]["messages"][0]["content"]
    )


async def test_that_passages_are_read_is_said_before_the_model_answers(
    source: FolderSource, server: ModelServer
) -> None:
    server.behave = told = ScriptedReply()
    steps = asyncio.Queue[str]()
    with speaking("fr"), listening(steps.put_nowait):
        asked = asyncio.create_task(ask(source))
    async with asyncio.timeout(SOON):
        assert await steps.get() == "Lecture de 1 passage…"
        told.send(chunk("It is 150 € [1]."), chunk(None, "stop"), DONE)
        assert (await asked)[0] == "It is 150 € [1]."


async def test_who_writes_from_what_comes_first_and_then_each_word_when_it_is_written(
    source: FolderSource, server: ModelServer
) -> None:
    server.behave = told = ScriptedReply()
    async with asyncio.timeout(SOON), contextlib.aclosing(source.answer(QUESTION)) as events:
        told.send(chunk("<think>Hmm [2].</think>\n\n"), chunk("It"))
        origin, found, first = [await anext(events) for _ in range(3)]
        assert (origin, first) == (OriginKnown(WRITTEN), TextDelta("It"))
        assert isinstance(found, ReferencesFound)
        for word in (" is", " 150", " €", " [1]."):
            told.send(chunk(word))
            assert await anext(events) == TextDelta(word)
        told.send(chunk(None, "stop"), DONE)
        assert [event async for event in events] == [KindKnown(AnswerKind.ANSWERED)]


# The model fails


OWN_PAGES = {"citations": ["https://elsewhere.example.com/hotels"]}
QUOTES = (
    "The model that writes the answers could not answer, so these are sentences from your documents.\n\n"
    "*Travel › Hotels* [1]\n\n> **The hotel limit is 150 € per night.** Book with the travel desk."
)


@pytest.mark.parametrize("field", ["citations", "search_results"])
async def test_the_numbers_of_a_model_that_searches_by_itself_are_not_those_of_our_passages(
    field: str, source: FolderSource, server: ModelServer
) -> None:
    """OPENAI_BASE_URL may name Perplexity, whose ``[1]`` is the first page that it found."""
    found = OWN_PAGES["citations"] if field == "citations" else [{"url": OWN_PAGES["citations"][0]}]
    server.behave = saying(
        {field: found, "choices": [{"message": {"content": "It is 99 € [1]."}, "finish_reason": "stop"}]}
    )
    assert (await ask(source))[:2] == (QUOTES, QUOTED)
    assert (await source.facts())["model answers"] == (
        "no: it searched by itself instead of answering from the documents"
    )


async def test_what_such_a_model_has_said_is_taken_back(source: FolderSource, server: ModelServer) -> None:
    """Some of its streams name the pages in the last chunk only."""
    last = {"choices": [{"delta": {"content": ""}, "finish_reason": "stop"}]} | OWN_PAGES
    server.behave = sending(chunk("It is 99 € [1]."), f"data: {json.dumps(last)}\n\n".encode())
    stream = RenderingStream(channel("webchat"))

    async def read() -> None:
        async for event in source.answer(QUESTION):
            stream.feed(event)

    with pytest.raises(SearchedElsewhereError) as caught:
        await asyncio.wait_for(read(), SOON)
    notice = say(caught.value.suffix)
    final = stream.interrupt(notice)
    assert final.text == notice
    assert "citation" not in final.entities[0]


SILENT: dict[str, Handler] = {
    "400": saying({"error": {"message": KEY}}, 400),
    "HTML with 200": sending(b"<html>gateway</html>", headers={"Content-Type": "text/html"}),
    "empty": streaming(""),
    "only thoughts": streaming("<think>It is 150 €."),
    "ends at once": sending(chunk("", role="assistant")),
    "too long, before its answer": sending(chunk("<think>Hmm"), chunk(None, "length"), DONE),
}  # fmt: skip


@pytest.mark.parametrize("name", [*SILENT, *BREAKS])
async def test_where_the_model_says_nothing_the_quotes_are_given_and_said_to_be(
    name: str, source: FolderSource, server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.behave = SILENT.get(name) or (told := ScriptedReply())
    if name in BREAKS:
        told.send(*BREAKS[name][0])
    with caplog.at_level(logging.DEBUG):
        text, origin, references = await ask(source)
    assert text == QUOTES
    assert origin == QUOTED
    assert len(references) == 1
    assert KEY not in caplog.text


BROKE_OFF = "This answer is not complete: the model that writes it broke off. Please try again."
REFUSED = "This answer is not complete: the model refused to go on."
CUT = "This answer is not complete: it became longer than the model may write. Please ask for something narrower."
FILTERED = "This answer is not complete: a content filter ended it here. Please ask in other words."
STOPS: dict[str, tuple[tuple[bytes | None, ...], str]] = {
    **{name: (pieces, BROKE_OFF) for name, (pieces, _) in BREAKS.items()},
    "a refusal": (BREAKS["a refusal"][0], REFUSED),
    "a filter": (BREAKS["a filter"][0], FILTERED),
    "the longest that it may write": ((chunk(None, "length"), DONE), CUT),
}


@pytest.mark.parametrize(("pieces", "notice"), STOPS.values(), ids=STOPS)
async def test_where_the_model_stops_in_the_middle_its_words_stay_and_the_person_is_told(
    pieces: tuple[bytes | None, ...], notice: str, source: FolderSource, server: ModelServer
) -> None:
    server.behave = told = ScriptedReply()
    told.send(chunk("It is [1]"))
    async with asyncio.timeout(SOON), contextlib.aclosing(source.answer(QUESTION)) as events:
        assert await anext(events) == OriginKnown(WRITTEN)
        assert isinstance(await anext(events), ReferencesFound)
        assert await anext(events) == TextDelta("It is [1]")
        told.send(*pieces)
        below: list[AnswerEvent] = []

        async def read() -> None:
            async for event in events:
                below.append(event)  # noqa: PERF401 - a comprehension would lose them

        with pytest.raises(SourceError) as caught:
            await read()
    assert say(caught.value.suffix) == notice
    assert KEY not in str(caught.value)
    passages = f"\n\nThe nearest passages in your documents:\n\n{PASSAGE}"
    assert text_of(below) == (passages if notice == BROKE_OFF else "")


async def test_the_owner_of_the_machine_is_told_that_the_key_is_refused(
    tmp_path: Path, server: ModelServer
) -> None:
    server.behave = sending(b"{}", status=401)
    for may_add, language in ((True, "en"), (True, "de"), (True, "fr"), (True, "es"), (False, "en")):
        folder = tmp_path / "docs"
        folder.mkdir(exist_ok=True)
        (folder / "travel.md").write_text(TRAVEL, encoding="utf-8")
        source = FolderSource(
            folder,
            document_base="http://localhost/d/",
            cache=tmp_path / "cache",
            writer=server.writer(),
            may_add=may_add,
        )
        await source.open()
        await source.wait_until_read()
        with speaking(language):
            text, origin, _ = await ask(source)
            refused = say(Sentence.MODEL_KEY_REFUSED, model="test-model", prefix="OPENAI", api="openai")
        await source.close()
        assert text.startswith(f"{refused}\n\n*Travel") == may_add
        assert "150 €" in text
        assert not origin.generated
        assert KEY not in text


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
async def test_a_slow_model_is_waited_for_and_a_person_is_told_so(
    language: str, source: FolderSource, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.sources.folder.answer._WAIT", 0.0)
    server.behave = told = ScriptedReply()
    steps: list[str] = []
    waited = asyncio.Event()

    def listen(step: str) -> None:
        steps.append(step)
        if step == say(Sentence.STILL_WAITING):
            waited.set()

    with speaking(language), listening(listen):
        async with asyncio.timeout(SOON):
            asking = asyncio.create_task(ask(source))
            await waited.wait()
            told.send(chunk("It is 150 € [1]."), chunk(None, "stop"), DONE, END)
            text, _, _ = await asking
        assert steps[-1] == say(Sentence.STILL_WAITING)
    assert text == "It is 150 € [1]."


async def test_where_the_model_is_cut_before_it_cites_the_passages_are_listed(
    source: FolderSource, server: ModelServer
) -> None:
    server.behave = sending(chunk("It is 150"), chunk(" €", "length"), DONE)
    said: list[str] = []
    with contextlib.suppress(AnswerCut):
        async for one in source.answer(QUESTION):
            if isinstance(one, TextDelta):
                said.append(one.text)  # noqa: PERF401 - a comprehension would lose them
        raise AssertionError("it was cut")
    assert "".join(said).startswith("It is 150 €\n\nThe model did not say which passage supports this.")


@pytest.mark.parametrize("how", ["closed", "cancelled"])
async def test_an_answer_that_is_given_up_hangs_up(
    how: str, source: FolderSource, server: ModelServer
) -> None:
    server.behave = told = ScriptedReply()
    told.send(chunk("It is"))
    events, begun = source.answer(QUESTION), asyncio.Event()

    async def read() -> None:
        async for event in events:
            if isinstance(event, TextDelta):
                begun.set()
                if how == "closed":
                    return

    async with asyncio.timeout(SOON):
        reading = asyncio.create_task(read())
        await begun.wait()
        if how == "closed":
            await reading
            assert not server.left.is_set()
            await events.aclose()
        else:
            reading.cancel()
        await server.left.wait()


async def test_a_model_that_fails_again_and_again_is_left_alone_for_a_while(
    source: FolderSource, server: ModelServer
) -> None:
    server.behave = SILENT["HTML with 200"]
    for _ in range(7):
        assert "could not answer" in (await ask(source))[0]
    assert len(server.bodies) == 5
    assert str((await source.facts())["model answers"]).endswith("is left alone for a while")


# What the model cites


async def test_a_model_that_cites_what_there_is_not_keeps_its_other_citations(
    source: FolderSource, server: ModelServer
) -> None:
    server.behave = streaming("It is 150 € [99][1].")
    assert (await ask(source))[0].startswith("It is 150 € [99][1].\n\n")


UNCITED = ("It is 150 €.", "It is 150 € [99].", "It is `150 [1]` €.", "Das weiß ich leider nicht.")


@pytest.mark.parametrize("answer", UNCITED)
async def test_below_a_text_that_cites_nothing_stand_the_nearest_passages(
    answer: str, source: FolderSource, server: ModelServer
) -> None:
    server.behave = streaming(answer)
    text, _, _ = await ask(source)
    assert text.startswith(
        f"{answer}\n\nThe model did not say which passage supports this. These passages come nearest:\n\n"
        "*Travel › Hotels* [1]\n\n> **The hotel limit is 150 € per night.** Book with the travel desk."
    )
    assert text.count("[1]") == answer.count("[1]") + 1


NEAREST = (
    "The nearest passages in your documents:\n\n"
    "*Travel › Hotels* [1]\n\n> **The hotel limit is 150 € per night.** Book with the travel desk."
)
NEAREST_IN_GERMAN = NEAREST.replace(
    "The nearest passages in your documents:",
    "Die nächsten Stellen in Ihren Dokumenten:",
)
SAYS_NO = (
    NO_ANSWER,
    f"**{NO_ANSWER}**",
    f"“{NO_ANSWER}.”",
    f"<think>Hmm [1].</think>{NO_ANSWER}",
    f"Es tut mir leid: {NO_ANSWER}",
    f"{NO_ANSWER}\n\nLes sources ne disent rien à ce sujet.",
    "Lo siento. No\\_answer",
    "NO ANSWER.",
    "There is no answer in the sources.",
)
"""What models write where the passages do not answer: the sentinel, alone or with words around it."""


@pytest.mark.parametrize("size", [1, 3, 100])
async def test_a_model_that_finds_nothing_has_the_passages_shown_instead_of_its_words(
    size: int, source: FolderSource, server: ModelServer
) -> None:
    slogan = "Zitiert aus Ihren Dokumenten"
    for answer in SAYS_NO:
        pieces = (answer[place : place + size] for place in range(0, len(answer), size))
        server.behave = sending(*map(chunk, pieces), chunk(None, "stop"), DONE)
        with speaking("de"):
            events = [event async for event in source.answer(QUESTION)]
        assert text_of(events) == NEAREST_IN_GERMAN, answer
        assert [event.kind for event in events if isinstance(event, KindKnown)] == [AnswerKind.UNSURE]
        *_, origin = (event.origin for event in events if isinstance(event, OriginKnown))
        assert origin == Origin(slogan=slogan, generated=False)
        assert sum(isinstance(event, ReferencesFound) for event in events) == 1


@pytest.mark.parametrize("channel_id", ["webchat", "msteams", "sms"])
async def test_nothing_of_the_sentinel_is_ever_shown(
    channel_id: str, source: FolderSource, server: ModelServer
) -> None:
    server.behave = sending(*map(chunk, f"Sorry: {NO_ANSWER}"), chunk(None, "stop"), DONE)
    stream, interims = RenderingStream(channel(channel_id)), []
    async for event in source.answer(QUESTION):
        stream.feed(event)
        if interim := stream.interim():
            interims.append(interim.text)
    final = stream.close()
    assert not any("NO" in text for text in (*interims, final.text))
    assert "The nearest passages" in final.text
    assert final.text.startswith("Sorry\n\n") is (channel_id == "msteams")  # what was shown there stays


async def test_a_model_that_answers_a_part_says_so_of_the_rest(
    source: FolderSource, server: ModelServer
) -> None:
    written = f"It is 150 € [1].\n\nTrains: {NO_ANSWER}."
    for size in (1, 3, 100):
        pieces = (written[place : place + size] for place in range(0, len(written), size))
        server.behave = sending(*map(chunk, pieces), chunk(None, "stop"), DONE)
        events = [event async for event in source.answer(QUESTION)]
        assert text_of(events) == f"It is 150 € [1].\n\nTrains: {NOTHING}"
        assert events[-1] == KindKnown(AnswerKind.ANSWERED)


async def test_a_word_that_only_begins_so_is_shown(source: FolderSource, server: ModelServer) -> None:
    pieces = ("NO", "ANS", " [1] is N", "O", "AN")
    server.behave = sending(*map(chunk, pieces), chunk(None, "stop"), DONE)
    assert (await ask(source))[0] == "NOANS [1] is NOAN"


async def test_a_model_is_not_asked_what_the_documents_do_not_know(
    source: FolderSource, server: ModelServer
) -> None:
    text, origin, _ = await ask(source, "Who won the world cup?")
    assert text.startswith(NOTHING)
    assert origin == QUOTED
    assert server.bodies == []


async def test_a_source_that_is_not_there_beside_a_true_one_is_not_left_without_a_word(
    source: FolderSource, server: ModelServer
) -> None:
    server.behave = sending(chunk("It is 150 € [1]. Then 27 days [9]."), chunk(None, "stop"), DONE)
    events = [event async for event in source.answer(QUESTION)]
    assert text_of(events).endswith("a source that it was not given, so a part of this has no support.")
    assert events[-1] == KindKnown(AnswerKind.UNSURE)
