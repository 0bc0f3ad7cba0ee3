"""The server's connections: a limit on their number, and a timeout for the head of a request.

aiohttp limits neither, so that slow or idle clients could take all connections.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from typing import Any, Final, cast

from aiohttp import web
from aiohttp.typedefs import Handler

from ..telemetry import HungUp, emit
from ..telemetry.log import cause, logger

MOST: Final = 2000
"""Connections at once. A channel keeps a few open for all its conversations."""
HEAD_TIMEOUT: Final = 10.0
"""Seconds for the head of a request, from the start of the connection or the head's first byte."""
KEEP_ALIVE: Final = 300.0
"""Seconds that a connection may be idle. This exceeds a proxy's limit: a message is lost if the proxy
sends it while the bot closes the connection."""
LINGERING: Final = 2.0
"""Seconds to read on after a body was refused, so that the client gets the response."""
OTHER_DESCRIPTORS: Final = 500
"""File descriptors for files, and for connections to channels, providers and stores."""
BACKLOG: Final = 1024
"""Connections that the system queues until they are accepted; its own limit may be lower."""

log = logger(__name__)


def connection_limit() -> int:
    """The number of connections that this process has file descriptors for, at most :data:`MOST`.

    It raises its soft limit first: systemd's default is 1,024, and that of a shell on macOS 256. A
    process without free descriptors can't send its answers either.
    """
    try:
        import resource  # noqa: PLC0415 - Windows has no such limit
    except ImportError:
        return MOST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + OTHER_DESCRIPTORS
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(soft // 2, soft - OTHER_DESCRIPTORS)
    return MOST


class Connections:
    """The connections of one server.

    Above ``most``, a new connection replaces the one that has been idle for longest. Where none is
    idle, the new one is closed.
    """

    def __init__(self, *, most: int = MOST, head_timeout: float = HEAD_TIMEOUT) -> None:
        self.most = most
        self.head_timeout = head_timeout
        self.are_ending = False
        """Whether each answer is the last on its connection: no client sends a request into its end."""
        self._idle: dict[Connection, None] = {}
        self._busy: set[Connection] = set()
        self._all_idle = asyncio.Event()
        self._all_idle.set()

    async def listen(self, server: web.Server, listener: socket.socket) -> asyncio.Server:
        """Start to accept connections on ``listener``."""
        loop = asyncio.get_running_loop()
        return await loop.create_server(lambda: Connection(self, server), sock=listener, backlog=BACKLOG)

    async def wait_until_idle(self) -> None:
        """Wait until no request is being answered."""
        await self._all_idle.wait()

    def add(self, connection: Connection) -> bool:
        """Add a new connection; False where the limit is reached and none is idle."""
        if len(self._idle) + len(self._busy) >= self.most:
            oldest = next(iter(self._idle), None)
            if oldest is None:
                return False
            self.remove(oldest)
            oldest.hang_up("too many")
        self._idle[connection] = None
        return True

    def mark_busy(self, connection: Connection) -> None:
        """Note that a request of the connection is being answered."""
        self._idle.pop(connection, None)
        self._busy.add(connection)
        self._all_idle.clear()

    def mark_idle(self, connection: Connection) -> None:
        """Note that its request is answered, unless the connection was removed meanwhile."""
        if connection in self._busy:
            self.remove(connection)
            self._idle[connection] = None

    def remove(self, connection: Connection) -> None:
        """Forget a connection."""
        self._idle.pop(connection, None)
        self._busy.discard(connection)
        if not self._busy:
            self._all_idle.set()


class Connection(web.RequestHandler):
    """aiohttp's protocol for one connection, with a timeout for the head of a request."""

    __slots__ = ("_answering", "_connections", "_deadline")

    def __init__(self, connections: Connections, server: web.Server) -> None:
        super().__init__(
            server,
            loop=asyncio.get_running_loop(),
            access_log=cast("Any", None),
            keepalive_timeout=KEEP_ALIVE,
            lingering_time=LINGERING,
            auto_decompress=False,  # compressed bodies are refused
        )
        self._connections = connections
        self._answering = False
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Add the new connection, or close it where there are too many."""
        super().connection_made(transport)
        if self._connections.add(self):
            self._start_deadline()
        else:
            self.hang_up("too many")

    def data_received(self, data: bytes) -> None:
        """Start the timeout with the first bytes of a request's head, and end it with the last ones.

        A head that is complete may wait long for its answer, where the process was stopped or has much to do.
        """
        if not self._answering and self._deadline is None:
            self._start_deadline()
        super().data_received(data)
        if self._messages:
            self._cancel_deadline()

    def hang_up(self, reason: str) -> None:
        """Close the connection by force. The log and the metrics tell."""
        log.warning("connection closed", reason=reason)
        emit(HungUp(reason))
        self.force_close()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Remove the connection. A request that is being answered goes on."""
        self._cancel_deadline()
        self._connections.remove(self)
        super().connection_lost(exc)

    def log_exception(self, *_: Any, exc_info: BaseException | None = None, **__: Any) -> None:
        """Log a failed request in one line, without the error's message, which may quote the request."""
        log.error("request failed", cause=cause(exc_info) if exc_info else "unknown")

    @contextlib.contextmanager
    def answering(self) -> Iterator[None]:
        """The time in which a request is answered, after its head has been received."""
        self._answering = True
        self._cancel_deadline()
        self._connections.mark_busy(self)
        try:
            yield
        finally:
            self._answering = False
            self._connections.mark_idle(self)

    def end_after(self, response: web.StreamResponse) -> None:
        """Close the connection behind ``response`` where the server ends (RFC 9112 § 9.6)."""
        if self._connections.are_ending:
            response.force_close()

    def _start_deadline(self) -> None:
        later = asyncio.get_running_loop().call_later
        self._deadline = later(self._connections.head_timeout, self._look_once_more)

    def _look_once_more(self) -> None:
        # A process that goes on after a stop sees its timers before what came meanwhile (SIGCONT, EINTR).
        self._deadline = asyncio.get_running_loop().call_later(0, self.hang_up, "head timeout")

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


@web.middleware
async def track_request(request: web.Request, handler: Handler) -> web.StreamResponse:
    """The middleware that marks a :class:`Connection` as busy; it has to be the first one."""
    connection = request.protocol
    if not isinstance(connection, Connection):
        return await handler(request)
    with connection.answering():
        try:
            response = await handler(request)
        except web.HTTPException as error:
            connection.end_after(error)
            raise
        connection.end_after(response)
        return response
