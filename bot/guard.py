"""Who may talk to the bot, checked before anything is read or done.

Without credentials the SDK takes activities from anyone and answers to whatever ``serviceUrl`` they
name, so any web page that is open in a browser on this machine could use the bot. Web pages can't
forge ``Host`` and ``Origin``, and can't send ``application/json`` unasked (Fetch § 3.2.2).
"""

from __future__ import annotations

import json
from typing import Final

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler, Middleware

from .loopback import host_of_authority, is_loopback, service_host
from .refusal import not_allowed, refusal

MESSAGES: Final = "/api/messages"
ACTIVITY: Final = web.RequestKey("activity", dict[str, object])
"""The inbound activity as JSON: ``type``, ``channelId``, ``serviceUrl`` and ``conversation.id`` are there."""
LARGEST_BODY: Final = 256 * 1024
"""Bytes: the connector's own limit for an activity is 262,144."""


def guard(*, local: bool) -> Middleware:
    """The middleware that refuses what is foreign.

    ``local`` is the mode without credentials: only this machine, only our own pages.
    """

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        if local:
            _refuse_foreign_host(request)
            _refuse_foreign_origin(request)
        if request.path == MESSAGES:
            request[ACTIVITY] = await _activity(request, local)
        return await handler(request)

    return guarded


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


async def _activity(request: web.Request, local: bool) -> dict[str, object]:
    if request.method != hdrs.METH_POST:
        raise not_allowed(request.method, [hdrs.METH_POST])
    # Exactly this type: `text/plain; application/json` passes a substring test, and needs no preflight.
    if request.content_type != "application/json" or hdrs.CONTENT_TYPE not in request.headers:
        raise refusal(web.HTTPUnsupportedMediaType, "UnsupportedMediaType", "send application/json")
    body = await read_object(request)
    for name in ("type", "channelId", "serviceUrl"):
        if not isinstance(body.get(name), str) or not body[name]:
            raise refusal(web.HTTPBadRequest, "MissingProperty", f"$.{name} must be a non-empty string")
    conversation = body.get("conversation")
    if (
        not isinstance(conversation, dict)
        or not isinstance(conversation.get("id"), str)
        or not conversation["id"]
    ):
        raise refusal(web.HTTPBadRequest, "MissingProperty", "$.conversation.id must be a non-empty string")
    _refuse_foreign_service(str(body["serviceUrl"]), local)
    return body


def _refuse_foreign_service(url: str, local: bool) -> None:
    """Answers go to ``serviceUrl``: with credentials the token vouches for it, without them nobody does."""
    host = service_host(url)
    if host is None:
        raise refusal(
            web.HTTPBadRequest, "BadArgument", "$.serviceUrl must be an http or https URL without userinfo"
        )
    if local and not is_loopback(host):
        raise refusal(web.HTTPForbidden, "ForeignService", "without credentials answers stay on this machine")


async def read_object(request: web.Request) -> dict[str, object]:
    """The JSON object of a request's body; 400 if it is none, 413 above :data:`LARGEST_BODY`."""
    try:
        body = json.loads(await request.read())
    except (ValueError, RecursionError):
        raise refusal(web.HTTPBadRequest, "BadSyntax", "the body is not JSON") from None
    if not isinstance(body, dict):
        raise refusal(web.HTTPBadRequest, "BadSyntax", "the body must be a JSON object")
    return body
