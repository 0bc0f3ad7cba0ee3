"""Who may talk to the bot, checked before anything is read or done.

Without credentials the SDK takes activities from anyone and answers to whatever ``serviceUrl`` they
name, so any web page that is open in a browser on this machine could use the bot. Web pages can't
forge ``Host`` and ``Origin``, and can't send ``application/json`` unasked (Fetch § 3.2.2).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler, Middleware

from ..config.loopback import host_of_authority, is_loopback, service_host
from ..config.routes import MESSAGES
from ..config.service_urls import ServiceUrls
from ..resilience.ticks import OneStepPerTick
from ..telemetry.log import logger
from .arrival import arrive
from .body import read_object
from .refusal import refusal, refuse_method
from .shape import fault_in

ACTIVITY: Final = web.RequestKey("activity", dict[str, object])
"""The inbound activity as JSON: ``type``, ``channelId``, ``serviceUrl`` and ``conversation.id`` are there."""

log = logger(__name__)


def guard(service_urls: ServiceUrls, identify: Callable[[web.Request], Awaitable[None]]) -> Middleware:
    """The middleware that refuses what is foreign, and whose answer would go elsewhere.

    Where ``service_urls`` are local, which is the mode without credentials: only this machine, only our
    own pages. ``identify`` refuses who is no channel: nobody else has a body read, which costs the time
    of many turns where it is made for that.
    """
    ticks = OneStepPerTick()

    @web.middleware
    async def check_request(request: web.Request, handler: Handler) -> web.StreamResponse:
        arrive()
        if service_urls.local:
            _refuse_foreign_host(request)
            _refuse_foreign_origin(request)
        if request.path == MESSAGES:
            if request.method != hdrs.METH_POST:
                raise refuse_method(request.method, [hdrs.METH_POST])
            await identify(request)
            await ticks.next()
            request[ACTIVITY] = await _activity(request, service_urls)
        return await handler(request)

    return check_request


def _refuse_foreign_host(request: web.Request) -> None:
    """A name that isn't this machine's is another site's, rebound to our address."""
    host = host_of_authority(request.headers.get(hdrs.HOST, ""))
    if host is None or not is_loopback(host):
        raise refusal(web.HTTPForbidden, "ForeignHost", "this bot only answers on this machine")


def _refuse_foreign_origin(request: web.Request) -> None:
    """A page of another origin, or of ``null``, as sandboxed documents have. CORS does not guard sockets."""
    origin = request.headers.get(hdrs.ORIGIN)
    if origin is None:
        return
    # Only a channel talks to this endpoint, and channels are no pages.
    if request.path == MESSAGES or origin != f"http://{request.headers[hdrs.HOST]}":
        raise refusal(web.HTTPForbidden, "ForeignOrigin", "this bot only answers its own page")


async def _activity(request: web.Request, service_urls: ServiceUrls) -> dict[str, object]:
    # Exactly this type: `text/plain; application/json` passes a substring test, and needs no preflight.
    if request.content_type != "application/json" or hdrs.CONTENT_TYPE not in request.headers:
        raise refusal(web.HTTPUnsupportedMediaType, "UnsupportedMediaType", "send application/json")
    body = await read_object(request)
    fault = fault_in(body)
    if fault is not None:
        raise refusal(web.HTTPBadRequest, "BadArgument", fault)
    _refuse_foreign_service(str(body["serviceUrl"]), service_urls)
    return body


def _refuse_foreign_service(url: str, service_urls: ServiceUrls) -> None:
    """Answers go to ``serviceUrl``, and with credentials our token does."""
    if service_urls.allows(url):
        return
    host = service_host(url)
    if host is None:
        raise refusal(
            web.HTTPBadRequest, "BadArgument", "$.serviceUrl must be an http or https URL without userinfo"
        )
    log.warning("foreign service", host=host[:255])
    raise refusal(web.HTTPForbidden, "ForeignService", "answers don't go to this $.serviceUrl")
