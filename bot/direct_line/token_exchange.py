"""``GET /webchat/token``: a token of Direct Line for a page, in exchange for the bot's secret.

Direct Line API 3.0 § "Authentication": the secret opens every conversation, so it stays here. A user id
that begins with ``dl_`` is bound to the token: no page can pretend to be another person.
"""

from __future__ import annotations

import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, Final
from urllib.parse import urlsplit

import aiohttp
from aiohttp import hdrs, web

from ..access.exchange import ExchangeReply, send
from ..config.web_chat import WebChatOptions
from ..http.refusal import refusal
from ..telemetry.log import cause, logger

PATH: Final = "/webchat/token"
_API: Final = "/v3/directline"
_FIELDS: Final = ("conversationId", "token", "expires_in")

AT_ONCE: Final = 30
"""Tokens that an address may have at once. An office often has one address for all its people."""
EVERY: Final = 2.0
"""Seconds until an address may have one more."""
_MOST: Final = 10_000
"""The most addresses that are known; the oldest is forgotten first."""

log = logger(__name__)


class TokenExchange:
    """Gives tokens to the pages of ``options``."""

    def __init__(self, options: WebChatOptions, limit: AddressLimit | None = None) -> None:
        self._options = options
        self._limit = limit or AddressLimit()

    async def give(self, request: web.Request) -> web.Response:
        """Answer with a new token or, for a token in ``Authorization``, with a newer one.

        The JSON has ``conversationId``, ``token``, ``expires_in`` (seconds) and ``domain``, which Web Chat's
        ``createDirectLine`` takes. Errors: 403 for a page that is not named or a token that has expired, 429
        above the limit, 502 where Direct Line gives none.
        """
        headers = self._headers(request)
        if not self._limit.admit(address_of(request)):
            later = {**headers, "Retry-After": str(round(EVERY))}
            message = "this address had many tokens just now: try again in a minute"
            raise refusal(web.HTTPTooManyRequests, "TooManyTokens", message, headers=later)
        reply = await self._ask(request, headers[hdrs.ACCESS_CONTROL_ALLOW_ORIGIN])
        if reply is None or (found := _read(reply)) is None:
            message = "there is no token now; the bot's log says why"
            raise refusal(web.HTTPBadGateway, "NoToken", message, headers=headers)
        domain = f"{self._options.direct_line}{_API}"
        return web.json_response({**found, "domain": domain}, headers=headers)

    async def permit(self, request: web.Request) -> web.Response:
        """Answer a browser that asks whether a page may send ``Authorization`` (Fetch § 4.8)."""
        allowed: dict[str, str] = {
            hdrs.ACCESS_CONTROL_ALLOW_METHODS: hdrs.METH_GET,
            hdrs.ACCESS_CONTROL_ALLOW_HEADERS: hdrs.AUTHORIZATION,
            hdrs.ACCESS_CONTROL_MAX_AGE: "600",
        }
        return web.Response(status=HTTPStatus.NO_CONTENT, headers={**self._headers(request), **allowed})

    async def _ask(self, request: web.Request, origin: str) -> ExchangeReply | None:
        """Ask Direct Line; None where it fails. Raises 403 for a token that it does not renew."""
        scheme, _, token = request.headers.get(hdrs.AUTHORIZATION, "").partition(" ")
        renews = scheme.lower() == "bearer" and bool(token.strip())
        try:
            reply = await request_token(self._options, origin, token.strip() if renews else "")
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            log.error("no token of Direct Line", cause=cause(error))
            return None
        if renews and reply.status_code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            message = "the token has expired: ask for a new one, without Authorization"
            raise refusal(web.HTTPForbidden, "TokenExpired", message, headers=self._headers(request))
        if reply.status_code != HTTPStatus.OK:
            log.error("no token of Direct Line", status=reply.status_code)
            return None
        return reply

    def _headers(self, request: web.Request) -> dict[str, str]:
        """The headers of every answer to the page. Raises 403 for a page that is not named."""
        origin = request.headers.get(hdrs.ORIGIN)
        if origin is None:
            # A browser sends no Origin for a page of the bot's own host.
            own = (one for one in self._options.origins if urlsplit(one).netloc == request.host)
            origin = next(own, None)
        if origin not in self._options.origins:
            raise refusal(web.HTTPForbidden, "ForeignOrigin", "WEBCHAT_ORIGINS does not name this page")
        return {
            hdrs.ACCESS_CONTROL_ALLOW_ORIGIN: origin,
            hdrs.VARY: hdrs.ORIGIN,
            hdrs.CACHE_CONTROL: "no-store",
        }


async def request_token(options: WebChatOptions, origin: str, token: str = "") -> ExchangeReply:
    """Ask Direct Line for a newer ``token`` or, without one, for a token of a new person on ``origin``.

    Raises what :func:`send` does.
    """
    what = "refresh" if token else "generate"
    body = {"user": {"id": f"dl_{secrets.token_hex(16)}"}, "trustedOrigins": [origin]}
    return await send(
        hdrs.METH_POST,
        f"{options.direct_line}{_API}/tokens/{what}",
        headers={hdrs.AUTHORIZATION: f"Bearer {token or options.secret}"},
        json=None if token else body,
    )


def add_tokens(app: web.Application, options: WebChatOptions) -> None:
    """Add the route to ``app``."""
    exchange = TokenExchange(options)
    app.router.add_get(PATH, exchange.give)
    app.router.add_route(hdrs.METH_OPTIONS, PATH, exchange.permit)


def _read(reply: ExchangeReply) -> dict[str, Any] | None:
    """What a page needs of Direct Line's answer; None where it is something else."""
    try:
        found = json.loads(reply.text)
        needed = {name: found[name] for name in _FIELDS}
    except (ValueError, TypeError, KeyError):
        log.error("no token of Direct Line", cause="the answer has none")
        return None
    return needed


class AddressLimit:
    """Counts the tokens of each address: each costs a request to Direct Line. ``clock`` is in seconds."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """What an address may still have, and when it was counted."""

    def admit(self, address: str) -> bool:
        """Whether ``address`` may have one more now, which is then taken."""
        now = self._clock()
        left, counted = self._left.pop(address, (AT_ONCE, now))
        left = min(AT_ONCE, left + (now - counted) / EVERY)
        admitted = left >= 1
        self._left[address] = left - admitted, now
        if len(self._left) > _MOST:
            self._left.popitem(last=False)
        return admitted


def address_of(request: web.Request) -> str:
    """The address that a request came from; of IPv6 its network, which is one subscriber's.

    A request from an address that is not public comes from a proxy of one's own. It has put the address
    that it saw at the end of ``X-Forwarded-For``; what stands before that, anybody may have written.
    """
    hops = ",".join(request.headers.getall("X-Forwarded-For", [])).split(",")
    address = request.remote or ""
    while (ip := _read_address(address)) and not ip.is_global and hops and _read_address(hops[-1]):
        address = hops.pop()
    return str(ip_network((ip, 64), strict=False) if isinstance(ip, IPv6Address) else ip)


def _read_address(address: str) -> IPv4Address | IPv6Address | None:
    """The address, which some proxies write with a port; None where it is no address."""
    address = address.strip()
    host = address.partition(":")[0] if address.count(":") == 1 else address.lstrip("[").partition("]")[0]
    try:
        return ip_address(host)
    except ValueError:
        return None
