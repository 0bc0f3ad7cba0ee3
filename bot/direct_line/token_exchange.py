"""``GET /webchat/token``: a token of Direct Line for a page, in exchange for the bot's secret.

Direct Line API 3.0 § "Authentication": the secret opens every conversation, so it stays here. A user id
that begins with ``dl_`` is bound to the token: no page can pretend to be another person.
"""

from __future__ import annotations

import json
import secrets
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

import aiohttp
from aiohttp import hdrs, web

from ..access.exchange import ExchangeReply, send
from ..config.web_chat import WebChatOptions
from ..http.refusal import refusal
from ..telemetry.log import cause, logger
from .address_limit import EVERY, AddressLimit, address_of

PATH: Final = "/webchat/token"
_API: Final = "/v3/directline"
_FIELDS: Final = ("conversationId", "token", "expires_in")

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
