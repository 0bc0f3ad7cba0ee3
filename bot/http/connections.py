"""Who is connected: no more than so many, and nobody who only takes up room.

aiohttp gives a client as long as it likes for the head of a request, and takes any number of them.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from typing import Any, Final, cast

from aiohttp import web
from aiohttp.typedefs import Handler

from ..telemetry.log import cause, logger

MOST: Final = 2000
"""Connections at once; a channel keeps some open for all its conversations."""
HEAD_PATIENCE: Final = 10.0
"""Seconds for the head of a request, from the connection's beginning or the head's first byte."""
KEEP_ALIVE: Final = 300.0
"""Seconds that a connection may be idle: longer than a proxy keeps it, which would else lose a message
that it sends while we close."""
LINGERING: Final = 2.0
"""Seconds for the rest of a body that was refused, so that the client can read why."""
OTHERS: Final = 500
"""Descriptors for what is no client of ours: connections to channels, sources and stores, and files."""
BACKLOG: Final = 1024
"""Connections that the system holds for us until we take them; it may hold fewer."""

log = logger(__name__)


def connection_limit() -> int:
    """How many connections this process has descriptors for, at most :data:`MOST`.

    It asks the system for as many as it may have: a service of systemd begins with 1,024, a shell of
    macOS with 256. A process that has none left can't send its answers either.
    """
    try:
        import resource  # noqa: PLC0415 - Windows has no such limit
    except ImportError:
        return MOST
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + OTHERS
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        allowed = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
        return max(allowed // 2, allowed - OTHERS)
    return MOST


class Connections:
    """The connections of one server.

    Beyond ``most`` a new one takes the place of the one that has been idle for longest; where none
    is idle, it is closed.
    """

    def __init__(self, *, most: int = MOST, head_patience: float = HEAD_PATIENCE) -> None:
        self.most = most
        self.head_patience = head_patience
        self._idle: dict[Connection, None] = {}
        self._attended: set[Connection] = set()
        self._quiet = asyncio.Event()
        self._quiet.set()

    async def listen(self, server: web.Server, listener: socket.socket) -> asyncio.Server:
        """Take the connections that come to ``listener``."""
        loop = asyncio.get_running_loop()
        return await loop.create_server(lambda: Connection(self, server), sock=listener, backlog=BACKLOG)

    async def quiet(self) -> None:
        """Wait until no request is being answered."""
        await self._quiet.wait()

    def add(self, connection: Connection) -> bool:
        """Whether there is room for a new connection."""
        if len(self._idle) + len(self._attended) >= self.most:
            oldest = next(iter(self._idle), None)
            if oldest is None:
                return False
            self.drop(oldest)
            oldest.force_close()
        self._idle[connection] = None
        return True

    def attend(self, connection: Connection) -> None:
        """A request has come, and is being answered."""
        self._idle.pop(connection, None)
        self._attended.add(connection)
        self._quiet.clear()

    def leave(self, connection: Connection) -> None:
        """The request is answered: the connection is idle from now on, if it is still there."""
        if connection in self._attended:
            self.drop(connection)
            self._idle[connection] = None

    def drop(self, connection: Connection) -> None:
        """The connection is gone."""
        self._idle.pop(connection, None)
        self._attended.discard(connection)
        if not self._attended:
            self._quiet.set()


class Connection(web.RequestHandler):
    """aiohttp's protocol for one connection, which doesn't wait for the head of a request for ever."""

    __slots__ = ("_attended", "_connections", "_deadline")

    def __init__(self, connections: Connections, server: web.Server) -> None:
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            access_log=cast("Any", None),
            keepalive_timeout=KEEP_ALIVE,
            lingering_time=LINGERING,
            auto_decompress=False,  # bodies that are compressed are refused
        )
        self._connections = connections
        self._attended = False
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody has connected."""
        super().connection_made(transport)
        if self._connections.add(self):
            self._expect_head()
        else:
            self.force_close()

    def data_received(self, data: bytes) -> None:
        """A part of a request has come."""
        if not self._attended and self._deadline is None:
            self._expect_head()
        super().data_received(data)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Nobody is there any more; a request that is being answered goes on."""
        self._forget_head()
        self._connections.drop(self)
        super().connection_lost(exc)

    def log_exception(self, *_: Any, exc_info: BaseException | None = None, **__: Any) -> None:
        """One line about a request that could not be read or answered; its error may quote what was sent."""
        log.error("request failed", cause=cause(exc_info) if exc_info else "unknown")

    @contextlib.contextmanager
    def attend(self) -> Iterator[None]:
        """While a request is answered whose head has come."""
        self._attended = True
        self._forget_head()
        self._connections.attend(self)
        try:
            yield
        finally:
            self._attended = False
            self._connections.leave(self)

    def _expect_head(self) -> None:
        later = asyncio.get_running_loop().call_later
        self._deadline = later(self._connections.head_patience, self.force_close)

    def _forget_head(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


@web.middleware
async def track_request(request: web.Request, handler: Handler) -> web.StreamResponse:
    """The middleware that tells a :class:`Connection` that its request has come; it is to be the first."""
    connection = request.protocol
    if not isinstance(connection, Connection):
        return await handler(request)
    with connection.attend():
        return await handler(request)
