"""HTTP requests to one service URL, with retries where they are safe, and a timeout for all tries.

A POST to a connector is not idempotent: a retry of one that arrived shows the activity twice. A request
that left is retried only where the connector's response says that it did not accept it.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Final, Protocol
from urllib.parse import urlsplit

import aiohttp
from aiohttp import hdrs
from yarl import URL

from ..config.timeouts import Timeouts
from ..resilience.breaker import Breaker, retry_after
from ..resilience.clock import now
from ..telemetry import Tried, emit
from ..telemetry.log import logger
from .errors import MaybeSent, NotSent, TokenError

TRIES: Final = 3
CONNECT_TIMEOUT: Final = 3.0
"""Seconds to establish a connection."""
POOL_TIMEOUT: Final = 5.0
"""Seconds to get a connection: a free one of the pool, or a new one."""
LARGEST_REPLY: Final = 64 * 1024
"""Bytes of a response, which is an id or an error."""

RETRY_STATUSES: Final = frozenset({412, 429, 502, 503, 504})
"""Teams, "Handle rate limits": retry these. After 408 and 500 the activity may have been accepted."""
_RECONNECT_PAUSE: Final = 0.5
"""Seconds of the first pause, at most, before the retry of a connection."""

log = logger(__name__)


class AccessTokens(Protocol):
    """The bot's access tokens, by scope."""

    async def get_token(self, scope: str) -> str:
        """A valid token for ``scope``, such as ``https://api.botframework.com``, without ``Bearer``.

        Every request asks for it, so an implementation caches it. Raises :class:`TokenError` where there
        is none.
        """
        ...

    async def replace_token(self, scope: str, refused: str) -> str:
        """Another token for ``scope`` after a connector ``refused`` one, or the same if there is none.

        Raises :class:`TokenError` where there is no token.
        """
        ...


@dataclass(frozen=True, slots=True)
class TransportRequest:
    """A request, most often a POST, without its token."""

    url: str
    headers: Mapping[str, str]
    body: bytes
    method: str = hdrs.METH_POST


@dataclass(frozen=True, slots=True)
class TransportReply:
    """The connector's response to the last of ``tries`` requests.

    ``body`` is None where it is incomplete or too large; the status is valid all the same.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes | None
    tries: int = 1


@dataclass(slots=True, eq=False)
class ConnectorTransport:
    """Sends requests to one service URL, with tokens for one scope.

    The circuit breaker opens after five requests in a row that got no connection.
    """

    session: aiohttp.ClientSession
    tokens: AccessTokens | None
    scope: str
    timeouts: Timeouts
    proxy: str | None = None
    breaker: Breaker = field(default_factory=lambda: Breaker(pause=10.0))

    async def send(self, request: TransportRequest, tries: int = TRIES) -> TransportReply:
        """Send a request and return the connector's response, whatever its status.

        It is sent at most ``tries`` times within ``timeouts.sending`` seconds. It is retried where there
        was no connection, and after :data:`RETRY_STATUSES` unless ``Retry-After`` exceeds that time.
        Raises :class:`NotSent` or :class:`MaybeSent`.
        """
        if not self.breaker.enter():
            raise NotSent(f"not tried: no connection {self.breaker.failures} times in a row")
        try:
            reply = await self._send_with_retries(request, tries)
        except TokenError:
            # The connector was not asked, so this doesn't count for its breaker.
            self.breaker.note_hangup()
            raise
        except NotSent as error:
            self.breaker.note_failure()
            log.warning("connector not reached", host=_host(request), reason=str(error))
            raise
        except BaseException as error:
            self.breaker.note_hangup()
            if isinstance(error, MaybeSent):
                log.warning("connector did not answer", host=_host(request), reason=str(error))
            raise
        self.breaker.note_success()
        return reply

    async def _send_with_retries(self, request: TransportRequest, tries: int) -> TransportReply:
        deadline = now() + self.timeouts.sending
        for tried in range(1, tries + 1):
            last = tried == tries
            try:
                reply = await self._try(request, deadline)
            except TokenError:
                # AccessTokens has waited and retried already.
                raise
            except NotSent:
                pause = _backoff(_RECONNECT_PAUSE, tried)
                if last or now() + pause >= deadline:
                    raise
            else:
                pause = self._pause(reply, tried)
                if last or reply.status not in RETRY_STATUSES or now() + pause >= deadline:
                    return replace(reply, tries=tried)
                log.info("connector busy", status=reply.status, tried=tried, pause=round(pause, 1))
            await asyncio.sleep(pause)
        raise AssertionError("the last try returns or raises")

    async def _try(self, request: TransportRequest, deadline: float) -> TransportReply:
        token = await self._get_token(deadline)
        reply = await self._exchange(request, token, deadline)
        if reply.status == HTTPStatus.UNAUTHORIZED and token:
            # After a 401 a retry is safe. The token may have been revoked, or its signing key replaced.
            another = await self._get_token(deadline, refused=token)
            if another != token:
                return await self._exchange(request, another, deadline)
        return reply

    async def _get_token(self, deadline: float, refused: str = "") -> str:
        """The token for a request; empty where requests carry none."""
        if self.tokens is None:
            return ""
        try:
            async with asyncio.timeout_at(deadline):
                if refused:
                    return await self.tokens.replace_token(self.scope, refused)
                return await self.tokens.get_token(self.scope)
        except TimeoutError:
            raise TokenError("no access token in time") from None

    async def _exchange(self, request: TransportRequest, token: str, deadline: float) -> TransportReply:
        headers = dict(request.headers)
        if token:
            headers[hdrs.AUTHORIZATION] = f"Bearer {token}"
        # The event loop may have been busy. Here it notices connections that were closed meanwhile.
        await asyncio.sleep(0)
        async with await self._request(request, headers, deadline) as response:
            body = await _read_body(response, deadline)
            return TransportReply(response.status, response.headers, body)

    def _pause(self, reply: TransportReply, tried: int) -> float:
        """Seconds before the next try: ``Retry-After`` with jitter, or else the backoff."""
        seconds = retry_after(reply.headers.get(hdrs.RETRY_AFTER))
        if seconds is None:
            return _backoff(self.timeouts.pause, tried)
        return seconds + _backoff(_RECONNECT_PAUSE, 1)

    async def _request(
        self, request: TransportRequest, headers: Mapping[str, str], deadline: float
    ) -> aiohttp.ClientResponse:
        # It ends before the deadline, so that a missing connection raises NotSent and not MaybeSent.
        connect = min(POOL_TIMEOUT, max(0.01, 0.9 * (deadline - now())))
        timeout = aiohttp.ClientTimeout(total=None, connect=connect, sock_connect=CONNECT_TIMEOUT)
        try:
            async with asyncio.timeout_at(deadline):
                response = await self.session.request(
                    request.method,
                    # Already encoded: aiohttp would decode a part of the conversation's id.
                    URL(request.url, encoded=True),
                    data=request.body,
                    headers=headers,
                    timeout=timeout,
                    proxy=self.proxy,
                    allow_redirects=False,
                )
        # In all of these, a proxy's refusal included, the request was not sent.
        except (
            aiohttp.ClientConnectorError,
            aiohttp.ClientHttpProxyError,
            aiohttp.ConnectionTimeoutError,
            aiohttp.InvalidURL,
        ) as error:
            emit(Tried(None))
            raise NotSent(f"no connection: {_reason(error)}") from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            emit(Tried(None))
            raise MaybeSent(f"no answer: {_reason(error)}") from error
        emit(Tried(response.status))
        return response


async def _read_body(response: aiohttp.ClientResponse, deadline: float) -> bytes | None:
    body = bytearray()
    try:
        async with asyncio.timeout_at(deadline):
            async for chunk in response.content.iter_any():
                body += chunk
                if len(body) > LARGEST_REPLY:
                    return None
    except (aiohttp.ClientError, TimeoutError, OSError):
        return None
    return bytes(body)


def _host(request: TransportRequest) -> str | None:
    return urlsplit(request.url).hostname


def _reason(error: Exception) -> str:
    """The type of an error, and the system's error behind it."""
    system = getattr(error, "os_error", None) or error.__cause__
    return f"{type(error).__name__} ({system})" if isinstance(system, OSError) else type(error).__name__


def _backoff(first: float, tried: int) -> float:
    """Exponential backoff with full jitter: up to ``first`` seconds, then up to twice that, and so on."""
    return random.uniform(0, first * (1 << (tried - 1)))  # noqa: S311 - jitter needs no secure random numbers
