"""A connector on a real socket that fails as connectors do, and what the person has in the end.

It speaks HTTP byte by byte. What it does with a request is scripted for each kind of activity, and
whatever it *took* it keeps, also where the bot could not hear of it: the person has read that.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

import aiohttp

from bot.languages import Sentence, say

from .running import message
from .streamed_answers import SCALED
from .streaming_connector import COMPLETED, metadata

SOON: Final = 60.0
"""Seconds within which anything happens, on a machine with much else to do."""

Activity = dict[str, Any]


@dataclass(slots=True, eq=False)
class Exchange:
    """One activity of the bot's on its way in, and the way back."""

    connector: FaultConnector
    writer: asyncio.StreamWriter
    activity: Activity

    @property
    def kind(self) -> str:
        """``final`` for a message, ``interim`` for a piece of a stream, ``dots`` for bare typing."""
        if self.activity["type"] == "message":
            return "final"
        return "interim" if metadata(self.activity) else "dots"

    def take(self) -> str:
        """The person has it from now on; its id."""
        self.connector.taken.append(self.activity)
        self.connector.tell()
        return f"a{len(self.connector.taken)}"

    async def say(self, status: int, body: bytes, content_type: str, **headers: str) -> None:
        """A whole response."""
        await self.write(head(status, len(body), content_type, **headers) + body)

    async def write(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    def reset(self) -> None:
        """Close with RST instead of FIN."""
        linger = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.transport.abort()


Behaviour = Callable[[Exchange], Awaitable[None]]


def head(status: int, length: int, content_type: str, **headers: str) -> bytes:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    lines = {"Content-Type": content_type, "Content-Length": str(length)} | named
    told = [f"HTTP/1.1 {status} Whatever", *(f"{name}: {value}" for name, value in lines.items()), "", ""]
    return "\r\n".join(told).encode()


# How connectors behave


async def well(exchange: Exchange) -> None:
    # Teams takes one final of a stream; elsewhere another takes the place of the first.
    if exchange.activity["channelId"] == "msteams" and exchange.connector.has_final_of(exchange.activity):
        error = {"error": {"code": COMPLETED.code, "message": COMPLETED.message}}
        await exchange.say(COMPLETED.status, json.dumps(error).encode(), "application/json")
    else:
        await exchange.say(200, json.dumps({"id": exchange.take()}).encode(), "application/json")


async def hanging(exchange: Exchange) -> None:
    """Takes it, and never says so."""
    exchange.take()
    await asyncio.Event().wait()


async def cut_after_send(exchange: Exchange) -> None:
    exchange.take()
    exchange.reset()


async def cut_while_answering(exchange: Exchange) -> None:
    exchange.take()
    await exchange.write(head(200, 100, "application/json") + b'{"id": "a')
    exchange.writer.close()


async def never_ending(exchange: Exchange) -> None:
    """Takes it, and goes on answering."""
    exchange.take()
    await exchange.write(head(200, 1 << 30, "application/json") + b'{"id": "')
    while True:
        await exchange.write(b"a" * 1000)
        await asyncio.sleep(0.01)


async def no_http(exchange: Exchange) -> None:
    exchange.take()
    await exchange.write(b"SSH-2.0-OpenSSH_9.6\r\n")
    exchange.writer.close()


async def well_for_the_last_time(exchange: Exchange) -> None:
    """Takes it, and closes the connection that it said it would keep."""
    await well(exchange)
    exchange.writer.close()


async def well_and_gone(exchange: Exchange) -> None:
    """Takes it, and is not there any more."""
    await well(exchange)
    exchange.connector.shut()


def slowly(seconds: float) -> Behaviour:
    async def behave(exchange: Exchange) -> None:
        await asyncio.sleep(seconds)
        await well(exchange)

    return behave


def refusing(
    status: int, body: bytes = b"", content_type: str = "application/json", **headers: str
) -> Behaviour:
    async def behave(exchange: Exchange) -> None:
        error = {"error": {"code": "ServiceError", "message": "canary-of-the-connector"}}
        await exchange.say(status, body or json.dumps(error).encode(), content_type, **headers)

    return behave


def taking(body: bytes, content_type: str = "application/json", status: int = 200) -> Behaviour:
    """Takes it, and says so in another way."""

    async def behave(exchange: Exchange) -> None:
        exchange.take()
        await exchange.say(status, body, content_type)

    return behave


class FaultConnector:
    """Serves its script: for each kind of activity the behaviours towards the next ones; then all is well."""

    def __init__(self, channel_id: str = "webchat", **faults: Iterable[Behaviour]) -> None:
        self.channel_id = channel_id
        self.taken: list[Activity] = []
        """What the person has, as it came."""
        self.asked: defaultdict[str, list[Activity]] = defaultdict(list)
        """What came of each kind, taken or not."""
        self._faults: dict[str, Iterator[Behaviour]] = {kind: iter(script) for kind, script in faults.items()}
        self._news = asyncio.Event()
        self._serving: set[asyncio.Task[None]] = set()
        # A bound port on which nobody listens refuses connections, and stays ours.
        self._socket = _bound(0)
        self._port: int = self._socket.getsockname()[1]
        self._server: asyncio.Server | None = None

    @property
    def service_url(self) -> str:
        return f"http://127.0.0.1:{self._port}/"

    async def listen(self) -> None:
        self._server = await asyncio.start_server(self._handle, sock=self._socket, backlog=4096)

    def shut(self) -> None:
        """Close the port and every connection, until it is told to listen again."""
        if self._server:
            self._server.close()
        for task in self._serving:
            task.cancel()
        self._socket.close()
        self._socket = _bound(self._port)

    async def close(self) -> None:
        self.shut()
        await asyncio.gather(*self._serving, return_exceptions=True)
        self._socket.close()

    async def came(self, kind: str, count: int = 1) -> None:
        """Wait until so many of a kind have come, taken or not."""
        await self._until(lambda: len(self.asked[kind]) >= count)

    async def took(self, kind: str, count: int = 1) -> None:
        """Wait until so many of a type have been taken."""
        await self._until(lambda: sum(one["type"] == kind for one in self.taken) >= count)

    def tell(self) -> None:
        """Something has come, or has been taken."""
        self._news.set()
        self._news = asyncio.Event()

    def given(self, conversation: str) -> list[Activity]:
        """The messages that the person has, in order. A stream's finals take each other's place."""
        seen: dict[str, Activity] = {}
        for number, activity in enumerate(self.taken):
            if activity["type"] == "message" and activity["conversation"]["id"] == conversation:
                seen[metadata(activity).get("streamId", f"#{number}")] = activity
        return list(seen.values())

    def has_final_of(self, activity: Activity) -> bool:
        stream = metadata(activity).get("streamId")
        return stream is not None and any(
            metadata(one).get("streamId") == stream and one["type"] == "message" for one in self.taken
        )

    async def _until(self, happened: Callable[[], bool]) -> None:
        async with asyncio.timeout(SOON):
            while not happened():
                await self._news.wait()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while not writer.is_closing():
                    await self._serve(Exchange(self, writer, json.loads(await _body(reader))))
        finally:
            writer.close()

    async def _serve(self, exchange: Exchange) -> None:
        kind = exchange.kind
        self.asked[kind].append(exchange.activity)
        self.tell()
        await next(self._faults.get(kind, iter(())), well)(exchange)


def _bound(port: int) -> socket.socket:
    one = socket.socket()
    if sys.platform != "win32":  # there it would let others share the port
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.bind(("127.0.0.1", port))
    return one


async def _body(reader: asyncio.StreamReader) -> bytes:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    return await reader.readexactly(int(headers["content-length"]))


@contextlib.asynccontextmanager
async def failing(
    channel_id: str = "webchat", *, listens: bool = True, **faults: Iterable[Behaviour]
) -> AsyncIterator[FaultConnector]:
    """A connector with this script; without ``listens`` its port is closed until it is told to."""
    connector = FaultConnector(channel_id, **faults)
    if listens:
        await connector.listen()
    try:
        yield connector
    finally:
        await connector.close()


# What the channel and the person do


@dataclass(slots=True)
class Question:
    """A question in a conversation, and how the bot answered each time that the channel sent it."""

    activity: Activity
    statuses: list[int] = field(default_factory=list)

    @property
    def conversation(self) -> str:
        conversation: str = self.activity["conversation"]["id"]
        return conversation

    @property
    def failed(self) -> bool:
        """Whether the channel shows that it could not be sent."""
        return self.statuses[-1] >= 400

    async def send(self, bot: str, session: aiohttp.ClientSession | None = None, **headers: str) -> int:
        """Send it, perhaps again; the status. A connection that was refused or cut counts as a 502."""
        if session is None:
            async with aiohttp.ClientSession() as one:
                return await self.send(bot, one, **headers)
        try:
            url = f"http://{bot}/api/messages"
            async with session.post(url, json=self.activity, headers=headers) as response:
                await response.read()
                status = response.status
        except aiohttp.ClientConnectionError:
            status = 502
        self.statuses.append(status)
        return status


def question(connector: FaultConnector, text: str, conversation: str = "c1", **fields: Any) -> Question:
    """``text`` as the connector's channel sends it."""
    kind = {"conversationType": "personal"} if connector.channel_id == "msteams" else {}
    where = {"id": conversation, **kind}
    return Question(
        message(
            connector.service_url,
            text,
            **{"channelId": connector.channel_id, "conversation": where, **fields},
        )
    )


def answered_once(connector: FaultConnector, asked: Question, *beginnings: str) -> list[Activity]:
    """What holds whatever fails: no answer is lost without a word to the person, nor given twice.

    The person has the answer, whose messages begin so, or the first ones of it; or one other message;
    or nothing, and then the channel has said that the question could not be sent. What may not have
    arrived may be followed by the sentence that says so. Returns what is no such sentence.
    """
    given = connector.given(asked.conversation)
    assert given or asked.failed, f"nothing was said, and the bot answered {asked.statuses}"
    answers = [
        activity
        for activity in given
        if activity["text"] not in (say(Sentence.CRASHED), say(Sentence.MAYBE_LOST))
    ]
    assert sum(activity["text"] == say(Sentence.CRASHED) for activity in given) <= (0 if answers else 1)
    assert sum(activity["text"] == say(Sentence.MAYBE_LOST) for activity in given) <= 1
    if len(answers) > 1:
        begun = [
            activity["text"].startswith(begin) for activity, begin in zip(answers, beginnings, strict=False)
        ]
        assert begun == [True] * len(answers), [activity["text"] for activity in answers]
    return answers


PACE: Final = replace(SCALED, sending=3)
BEGUN: Final = "Water it [1].\n\nAnd give"
REST: Final = " it shade [2]."
