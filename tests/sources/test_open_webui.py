"""Open WebUI as the source: what it is asked, and what comes of what a real one answered."""

from __future__ import annotations

import asyncio
import doctest
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from bot.app.answer_source import choose
from bot.app.settings import Settings
from bot.config.answer_sources import OpenWebUIOptions
from bot.config.env import SettingsError
from bot.conversation.follow_up import FollowUps, MoreRequest
from bot.conversation.last_answer import remember
from bot.languages import say
from bot.sources.errors import (
    AnswerCut,
    AnswerEmpty,
    AnswerFiltered,
    KeyRefused,
    NotFoundAtSource,
    SourceBusy,
    SourceError,
    SourceRefused,
)
from citations import AnswerFormatError, LabelRanking, TextDelta, channel, cite
from citations.__main__ import main
from citations.readers import FORMATS

from ..bot.running import logged
from ..model_server import Handler, saying, sending
from .asking import ask, ask_once, ask_until_cut
from .faults import SOON
from .open_webui_server import (
    CHAT,
    CORPUS,
    KEY,
    KNOWLEDGE,
    MODEL,
    NOT_SHARED,
    OpenWebUIServer,
    captured,
    open_webui_server,
    replaying,
)
from .writer_server import chunk, event

DEFINED = '[1]: cite:1 "winserver.md"\n[2]: cite:2 "proxy guide (v2).md"'


@pytest.fixture
async def server() -> AsyncIterator[OpenWebUIServer]:
    async with open_webui_server() as serving:
        yield serving


# What is asked

EVERY_OPTION = {
    "OPEN_WEBUI_URL": "http://localhost:8080/",
    "OPEN_WEBUI_API_KEY": KEY,
    "OPEN_WEBUI_MODEL": MODEL,
    "OPEN_WEBUI_KNOWLEDGE_IDS": f"{KNOWLEDGE}, other",
    "OPEN_WEBUI_PUBLIC_URL": "https://chat.example.com/",
    "OPEN_WEBUI_SAVED_CHATS": "yes",
}


def settings(**environ: str) -> Settings:
    return Settings.from_env({"ANSWER_SOURCE": "open-webui"} | environ)


def test_every_option_can_be_set() -> None:
    assert settings(**EVERY_OPTION).source_options == OpenWebUIOptions(
        url="http://localhost:8080",
        api_key=KEY,
        model=MODEL,
        knowledge_ids=(KNOWLEDGE, "other"),
        public_url="https://chat.example.com",
        saved_chats=True,
    )


def test_every_fault_at_once() -> None:
    with pytest.raises(SettingsError) as caught:
        settings(
            OPEN_WEBUI_URL="localhost:8080",
            OPEN_WEBUI_KNOWLEDGE_IDS="../auths",
            OPEN_WEBUI_PUBLIC_URL="chat",
            OPEN_WEBUI_SAVED_CHATS="perhaps",
        )
    assert set(caught.value.faults) == {
        "ANSWER_SOURCE=open-webui needs OPEN_WEBUI_API_KEY, a key from its Settings, Account",
        "ANSWER_SOURCE=open-webui needs OPEN_WEBUI_MODEL, the id of the model that answers",
        "../auths in OPEN_WEBUI_KNOWLEDGE_IDS is no id, such as the last part of the address of its page",
        "OPEN_WEBUI_URL is not an http or https URL such as http://localhost:8080",
        "OPEN_WEBUI_PUBLIC_URL is not an http or https URL such as http://localhost:8080",
        "OPEN_WEBUI_SAVED_CHATS=perhaps is neither true nor false",
    }
    with pytest.raises(SettingsError, match="needs OPEN_WEBUI_URL, where it is"):
        settings(OPEN_WEBUI_API_KEY=KEY, OPEN_WEBUI_MODEL=MODEL)


async def test_what_it_is_asked(server: OpenWebUIServer) -> None:
    environ = {
        "OPEN_WEBUI_URL": server.url,
        "OPEN_WEBUI_API_KEY": KEY,
        "OPEN_WEBUI_MODEL": MODEL,
        "OPEN_WEBUI_KNOWLEDGE_IDS": f"{KNOWLEDGE} unknown",
    }
    source = choose(settings(**environ), "127.0.0.1:1")
    await source.open()
    await ask_once(source)
    assert server.keys == [f"Bearer {KEY}"]
    assert server.asked == [
        {
            "model": MODEL,
            "messages": [{"role": "user", "content": "What?"}],
            "stream": True,
            # Else the knowledge of the model is a tool, which runs for Open WebUI's own page only.
            "params": {"function_calling": "legacy"},
            # What has neither name nor id is numbered, and then left out of what we get.
            "files": [
                {"type": "collection", "id": KNOWLEDGE, "name": "Proxies"},
                {"type": "collection", "id": "unknown", "name": "unknown"},
            ],
        }
    ]


async def test_without_knowledge_of_ours_the_model_has_its_own(server: OpenWebUIServer) -> None:
    await ask_once(server.source(knowledge_ids=()))
    assert "files" not in server.asked[0]


PAGE = (Path(__file__).parents[2] / "docs" / "open-webui.md").read_text(encoding="utf-8")


def test_the_page_names_every_variable() -> None:
    assert set(re.findall(r"^\| `(OPEN_WEBUI_\w+)`", PAGE, re.MULTILINE)) == EVERY_OPTION.keys()


def test_the_page_shows_what_its_example_says() -> None:
    (block,) = re.findall(r"^```pycon\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    example = doctest.DocTestParser().get_doctest(block, {}, "open-webui", "docs/open-webui.md", 0)
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0


# What comes of its answers

FORMS: dict[str, Handler] = {
    "streamed": replaying("collection.sse"),
    "byte by byte": replaying("collection.sse", every=1),
    "whole, in spite of stream": replaying("collection.json"),
}


@pytest.mark.parametrize("behave", FORMS.values(), ids=FORMS)
async def test_every_form_of_an_answer_is_the_same_answer(behave: Handler, server: OpenWebUIServer) -> None:
    server.behave = behave
    rendering = await ask_once(server.source())
    assert rendering.text.startswith("Override the default proxy settings [1], detail [2]. See ")
    assert rendering.text.endswith(DEFINED)
    claims: Any = rendering.entities[0]["citation"]
    assert [claim["position"] for claim in claims] == ["1", "2"]
    assert "netsh winhttp" in claims[0]["appearance"]["text"]
    assert "Paragraph 29" in claims[1]["appearance"]["text"]


async def test_cut_at_every_fiftieth_byte_it_is_the_same_answer(server: OpenWebUIServer) -> None:
    whole = await ask_once(server.source())
    body = captured("collection.sse")
    source = server.source()
    for place in range(50, len(body), 50):
        server.behave = sending(body[:place], body[place:])
        assert await ask(source) == whole
    await source.close()


async def test_thoughts_are_not_shown(server: OpenWebUIServer) -> None:
    pieces = [chunk("<thi"), chunk("nk>The source [2] says so.</think>\n\nSet it"), chunk(" [1].")]
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    sources = captured("collection.sse").partition(b"\n\n")[0] + b"\n\n"
    server.behave = sending(sources, *map(event, [*pieces, end]))
    rendering = await ask_once(server.source())
    assert rendering.text == 'Set it [1].\n\n[1]: cite:1 "winserver.md"'


async def test_an_answer_without_markers_has_its_sources_below(server: OpenWebUIServer) -> None:
    data = json.loads(captured("collection.json"))
    data["choices"][0]["message"]["content"] = "Override them."
    server.behave = saying(data)
    rendering = await ask_once(server.source())
    assert rendering.text.startswith("Override them.\n\nOpen WebUI did not say which source supports which")
    assert rendering.text.endswith(DEFINED)


async def test_what_a_tool_found_is_listed_where_nothing_is_cited(server: OpenWebUIServer) -> None:
    data = json.loads(captured("collection.json"))
    result = {"source": {"name": "TOOL:weather"}, "document": ["It rains."], "tool_result": True}
    data["sources"] = [result, *data["sources"]]
    documents = ["winserver.md", "proxy guide (v2).md"]
    for text, names, listed in (("It rains.", documents, True), ("It rains [2].", documents[1:], False)):
        data["choices"][0]["message"]["content"] = text
        server.behave = saying(data)
        rendering = await ask_once(server.source())
        claims: Any = rendering.entities[0]["citation"]
        assert [claim["appearance"]["name"] for claim in claims] == names
        # A tool's result has no number that a marker could name, and so its name alone.
        assert ("TOOL:weather" in rendering.text) is listed


def test_what_a_tool_found_is_offered_where_a_document_is_cited() -> None:
    result = {"source": {"name": "TOOL:weather"}, "document": ["It rains."], "tool_result": True}
    document = {"source": {"name": "rain.md"}, "document": ["Rain is wet."]}
    data = {"sources": [result, document], "choices": [{"message": {"content": "Wet [1]."}}]}
    last = remember("Wet [1].", cite(FORMATS["open-webui"].read(data)), interrupted=False)
    assert [one.reference.name for one in last.citations] == ["rain.md"]
    more = FollowUps(channel=channel("webchat")).follow(MoreRequest(), last)
    assert more
    assert "TOOL:weather" in more.rendering.text
    assert "rain.md" not in more.rendering.text


async def test_files_are_linked_where_people_open_them(server: OpenWebUIServer) -> None:
    rendering = await ask_once(server.source(public_url="https://chat.example.com"))
    claims: Any = rendering.entities[0]["citation"]
    link = "https://chat.example.com/api/v1/files/b6113a8b-4914-493d-87a4-9ad2b5f6c9b3/content"
    assert link in claims[0]["appearance"]["text"]


LABELS = LabelRanking.from_toml("""
[[label]]
id = "public"
name = "Public"
priority = 0

[[label]]
id = "secret"
name = "Secret"
priority = 1

[ceiling]
webchat = "public"
""")


@pytest.mark.parametrize(("reason", "kind"), [("length", AnswerCut), ("content_filter", AnswerFiltered)])
@pytest.mark.parametrize("name", ["collection.sse", "collection.json", "saved"])
async def test_an_answer_that_its_model_did_not_end_is_shown_and_then_said_to_be_cut(
    name: str, reason: str, kind: type[SourceError], server: OpenWebUIServer
) -> None:
    """All of its references have come, so that no label keeps it back for want of them."""
    saved = name == "saved"
    server.behave = replaying("collection.json" if saved else name, finish=reason)
    text, why = await ask_until_cut(server.source(saved_chats=saved), ranking=LABELS)
    assert text.startswith("Override the default proxy settings [1], detail [2]. See ")
    assert text.endswith(f"\n\n{say(kind.suffix)}\n\n{DEFINED}")
    assert why is kind


@pytest.mark.parametrize("thought", ["", "<think>Hmm"])
async def test_a_model_that_had_no_place_for_an_answer_is_said_to_have_none(
    thought: str, server: OpenWebUIServer
) -> None:
    server.behave = sending(event(chunk(thought)), event(chunk(None, "length")))
    with pytest.raises(AnswerCut):
        await ask_once(server.source())


NOT_ANSWERS: dict[str, tuple[Handler, type[Exception], str]] = {
    "the key": (replaying("bad_key.json", status=401), KeyRefused, "401"),
    "the model": (replaying("bad_model.json", status=400), NotFoundAtSource, "no model of this name"),
    "another request that it refuses": (saying({"detail": "something else"}, 400), SourceRefused, "400"),
    "too busy": (replaying("busy.json", status=429), SourceBusy, "429"),
    "an error in the middle": (replaying("midstream_error.sse"), AnswerFormatError, "Chat completion stream failed"),
    "null, after a failure of its own": (saying(None), AnswerFormatError, "expected object, got null"),
    "no text": (saying({"choices": [{"message": {"content": " "}}]}), AnswerEmpty, "the answer has no words"),
}  # fmt: skip


@pytest.mark.parametrize(("behave", "kind", "words"), NOT_ANSWERS.values(), ids=NOT_ANSWERS)
async def test_what_is_no_answer(
    behave: Handler, kind: type[Exception], words: str, server: OpenWebUIServer
) -> None:
    server.behave = behave
    with pytest.raises(kind, match=words):
        await ask_once(server.source())


@pytest.mark.parametrize("name", ["collection.json", "pipe_saved_chat.json", "collection.sse", "pipe.sse"])
def test_the_command_line_takes_what_it_sent(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    stream = ["--stream"] if name.endswith(".sse") else []
    assert main(["render", "--from", "open-webui", *stream, str(CORPUS / name)]) == 0
    final = json.loads(capsys.readouterr().out.splitlines()[-1])
    claims = final["entities"][0].get("citation", [])
    assert [claim["position"] for claim in claims] == ([] if name == "pipe.sse" else ["1", "2"])


# In saved chats


async def test_a_saved_chat_has_what_pipes_emit(server: OpenWebUIServer) -> None:
    server.behave = replaying("pipe_saved.json")
    rendering = await ask_once(server.source(model="nasapipe.nasa", knowledge_ids=(), saved_chats=True))
    assert rendering.text == (
        "The speed of light is exactly 299,792,458 m/s [1]. More [2].\n\n"
        '[1]: https://science.nasa.gov/ems/03_movinglight/ "NASA, accessed 2025-06-24"\n[2]: https://aaa.com "AAA"'
    )
    (body,) = server.asked
    assert (body["stream"], body["chat_id"], body["parent_id"]) == (False, CHAT, None)
    assert body["user_message"] == {"id": body["user_message"]["id"], **body["messages"][0]}
    assert body["id"] != body["user_message"]["id"]
    assert "session_id" not in body, "with one it answers on a socket"
    assert server.deleted == [CHAT]


async def test_what_was_looked_into_is_numbered_before_what_was_emitted(server: OpenWebUIServer) -> None:
    data = json.loads(captured("collection.json"))
    data["choices"][0]["message"]["content"] = "a [1] b [2] c [3] d [4]"
    server.behave = saying(data)
    rendering = await ask_once(server.source(saved_chats=True))
    assert rendering.text.endswith(
        f'{DEFINED}\n[3]: https://science.nasa.gov/ems/03_movinglight/ "NASA, accessed 2025-06-24"\n[4]: https://aaa.com "AAA"'
    )


@pytest.mark.parametrize("name", ["the key", "too busy", "null, after a failure of its own", "no text"])
async def test_a_chat_is_deleted_whatever_became_of_it(name: str, server: OpenWebUIServer) -> None:
    server.behave, kind, _ = NOT_ANSWERS[name]
    with pytest.raises(kind):
        await ask_once(server.source(saved_chats=True))
    assert server.deleted == [CHAT]
    assert server.chats == {}


async def test_a_chat_is_deleted_where_nobody_waits_for_its_answer(server: OpenWebUIServer) -> None:
    async def behave(_: web.Request) -> web.StreamResponse:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")

    begun = asyncio.Event()
    server.behave = behave
    source = server.source(saved_chats=True)

    async def read_answer() -> None:
        async for _ in source.answer("What?"):
            pass

    asking = asyncio.create_task(read_answer())
    async with asyncio.timeout(SOON):
        await begun.wait()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await source.close()
    assert server.deleted == [CHAT]


async def test_a_chat_that_stays_is_told(server: OpenWebUIServer) -> None:
    server.behave, server.deletes = replaying("pipe_saved.json"), False
    with logged() as log:
        assert (await ask_once(server.source(saved_chats=True))).text
    (line,) = map(json.loads, log.getvalue().splitlines())
    assert (line["event"], line["chat"]) == ("chat not deleted", CHAT)


# How it is

WARNING = (
    "the last answer has no sources; OPEN_WEBUI_KNOWLEDGE_IDS may be "
    "not known there, or not shared with the key's owner, or empty"
)


async def test_knowledge_that_is_not_found_is_told(server: OpenWebUIServer) -> None:
    """Open WebUI answers with status 200 and no word of it."""
    server.behave = replaying("unknown_collection.json")
    source = server.source(knowledge_ids=(KNOWLEDGE, "unknown", NOT_SHARED))
    with logged() as log:
        await source.open()
        unseen = (
            f"unknown, {NOT_SHARED} in OPEN_WEBUI_KNOWLEDGE_IDS: "
            "not known there, or not shared with the key's owner"
        )
        assert await source.facts() == {
            "source": "open-webui",
            "answers": "yes",
            "model": MODEL,
            "knowledge": f"Proxies, unknown, {NOT_SHARED}",
            "warning": unseen,
        }
        said = [one.text async for one in source.answer("What?") if isinstance(one, TextDelta)]
        assert "".join(said).startswith("No sources were given to me."), "the person reads the answer"
        assert (await source.facts())["warning"] == WARNING
        server.behave = replaying("collection.sse")
        async for _ in source.answer("What?"):
            pass
        assert "warning" not in await source.facts()
    reasons = [json.loads(line)["reason"] for line in log.getvalue().splitlines()]
    assert reasons == [unseen, WARNING]
    await source.close()


async def test_a_model_without_knowledge_of_ours_needs_no_sources(server: OpenWebUIServer) -> None:
    server.behave = replaying("native_no_sources.json")
    source = server.source(knowledge_ids=())
    await ask_once(source)
    assert await source.facts() == {"source": "open-webui", "answers": "yes", "model": MODEL}


@pytest.mark.parametrize(
    ("more", "answers"),
    [
        ({"api_key": "sk-other"}, "no: it refuses the key (status 401)"),
        ({"model": "other"}, "no: it has no model of this name, or not for this key"),
        ({"url": "http://127.0.0.1:9"}, "no: it can't be reached (ClientConnectorError)"),
    ],
)
async def test_the_start_says_what_is_wrong(
    more: dict[str, str], answers: str, server: OpenWebUIServer
) -> None:
    source = server.source(**more)
    await source.open()
    assert (await source.facts())["answers"] == answers
    await source.close()
