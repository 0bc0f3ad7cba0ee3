"""Many questions on a real socket: in their order, not too many at once, each with one word at least."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import aiohttp
import pytest

from bot.app.application import DELIVERY
from bot.conversation.last_answer import AnswerMemory
from bot.conversation.outcome import BUSY, CLOSING, STOPPED, TOO_SLOW
from bot.languages import say
from bot.state.memory import StateInMemory
from bot.telemetry.conversation_key import ConversationKey
from citations import AnswerEvent, Reference, ReferencesFound, TextDelta
from tests.bot.running import OVERTAKEN, PROMPT, Connector, connecting, message, running, running_app, send
from tests.bot.scripted_source import ScriptedSource


@pytest.fixture
async def connector() -> AsyncIterator[Connector]:
    async with connecting() as one:
        yield one


@pytest.fixture
def source() -> ScriptedSource:
    return ScriptedSource()


def texts(connector: Connector) -> list[str]:
    return [one["text"] for one in connector.rest() if one["type"] == "message"]


async def send_question(
    connector: Connector, bot: str, text: str, **fields: Any
) -> asyncio.Task[tuple[int, str]]:
    """A question that has come to the bot: it has sent a sign of life."""
    fields = {"id": text, "conversation": {"id": "c1"}, **fields}
    turn = asyncio.create_task(send(bot, message(connector.service_url, text, **fields)))
    await connector.next("typing")
    return turn


async def test_answers_come_in_the_order_of_the_questions(
    source: ScriptedSource, connector: Connector
) -> None:
    async with running(source, timeouts=PROMPT) as bot:
        turns = [await send_question(connector, bot, question) for question in ("one", "two", "three")]
        for question in ("three", "two", "one"):
            source.tell(question, f"Answer {question}.", None)
        assert [(await turn)[0] for turn in turns] == [201, 201, 201]
        assert texts(connector) == ["Answer one.", "Answer two.", "Answer three."]
    assert [await source.over.get() for _ in range(3)] == ["one", "two", "three"]


async def test_conversations_do_not_wait_for_each_other(source: ScriptedSource, connector: Connector) -> None:
    async with running(source, timeouts=PROMPT) as bot:
        slow = await send_question(connector, bot, "slow")
        source.tell("quick", "At once.", None)
        other = message(connector.service_url, "quick", conversation={"id": "c2"})
        assert (await send(bot, other))[0] == 201
        source.tell("slow", "At last.", None)
        assert (await slow)[0] == 201
        assert texts(connector) == ["At once.", "At last."]


async def test_two_that_ask_for_more_at_once_get_two_parts(
    source: ScriptedSource, connector: Connector
) -> None:
    many = ReferencesFound(tuple(Reference(id=f"{n}", name=f"Source {n}") for n in range(1, 26)))
    async with running(source, timeouts=PROMPT) as bot:
        source.tell("q", many, "One [1].", None)
        await send(bot, message(connector.service_url, "q"))
        await connector.next()
        mores = [message(connector.service_url, "more", id=f"more{n}") for n in range(3)]
        await asyncio.gather(*(send(bot, more) for more in mores))
        parts = [set(re.findall(r"Source \d+", text)) for text in texts(connector)]
    # All 24 that the answer didn't need, and each in one part only.
    assert [len(part) for part in parts] == [10, 10, 4]
    assert len(set.union(*parts)) == 24


async def test_what_is_not_a_question_does_not_wait(source: ScriptedSource, connector: Connector) -> None:
    async with running(source, timeouts=PROMPT) as bot:
        turn = await send_question(connector, bot, "slow")
        for kind in ("typing", "event", "messageReaction", "invoke"):
            body = message(connector.service_url, "", type=kind, id=kind, name="x")
            status = await asyncio.wait_for(send(bot, body), 60)
            assert status[0] == (501 if kind == "invoke" else 201)
        assert not turn.done()
        assert (await send(bot, message(connector.service_url, "stop", id="stop")))[0] == 201
        assert (await turn)[0] == 201
        assert texts(connector) == [say(STOPPED.message)]


async def test_stop_ends_what_waits_as_well(source: ScriptedSource, connector: Connector) -> None:
    async with running(source, timeouts=PROMPT) as bot:
        turns = [await send_question(connector, bot, question) for question in ("one", "two")]
        await send(bot, message(connector.service_url, "stop", id="stop"))
        assert [(await turn)[0] for turn in turns] == [201, 201]
        assert texts(connector) == [say(STOPPED.message)]
        source.tell("three", "Three.", None)
        await send(bot, message(connector.service_url, "three", id="three"))
        assert texts(connector) == ["Three."]
    assert "two" not in [source.over.get_nowait() for _ in range(source.over.qsize())]


async def test_a_wait_counts_in_the_budget(source: ScriptedSource, connector: Connector) -> None:
    """The request is answered when its time is over, and the answer follows when it is its turn."""
    async with running(source, timeouts=OVERTAKEN) as bot:
        first = await send_question(connector, bot, "one")
        assert (await send(bot, message(connector.service_url, "two", id="two")))[0] == 201
        assert (await first)[0] == 201
        # Neither has its answer yet.
        assert texts(connector) == []
        source.tell("two", "Two.", None)
        source.tell("one", "One.", None)
        assert [(await connector.next())["text"] for _ in range(2)] == ["One.", "Two."]


async def test_more_follows_too(source: ScriptedSource, connector: Connector) -> None:
    async with running(source, timeouts=OVERTAKEN) as bot:
        slow = await send_question(connector, bot, "one")
        assert (await send(bot, message(connector.service_url, "1", id="1")))[0] == 201
        assert (await slow)[0] == 201
        source.tell("one", ReferencesFound((Reference(id="1", name="S", text="The passage."),)))
        source.tell("one", "One [1].", None)
        assert (await connector.next())["text"].startswith("One [1].")
        assert "The passage." in (await connector.next())["text"]


async def test_who_waits_for_replies_gets_a_sentence(source: ScriptedSource, connector: Connector) -> None:
    async with running(source, timeouts=OVERTAKEN) as bot:
        first = await send_question(connector, bot, "one")
        body = message(connector.service_url, "two", id="two", deliveryMode="expectReplies")
        status, replies = await send(bot, body)
        assert status == 200
        assert [reply["text"] for reply in json.loads(replies)["activities"]] == [say(TOO_SLOW.message)]
        source.tell("one", "One.", None)
        await first
        assert (await connector.next())["text"] == "One."


class SlowState(StateInMemory):
    """Takes its time to say what the last answer was."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.says = asyncio.Event(), asyncio.Event()

    async def get(self, conversation: ConversationKey, kind: str, item: str = "") -> bytes | None:
        self.asked.set()
        await self.says.wait()
        return await super().get(conversation, kind, item)


async def test_stop_ends_what_turns_out_to_be_a_question(
    source: ScriptedSource, connector: Connector
) -> None:
    state = SlowState()
    async with running_app(source, timeouts=PROMPT) as (bot, app):
        app[DELIVERY].memory = AnswerMemory(state)
        # Without an answer before it, "2" is a question like any other.
        turn = asyncio.create_task(send(bot, message(connector.service_url, "2", id="2")))
        async with asyncio.timeout(60):
            await state.asked.wait()
        await send(bot, message(connector.service_url, "stop", id="stop"))
        state.says.set()
        assert (await turn)[0] == 201
        assert texts(connector) == [say(STOPPED.message)]


async def test_who_has_gone_is_answered_once(source: ScriptedSource, connector: Connector) -> None:
    """Channels hang up after 15 s, and some sooner."""
    async with running(source, timeouts=PROMPT) as bot:
        host, port = bot.split(":")
        for question in ("one", "two"):
            body = json.dumps(message(connector.service_url, question, id=question)).encode()
            _, writer = await asyncio.open_connection(host, int(port))
            head = f"POST /api/messages HTTP/1.1\r\nHost: {bot}\r\nContent-Type: application/json\r\n"
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            await connector.next("typing")
            writer.close()
            await writer.wait_closed()
        source.tell("one", "One.", None)
        source.tell("two", "Two.", None)
        assert [(await connector.next())["text"] for _ in range(2)] == ["One.", "Two."]
        # It is sent again, since nobody heard that it was taken.
        assert (await send(bot, message(connector.service_url, "one", id="one")))[0] == 201
        assert texts(connector) == []


class CountingSource(ScriptedSource):
    """Answers everything once ``ready`` is set, and knows how many it was asked at once."""

    def __init__(self) -> None:
        super().__init__()
        self.ready = asyncio.Event()
        self.now = self.most = self.asked = 0

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        self.now, self.asked = self.now + 1, self.asked + 1
        self.most = max(self.most, self.now)
        try:
            await self.ready.wait()
            yield TextDelta(f"Answer {question}.")
        finally:
            self.now -= 1


async def test_a_burst_is_answered_declined_or_refused_and_nobody_is_forgotten(connector: Connector) -> None:
    source = CountingSource()
    async with (
        running(source, timeouts=PROMPT, max_answers=5, max_waiting=10) as bot,
        aiohttp.ClientSession() as session,
    ):

        async def ask(number: int) -> int:
            body = message(connector.service_url, f"q{number}", id="1", conversation={"id": f"c{number}"})
            async with session.post(f"http://{bot}/api/messages", json=body) as response:
                if response.status == 503:
                    assert int(response.headers["Retry-After"]) > 0
                return response.status

        connector.open.clear()  # so that those who are declined are many at once
        asking = [asyncio.create_task(ask(number)) for number in range(60)]
        while sum(task.done() for task in asking) < 40:
            await asyncio.wait(asking, timeout=0.05, return_when=asyncio.FIRST_COMPLETED)
        source.ready.set()
        connector.open.set()
        statuses = Counter(await asyncio.gather(*asking))
        said = defaultdict(list)
        for one in connector.rest():
            if one["type"] == "message":
                said[one["conversation"]["id"]].append(one["text"])
        assert source.most <= 5
        assert source.asked == 15
        assert statuses == {201: 20, 503: 40}
        assert all(len(words) == 1 for words in said.values())
        assert Counter(words[0] == say(BUSY.message) for words in said.values()) == {False: 15, True: 5}
        # What was refused was not taken up: it may be sent again. What was declined was.
        again = next(number for number, task in enumerate(asking) if task.result() == 503)
        assert await ask(again) == 201
        assert (await connector.next())["text"] == f"Answer q{again}."


async def test_at_the_end_whoever_waits_is_told_so(source: ScriptedSource, connector: Connector) -> None:
    async with running_app(source, timeouts=PROMPT) as (bot, app):
        turns = [await send_question(connector, bot, question) for question in ("one", "two")]
        draining = asyncio.create_task(app[DELIVERY].drain(60))
        assert (await connector.next())["text"] == say(CLOSING.message)
        late = message(connector.service_url, "three", id="three")
        assert (await send(bot, late))[0] == 201
        assert (await connector.next())["text"] == say(CLOSING.message)
        source.tell("one", "One.", None)
        await draining
        assert [(await turn)[0] for turn in turns] == [201, 201]
        assert texts(connector) == ["One."]
