"""How a server that a source asks can fail, as data, and what must come of each.

The server speaks HTTP on a real socket, byte by byte where that matters. A supplier says what its
good answer is (:class:`Good`); the faults are the same for all.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from bot.config.timeouts import Timeouts
from bot.conversation.outcome import UNREADABLE
from bot.languages import say
from bot.sources import AnswerSource
from bot.sources.errors import (
    AnswerCut,
    AnswerFiltered,
    AnswerTooLong,
    KeyRefused,
    NotFoundAtSource,
    SourceBrokeOff,
    SourceBusy,
    SourceRefused,
    SourceTimedOut,
    SourceUnavailable,
)
from bot.sources.provider import Provider

from ..bot.running import connecting, message, running, send
from ..ports import free_port

DEADLINE: Final = 2.5
"""Seconds in all that a source under test waits for an answer; room for two retries."""
PATIENCE: Final = 1.0
"""Seconds that it waits for the next piece."""
SOON: Final = 60.0
"""Seconds within which anything happens, on a machine with much else to do."""
STOP: Final = b'"finish_reason": "stop"'
"""What a model says that finished because it had said all."""
_PACE: Final = Timeouts(budget=60.0, patience=SOON, typing_after=0.05, typing_every=0.5, farewell=1.0)


class AskingSource(Protocol):
    """A source that asks a provider."""

    provider: Provider


_Source = TypeVar("_Source", bound=AskingSource)


def hurried(source: _Source, deadline: float = DEADLINE, patience: float = PATIENCE) -> _Source:
    """The source, with these timeouts."""
    source.provider.deadline, source.provider.patience = deadline, patience
    return source


@dataclass(frozen=True, slots=True, kw_only=True)
class Good:
    """A supplier's good answer: the pieces of its stream, and what makes a piece of a text."""

    pieces: tuple[bytes, ...]
    piece: Callable[[str], bytes]
    beginning: str
    """Of the final's text, once all of the answer is there; and of what half of it says."""
    content_type: str = "text/event-stream"
    others: Mapping[str, object] = field(default_factory=dict)
    """What the server says to a GET, by path; JSON."""

    @property
    def body(self) -> bytes:
        return b"".join(self.pieces)


@dataclass(slots=True)
class Connection:
    """One request and the way back."""

    writer: asyncio.StreamWriter
    count: int
    """Which request for an answer this is, from 1."""

    async def say(self, status: int, body: bytes, content_type: str, **headers: str) -> None:
        """A whole response."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        lines = {
            "Content-Type": content_type,
            "Content-Length": str(len(body)),
            "Connection": "close",
        } | named
        await self.head(status, lines)
        await self.write(body)

    async def head(self, status: int, headers: Mapping[str, str]) -> None:
        lines = [
            f"HTTP/1.1 {status} Whatever",
            *(f"{name}: {value}" for name, value in headers.items()),
            "",
            "",
        ]
        await self.write("\r\n".join(lines).encode())

    async def begin(self, good: Good) -> None:
        """The head of a response in pieces."""
        await self.head(
            200, {"Content-Type": good.content_type, "Transfer-Encoding": "chunked", "Connection": "close"}
        )

    async def piece(self, data: bytes) -> None:
        await self.write(b"%x\r\n%s\r\n" % (len(data), data))

    async def end(self) -> None:
        await self.write(b"0\r\n\r\n")

    async def write(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    def reset(self) -> None:
        """Close with RST instead of FIN."""
        linger = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.transport.abort()


Behaviour = Callable[[Connection, Good], Awaitable[None]]


# How servers behave


async def well(connection: Connection, good: Good) -> None:
    await connection.begin(good)
    for piece in good.pieces:
        await connection.piece(piece)
    await connection.end()


async def slow(connection: Connection, good: Good) -> None:
    await connection.begin(good)
    for piece in good.pieces:
        await asyncio.sleep(PATIENCE / 20)
        await connection.piece(piece)
    await connection.end()


async def reset(connection: Connection, good: Good) -> None:
    connection.reset()


async def closed(connection: Connection, good: Good) -> None:
    return


async def no_http(connection: Connection, good: Good) -> None:
    await connection.write(b"SSH-2.0-OpenSSH_9.6\r\n")


async def hanging(connection: Connection, good: Good) -> None:
    await asyncio.Event().wait()


async def hanging_behind_the_head(connection: Connection, good: Good) -> None:
    await connection.begin(good)
    await asyncio.Event().wait()


async def hanging_in_the_middle(connection: Connection, good: Good) -> None:
    await connection.begin(good)
    for piece in good.pieces[: len(good.pieces) // 2]:
        await connection.piece(piece)
    await asyncio.Event().wait()


async def reset_in_the_middle(connection: Connection, good: Good) -> None:
    await connection.begin(good)
    for piece in good.pieces[: len(good.pieces) // 2]:
        await connection.piece(piece)
    await asyncio.sleep(0.2)  # a reset takes along what has not been read
    connection.reset()


async def keeping_alive(connection: Connection, good: Good) -> None:
    await connection.begin(good)
    while True:
        await connection.piece(b": keep-alive\n\n")
        await asyncio.sleep(0.02)


async def never_ending(connection: Connection, good: Good) -> None:
    await connection.begin(good)
    while True:
        await connection.piece(good.piece("on and "))
        await asyncio.sleep(0.02)


async def ten_megabytes(connection: Connection, good: Good) -> None:
    await connection.begin(good)
    for _ in range(1000):
        await connection.piece(good.piece("lorem ipsum " * 850))
    await connection.end()


async def ten_megabytes_in_a_line(connection: Connection, good: Good) -> None:
    await connection.say(200, b"data: " + b"x" * 10_000_000 + b"\n\n", good.content_type)


async def ten_megabytes_of_json(connection: Connection, good: Good) -> None:
    await connection.say(200, b'{"answer": "' + b"x" * 10_000_000 + b'"}', "application/json")


def finishing(reason: str | None) -> Behaviour:
    """All of the good answer, whose model finished for another reason."""

    async def behave(connection: Connection, good: Good) -> None:
        assert STOP in good.body
        await connection.begin(good)
        for piece in good.pieces:
            await connection.piece(piece.replace(STOP, b'"finish_reason": ' + json.dumps(reason).encode()))
        await connection.end()

    return behave


def status(code: int, **headers: str) -> Behaviour:
    async def behave(connection: Connection, good: Good) -> None:
        body = json.dumps({"error": {"message": "wk-secret"}, "detail": "wk-secret"}).encode()
        await connection.say(code, body, "application/json", **headers)

    return behave


def body(data: bytes, content_type: str) -> Behaviour:
    async def behave(connection: Connection, good: Good) -> None:
        await connection.say(200, data, content_type or good.content_type)

    return behave


def at_first(behaviour: Behaviour, times: int) -> Behaviour:
    async def behave(connection: Connection, good: Good) -> None:
        await (behaviour if connection.count <= times else well)(connection, good)

    return behave


def cut(place: int, *, end: bool) -> Behaviour:
    """The stream is cut behind this byte, with an end that is well or with a reset."""

    async def behave(connection: Connection, good: Good) -> None:
        await connection.begin(good)
        if place:
            await connection.piece(good.body[:place])
        if end:
            await connection.end()
        else:
            connection.writer.close()  # no last chunk, so that the response is not complete

    return behave


# What comes of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What a server does, and what has to become of it.

    ``ends`` is the sentence with which the person's one message ends, or None for the whole answer;
    ``asked`` is how often the source asks, ``partly`` whether a part of the answer is shown, ``fails``
    whether the breaker counts it.
    """

    behave: Behaviour | None
    ends: str | None
    asked: int = 1
    partly: bool = False
    fails: bool = True


FAULTS: Final[Mapping[str, Fault]] = {
    "none": Fault(behave=well, ends=None, fails=False),
    "slow": Fault(behave=slow, ends=None, fails=False),
    "refused": Fault(behave=None, ends=say(SourceUnavailable.message), asked=0),
    "reset": Fault(behave=reset, ends=say(SourceUnavailable.message), asked=3),
    "closed without a word": Fault(behave=closed, ends=say(SourceUnavailable.message), asked=3),
    "no HTTP": Fault(behave=no_http, ends=say(SourceUnavailable.message), asked=3),
    "hanging": Fault(behave=hanging, ends=say(SourceTimedOut.message)),
    "hanging behind the head": Fault(behave=hanging_behind_the_head, ends=say(SourceTimedOut.message)),
    "hanging in the middle": Fault(behave=hanging_in_the_middle, ends=say(SourceTimedOut.suffix), partly=True),
    "reset in the middle": Fault(behave=reset_in_the_middle, ends=say(SourceBrokeOff.suffix), partly=True),
    "only signs of life": Fault(behave=keeping_alive, ends=say(SourceTimedOut.message)),
    "302": Fault(behave=status(302, Location="/v1/elsewhere"), ends=say(NotFoundAtSource.message), fails=False),
    "400": Fault(behave=status(400), ends=say(SourceRefused.message), fails=False),
    "401": Fault(behave=status(401), ends=say(KeyRefused.message), fails=False),
    "403": Fault(behave=status(403), ends=say(KeyRefused.message), fails=False),
    "404": Fault(behave=status(404), ends=say(NotFoundAtSource.message), fails=False),
    "422": Fault(behave=status(422), ends=say(SourceRefused.message), fails=False),
    "429, and again": Fault(behave=status(429, Retry_After="0"), ends=say(SourceBusy.message), asked=3),
    "429, come again in an hour": Fault(behave=status(429, Retry_After="3600"), ends=say(SourceBusy.message)),
    "429, then well": Fault(behave=at_first(status(429, Retry_After="1"), 1), ends=None, asked=2, fails=False),
    "500": Fault(behave=status(500), ends=say(SourceUnavailable.message), asked=3),
    "503": Fault(behave=status(503), ends=say(SourceUnavailable.message), asked=3),
    "503 twice, then well": Fault(behave=at_first(status(503), 2), ends=None, asked=3, fails=False),
    "HTML with 200": Fault(behave=body(b"<!doctype html><title>Gateway</title>", "text/html"), ends=say(UNREADABLE.message)),
    "nothing with 200": Fault(behave=body(b"", ""), ends=say(UNREADABLE.message)),
    "nothing with 200, as JSON": Fault(behave=body(b"", "application/json"), ends=say(UNREADABLE.message)),
    "malformed JSON": Fault(behave=body(b'{"answer": "a', "application/json"), ends=say(UNREADABLE.message)),
    "malformed JSON in an event": Fault(behave=body(b'data: {"answer": \n\n', ""), ends=say(UNREADABLE.message)),
    "JSON of another kind": Fault(behave=body(b"[1]", "application/json"), ends=say(UNREADABLE.message)),
    "an error in an event": Fault(behave=body(b'data: {"error": {"message": "wk-secret"}}\n\n', ""), ends=say(UNREADABLE.message)),
    "an event named error": Fault(behave=body(b"event: error\ndata: wk-secret\n\n", ""), ends=say(UNREADABLE.message)),
    "10 MB": Fault(behave=ten_megabytes, ends=say(AnswerTooLong.suffix), partly=True),
    "10 MB in a line": Fault(behave=ten_megabytes_in_a_line, ends=say(UNREADABLE.message)),
    "10 MB of JSON": Fault(behave=ten_megabytes_of_json, ends=say(AnswerTooLong.message)),
    "never ending": Fault(behave=never_ending, ends=say(SourceTimedOut.suffix), partly=True),
}  # fmt: skip
FINISHES: Final[Mapping[str, Fault]] = {
    "at the limit": Fault(behave=finishing("length"), ends=say(AnswerCut.suffix), partly=True, fails=False),
    "in a filter": Fault(behave=finishing("content_filter"), ends=say(AnswerFiltered.suffix), partly=True, fails=False),
    "for a tool": Fault(behave=finishing("tool_calls"), ends=None, fails=False),
    "for no reason": Fault(behave=finishing(None), ends=None, fails=False),
    "for an empty reason": Fault(behave=finishing(""), ends=None, fails=False),
}  # fmt: skip
"""Why the model behind a chat finishes, and what has to become of it."""
_REACHED: Final = (None, say(SourceRefused.message), say(AnswerCut.suffix), say(AnswerFiltered.suffix))
"""How an answer of a source ends that is well, and may answer the next question."""


class FaultyServer:
    """Serves one behaviour, and knows who is still connected."""

    def __init__(self, good: Good, behave: Behaviour | None) -> None:
        self.good = good
        self.behave = behave
        self.asked = 0
        self.url = ""
        self._connected: set[asyncio.StreamWriter] = set()
        self._left = asyncio.Condition()

    async def everybody_left(self) -> None:
        async with asyncio.timeout(SOON), self._left:
            await self._left.wait_for(lambda: not self._connected)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connected.add(writer)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                await self._serve(reader, writer)
        finally:
            writer.close()
            self._connected.discard(writer)
            async with self._left:
                self._left.notify_all()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        method, path = await _request(reader)
        if method == "GET":
            found = self.good.others.get(path)
            answer = json.dumps(found).encode()
            await Connection(writer, 0).say(200 if found else 404, answer, "application/json")
            return
        self.asked += 1
        assert self.behave
        behaving = asyncio.ensure_future(self.behave(Connection(writer, self.asked), self.good))
        leaving = asyncio.ensure_future(reader.read())  # returns when the client has closed
        try:
            await asyncio.wait({behaving, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (behaving, leaving):
                task.cancel()
            await asyncio.gather(behaving, leaving, return_exceptions=True)


async def _request(reader: asyncio.StreamReader) -> tuple[str, str]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    lines = head.split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    await reader.readexactly(int(headers.get("content-length", "0")))
    method, path, _ = lines[0].split(" ")
    return method, path


@contextlib.asynccontextmanager
async def faulty_server(good: Good, behave: Behaviour | None) -> AsyncIterator[FaultyServer]:
    """A server that behaves so; without a behaviour nobody listens at its address."""
    serving = FaultyServer(good, behave)
    port = free_port() if behave is None else 0  # no other process gets it once it is closed
    listening = await asyncio.start_server(serving.handle, "127.0.0.1", port)
    serving.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    if behave is None:
        listening.close()
    try:
        yield serving
    finally:
        listening.close()
        await listening.wait_closed()


async def one_answer(fault: Fault, good: Good, make: Callable[[str], AnswerSource]) -> None:
    """Ask a bot with the source that ``make`` gives for a server's URL, and see all that is promised.

    The person gets one message, which says what became of the answer and nothing of its cause; the
    source asks as often as it should; no task and no connection is left.
    """
    clock = asyncio.get_running_loop()
    before = asyncio.all_tasks()
    async with faulty_server(good, fault.behave) as server:
        source = make(server.url)
        async with connecting() as connector, running(source, timeouts=_PACE) as authority:
            begun = clock.time()
            assert (await send(authority, message(connector.service_url, "What?")))[0] < 300
            async with asyncio.timeout(SOON):
                text = (await connector.next())["text"]
            took = clock.time() - begun
            facts = await source.facts()
        assert server.asked == fault.asked
        assert [one["type"] for one in connector.rest() if one["type"] == "message"] == []
        assert "wk-secret" not in text
        assert took < DEADLINE + SOON / 2
        _says(text, fault, good)
        assert (str(facts["answers"]) == "yes") == (not fault.fails and fault.ends in _REACHED)
        await server.everybody_left()
    async with asyncio.timeout(SOON):
        while asyncio.all_tasks() - before:
            await asyncio.sleep(0.01)


def _says(text: str, fault: Fault, good: Good) -> None:
    if fault.ends in (None, say(AnswerCut.suffix), say(AnswerFiltered.suffix)):
        assert text.startswith(good.beginning)
    if fault.ends is None:
        assert "not complete" not in text
    elif fault.partly:
        assert text.rstrip().endswith(fault.ends) or f"{fault.ends}\n\n[1]: " in text
        assert len(text) > len(fault.ends)
    else:
        assert text == fault.ends
