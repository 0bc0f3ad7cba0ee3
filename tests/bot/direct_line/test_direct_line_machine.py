"""The local Direct Line service, and people, pages and a bot that use it in any order."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import aiohttp
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from bot.direct_line import SERVICE
from bot.direct_line.conversation import Conversation
from bot.direct_line.tokens import LIFETIME, Tokens
from bot.http.body import LARGEST
from tests.bot.running import running_app
from tests.bot.table_source import TableSource
from tests.depth import examples, is_deep

WHICH = st.integers(0, 9)
"""One of those that there are."""
GARBAGE = ("", "-1", "x", "1e3", "٣", "9" * 40, " ", "null")
SAID = ("How often should I water a fern?", "And the cup?", "fail", "more", "2", "\ud83d🙂", "", "<b>[1]</b>")
BOT_SAYS: tuple[dict[str, Any], ...] = (
    {"type": "message", "text": "It is so."},
    {"type": "typing"},
    {"type": "event", "name": "x", "value": {"a": [1]}},
    {
        "type": "message",
        "text": "",
        "from": {"id": "somebody", "role": "user"},
        "serviceUrl": "http://evil.example/",
    },
    {"type": "typing", "text": "It", "channelData": {"streamType": "streaming", "streamSequence": 1}},
)
ODD: tuple[Any, ...] = ([], 7, "x", {}, {"type": 1}, {"type": None, "text": "x"})


@dataclass(slots=True)
class Talk:
    """What is known of a conversation without looking at it."""

    id: str
    user: str
    said: dict[str, str] = field(default_factory=dict)
    """What its person has said, by the id that the service gave it, and the client's own id for it."""
    by_bot: list[str] = field(default_factory=list)
    removed: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Reader:
    """A page: its token, and all activities that it was given, however it was given them."""

    talk: Talk
    token: str
    until: float
    """When the token ends."""
    watermark: str = ""
    since: int = 0
    """What it got before this number, it need not have got."""
    got: list[dict[str, Any]] = field(default_factory=list)
    socket: aiohttp.ClientWebSocketResponse | None = None
    listening: asyncio.Task[None] | None = None

    def take(self, received: dict[str, Any]) -> None:
        self.got += received["activities"]
        assert isinstance(received["watermark"], str)
        assert received["watermark"].isdigit()
        self.watermark = received["watermark"]


class DirectLineUsed(RuleBasedStateMachine):
    """Three people at most, each with as many pages as they like, and a bot that also speaks unasked."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.open = AsyncExitStack()
        self.now = 1_000_000.0
        self.talks: list[Talk] = []
        self.readers: list[Reader] = []
        self.run(self._begin())

    def run(self, step: Any) -> Any:
        async def in_time() -> Any:
            async with asyncio.timeout(60):
                return await step

        return self.runner.run(in_time())

    async def _begin(self) -> None:
        self.authority, app = await self.open.enter_async_context(running_app(TableSource()))
        self.session = await self.open.enter_async_context(aiohttp.ClientSession())
        self.service = app[SERVICE]
        self.service.tokens = Tokens(clock=lambda: self.now)

    async def call(self, method: str, path: str, token: str = "", **body: Any) -> tuple[int, Any]:
        """The status, and the JSON of the answer, which every answer but that of DELETE is."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with self.session.request(
            method, f"http://{self.authority}/v3/{path}", headers=headers, **body
        ) as answer:
            assert answer.status < HTTPStatus.INTERNAL_SERVER_ERROR, await answer.text()
            return answer.status, await answer.json() if answer.content_type == "application/json" else None

    async def ok(self, method: str, path: str, token: str = "", **body: Any) -> Any:
        status, answer = await self.call(method, path, token, **body)
        assert status < HTTPStatus.BAD_REQUEST, answer
        return answer

    def reader(self, which: int) -> Reader:
        return self.readers[which % len(self.readers)]

    def talk(self, which: int) -> Talk:
        return self.talks[which % len(self.talks)]

    def valid(self, reader: Reader) -> bool:
        return self.now < reader.until

    # People and their pages

    @initialize()
    def first(self) -> None:
        self.begin()

    @precondition(lambda self: len(self.talks) < 3)
    @rule()
    def begin(self) -> None:
        """Somebody opens the page."""
        user = f"u{len(self.talks)}"
        made = self.run(self.ok("POST", "directline/tokens/generate", json={"user": {"id": user}}))
        before = self.run(
            self.call("GET", f"directline/conversations/{made['conversationId']}", made["token"])
        )
        assert before[0] == HTTPStatus.NOT_FOUND, "it was not started"
        status, started = self.run(self.call("POST", "directline/conversations", made["token"]))
        assert (status, started["conversationId"]) == (HTTPStatus.CREATED, made["conversationId"])
        self.talks.append(Talk(made["conversationId"], user))
        self.readers.append(Reader(self.talks[-1], started["token"], self.now + LIFETIME))

    @rule(which=WHICH)
    def another_page(self, which: int) -> None:
        """The same conversation in another window: started before, it goes on."""
        reader = self.reader(which)
        if self.valid(reader):
            status, started = self.run(self.call("POST", "directline/conversations", reader.token))
            assert (status, started["conversationId"]) == (HTTPStatus.OK, reader.talk.id)
            self.readers.append(Reader(reader.talk, started["token"], self.now + LIFETIME))

    @rule(which=WHICH)
    def refresh(self, which: int) -> None:
        reader = self.reader(which)
        status, made = self.run(self.call("POST", "directline/tokens/refresh", reader.token))
        assert status == (HTTPStatus.OK if self.valid(reader) else HTTPStatus.FORBIDDEN)
        if status == HTTPStatus.OK:
            assert made["conversationId"] == reader.talk.id
            reader.token, reader.until = made["token"], self.now + LIFETIME

    @rule(hours=st.sampled_from([1, 13, 25]))
    def sleep(self, hours: int) -> None:
        self.now += hours * 3600

    @rule(which=WHICH, text=st.sampled_from(SAID), own=st.sampled_from(["a", "b"]), type_=st.sampled_from(["message", "event", "typing", "x"]))  # fmt: skip
    def say(self, which: int, text: str, own: str, type_: str) -> None:
        """The same ``clientActivityID`` may come again: what was said twice was said twice."""
        said = {"type": type_, "text": text, "from": {"id": "somebody else", "name": "N"}, "channelData": {"clientActivityID": own}}  # fmt: skip
        self._post(self.reader(which), own, json=said)

    @rule(which=WHICH, other=WHICH)
    def say_as_a_piece_of_an_answer(self, which: int, other: int) -> None:
        """A person has no streams, and takes nothing away with one."""
        reader = self.reader(which)
        told = [*reader.talk.by_bot, *reader.talk.said]
        data = {
            "clientActivityID": "s",
            "streamId": told[other % len(told)] if told else "",
            "streamType": "final",
        }
        self._post(reader, "s", json={"type": "message", "text": "x", "channelData": data})

    @rule(which=WHICH)
    def upload(self, which: int) -> None:
        """Files are refused, and change nothing."""
        reader = self.reader(which)
        path = f"directline/conversations/{reader.talk.id}/upload"
        status, _ = self.run(self.call("POST", path, reader.token, data=b"x" * 1000))
        wanted = HTTPStatus.UNSUPPORTED_MEDIA_TYPE if self.valid(reader) else HTTPStatus.FORBIDDEN
        assert status == wanted

    def _post(self, reader: Reader, own: str, **body: Any) -> None:
        path = f"directline/conversations/{reader.talk.id}/activities"
        status, answer = self.run(self.call("POST", path, reader.token, **body))
        assert status == (HTTPStatus.OK if self.valid(reader) else HTTPStatus.FORBIDDEN), answer
        if status == HTTPStatus.OK:
            assert answer["id"] not in reader.talk.said
            reader.talk.said[answer["id"]] = own

    @rule(which=WHICH, other=WHICH, odd=st.sampled_from(ODD))
    def intrude(self, which: int, other: int, odd: Any) -> None:
        """What is not allowed, or is no activity, changes nothing."""
        reader, talk = self.reader(which), self.talk(other)
        path = f"directline/conversations/{talk.id}"
        message = {"type": "message", "text": "x"}
        for token, status in (("", HTTPStatus.UNAUTHORIZED), ("x.y.z", HTTPStatus.FORBIDDEN)):
            assert self.run(self.call("POST", f"{path}/activities", token, json=message))[0] == status
            assert self.run(self.call("GET", f"{path}/activities", token))[0] == status
        if talk is not reader.talk or not self.valid(reader):
            for part in ("", "/activities", f"/stream?t={reader.token}"):
                assert self.run(self.call("GET", path + part, reader.token))[0] == HTTPStatus.FORBIDDEN
            assert (
                self.run(self.call("POST", f"{path}/activities", reader.token, json=message))[0]
                == HTTPStatus.FORBIDDEN
            )
            return
        path += "/activities"
        assert self.run(self.call("POST", path, reader.token, json=odd))[0] == HTTPStatus.BAD_REQUEST
        assert (
            self.run(self.call("POST", path, reader.token, data="{}"))[0] == HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        )
        large = {**message, "text": "x" * LARGEST}
        assert (
            self.run(self.call("POST", path, reader.token, json=large))[0]
            == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        )

    # Reading

    @rule(which=WHICH)
    def poll(self, which: int) -> None:
        reader = self.reader(which)
        if reader.socket is None and self.valid(reader):
            self.run(self._poll(reader))

    async def _poll(self, reader: Reader) -> None:
        path = f"directline/conversations/{reader.talk.id}/activities?watermark={reader.watermark}"
        reader.take(await self.ok("GET", path, reader.token))

    @rule(which=WHICH, garbage=st.sampled_from(GARBAGE), ahead=st.integers(1, 5))
    def poll_oddly(self, which: int, garbage: str, ahead: int) -> None:
        """Without a watermark it is all of it; with one of the future, nothing, and the right one."""
        reader = self.reader(which)
        if self.valid(reader):
            path = f"directline/conversations/{reader.talk.id}/activities"
            params = {"watermark": garbage}
            every = self.run(self.ok("GET", path, reader.token, params=params))
            assert_of(reader.talk, every["activities"])
            late = {"watermark": f"{int(every['watermark']) + ahead + 100}"}
            none = self.run(self.ok("GET", path, reader.token, params=late))
            assert none["activities"] == []
            assert int(none["watermark"]) >= int(every["watermark"])

    @rule(which=WHICH)
    def listen(self, which: int) -> None:
        """Open a socket that goes on where the page is."""
        reader = self.reader(which)
        if reader.socket is None and self.valid(reader):
            self.run(self._listen(reader))

    async def _listen(self, reader: Reader) -> None:
        path = f"directline/conversations/{reader.talk.id}?watermark={reader.watermark}"
        again = await self.ok("GET", path, reader.token)
        reader.token, reader.until = again["token"], self.now + LIFETIME
        reader.socket = await self.session.ws_connect(again["streamUrl"])
        reader.listening = asyncio.create_task(_hear(reader, reader.socket))

    @precondition(lambda self: len(self.readers) < 12)
    @rule(which=WHICH)
    def listen_from_the_future(self, which: int) -> None:
        """A page with a watermark that never was gets what is said from now on."""
        reader = self.reader(which)
        if self.valid(reader):
            another = Reader(reader.talk, reader.token, self.now + LIFETIME, watermark="999999")
            self.readers.append(another)
            self.run(self._listen(another))
            another.watermark, another.since = "", self._log(reader.talk).watermark

    def _log(self, talk: Talk) -> Conversation:
        found = self.service.conversations.get(talk.id)
        assert found is not None
        return found

    @rule(which=WHICH)
    def hang_up(self, which: int) -> None:
        self.run(self._hang_up(self.reader(which)))

    async def _hang_up(self, reader: Reader) -> None:
        if reader.socket is not None and reader.listening is not None:
            await reader.socket.close()
            await reader.listening
            reader.socket = None

    # The bot

    @rule(which=WHICH, activity=st.sampled_from(BOT_SAYS), other=WHICH, reply=st.booleans())
    def bot_says(self, which: int, activity: dict[str, Any], other: int, reply: bool) -> None:
        talk = self.talk(which)
        path = f"conversations/{talk.id}/activities"
        if reply and talk.said:
            path += f"/{[*talk.said][other % len(talk.said)]}"
        talk.by_bot.append(self.run(self.ok("POST", path.replace("|", "%7C"), json=activity))["id"])

    @rule(which=WHICH, other=WHICH)
    def bot_ends_a_stream(self, which: int, other: int) -> None:
        """The pieces before the final are taken back, and so is no other's."""
        talk = self.talk(which)
        if talk.by_bot:
            begun = talk.by_bot[other % len(talk.by_bot)]
            final = {
                "type": "message",
                "text": "It is so.",
                "channelData": {"streamId": begun, "streamType": "final"},
            }
            made = self.run(self.ok("POST", f"conversations/{talk.id}/activities", json=final))
            talk.by_bot.remove(begun)
            talk.by_bot.append(made["id"])

    @rule(which=WHICH, other=WHICH, delete=st.booleans())
    def bot_changes_its_mind(self, which: int, other: int, delete: bool) -> None:
        talk = self.talk(which)
        told = talk.by_bot[other % len(talk.by_bot)] if talk.by_bot else "unknown"
        path = f"conversations/{talk.id}/activities/{told.replace('|', '%7C')}"
        body: dict[str, Any] = (
            {} if delete else {"json": {"type": "message", "text": f"Now {self.now} {len(talk.said)}"}}
        )
        status, _ = self.run(self.call("DELETE" if delete else "PUT", path, **body))
        assert status == (HTTPStatus.OK if talk.by_bot else HTTPStatus.NOT_FOUND)
        if delete and talk.by_bot:
            talk.by_bot.remove(told)
            talk.removed.add(told)

    @rule(user=st.sampled_from(["u0", "somebody"]))
    def bot_begins(self, user: str) -> None:
        """A conversation that nobody has a token for."""
        made = self.run(
            self.ok("POST", "conversations", json={"members": [{"id": user}], "activity": BOT_SAYS[0]})
        )
        assert made["id"] not in {talk.id for talk in self.talks}

    # Afterwards

    def teardown(self) -> None:
        try:
            self.run(self._settle())
        finally:
            self.run(self._end())
            self.runner.close()

    async def _settle(self) -> None:
        """Everybody reads to the end, and has read the same."""
        await self.service.wait_until_idle(10)
        for reader in self.readers:
            if reader.socket is None and self.valid(reader):
                await self._poll(reader)
        for talk in self.talks:
            log = self._log(talk)
            for reader in self.readers:
                if reader.talk is talk and (reader.socket or self.valid(reader)):
                    while int(reader.watermark or reader.since) < log.watermark:
                        assert reader.socket, "the poll was the last"
                        await asyncio.sleep(0.001)
            self._judge(talk, log)

    def _judge(self, talk: Talk, log: Conversation) -> None:
        assert_of(talk, log.after(0))
        there = {activity["id"]: activity for activity in log.after(0)}
        assert len(there) == len(log.after(0)), "an id is there twice"
        assert there.keys().isdisjoint(talk.removed)
        for own_id, own in talk.said.items():
            echo: Any = there[own_id]
            assert (echo["from"]["id"], echo["from"]["role"]) == (talk.user, "user")
            assert echo["channelData"]["clientActivityID"] == own
        assert {one for one in talk.by_bot if one not in there} == set()
        for reader in self.readers:
            if reader.talk is talk:
                self._judge_reader(reader, log)

    def _judge_reader(self, reader: Reader, log: Conversation) -> None:
        assert_of(reader.talk, reader.got)
        seen = [marked(activity) for activity in reader.got]
        assert max(Counter(seen).values(), default=1) == 1, "an activity came twice"
        every, wanted = ([marked(one) for one in log.after(since)] for since in (0, reader.since))
        left = [one for one in seen if one in every]
        if reader.since:
            assert left == every[len(every) - len(left) :]
            assert len(left) >= len(wanted)
        elif reader.socket or self.valid(reader):
            assert left == wanted, "one was missed, or came late"
        else:
            assert left == wanted[: len(left)]

    async def _end(self) -> None:
        for reader in self.readers:
            await self._hang_up(reader)
        await self.open.aclose()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        if left:
            _, left = await asyncio.wait(left, timeout=60)
        assert not {task for task in left if task is not asyncio.current_task()}, left


async def _hear(reader: Reader, socket: aiohttp.ClientWebSocketResponse) -> None:
    async for frame in socket:
        reader.take(frame.json())


def marked(activity: dict[str, Any]) -> str:
    """One telling of an activity: one that is told differently has its time, too."""
    return f"{activity['id']} {activity['timestamp']} {activity.get('text')!r}"


def assert_of(talk: Talk, activities: list[dict[str, Any]]) -> None:
    """Nobody gets what was said elsewhere."""
    for activity in activities:
        assert activity["conversation"] == {"id": talk.id}
        assert str(activity["id"]).startswith(f"{talk.id}|")
        assert "serviceUrl" not in activity


def test_everybody_reads_all_of_their_conversation_once_and_in_order() -> None:
    chosen = settings(
        examples(10, 400),
        stateful_step_count=50 if is_deep() else 30,
        phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to shrink takes longer than to understand
    )
    run_state_machine_as_test(DirectLineUsed, settings=chosen)
