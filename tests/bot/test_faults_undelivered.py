"""A channel that takes no answer for longer than the bot tries, after the request: the next turn begins with it."""

from __future__ import annotations

import asyncio
import contextlib
import io
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path
from typing import Any, Final

import pytest

from bot.access.asker import Asker
from bot.connector import MaybeSent
from bot.connector.activities import sentence
from bot.conversation.outbox import LARGEST, LIFETIME, Outbox
from bot.languages import Sentence, say
from bot.sources.permission import Permission
from bot.state.memory import StateInMemory
from bot.telemetry.conversation_key import ConversationKey
from bot.telemetry.log import logger
from citations import LabelRanking, Reference

from .fault_connector import BEGUN, PACE, REST, FaultConnector, failing, hanging, question, refusing, well
from .redis_server import redis_server
from .running import logged, running
from .scripted_source import ScriptedSource
from .stores import in_memory
from .streamed_answers import FOUND

IMPATIENT: Final = replace(PACE, budget=0.5, sending=5.0, following=1.0)
"""Patient for a second after the request. Each try has the time to hear its refusal."""
CONVERSATION: Final = ConversationKey("webchat", "c1")


@pytest.fixture
def source() -> ScriptedSource:
    return ScriptedSource()


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    with logged() as stream:
        yield stream


async def wait_for_log(log: io.StringIO, event: str) -> None:
    async with asyncio.timeout(60):
        while event not in log.getvalue():
            await asyncio.sleep(0.02)


class Closed:
    """Refuses whatever comes until it is opened."""

    def __init__(self) -> None:
        self.open = False

    def __iter__(self) -> Any:
        return iter(lambda: well if self.open else refusing(503), None)


async def lose(source: ScriptedSource, log: io.StringIO, bot: str, connector: FaultConnector) -> None:
    """An answer that follows its request, to a channel that takes nothing."""
    asked = question(connector, "q")
    source.tell("q", 0.7, FOUND, BEGUN + REST, None)
    assert await asked.send(bot) == 201
    await wait_for_log(log, "answer kept for the next turn")
    assert connector.given("c1") == []


async def ask(
    source: ScriptedSource, bot: str, connector: FaultConnector, text: str, last: str = ""
) -> list[str]:
    """What the person reads in reply, up to the message with the ``last`` words, by default those of the answer."""
    before = len(connector.given("c1"))
    source.tell(text, f"{text} it is.", None)
    assert await question(connector, text).send(bot) == 201
    async with asyncio.timeout(60):
        # A busy machine may take longer than the request waits.
        while (
            not (found := [one["text"] for one in connector.given("c1")[before:]])
            or (last or f"{text} it is.") not in found[-1]
        ):
            await asyncio.sleep(0.02)
    return found


@pytest.mark.parametrize("channel_id", ["webchat", "msteams", "sms"])
async def test_the_next_turn_begins_with_it(
    source: ScriptedSource, log: io.StringIO, channel_id: str
) -> None:
    """As it was to be sent, with its sources and labels, and once."""
    closed = Closed()
    async with failing(channel_id, final=closed) as connector, running(source, timeouts=IMPATIENT) as bot:
        await lose(source, log, bot, connector)
        meant = next(one for one in connector.asked["final"] if one["text"].startswith("Water it"))
        closed.open = True
        assert await ask(source, bot, connector, "next") == [say(Sentence.LATE), meant["text"], "next it is."]
        late = connector.given("c1")[1]
        graphs = [
            [node for node in one.get("entities", []) if node["type"] != "streaminfo"]
            for one in (meant, late)
        ]
        assert graphs[0] == graphs[1]
        assert bool(graphs[0]) == (channel_id != "sms")
        assert await ask(source, bot, connector, "third") == ["third it is."]


@pytest.mark.parametrize("store", ["sqlite", "redis", "redis that was killed"])
async def test_another_replica_gets_the_next_message(
    source: ScriptedSource, log: io.StringIO, store: str, tmp_path: Path
) -> None:
    closed = Closed()
    with redis_server(tmp_path) as server:
        state = f"sqlite:///{tmp_path / 'state.db'}" if store == "sqlite" else server.url
        async with (
            failing("webchat", final=closed) as connector,
            running(source, timeouts=IMPATIENT, state=state) as bot,
            running(source, timeouts=IMPATIENT, state=state) as other,
        ):
            await lose(source, log, bot, connector)
            if store.endswith("killed"):
                server.kill()
            closed.open = True
            texts = await ask(source, other, connector, "next")
            late = [] if store.endswith("killed") else [say(Sentence.LATE)]
            assert [*texts[: len(late)], texts[-1]] == [*late, "next it is."]
            assert len(texts) == 1 + 2 * len(late)
            assert await ask(source, bot, connector, "third") == ["third it is."]


async def test_a_number_asks_for_a_source_of_it(source: ScriptedSource, log: io.StringIO) -> None:
    """Nobody can mean an answer that they have not read, so they read it first."""
    closed = Closed()
    async with failing(final=closed) as connector, running(source, timeouts=IMPATIENT) as bot:
        await lose(source, log, bot, connector)
        closed.open = True
        late, answer, passage = await ask(source, bot, connector, "1", "https://example.com/1")
    assert late == say(Sentence.LATE)
    assert answer.startswith(BEGUN + REST)
    assert "https://example.com/1" in passage


async def test_what_may_have_arrived_does_not_come_again(source: ScriptedSource, log: io.StringIO) -> None:
    async with (
        failing(final=chain(repeat(hanging, 2), repeat(well))) as connector,
        running(source, timeouts=replace(IMPATIENT, sending=0.5)) as bot,
    ):
        source.tell("q", 0.7, FOUND, BEGUN + REST, None)
        assert await question(connector, "q").send(bot) == 201
        await wait_for_log(log, "answer kept for the next turn")
        assert await ask(source, bot, connector, "next") == [say(Sentence.UNSURE), "next it is."]
        assert await ask(source, bot, connector, "third") == ["third it is."]


async def test_the_process_ends_while_it_still_tries(source: ScriptedSource, tmp_path: Path) -> None:
    """Its last try may have arrived."""
    closed = Closed()
    timeouts, state = replace(IMPATIENT, following=60.0), f"sqlite:///{tmp_path / 'state.db'}"
    async with failing(final=closed) as connector:
        async with running(source, timeouts=timeouts, state=state) as bot:
            source.tell("q", 0.7, FOUND, BEGUN + REST, None)
            assert await question(connector, "q").send(bot) == 201
            await connector.came("final")
        closed.open = True
        async with running(source, timeouts=timeouts, state=state) as bot:
            assert await ask(source, bot, connector, "next") == [say(Sentence.UNSURE), "next it is."]


async def test_whoever_was_told_is_not_told_again(source: ScriptedSource, log: io.StringIO) -> None:
    """The channel refuses the answer, and takes the sentence that says so."""

    async def choosy(exchange: Any) -> None:
        excuse = exchange.activity["text"] == say(Sentence.CRASHED)
        await (well if excuse or "it is" in exchange.activity["text"] else refusing(400))(exchange)

    async with failing(final=repeat(choosy)) as connector, running(source, timeouts=IMPATIENT) as bot:
        source.tell("q", 0.7, FOUND, BEGUN + REST, None)
        assert await question(connector, "q").send(bot) == 201
        await connector.took("message")
        assert await ask(source, bot, connector, "next") == ["next it is."]
    assert [one["text"] for one in connector.given("c1")] == [say(Sentence.CRASHED), "next it is."]


# What may no longer be read when it could arrive

LABELS: Final = """
[[label]]
id = "open"
name = "Open"
priority = 0
[[label]]
id = "board"
name = "Board"
priority = 1
[ceiling]
"*" = "open"
"""


class Following(ScriptedSource):
    """A source whose documents change."""

    def __init__(self) -> None:
        super().__init__()
        self.label: str | None = "open"

    async def renew(self, references: Iterable[Reference]) -> dict[Reference, Reference]:
        """Each with the label that the documents have now; none where they are gone."""
        return {one: replace(one, label=self.label) for one in references if self.label}


@pytest.mark.parametrize("change", ["none", "right", "label", "document", "policy"])
async def test_what_may_no_longer_be_read_is_not_sent(change: str, log: io.StringIO) -> None:
    source, closed = Following(), Closed()
    rights = {"sees": True, "fails": False}

    async def policy(_: Asker) -> Permission:
        def sees(reference: Reference) -> bool:
            return rights["sees"] or reference.id != "1"

        if rights["fails"]:
            raise OSError
        return Permission(sees=sees)

    ranking = LabelRanking.from_toml(LABELS)
    async with (
        failing("sms", final=closed) as connector,
        running(source, timeouts=IMPATIENT, policy=policy, labels=ranking) as bot,
    ):
        await lose(source, log, bot, connector)
        closed.open = True
        rights["sees"] = change != "right"
        rights["fails"] = change == "policy"
        source.label = {"label": "board", "document": None}.get(change, "open")
        first = (await ask(source, bot, connector, "next", last="" if change != "policy" else " "))[0]
        assert first == say(Sentence.LATE if change == "none" else Sentence.LOST)
        heard = "".join(one["text"] for one in connector.given("c1"))
        assert ("Water it" in heard) == (change == "none")


# What is kept


async def may_read(sources: tuple[Reference, ...]) -> bool:
    return True


async def deliver(undelivered: Outbox) -> list[str]:
    texts: list[str] = []

    async def send(message: Any) -> None:
        texts.append(message.text)

    await undelivered.deliver(CONVERSATION, send, may_read, logger("test"))
    return texts


async def test_it_is_kept_for_its_time_and_deleted_with_its_conversation() -> None:
    async with in_memory() as store:
        undelivered = Outbox(store.state)
        for seconds, left in ((LIFETIME - 1, [say(Sentence.LATE), "answer"]), (LIFETIME, [])):
            await undelivered.store(CONVERSATION, [sentence("answer")], unsure=False)
            await store.advance(seconds)
            assert await deliver(undelivered) == left
        await undelivered.store(CONVERSATION, [sentence("answer")], unsure=False)
        await store.state.forget(CONVERSATION)
        assert await deliver(undelivered) == []


async def test_of_what_is_too_large_only_that_it_was_there() -> None:
    undelivered = Outbox(StateInMemory())
    await undelivered.store(CONVERSATION, [sentence("x" * LARGEST)], unsure=False)
    assert await deliver(undelivered) == [say(Sentence.LOST)]


async def test_what_was_added_without_a_notice_comes_once() -> None:
    undelivered = Outbox(StateInMemory())
    await undelivered.add(CONVERSATION, [sentence("doubt"), sentence("rest")])
    sent: list[str] = []

    async def send(message: Any) -> None:
        if sent:
            raise OSError
        sent.append(message.text)

    await undelivered.deliver(CONVERSATION, send, may_read, logger("test"))
    assert [sent, await deliver(undelivered)] == [["doubt"], ["rest"]]


@pytest.mark.parametrize(
    ("error", "taken", "kept"),
    [
        (OSError("full"), 0, ["first", "second"]),
        (OSError("full"), 2, ["second"]),
        (MaybeSent("cut"), 0, ["first", "second"]),
        (MaybeSent("cut"), 1, ["second"]),
        (MaybeSent("cut"), 2, []),
        (asyncio.CancelledError(), 1, ["second"]),
    ],
    ids=str,
)
async def test_what_fails_again_is_kept_on(error: BaseException, taken: int, kept: list[str]) -> None:
    undelivered = Outbox(StateInMemory())
    await undelivered.store(CONVERSATION, [sentence("first"), sentence("second")], unsure=False)
    sent: list[str] = []

    async def send(message: Any) -> None:
        if len(sent) == taken:
            raise error
        sent.append(message.text)

    with contextlib.suppress(asyncio.CancelledError):
        await undelivered.deliver(CONVERSATION, send, may_read, logger("test"))
    assert sent == [say(Sentence.LATE), "first"][:taken]
    assert await deliver(undelivered) == ([say(Sentence.LATE), *kept] if kept else [])
    assert await deliver(undelivered) == []
