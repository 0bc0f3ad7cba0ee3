"""One service URL, and what is sent to it: tried again where that is safe, and only so long.

A POST to a connector is not idempotent: whoever repeats one that may have arrived says it twice. So
what has left is sent again only where the connector has answered that it did not take it.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

import aiohttp
from aiohttp import hdrs
from yarl import URL

from ..config.timeouts import Timeouts
from ..resilience.breaker import Breaker
from ..resilience.clock import now
from ..resilience.retry_after import retry_after
from ..telemetry import Tried, emit
from ..telemetry.log import logger
from .errors import MaybeSent, NotSent
from .tokens import AccessTokens, TokenError

TRIES: Final = 3
CONNECT: Final = 3.0
"""Seconds for a connection."""
WAITING: Final = 5.0
"""Seconds for a connection, and before it for one of those that are busy."""
LARGEST_REPLY: Final = 64 * 1024
"""Bytes of a body; connectors answer with an id, or with why not."""
LARGEST_FETCHED: Final = 4 * 1024 * 1024
"""Bytes of a body that was asked for: the members of a conversation, an attachment."""

AGAIN: Final = frozenset({412, 429, 502, 503, 504})
"""Teams, "Handle rate limits": try these again. 408 and 500 aren't among them: it may have been taken."""
_UNREACHED: Final = 0.5
"""Seconds of the first pause at most, before a connection is tried again."""

log = logger(__name__)


@dataclass(frozen=True, slots=True)
class TransportRequest:
    """What is sent."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None


@dataclass(frozen=True, slots=True)
class TransportReply:
    """What the connector answered, at the last of so many ``tries``.

    ``body`` is None where it broke off or is too long: the status has come all the same.
    """

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes | None
    tries: int = 1


@dataclass(slots=True, eq=False)
class ConnectorTransport:
    """Sends to one service URL as one scope.

    The breaker opens where there are no connections to it, five requests in a row.
    """

    session: aiohttp.ClientSession
    tokens: AccessTokens | None
    scope: str
    timeouts: Timeouts
    proxy: str | None = None
    breaker: Breaker = field(default_factory=lambda: Breaker(pause=10.0))

    async def send(self, request: TransportRequest, tries: int = TRIES) -> TransportReply:
        """The connector's answer, whatever its status.

        Within ``timeouts.sending`` seconds it is asked at most ``tries`` times: again where no connection
        could be made, and where it is busy and does not ask for a longer pause. Raises
        :class:`NotSent` or :class:`MaybeSent`.
        """
        if not self.breaker.enter():
            raise NotSent(f"not tried: no connection {self.breaker.failures} times in a row")
        try:
            reply = await self._send_with_retries(request, tries)
        except TokenError:
            # This says nothing of the connector.
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
        latest = now() + self.timeouts.sending
        for tried in range(1, tries + 1):
            last = tried == tries
            try:
                reply = await self._try(request, latest)
            except TokenError:
                # Whoever gives them has tried it again, and waited.
                raise
            except NotSent:
                pause = _backoff(_UNREACHED, tried)
                if last or now() + pause >= latest:
                    raise
            else:
                pause = self._pause(reply, tried)
                if last or reply.status not in AGAIN or now() + pause >= latest:
                    return replace(reply, tries=tried)
                log.info("connector busy", status=reply.status, tried=tried, pause=round(pause, 1))
            await asyncio.sleep(pause)
        raise AssertionError("the last try returns or raises")

    async def _try(self, request: TransportRequest, latest: float) -> TransportReply:
        token = await self._token(latest)
        reply = await self._read_reply(request, token, latest)
        if reply.status == HTTPStatus.UNAUTHORIZED and token:
            # What is refused is not taken. The token may have been revoked, or be another key's.
            another = await self._token(latest, refused=token)
            if another != token:
                return await self._read_reply(request, another, latest)
        return reply

    async def _token(self, latest: float, refused: str = "") -> str:
        """Empty where nothing is said of who we are."""
        if self.tokens is None:
            return ""
        try:
            async with asyncio.timeout_at(latest):
                if refused:
                    return await self.tokens.fresh(self.scope, refused)
                return await self.tokens.token(self.scope)
        except TimeoutError:
            raise TokenError("no access token in time") from None

    async def _read_reply(self, request: TransportRequest, token: str, latest: float) -> TransportReply:
        headers = dict(request.headers)
        if token:
            headers[hdrs.AUTHORIZATION] = f"Bearer {token}"
        # A connection that was closed meanwhile is seen by the event loop, which may have been busy.
        await asyncio.sleep(0)
        response = await self._post(request, headers, latest)
        async with response:
            limit = LARGEST_FETCHED if request.method == hdrs.METH_GET else LARGEST_REPLY
            body = await _body(response, limit, latest)
            return TransportReply(response.status, response.reason or "", response.headers, body)

    def _pause(self, reply: TransportReply, tried: int) -> float:
        """As long as the connector asks for, and somewhat longer: all that it refused come again then."""
        asked = retry_after(reply.headers.get(hdrs.RETRY_AFTER))
        return _backoff(self.timeouts.pause, tried) if asked is None else asked + _backoff(_UNREACHED, 1)

    async def _post(
        self, request: TransportRequest, headers: Mapping[str, str], latest: float
    ) -> aiohttp.ClientResponse:
        # Less than what is left: a connection that isn't there in time is known not to have been used.
        waiting = min(WAITING, max(0.01, 0.9 * (latest - now())))
        timeout = aiohttp.ClientTimeout(total=None, connect=waiting, sock_connect=CONNECT)
        try:
            async with asyncio.timeout_at(latest):
                response = await self.session.request(
                    request.method,
                    # As it is: aiohttp would decode a part of the conversation's id.
                    URL(request.url, encoded=True),
                    data=request.body,
                    headers=headers,
                    timeout=timeout,
                    proxy=self.proxy,
                    allow_redirects=False,
                )
        # A proxy's refusal, too, comes before anything is sent.
        except (
            aiohttp.ClientConnectorError,
            aiohttp.ClientHttpProxyError,
            aiohttp.ConnectionTimeoutError,
            aiohttp.InvalidURL,
        ) as error:
            emit(Tried(None))
            raise NotSent(f"no connection: {_why(error)}") from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            emit(Tried(None))
            raise MaybeSent(f"no answer: {_why(error)}") from error
        emit(Tried(response.status))
        return response


async def _body(response: aiohttp.ClientResponse, limit: int, latest: float) -> bytes | None:
    body = bytearray()
    try:
        async with asyncio.timeout_at(latest):
            async for piece in response.content.iter_any():
                body += piece
                if len(body) > limit:
                    return None
    except (aiohttp.ClientError, TimeoutError, OSError):
        return None
    return bytes(body)


def _host(request: TransportRequest) -> str | None:
    return urlsplit(request.url).hostname


def _why(error: Exception) -> str:
    """The kind of an error, and of the system's own one behind it."""
    system = getattr(error, "os_error", None) or error.__cause__
    return f"{type(error).__name__} ({system})" if isinstance(system, OSError) else type(error).__name__


def _backoff(first: float, tried: int) -> float:
    """Full jitter: anything up to ``first`` seconds, then up to twice that, and so on."""
    return random.uniform(0, first * (1 << (tried - 1)))  # noqa: S311 - nobody has to be kept from guessing
