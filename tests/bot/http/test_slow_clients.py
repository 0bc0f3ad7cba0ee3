"""Clients that take their time, or only take up room: none holds a connection for ever, nor a place."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator

import pytest

from bot.app.application import build_app
from bot.app.server import open_server
from bot.app.settings import Settings
from bot.http import body
from bot.http.connections import Connections
from tests.bot.running import PROMPT, Connector, connecting, logged, message, send
from tests.bot.table_source import TableSource

HEAD = "POST /api/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.fixture
async def connector() -> AsyncIterator[Connector]:
    async with connecting() as one:
        yield one


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "TIMEOUT", 0.5)


@contextlib.asynccontextmanager
async def strict(*, most: int = 50, head: float = 0.5) -> AsyncIterator[str]:
    """The bot with little patience, and few connections."""
    listener = socket.create_server(("127.0.0.1", 0))
    authority = f"127.0.0.1:{listener.getsockname()[1]}"
    app = build_app(Settings(), TableSource(), authority=authority, timeouts=PROMPT)
    connections = Connections(most=most, head_timeout=head)
    async with open_server(app, listener, grace=0, connections=connections):
        yield authority


@pytest.mark.skipif(sys.platform == "win32", reason="Windows counts no descriptors")
@pytest.mark.parametrize(
    ("allowed", "most", "expected"), [(256, 4000, 2000), (300, 300, 150), (1024, 1024, 524)]
)
def test_no_more_are_taken_than_there_are_descriptors_for(allowed: int, most: int, expected: int) -> None:
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({allowed}, {most}))"
    asked = f"{limit}\nfrom bot.http.connections import connection_limit; print(connection_limit())"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, check=True, timeout=60)
    assert int(told.stdout) == expected


class Wire:
    """One connection, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def say(self, data: bytes | str) -> None:
        with contextlib.suppress(ConnectionError):
            self.writer.write(data.encode() if isinstance(data, str) else data)
            await self.writer.drain()

    async def trickle(self, data: str, every: float = 0.05) -> None:
        """A byte at a time, for as long as somebody listens."""
        for byte in data:
            if self.writer.is_closing():
                return
            await self.say(byte)
            await asyncio.sleep(every)

    async def status(self) -> int:
        """Of the next response; 0 where the connection is closed instead."""
        with contextlib.suppress(ConnectionError, EOFError):
            async with asyncio.timeout(60):
                head = await self.reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
                await self.reader.readexactly(length)
                return int(head.split()[1])
        return 0

    async def closed(self) -> None:
        """Wait until the other side has hung up."""
        async with asyncio.timeout(60):
            with contextlib.suppress(ConnectionError):
                while await self.reader.read(4096):
                    pass


@contextlib.asynccontextmanager
async def connected(authority: str) -> AsyncIterator[Wire]:
    host, port = authority.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield Wire(reader, writer)
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def still_serves(bot: str, connector: Connector, name: str) -> None:
    assert (await send(bot, message(connector.service_url, "fern", id=name)))[0] == 201


async def test_who_says_nothing_is_hung_up_on(connector: Connector) -> None:
    with logged() as log:
        async with strict() as bot, connected(bot) as wire:
            started = time.monotonic()
            await wire.closed()
            assert time.monotonic() - started > 0.3
            await still_serves(bot, connector, "1")
    [line] = [json.loads(line) for line in log.getvalue().splitlines() if "connection closed" in line]
    assert (line["reason"], line["level"]) == ("head timeout", "warning")


@contextlib.contextmanager
def stopped(monkeypatch: pytest.MonkeyPatch, seconds: float = 1) -> Iterator[None]:
    """The process stands still for some ``seconds`` when its event loop waits next, and goes on as after SIGCONT.

    The call for what has come is interrupted, and its time is over: nothing seems to have come.
    """
    selector = asyncio.get_running_loop()._selector  # type: ignore[attr-defined]

    def interrupted(_: float | None) -> list[object]:
        patched.undo()
        time.sleep(seconds)
        return []

    with monkeypatch.context() as patched:
        patched.setattr(selector, "select", interrupted)
        yield


async def test_whose_head_is_there_is_answered_however_long_the_process_stood_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What came meanwhile lies in the sockets. One that had said nothing yet has the rest of its time."""
    async with strict(head=2) as bot, contextlib.AsyncExitStack() as stack:
        wires = [await stack.enter_async_context(connected(bot)) for _ in range(40)]
        await asyncio.sleep(0.1)  # they are accepted
        with stopped(monkeypatch, 3):
            for wire in wires:
                await wire.say(HEALTH)
            assert [await wire.status() for wire in wires] == [200] * 40


async def test_whose_body_is_there_is_read_however_long_the_process_stood_still(
    quick: None, connector: Connector, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = json.dumps(message(connector.service_url, "fern", id="1"))
    async with strict() as bot, connected(bot) as wire:
        await wire.say(f"{HEAD}Content-Length: {len(said.encode())}\r\n\r\n{said[:10]}")
        await asyncio.sleep(0.1)  # its handler waits for the rest
        with stopped(monkeypatch):
            await wire.say(said[10:])
            assert await wire.status() == 201


async def test_a_head_that_trickles_is_not_waited_for(connector: Connector) -> None:
    async with strict() as bot, contextlib.AsyncExitStack() as stack:
        wires = [await stack.enter_async_context(connected(bot)) for _ in range(10)]
        trickling = [asyncio.create_task(wire.trickle(HEAD * 20)) for wire in wires]
        await still_serves(bot, connector, "1")
        await asyncio.gather(*(wire.closed() for wire in wires))
        for task in trickling:
            task.cancel()


async def test_nor_is_the_head_of_a_second_request() -> None:
    async with strict() as bot, connected(bot) as wire:
        await wire.say(HEALTH)
        assert await wire.status() == 200
        await asyncio.sleep(1)  # longer than a head may take: this connection is only idle
        await wire.say(HEALTH)
        assert await wire.status() == 200
        trickling = asyncio.create_task(wire.trickle(HEAD * 20))
        await wire.closed()
        trickling.cancel()


@pytest.mark.parametrize("length", ["Content-Length: 1000", "Transfer-Encoding: chunked"])
async def test_a_body_that_trickles_is_408(quick: None, connector: Connector, length: str) -> None:
    async with strict() as bot, connected(bot) as wire:
        await wire.say(f"{HEAD}{length}\r\n\r\n")
        trickling = asyncio.create_task(wire.trickle("1\r\n{\r\n" if "chunked" in length else "{" * 900))
        assert await wire.status() == 408
        trickling.cancel()
        await wire.closed()
        await still_serves(bot, connector, "1")


async def test_a_slow_head_is_no_slow_body(quick: None, connector: Connector) -> None:
    """What comes in time is answered, however many pieces it comes in."""
    async with strict(head=20) as bot, connected(bot) as wire:
        written = json.dumps(message(connector.service_url, "fern"))
        await wire.trickle(f"{HEAD}Content-Length: {len(written)}\r\n\r\n", every=0.01)
        await wire.say(written[:100])
        await asyncio.sleep(0.1)
        await wire.say(written[100:])
        assert await wire.status() == 201


async def test_a_body_that_breaks_off_is_nothing(connector: Connector) -> None:
    with logged() as log:
        async with strict() as bot:
            async with connected(bot) as wire:
                await wire.say(f"{HEAD}Content-Length: 1000\r\n\r\n{{")
            async with connected(bot) as wire:
                await wire.say(f"{HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n")
                assert await wire.status() == 400
            await still_serves(bot, connector, "1")
            async with connected(bot) as wire:
                await wire.say("canary-of-a-person\r\n\r\n")
                assert await wire.status() == 400
    assert "Traceback" not in log.getvalue()
    assert "canary" not in log.getvalue()
    assert "request failed" in log.getvalue()


async def test_beyond_so_many_the_longest_idle_goes(connector: Connector) -> None:
    async with strict(most=5, head=60) as bot, contextlib.AsyncExitStack() as stack:
        wires = [await stack.enter_async_context(connected(bot)) for _ in range(5)]
        for wire in wires:
            await wire.say(HEALTH)
            assert await wire.status() == 200
        await wires[0].say(HEALTH)
        assert await wires[0].status() == 200
        await still_serves(bot, connector, "1")
        await wires[1].closed()
        for wire in (*wires[2:], wires[0]):
            await wire.say(HEALTH)
            assert await wire.status() == 200


async def test_a_crowd_that_says_nothing_keeps_nobody_out(connector: Connector) -> None:
    async with strict(most=20, head=60) as bot, contextlib.AsyncExitStack() as stack:
        for number in range(100):
            await stack.enter_async_context(connected(bot))
            if number % 20 == 19:
                await still_serves(bot, connector, f"{number}")


async def test_where_all_are_being_answered_there_is_no_room(quick: None, connector: Connector) -> None:
    async with strict(most=3, head=60) as bot, contextlib.AsyncExitStack() as stack:
        for _ in range(3):
            wire = await stack.enter_async_context(connected(bot))
            await wire.say(f"{HEAD}Content-Length: 1000\r\n\r\n{{")
        await asyncio.sleep(0.1)
        async with connected(bot) as fourth:
            await fourth.say(HEALTH)
            assert await fourth.status() == 0
        await asyncio.sleep(1)
        await still_serves(bot, connector, "1")
