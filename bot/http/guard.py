"""The middleware that refuses foreign requests before their bodies are read.

Without credentials the SDK accepts activities from any sender, and sends the answers to any
``serviceUrl``. Any web page in a browser on this machine could use the bot. Pages can't forge ``Host``
and ``Origin``, and can't send ``application/json`` without a preflight (Fetch § 3.2.2).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler, Middleware

from ..config.loopback import host_of_authority, is_loopback, service_host
from ..config.routes import MESSAGES
from ..config.service_urls import ServiceUrls
from ..resilience.clock import OneStepPerTick
from ..telemetry.log import logger
from .arrival import ACTIVITY, note_arrival
from .body import read_object
from .refusal import refusal
from .shape import find_fault

log = logger(__name__)


def guard(service_urls: ServiceUrls, identify: Callable[[web.Request], Awaitable[None]]) -> Middleware:
    """Create the middleware that refuses foreign requests, and activities with a foreign service URL.

    Where ``service_urls`` are local (without credentials), only this machine and the bot's own page are
    accepted. ``identify`` refuses senders that are no channel. It runs before the body is read, because
    a hostile body can cost the CPU time of many turns.
    """
    ticks = OneStepPerTick()

    @web.middleware
    async def check_request(request: web.Request, handler: Handler) -> web.StreamResponse:
        note_arrival()
        if service_urls.local:
            _refuse_foreign_host(request)
            _refuse_foreign_origin(request)
        if request.path == MESSAGES:
            if request.method != hdrs.METH_POST:
                # RFC 9110 § 15.5.6: aiohttp's error has the header ``Allow``.
                arguments = request.method, [hdrs.METH_POST]
                raise refusal(web.HTTPMethodNotAllowed, "MethodNotAllowed", "use POST", *arguments)
            await identify(request)
            await ticks.next()
            request[ACTIVITY] = await _read_activity(request, service_urls)
        return await handler(request)

    return check_request


def _refuse_foreign_host(request: web.Request) -> None:
    """DNS rebinding: another site's name can resolve to this machine's address."""
    host = host_of_authority(request.headers.get(hdrs.HOST, ""))
    if host is None or not is_loopback(host):
        raise refusal(web.HTTPForbidden, "ForeignHost", "this bot only answers on this machine")


def _refuse_foreign_origin(request: web.Request) -> None:
    """Refuse other origins' pages, and sandboxed ones (``null``). CORS does not protect WebSockets."""
    origin = request.headers.get(hdrs.ORIGIN)
    if origin is None:
        return
    # Only channels send to this endpoint, and a channel sends no Origin.
    if request.path == MESSAGES or origin != f"http://{request.headers[hdrs.HOST]}":
        raise refusal(web.HTTPForbidden, "ForeignOrigin", "this bot only answers its own page")


async def _read_activity(request: web.Request, service_urls: ServiceUrls) -> dict[str, object]:
    # `text/plain; application/json` contains the type too, and needs no preflight.
    if request.content_type != "application/json" or hdrs.CONTENT_TYPE not in request.headers:
        raise refusal(web.HTTPUnsupportedMediaType, "UnsupportedMediaType", "send application/json")
    body = await read_object(request)
    fault = find_fault(body)
    if fault is not None:
        raise refusal(web.HTTPBadRequest, "BadArgument", fault)
    _refuse_foreign_service(str(body["serviceUrl"]), service_urls)
    return body


def _refuse_foreign_service(url: str, service_urls: ServiceUrls) -> None:
    """The answer is sent to ``serviceUrl``, together with the bot's access token."""
    if service_urls.allows(url):
        return
    host = service_host(url)
    if host is None:
        raise refusal(
            web.HTTPBadRequest, "BadArgument", "$.serviceUrl must be an http or https URL without userinfo"
        )
    log.warning("foreign service", host=host[:255])
    raise refusal(web.HTTPForbidden, "ForeignService", "answers don't go to this $.serviceUrl")
