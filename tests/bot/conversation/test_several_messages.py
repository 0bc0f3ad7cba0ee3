"""An answer in several messages, as a text channel gets it: in order, so many at once, none twice."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence

from aiohttp import web

from citations import ReferencesFound
from tests.bot.running import connecting, message, running, send
from tests.bot.scripted_source import ScriptedSource
from tests.bot.streamed_answers import GUIDES, SENTENCE


def make_source(paragraphs: int, sentences: int = 5) -> ScriptedSource:
    """A source with an answer of paragraphs of which each fills a message of SMS."""
    source = ScriptedSource()
    texts = (f"Paragraph {number}. {SENTENCE * sentences}\n\n" for number in range(1, paragraphs + 1))
    source.tell("Ferns?", ReferencesFound(GUIDES), *texts, None)
    return source


@contextlib.asynccontextmanager
async def failing(statuses: Sequence[int]) -> AsyncIterator[tuple[str, list[str]]]:
    """A connector that answers with these statuses, one after the other; its URL, and the texts it got."""
    texts: list[str] = []

    async def receive(request: web.Request) -> web.Response:
        texts.append((await request.json())["text"])
        return web.json_response({"id": f"a{len(texts)}"}, status=statuses[len(texts) - 1])

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", receive)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/", texts
    finally:
        await runner.cleanup()


async def test_a_short_answer_is_one_message() -> None:
    source = ScriptedSource()
    source.tell("Ferns?", "Water them.", None)
    async with connecting() as connector, running(source) as bot:
        await send(bot, message(connector.service_url, "Ferns?", channelId="sms"))
        assert (await connector.next())["text"] == "Water them."
        assert connector.rest() == []


async def test_several_messages_come_in_order() -> None:
    async with connecting() as connector, running(make_source(3)) as bot:
        await send(bot, message(connector.service_url, "Ferns?", channelId="sms"))
        texts = [(await connector.next())["text"] for _ in range(4)]
        assert [text.split(".")[0] for text in texts[:3]] == ["Paragraph 1", "Paragraph 2", "Paragraph 3"]
        assert texts[3] == "(1) Guide 1: https://example.com/1\n\n(2) Guide 2: https://example.com/2"
        assert connector.rest() == []


async def test_no_more_than_the_channel_takes_at_once() -> None:
    async with connecting() as connector, running(make_source(9, sentences=4)) as bot:
        await send(bot, message(connector.service_url, "Ferns?", channelId="sms"))
        texts = [(await connector.next())["text"] for _ in range(4)]
        assert texts[3].endswith("\n\nReply MORE for the rest, or a number for a source.")
        assert not any("MORE" in text for text in texts[:3])
        assert connector.rest() == []
        for number in (4, 8):
            await send(bot, message(connector.service_url, "MORE", channelId="sms", id=f"more-{number}"))
            texts += [(await connector.next())["text"] for _ in range(min(4, 10 - number))]
            assert connector.rest() == []
        assert texts[7].endswith("\n\nReply MORE for the rest, or a number for a source.")
        assert [text.split(".")[0] for text in texts[:9]] == [
            f"Paragraph {number}" for number in range(1, 10)
        ]
        assert "MORE" not in texts[9]


async def test_nothing_is_sent_twice_where_one_of_them_fails() -> None:
    question = {"channelId": "sms"}
    async with failing([200, 500, 200, 200, 200]) as (url, texts), running(make_source(3)) as bot:
        status, _ = await send(bot, message(url, "Ferns?", **question))
        assert status == 201
        # The channel sends the question again, as it does where it has heard nothing.
        await send(bot, message(url, "Ferns?", **question))
        assert [text.split(".")[0] for text in texts] == ["Paragraph 1", "Paragraph 2"]
        await send(bot, message(url, "more", **question))
        assert [text.split(".")[0] for text in texts[2:4]] == ["Paragraph 2", "Paragraph 3"]
        assert texts[4].startswith("(1) Guide 1")


async def test_what_is_said_aloud_arrives() -> None:
    source = ScriptedSource()
    source.tell("Ferns?", ReferencesFound(GUIDES), "Water *them* [1].", None)
    async with connecting() as connector, running(source) as bot:
        await send(bot, message(connector.service_url, "Ferns?", channelId="directlinespeech"))
        activity = await connector.next()
        assert activity["speak"] == "Water them.\nAccording to Guide 1."
        assert activity["text"] == "Water them (1).\n\n(1) Guide 1: https://example.com/1"
