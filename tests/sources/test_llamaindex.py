"""LlamaIndex as the source: each kind of engine, and what people are told where one can't be asked."""

from __future__ import annotations

import asyncio
import contextlib
import html
import importlib
import io
import os
import re
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import RESPONSE_TYPE, Response
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import ResponseMode, get_response_synthesizer
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from workflows import Workflow, step
from workflows.events import StartEvent, StopEvent

from bot.app.answer_source import choose
from bot.app.settings import Settings
from bot.config.env import SettingsError
from bot.languages import Sentence, say
from bot.sources import AnswerSource, EarlierTurn
from bot.sources.errors import AnswerCut, AnswerEmpty, AnswerFiltered, SourceError, SourceTimedOut
from bot.sources.llamaindex.failure import EngineFailed
from bot.sources.llamaindex.reply import EngineReply
from bot.sources.permission import EVERYTHING
from bot.telemetry.log import configure_logging
from citations import LabelRanking, ReferencesFound, TextDelta
from citations.readers import text_of
from examples.citation_workflow import CitationWorkflow

from ..anthropic_messages import telling
from ..bot.running import connecting, message, running, send
from ..model_server import (
    DONE,
    Handler,
    ModelServer,
    ScriptedReply,
    chunk,
    model_server,
    saying,
    sending,
    streaming,
)
from .asking import ask_once, collect_text
from .faults import SOON
from .llamaindex_engines import FOLDER, HOTEL, asking, completion, model, query_engine, retriever

QUESTION = "What may a hotel in Berlin cost, and when is a train first class?"
SAID = "A hotel costs 140 € [1], a train is first class [2]."
WHOLE = completion(SAID)
SHOWN = (
    "A hotel costs 140 € [1], a train is first class [2].\n\n"
    '[1]: cite:1 "travel.pdf, p. 3"\n'
    '[2]: cite:2 "trains.md"'
)


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server() as serving:
        serving.behave = streaming(SAID)
        yield serving


# The kinds of engines


class WithoutAsync(BaseQueryEngine):
    """As an engine over a store that has no asynchronous client."""

    def __init__(self, engine: BaseQueryEngine) -> None:
        super().__init__(callback_manager=None)
        self.engine = engine
        self.tried = 0

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        return self.engine.query(query_bundle)

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        self.tried += 1
        raise ValueError("Async client is not initialized")

    def _get_prompt_modules(self) -> Any:
        return {}


class InTheEnd(Workflow):
    """Says nothing until it has a response, as LlamaIndex' own example."""

    def __init__(self, returns: Callable[[Response], object], url: str) -> None:
        super().__init__(timeout=SOON)
        self.returns = returns
        self.engine = query_engine(url, streaming=False)

    @step
    async def ask(self, started: StartEvent) -> StopEvent:
        response = await self.engine.aquery(started.query)
        assert isinstance(response, Response)
        return StopEvent(result=self.returns(response))


async def made_later(url: str) -> BaseQueryEngine:
    await asyncio.sleep(0)
    return query_engine(url)


ENGINES: dict[str, tuple[Callable[[str], object], bool]] = {
    "a query engine that streams": (query_engine, True),
    "a query engine that does not": (lambda url: query_engine(url, streaming=False), False),
    "one without asynchrony that streams": (lambda url: WithoutAsync(query_engine(url)), True),
    "one without asynchrony": (lambda url: WithoutAsync(query_engine(url, streaming=False)), False),
    "a function that makes one": (lambda url: lambda: query_engine(url), True),
    "a coroutine that makes one": (lambda url: lambda: made_later(url), True),
    "the workflow that cites": (lambda url: CitationWorkflow(retriever(), model(url)), True),
    "a workflow that returns a response": (lambda url: InTheEnd(lambda one: one, url), False),
    "a workflow that returns a dict": (
        lambda url: InTheEnd(lambda one: {"response": one.response, "source_nodes": one.source_nodes}, url),
        False,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("engine", "streams"), ENGINES.values(), ids=ENGINES)
async def test_every_kind_of_engine_gives_the_same_answer(
    engine: Callable[[str], object], streams: bool, server: ModelServer
) -> None:
    server.behave = streaming(SAID) if streams else saying(WHOLE)
    rendering = await ask_once(asking(engine(server.url)), QUESTION)
    assert rendering.text.replace("\u200b", "") == SHOWN
    claims: Any = rendering.entities[0]["citation"]
    assert claims[0]["appearance"]["text"] == "A hotel in Berlin may cost 140 € a night."
    prompt = str(server.bodies[0]["messages"])
    assert "Source 1:\\nA hotel in Berlin" in prompt, "the model is shown the number that it cites"


async def cut(source: AnswerSource, question: str = QUESTION) -> tuple[str, type[Exception] | None]:
    """The text of an answer, and why there is no more of it."""
    text, error = await collect_text(source, question)
    return text, type(error) if error else None


def finishing(text: str, reason: str | None, *, streams: bool) -> Handler:
    """A model that says this, and then why it finishes."""
    if not streams:
        return saying(completion(text, reason))
    usage = b'data: {"choices": [], "usage": {"total_tokens": 9}}\n\n'
    return sending(*map(chunk, re.findall(r"\S+\s*", text)), chunk(None, reason), usage, DONE)


@pytest.mark.parametrize(("engine", "streams"), ENGINES.values(), ids=ENGINES)
async def test_every_kind_of_engine_tells_that_its_model_did_not_end(
    engine: Callable[[str], object], streams: bool, server: ModelServer
) -> None:
    source = asking(engine(server.url))
    for reason, why in (("length", AnswerCut), ("content_filter", AnswerFiltered), ("stop", None)):
        server.behave = finishing(SAID, reason, streams=streams)
        assert await cut(source) == (SAID, why)
    await source.close()


async def test_a_model_that_had_no_place_for_an_answer_is_said_to_have_none(server: ModelServer) -> None:
    server.behave = finishing("<think>Hmm, ", "length", streams=True)
    source = asking(query_engine(server.url))
    assert await cut(source) == ("", AnswerCut)
    await source.close()


@pytest.mark.parametrize("streams", [True, False])
async def test_of_questions_at_once_each_has_its_own_end(streams: bool, server: ModelServer) -> None:
    async def behave(request: web.Request) -> web.StreamResponse:
        reason = "length" if "Which hotel" in str((await request.json())["messages"]) else "stop"
        return await finishing(SAID, reason, streams=streams)(request)

    server.behave = behave
    source = asking(query_engine(server.url, streaming=streams))
    questions = ["Which hotel?", QUESTION] * 3
    assert (
        await asyncio.gather(*(cut(source, one) for one in questions))
        == [(SAID, AnswerCut), (SAID, None)] * 3
    )
    await source.close()


@pytest.mark.parametrize("streams", [True, False])
@pytest.mark.parametrize(
    ("first", "last", "why"),
    [("length", "stop", None), ("length", None, None), ("stop", "length", AnswerCut)],
)
async def test_the_model_that_was_asked_last_has_answered(
    first: str, last: str | None, why: type[SourceError] | None, streams: bool, server: ModelServer
) -> None:
    async def behave(request: web.Request) -> web.StreamResponse:
        return await finishing("Hotels [1].", first if len(server.bodies) == 1 else last, streams=streams)(
            request
        )

    server.behave = behave
    long = [TextNode(text=f"Hotel {name} costs {name} €. " * 60) for name in ("one", "two")]
    source = asking(query_engine(server.url, *long, streaming=streams, context_window=1_200, max_tokens=100))
    assert await cut(source, "Which hotel?") == ("Hotels [1].", why)
    assert len(server.bodies) > 1
    await source.close()


async def test_the_sources_are_known_before_the_text(server: ModelServer) -> None:
    told = server.behave = ScriptedReply()
    source = asking(CitationWorkflow(retriever(), model(server.url)))
    async with asyncio.timeout(SOON), contextlib.aclosing(source.answer(QUESTION)) as events:
        told.send(chunk("A hotel"))
        kinds = [type(await anext(events)) for _ in range(3)]
        assert kinds[1:] == [ReferencesFound, TextDelta]
        told.send(chunk(" in Berlin"))
        assert await anext(events) == TextDelta(" in Berlin")
    async with asyncio.timeout(SOON):
        await server.left.wait()
    await source.close()


@pytest.mark.parametrize("kind", ["a query engine that streams", "one without asynchrony that streams"])
async def test_closing_an_answer_hangs_up(kind: str, server: ModelServer) -> None:
    told = server.behave = ScriptedReply()
    source = asking(ENGINES[kind][0](server.url))
    async with asyncio.timeout(SOON), contextlib.aclosing(source.answer(QUESTION)) as events:
        told.send(chunk("A hotel"))
        while not isinstance(await anext(events), TextDelta):
            pass
        if kind == "one without asynchrony that streams":
            told.send(None)  # nobody can interrupt a thread
            return
    async with asyncio.timeout(SOON):
        await server.left.wait()
    await source.close()


async def test_a_store_without_asynchrony_is_asked_in_a_thread_from_then_on(server: ModelServer) -> None:
    engine = WithoutAsync(query_engine(server.url))
    source = asking(engine)
    for _ in range(3):
        assert [one async for one in source.answer(QUESTION)]
    assert engine.tried == 1
    await source.close()


async def test_numbers_go_on_when_an_answer_is_refined(server: ModelServer) -> None:
    """Of more sources than the model can be shown at once, each still has a number of its own."""
    long = [TextNode(text=f"Hotel {name} costs {name} €. " * 60, metadata={"file_name": f"{name}.md"}) for name in ("one", "two", "three")]  # fmt: skip
    server.behave = streaming("Three hotels [3].")
    engine = query_engine(server.url, *long, context_window=1_200, max_tokens=100)
    rendering = await ask_once(asking(engine), "Which hotel?")
    assert len(server.bodies) > 1
    (shown,) = re.findall(r'^\[1\]: cite:1 "(\w+)\.md"', rendering.text, re.MULTILINE)
    assert f"Source 3:\\nHotel {shown}" in str(server.bodies)


async def test_each_source_of_a_long_passage_has_its_own_words(server: ModelServer) -> None:
    """LlamaIndex' own example of this workflow shows the last words of a passage for all its sources."""
    long = TextNode(text=" ".join(f"Hotel number {one} costs {one} €." for one in range(200)))
    server.behave = streaming("Hotels cost money [1][2].")
    source = asking(CitationWorkflow(retriever(long), model(server.url)))
    found = [one async for one in source.answer("Which hotel?") if isinstance(one, ReferencesFound)]
    (references,) = (one.references for one in found)
    texts = [one.text or "" for one in references]
    assert texts[0].startswith("Hotel number 0 costs 0 €.")
    assert texts[-1].endswith("Hotel number 199 costs 199 €.")
    assert [one.id for one in references] == [str(place) for place in range(1, len(texts) + 1)]
    assert len(set(texts)) == len(texts) > 2
    for number, text in enumerate(texts, 1):
        assert f"Source {number}:\n{text}" in server.bodies[0]["messages"][0]["content"]
    await source.close()


# What a retriever finds


async def test_without_a_model_passages_are_quoted() -> None:
    rendering = await ask_once(asking(retriever()), "What may a hotel in Berlin cost?")
    assert rendering.text.startswith(
        "*travel&#46;pdf* [1]\n\n> **A hotel in Berlin may cost 140 € a night.**\n\nAlso: Hotels [2]"
    )
    assert rendering.channel_data["answerKind"] == "answered"
    assert "AIGeneratedContent" not in str(rendering.entities)


async def test_passages_that_answer_nothing_are_shown_as_the_nearest() -> None:
    rendering = await ask_once(asking(retriever()), "Which hotel has a pool in Rome?")
    assert rendering.text.startswith(
        "The nearest passages in your documents:\n\n"
        "*Hotels* [1]\n\n> **Breakfast is part of a hotel's price.**\n\n"
    )
    assert rendering.channel_data["answerKind"] == "unsure"
    assert ': https://intranet.example.com/hotels "Hotels"' in rendering.text


class _Alike(BaseRetriever):
    """A retriever that finds by meaning, as a vector store does: passages without a word of the question."""

    def __init__(self, *texts: str) -> None:
        super().__init__()
        self.texts = texts

    def _retrieve(self, _: object) -> list[NodeWithScore]:
        return [NodeWithScore(node=TextNode(text=text, id_=text), score=0.9) for text in self.texts]


async def test_passages_without_a_word_of_the_question_are_shown_as_the_nearest() -> None:
    found = _Alike("A room may cost 140 €.", "", "![](room.png)", "Half \ud83d a character.")
    rendering = await ask_once(asking(found), "xyzzy")
    assert rendering.text.startswith("The nearest passages in your documents:\n\n")
    assert "> **A room may cost 140 €.**" in rendering.text
    assert "> **Half \ufffd a character.**" in rendering.text
    assert rendering.channel_data["answerKind"] == "unsure"


async def test_a_question_that_leans_on_the_one_before_is_completed() -> None:
    source = asking(retriever())
    earlier = (EarlierTurn("What may a hotel in Rome cost?"),)
    text = text_of([event async for event in source.answer_for("And in Berlin?", EVERYTHING, earlier)])
    assert text.startswith("Understood as: What may a hotel in Rome cost? And in Berlin?")
    assert "A hotel in Berlin may cost 140 € a night." in text
    await source.close()


async def test_with_a_model_they_are_put_into_words(server: ModelServer) -> None:
    rendering = await ask_once(asking(retriever(), writer=server.writer()), QUESTION)
    assert rendering.text.replace("\u200b", "") == SHOWN
    assert '<source id="1" name="travel.pdf" page="3">' in server.bodies[0]["messages"][0]["content"]


SEALED = LabelRanking.from_toml(
    """
    [[label]]
    id = "sealed"
    name = "Sealed"
    priority = 0
    encrypted = true
    [[rule]]
    file = "travel.pdf"
    label = "sealed"
    """
)


@pytest.mark.parametrize("worded", ["openai", "anthropic", ""])
async def test_what_a_label_encrypts_is_named_and_no_model_is_given_it(
    server: ModelServer, worded: str
) -> None:
    spans = telling(("It is first class", [1]), (".", ()))
    server.behave = spans if worded == "anthropic" else streaming("It is first class [2].")
    writer = {"openai": server.writer(), "anthropic": server.anthropic_writer()}.get(worded)
    rendering = await ask_once(asking(retriever(), writer=writer, ranking=SEALED), QUESTION)
    assert "140 €" not in str((server.bodies, rendering))
    assert ("first class" in str(server.bodies)) == bool(worded)
    assert "There is more that I may not quote" in rendering.text
    if worded:
        assert re.match(r"It is first class ?\[1\]\.", rendering.text)
        assert len(re.findall(r"^- .*\[2\]", rendering.text, re.MULTILINE)) == 1
    alone = await ask_once(asking(retriever(HOTEL, top=1), ranking=SEALED), QUESTION)
    assert alone.text.startswith("I may not quote what answers this")
    assert "140 €" not in str(alone)


async def test_a_model_that_fails_leaves_the_passages(server: ModelServer) -> None:
    server.behave = saying({}, status=401)
    rendering = await ask_once(asking(retriever(), writer=server.writer()), QUESTION)
    assert rendering.text.startswith(
        "The model that writes the answers could not answer, so these are sentences from your documents."
    )


async def test_thanks_are_no_question_to_a_retriever() -> None:
    rendering = await ask_once(asking(retriever()), "Thanks!")
    assert rendering.text == say(Sentence.THANKS)


@pytest.mark.parametrize("kind", ["retriever", "engine", "workflow"])
async def test_nothing_found(kind: str, server: ModelServer) -> None:
    found = {
        "retriever": retriever(),
        "engine": RetrieverQueryEngine(
            _Nothing(), get_response_synthesizer(llm=model(server.url), streaming=True)
        ),
        "workflow": CitationWorkflow(retriever(), model(server.url)),
    }[kind]
    rendering = await ask_once(asking(found), "xyzzy")
    assert rendering.text == say(Sentence.NOTHING_FOUND)
    assert rendering.channel_data["answerKind"] == "nothing"
    assert server.bodies == []


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (("Empty", " Response"), say(Sentence.NOTHING_FOUND)),
        ((" ", "Empty Response", "\n"), say(Sentence.NOTHING_FOUND)),
        (("It says: ", "Empty Response"), "It says: Empty Response"),
        (("Empty ", "shelves."), "Empty shelves."),
    ],
)
def test_what_llamaindex_writes_where_it_finds_nothing_is_replaced_only_alone(
    pieces: tuple[str, ...], text: str
) -> None:
    reply = EngineReply(finds_first=True)
    events = [*(event for piece in pieces for event in reply.feed(piece)), *reply.close()]
    assert text_of(events) == text
    assert reply.is_empty == (text == say(Sentence.NOTHING_FOUND))


class _Nothing(type(retriever())):  # type: ignore[misc]
    def __init__(self) -> None: ...

    async def aretrieve(self, _: object) -> list[NodeWithScore]:
        return []


# Answers that cite nothing


async def test_what_an_answer_without_markers_was_made_from_is_listed(server: ModelServer) -> None:
    server.behave = streaming("It may cost 140 €.")
    plain = RetrieverQueryEngine(
        retriever(top=1), get_response_synthesizer(llm=model(server.url), response_mode=ResponseMode.COMPACT, streaming=True)
    )  # fmt: skip
    rendering = await ask_once(asking(plain), "What may a hotel in Berlin cost?")
    assert (
        html.unescape(rendering.text)
        .replace("\u200b", "")
        .startswith(
            "It may cost 140 €.\n\n"
            "The engine did not say which source supports which statement. It answered from:\n\n"
            "- travel.pdf [1]"
        )
    )
    assert rendering.channel_data["answerKind"] == "unsure", "no reader can check it"


async def test_thoughts_are_not_shown(server: ModelServer) -> None:
    server.behave = streaming("<think>Berlin, hm.</think> " + SAID)
    assert (await ask_once(asking(query_engine(server.url)), QUESTION)).text.replace("\u200b", "") == SHOWN


# What nobody may see


async def test_no_folder_leaves(server: ModelServer) -> None:
    """Neither out of metadata nor out of a passage, nor when a model repeats it, cut at any place."""
    said = f"It lies in {FOLDER}/sub/trains.md [2], or {FOLDER}. A hotel costs 140 € [1]."
    server.behave = sending(*map(chunk, said), chunk(None, "stop"))
    log = io.StringIO()
    configure_logging(log)
    source = asking(query_engine(server.url))
    async with connecting() as connector, running(source) as authority:
        for channel_id in ("webchat", "msteams", "sms"):
            sent = message(connector.service_url, QUESTION) | {"channelId": channel_id, "id": channel_id}
            await send(authority, sent)
            activity = await connector.next()
            assert "trains.md" in str(activity)
            assert "canary" not in str([activity, *connector.rest()])
    assert "canary" not in log.getvalue()
    assert "answered" in log.getvalue()


# What can't be asked


def chat() -> SimpleChatEngine:
    return SimpleChatEngine.from_defaults(llm=model("http://127.0.0.1:9"))


def without_a_package() -> object:
    return importlib.import_module("llama_index.vector_stores.of_nobody")


NEVER: dict[str, tuple[object, str]] = {
    "a chat engine": (chat, "engines:engine: a chat engine remembers what everybody said; return its query engine"),
    "something else": (lambda: 7, "engines:engine: expected a query engine, a retriever or a workflow, got int"),
    "a string": ("engine", "engines:engine: expected a query engine, a retriever or a workflow, got str"),
    "a package that is missing": (without_a_package, "there is no module llama_index.vector_stores.of_nobody; pip install -r requirements-llamaindex.txt"),
    "a setting that is missing": (lambda: os.environ["OF_NOBODY"], "engines:engine can't be made: OF_NOBODY is missing"),
}  # fmt: skip


@pytest.mark.parametrize(("found", "fault"), NEVER.values(), ids=NEVER)
async def test_what_will_never_be_an_engine_is_said_at_the_start(found: object, fault: str) -> None:
    with pytest.raises(SettingsError) as caught:
        await asking(found).open()
    (line,) = caught.value.faults
    assert fault in line


async def test_an_engine_that_can_not_be_made_now_is_tried_again(server: ModelServer) -> None:
    there: list[bool] = []

    def make() -> object:
        if not there:
            raise ConnectionRefusedError("no store at 10.0.0.1")
        return query_engine(server.url)

    source = asking(make)
    await source.open()
    assert (await source.facts())["answers"] == "no: it can't be reached (ConnectionRefusedError)"
    there.append(True)
    assert (await ask_once(source, QUESTION)).text.replace("\u200b", "") == SHOWN
    assert await source.facts() == {"source": "llamaindex", "answers": "yes", "engine": "CitationQueryEngine"}


class Raising(Workflow):
    def __init__(self, error: Exception | None) -> None:
        super().__init__(timeout=0.3)
        self.error = error

    @step
    async def fail(self, _: StartEvent) -> StopEvent:
        if self.error:
            raise self.error
        await asyncio.Event().wait()
        raise AssertionError


RAISED: dict[str, tuple[Exception | None, type[Exception]]] = {
    "a fault of the engine": (KeyError("canary"), EngineFailed),
    "a timeout of its own": (TimeoutError(), SourceTimedOut),
    "a workflow that takes too long": (None, SourceTimedOut),
}


@pytest.mark.parametrize(("error", "kind"), RAISED.values(), ids=RAISED)
async def test_what_an_engine_raises(error: Exception | None, kind: type[Exception]) -> None:
    with pytest.raises(kind) as caught:
        await ask_once(asking(Raising(error)), QUESTION)
    assert "canary" not in str(caught.value)


class Silent(Workflow):
    @step
    async def say(self, _: StartEvent) -> StopEvent:
        return StopEvent(result=None)


async def test_no_text_is_no_answer() -> None:
    with pytest.raises(AnswerEmpty):
        await ask_once(asking(Silent()), QUESTION)


# Settings


def settings(**environ: str) -> Settings:
    return Settings.from_env({"ANSWER_SOURCE": "llamaindex"} | environ)


FAULTS = {
    "": "ANSWER_SOURCE=llamaindex needs LLAMAINDEX_ENGINE, such as examples.llamaindex_bm25:engine",
    "engine": "LLAMAINDEX_ENGINE=engine is not module:callable, such as examples.llamaindex_bm25:engine",
    "of_nobody:engine": "LLAMAINDEX_ENGINE=of_nobody:engine: there is no module of_nobody",
}


@pytest.mark.parametrize(("written", "fault"), FAULTS.items())
def test_faults_of_the_variable(written: str, fault: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings(LLAMAINDEX_ENGINE=written)
    assert caught.value.faults == (fault,)


def test_without_llamaindex_a_line_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llama_index.core", None)
    with pytest.raises(SettingsError) as caught:
        settings(LLAMAINDEX_ENGINE="engine")
    assert caught.value.faults == (
        "ANSWER_SOURCE=llamaindex needs LlamaIndex, which is not installed: pip install -r requirements-llamaindex.txt",
        FAULTS["engine"],
    )


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("examples.of_nobody:engine", "there is no module examples.of_nobody;"),
        ("examples.llamaindex_bm25:of_nobody", "AttributeError: module 'examples.llamaindex_bm25' has no"),
    ],
)
def test_what_can_not_be_imported(written: str, why: str) -> None:
    with pytest.raises(SettingsError) as caught:
        choose(settings(LLAMAINDEX_ENGINE=written), "127.0.0.1:1")
    (fault,) = caught.value.faults
    assert fault.startswith(f"LLAMAINDEX_ENGINE={written} can't be imported: {why}")


DOCS = (Path(__file__).parents[2] / "docs" / "llamaindex.md").read_text(encoding="utf-8")


def test_the_page_installs_what_the_tests_have() -> None:
    test = (Path(__file__).parents[2] / "requirements-test.txt").read_text(encoding="utf-8").split()
    (line,) = re.findall(r"pip install (llama-index-vector-stores-milvus.+)$", DOCS, re.MULTILINE)
    assert set(line.split()) <= set(test)
