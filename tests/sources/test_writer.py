"""Writer's Knowledge Graph as the source: what it is asked, and what comes of each form of its answers."""

from __future__ import annotations

import asyncio
import contextlib
import html
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import yaml  # type: ignore[import-untyped]
from aiohttp import web

from bot.app.answer_source import choose
from bot.app.settings import Settings
from bot.config.answer_sources import WriterOptions
from bot.config.credentials import Credentials
from bot.config.env import SettingsError
from bot.languages import say
from bot.sources.errors import AnswerCut, AnswerEmpty, AnswerFiltered
from bot.sources.writer import FileNames, WriterSource
from citations import AnswerFormatError, EventStreamError, Rendering, TextDelta
from citations.__main__ import main

from ..bot.running import running
from ..model_server import DONE, END, Handler, ScriptedReply, saying, sending
from .asking import ask_once, ask_until_cut
from .faults import SOON, STOP
from .writer_server import (
    ARRAY,
    CATALOG,
    CHAT,
    DEPRECATED,
    ENVELOPED,
    FLAT,
    GRAPH,
    KEY,
    PIECES,
    REFERENCES,
    SOURCES,
    TEXT,
    TRENDS,
    WHOLE,
    WHOLE_CHAT,
    WriterServer,
    chunk,
    event,
    question,
    writer_server,
)


@pytest.fixture
async def server() -> AsyncIterator[WriterServer]:
    async with writer_server() as serving:
        yield serving


def strip_guards(rendering: Rendering) -> str:
    """The text without what only keeps others from reading it in another way."""
    return html.unescape(rendering.text).replace("\u200b", "").replace("\\", "")


# What is asked

DESCRIPTION = Path(__file__).with_name("writer_question.openapi.yaml")
SCHEMAS = yaml.safe_load(DESCRIPTION.read_text("utf-8"))["components"]["schemas"]
EVERY_OPTION = {
    "WRITER_API_KEY": KEY,
    "WRITER_GRAPH_IDS": f"{GRAPH}, {CATALOG}",
    "WRITER_SUBQUERIES": "true",
    "WRITER_STREAM": "false",
    "WRITER_INLINE_CITATIONS": "No",
    "WRITER_MAX_SUBQUESTIONS": "10",
    "WRITER_SEARCH_WEIGHT": "0",
    "WRITER_GROUNDING_LEVEL": "0.25",
    "WRITER_MAX_SNIPPETS": "60",
    "WRITER_MAX_TOKENS": "100",
    "WRITER_KEYWORD_THRESHOLD": "1",
    "WRITER_SEMANTIC_THRESHOLD": "0.5",
}


def settings(**environ: str) -> Settings:
    return Settings.from_env({"ANSWER_SOURCE": "writer"} | environ)


def as_described(path: str, headers: dict[str, str], body: dict[str, Any]) -> None:
    """Raises where a request is not as Writer describes it, down to names that it doesn't know."""
    from openapi_core import OpenAPI  # each process of the suite would load it for two seconds
    from openapi_core.testing import MockRequest

    sent = MockRequest(
        "https://api.writer.com",
        "post",
        path,
        headers=headers,
        data=json.dumps(body).encode(),
        content_type="application/json",
    )
    OpenAPI.from_path(DESCRIPTION).validate_request(sent)
    assert body.keys() <= SCHEMAS["question_request"]["properties"].keys()
    assert body["query_config"].keys() <= SCHEMAS["graph_query_config"]["properties"].keys()


ENVIRONS = [{"WRITER_API_KEY": KEY, "WRITER_GRAPH_IDS": GRAPH}, EVERY_OPTION]


@pytest.mark.parametrize("environ", ENVIRONS, ids=["nothing set", "everything set"])
async def test_the_request_is_as_writer_describes_it(environ: dict[str, str], server: WriterServer) -> None:
    server.behave = saying(WHOLE)
    await ask_once(choose(settings(**environ, WRITER_BASE_URL=server.url), "127.0.0.1:1"))
    ((path, body),) = server.asked
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    as_described(path, server.headers[0], body)


def test_the_description_is_looked_at() -> None:
    from openapi_core.exceptions import OpenAPIError

    body: dict[str, Any] = {"graph_ids": [GRAPH], "question": "q", "query_config": {"max_snippets": 61}}
    with pytest.raises(OpenAPIError):
        as_described("/v1/graphs/question", {"Authorization": "Bearer x"}, body)


def test_every_option_can_be_set() -> None:
    options = settings(**EVERY_OPTION).source_options
    assert options
    assert options.query_config.keys() == SCHEMAS["graph_query_config"]["properties"].keys()
    assert options == WriterOptions(
        api_key=KEY,
        graph_ids=(GRAPH, CATALOG),
        subqueries=True,
        stream=False,
        inline_citations=False,
        max_subquestions=10,
        search_weight=0,
        grounding_level=0.25,
        max_snippets=60,
        max_tokens=100,
        keyword_threshold=1.0,
        semantic_threshold=0.5,
    )


@pytest.mark.parametrize(
    "name", [name for name in SCHEMAS["graph_query_config"]["properties"] if name != "inline_citations"]
)
def test_options_have_the_limits_that_writer_describes(name: str) -> None:
    limits = SCHEMAS["graph_query_config"]["properties"][name]
    variable = f"WRITER_{name.upper()}"
    base = {"WRITER_API_KEY": KEY, "WRITER_GRAPH_IDS": GRAPH}
    for good in (limits["minimum"], limits["maximum"]):
        options = settings(**base, **{variable: str(good)}).source_options
        assert options
        assert options.query_config[name] == good
    for bad in (limits["minimum"] - 1, limits["maximum"] + 1, "many", "nan", "inf"):
        with pytest.raises(SettingsError) as caught:
            settings(**base, **{variable: str(bad)})
        (fault,) = caught.value.faults
        assert fault.startswith(f"{variable}={bad} is not a")


def test_every_fault_at_once() -> None:
    with pytest.raises(SettingsError) as caught:
        settings(
            WRITER_BASE_URL="api.writer.com",
            WRITER_GRAPH_IDS="handbook",
            WRITER_STREAM="perhaps",
            WRITER_MAX_SNIPPETS="6.5",
        )
    assert set(caught.value.faults) == {
        "ANSWER_SOURCE=writer needs WRITER_API_KEY",
        "WRITER_BASE_URL is not an http or https URL such as https://api.writer.com",
        "WRITER_MAX_SNIPPETS=6.5 is not a whole number from 1 to 60",
        "handbook in WRITER_GRAPH_IDS is not an id such as 00000000-0000-0000-0000-000000000000",
        "WRITER_STREAM=perhaps is neither true nor false",
    }
    with pytest.raises(SettingsError, match="needs WRITER_GRAPH_IDS"):
        settings(WRITER_API_KEY=KEY)


async def test_a_chat_has_the_graph_for_its_tool(server: WriterServer) -> None:
    server.behave = sending(CHAT)
    await ask_once(server.source(model="palmyra-x5", subqueries=True))
    ((path, body),) = server.asked
    assert path == "/v1/chat"
    assert (body["model"], body["stream"], body["tool_choice"]) == ("palmyra-x5", True, "auto")
    assert body["messages"] == [{"role": "user", "content": "What?"}]
    (tool,) = body["tools"]
    assert tool["type"] == "graph"
    del tool["function"]["description"]
    assert tool["function"] == {"graph_ids": [GRAPH], "subqueries": True, "query_config": {"inline_citations": True}}  # fmt: skip


PAGE = (Path(__file__).parents[2] / "docs" / "writer.md").read_text(encoding="utf-8")


def test_the_page_names_every_variable_and_its_limits() -> None:
    named = set(re.findall(r"^\| `(WRITER_\w+)`", PAGE, re.MULTILINE))
    assert named == EVERY_OPTION.keys() | {"WRITER_BASE_URL", "WRITER_MODEL"}
    for name, limits in SCHEMAS["graph_query_config"]["properties"].items():
        if "minimum" in limits:
            assert f"| `WRITER_{name.upper()}` | {limits['minimum']} | {limits['maximum']} |" in PAGE


# What comes of its answers

SHOWN = (
    "The industrial tools division offers precision manufacturing equipment [1]. "
    "Smart manufacturing rises [2].\n\n"
    '[1]: cite:1 "Acme-Product-Catalog.pdf, p. 12"\n'
    f'[2]: {TRENDS} "Industry Trends Report"'
)
SNAKE = {"files": [{**{k: v for k, v in REFERENCES["files"][0].items() if k != "fileId"}, "file_id": CATALOG}], "web": REFERENCES["web"]}  # fmt: skip
FORMS: dict[str, tuple[Handler, dict[str, Any]]] = {
    "flat": (sending(FLAT), {}),
    "in an envelope": (sending(ENVELOPED), {}),
    "as an array in one event": (sending(ARRAY), {}),
    "byte by byte": (sending(*(bytes([one]) for one in FLAT)), {}),
    "with events of other names": (sending(b"event: ping\ndata: {}\n\n: alive\n\n", FLAT), {}),
    "with file_id for fileId": (sending(event(question(TEXT)), event(question("", references=SNAKE))), {}),
    "whole": (saying(WHOLE), {"stream": False}),
    "whole, in spite of stream": (saying(WHOLE), {}),
    "a chat": (sending(CHAT), {"model": "palmyra-x5"}),
    "a chat, its references in the message": (sending(DEPRECATED), {"model": "palmyra-x5"}),
    "a whole chat": (saying(WHOLE_CHAT), {"model": "palmyra-x5", "stream": False}),
}


@pytest.mark.parametrize(("behave", "options"), FORMS.values(), ids=FORMS)
async def test_every_form_of_an_answer_is_the_same_answer(
    behave: Handler, options: dict[str, Any], server: WriterServer
) -> None:
    server.behave = behave
    rendering = await ask_once(server.source(**options))
    assert rendering.text.replace("\u200b", "") == SHOWN
    claims: Any = rendering.entities[0]["citation"]
    assert [claim["position"] for claim in claims] == ["1", "2"]
    assert "real-time" in claims[0]["appearance"]["text"]
    assert server.looked_up == [], "an answer that names its files has no need of their names"


CUT: dict[str, tuple[Handler, dict[str, Any]]] = {
    "streamed": (sending(CHAT.replace(STOP, b'"finish_reason": "length"')), {}),
    "whole": (saying({"choices": [WHOLE_CHAT["choices"][0] | {"finish_reason": "length"}]}), {"stream": False}),
    "in spite of stream": (saying({"choices": [WHOLE_CHAT["choices"][0] | {"finish_reason": "length"}]}), {}),
}  # fmt: skip


@pytest.mark.parametrize(("behave", "options"), CUT.values(), ids=CUT)
async def test_an_answer_that_its_model_did_not_end_is_shown_and_then_said_to_be_cut(
    behave: Handler, options: dict[str, Any], server: WriterServer
) -> None:
    server.behave = behave
    text, why = await ask_until_cut(server.source(model="palmyra-x5", **options))
    assert text.replace("\u200b", "") == SHOWN.replace("\n\n", f"\n\n{say(AnswerCut.suffix)}\n\n", 1)
    assert why is AnswerCut


async def test_a_cut_answer_without_citations_has_its_sources_below_and_then_says_that_it_is_cut(
    server: WriterServer,
) -> None:
    said = chunk("Offers precision", "length", graph_data={"status": "finished", "sources": SOURCES[:1]})
    server.behave = sending(event(said), DONE)
    text, why = await ask_until_cut(server.source(model="palmyra-x5"))
    assert text == (
        "Offers precision\n\nWriter did not say which source supports which statement. It answered from:\n\n"
        f"- Acme-Product-Catalog&#46;pdf [1]\n\n{say(AnswerCut.suffix)}\n\n"
        '[1]: cite:1 "Acme-Product-Catalog.pdf"'
    )
    assert why is AnswerCut


async def test_a_filter_may_leave_nothing(server: WriterServer) -> None:
    server.behave = sending(event(chunk("", "content_filter", graph_data={"sources": SOURCES[:1]})), DONE)
    text, why = await ask_until_cut(server.source(model="palmyra-x5"))
    assert (text, why) == (say(AnswerFiltered.suffix), AnswerFiltered)


async def test_each_piece_is_given_before_the_next_is_sent(server: WriterServer) -> None:
    server.behave = told = ScriptedReply()
    source = server.source()
    async with asyncio.timeout(SOON), contextlib.aclosing(source.answer("What?")) as events:
        for piece in PIECES:
            told.send(event(question(piece)))
            while not isinstance(one := await anext(events), TextDelta):
                pass
            # White space waits for the text behind it.
            assert one.text.strip() == piece.strip()
        told.send(DONE, END)
    await source.close()


NOT_ANSWERS: dict[str, tuple[Handler, type[Exception], str]] = {
    "a gateway's page": (sending(b"<!doctype html><p>Bad gateway"), EventStreamError, "got an HTML page"),
    "no event": (sending(), EventStreamError, "got none"),
    "JSON under the type of a stream": (sending(b'{"answer": "a"}'), EventStreamError, "got JSON"),
    "no text": (sending(FLAT[:0], event(question("", references=REFERENCES)), DONE), AnswerEmpty, "no words"),
    "no text, whole": (saying(question("")), AnswerEmpty, "no words"),
    "a wrong type": (saying({"answer": 1}), AnswerFormatError, r"\$.answer"),
    "a chat without choices": (saying({"choices": []}), AnswerFormatError, r"\$.choices"),
}  # fmt: skip


@pytest.mark.parametrize(("behave", "kind", "place"), NOT_ANSWERS.values(), ids=NOT_ANSWERS)
async def test_what_is_no_answer_has_a_place(
    behave: Handler, kind: type[Exception], place: str, server: WriterServer
) -> None:
    server.behave = behave
    with pytest.raises(kind, match=place):
        await ask_once(server.source())
    assert len(server.asked) == 1


FILES: dict[str, tuple[object, bool]] = {
    "a stream, flat": (FLAT, True),
    "a stream in envelopes": (ENVELOPED, True),
    "a stream of one array": (ARRAY, True),
    "a stream of a chat": (CHAT, True),
    "a stream of a chat, its references in the message": (DEPRECATED, True),
    "a response": (WHOLE, False),
    "a response in an envelope": ({"data": WHOLE}, False),
    "a response of a chat": (WHOLE_CHAT, False),
}


@pytest.mark.parametrize(("saved", "stream"), FILES.values(), ids=FILES)
def test_the_command_line_reads_what_was_saved(
    saved: object, stream: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "saved"
    file.write_bytes(saved if isinstance(saved, bytes) else json.dumps(saved).encode())
    assert main(["render", "--from", "writer", *(["--stream"] if stream else []), str(file)]) == 0
    *interims, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert last["text"].replace("\u200b", "") == SHOWN
    assert bool(interims) == stream


# Answers that cite nothing

UNMARKED = "Terms are thirty days."


async def test_what_an_answer_without_markers_was_made_from_is_listed(server: WriterServer) -> None:
    server.behave = sending(event(question(UNMARKED)), event(question("", sources=SOURCES)))
    server.files["f2"] = "Terms] [2024](f2) \n*final*`.docx"
    rendering = await ask_once(server.source())
    assert strip_guards(rendering) == (
        f"{UNMARKED}\n\n"
        "Writer did not say which source supports which statement. It answered from:\n\n"
        "- Acme-Product-Catalog.pdf [1]\n- Terms] [2024](f2) *final*`.docx [2]\n\n"
        '[1]: cite:1 "Acme-Product-Catalog.pdf"\n'
        '[2]: cite:2 "Terms) (2024)(f2) final\'.docx"'
    )


STEPS = [
    None,
    {"query": "What are *the* terms?", "answer": "Thirty days,\n\n- [Terms](f2) ![x](https://evil.example)", "sources": SOURCES[2:]},
    {"query": "Who\nsays?", "answer": "", "sources": []},
    {"query": "", "answer": "Nothing."},
]  # fmt: skip


async def test_the_questions_into_which_one_was_broken_down_are_shown_where_that_was_asked_for(
    server: WriterServer,
) -> None:
    said = question("Terms are [thirty](f2) days.\n\n```\nopen", sources=SOURCES, subqueries=STEPS)
    last = question("", sources=SOURCES, subqueries=STEPS)
    for server.behave in (saying(said), sending(event(question(said["answer"])), event(last), event(last))):
        rendering = await ask_once(server.source(subqueries=True))
        text, _, definitions = strip_guards(rendering).partition("\n\n[1]: ")
        assert text == (
            "Terms are [1] days.\n\n```\nopen\n```\n\n**How this was answered**\n\n"
            "- What are *the* terms? Thirty days, - Terms [1] ![x](https://evil.example)\n- Who says?"
        )
        assert definitions == 'cite:1 "thirty"'
        assert "How this" not in (await ask_once(server.source())).text


async def test_what_an_answer_that_cites_nothing_was_made_from_stands_above_them(
    server: WriterServer,
) -> None:
    server.behave = saying(question(UNMARKED, sources=SOURCES, subqueries=STEPS))
    text = (await ask_once(server.source(subqueries=True))).text
    assert 0 < text.index("It answered from:") < text.index("How this was answered")


async def test_a_chat_that_did_not_ask_the_graph_has_no_list(server: WriterServer) -> None:
    server.behave = sending(event(chunk("Hello!")), DONE)
    assert (await ask_once(server.source(model="palmyra-x5"))).text == "Hello!"


async def test_names_are_looked_up_once_and_together(server: WriterServer) -> None:
    server.behave = saying(question(UNMARKED, sources=SOURCES))
    both = asyncio.Barrier(2)

    async def file(request: web.Request) -> web.StreamResponse:
        await both.wait()
        one = request.match_info["id"]
        return web.json_response({"id": one, "name": f"{one}.pdf", "created_at": "2025-01-01T00:00:00Z", "graph_ids": []})  # fmt: skip

    server.file = file
    source = server.source()
    for _ in range(2):
        async with asyncio.timeout(SOON):
            *_, last = [one async for one in source.answer("What?")]
        assert isinstance(last, TextDelta)
        assert "[f2.pdf](f2)" in last.text
    assert sorted(server.looked_up) == [CATALOG, "f2"]
    await source.close()


async def never(_: web.Request) -> web.StreamResponse:
    await asyncio.Event().wait()
    raise AssertionError("nobody sets it")


NAMELESS: dict[str, Handler] = {
    "not found": lambda _: (_ for _ in ()).throw(web.HTTPNotFound),
    "an HTML page": sending(b"<html>"),
    "no name": saying({"id": "f2"}),
    "a name of another type": saying({"id": "f2", "name": ["f2"]}),
    "a list": saying([1]),
    "never": never,
}


@pytest.mark.parametrize("file", NAMELESS.values(), ids=NAMELESS)
async def test_a_name_that_is_not_to_be_had_is_a_number(file: Handler, server: WriterServer) -> None:
    server.behave = saying(question(UNMARKED, sources=SOURCES))
    server.file = file
    source = server.source()
    source._names = FileNames(source._client.file_name, patience=0.5)
    text = (await ask_once(source)).text
    assert '[1]: cite:1 "Document 1"' in text
    assert '[2]: cite:2 "Document 2"' in text


async def test_no_id_leads_elsewhere(server: WriterServer) -> None:
    hostile = ["../graphs", f"../graphs/{GRAPH}", "a/b", "a?b=c", "%2e%2e", " ", "x" * 101]
    server.behave = saying(question(UNMARKED, sources=[{"file_id": one, "snippet": "s"} for one in hostile]))
    await ask_once(server.source())
    assert server.looked_up == []


# How it is


async def test_the_facts_say_which_graphs_and_whether_they_answer(server: WriterServer) -> None:
    source = server.source()
    assert await source.facts() == {"source": "writer", "answers": "not asked yet", "graphs": 1}
    await source.open()
    assert await source.facts() == {"source": "writer", "answers": "yes", "graphs": "Products"}
    await source.close()
    unknown = WriterSource(WriterOptions(api_key=KEY, base_url=server.url, graph_ids=(CATALOG,)))
    await unknown.open()
    assert (await unknown.facts())["answers"] == "no: it answered with status 404"
    await unknown.close()


async def test_ready_says_which_source_answers(server: WriterServer) -> None:
    async def ready(credentials: Credentials | None) -> dict[str, Any]:
        async with (
            running(server.source(), credentials=credentials) as authority,
            aiohttp.ClientSession() as session,
            session.get(f"http://{authority}/readyz") as response,
        ):
            told: dict[str, Any] = await response.json()
            return told

    assert await ready(None) == {"ready": True, "source": "writer", "answers": "yes", "graphs": "Products"}
    registered = Credentials(app_id="0c3d4b55-1111-4222-8333-000000000001", password="p")
    # Nobody here gives it a token, or the channels' keys.
    needed = {"ready": False, "token": False, "keys": False}
    assert await ready(registered) == {**needed, "source": "writer", "answers": "yes"}


async def test_the_start_does_not_fail_where_writer_is_not_there() -> None:
    source = WriterSource(WriterOptions(api_key=KEY, base_url="http://127.0.0.1:9", graph_ids=(GRAPH,)))
    await source.open()
    assert str((await source.facts())["answers"]).startswith("no: it can't be reached")
    await source.close()
