"""The Direct Line API 3.0 for clients, as far as its JavaScript client uses it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from http import HTTPStatus
from typing import Final

import aiohttp
from aiohttp import hdrs, web

from ..http.body import read_object, write_json
from ..http.path_segment import read_path_id
from ..http.refusal import refusal
from .conversation import Activity, Conversation, new_id
from .service import SERVICE, DirectLine
from .tokens import LIFETIME, Grant

PREFIX: Final = "/v3/directline"


async def generate_token(request: web.Request) -> web.Response:
    """``POST /tokens/generate``: a token for a new conversation."""
    body = await read_object(request) if request.can_read_body else {}
    user = body.get("user")
    user_id = user.get("id") if isinstance(user, dict) else None
    grant = Grant(new_id(), user_id if isinstance(user_id, str) and user_id else f"user-{new_id()}")
    return _respond_with_token(request.app[SERVICE], grant)


async def refresh_token(request: web.Request) -> web.Response:
    """``POST /tokens/refresh``: a newer token for the same conversation."""
    return _respond_with_token(request.app[SERVICE], _require_grant(request))


async def start_conversation(request: web.Request) -> web.Response:
    """``POST /conversations``: the token's conversation, with 201, or 200 if it was started before.

    The first start sends the bot a ``conversationUpdate`` with both members, to which it greets. The
    body may have a ``locale``, the language of the greeting.
    """
    service, grant = request.app[SERVICE], _require_grant(request)
    conversation = service.conversations.open(grant.conversation, grant.user)
    locale = await _read_locale(request)
    started, conversation.started = conversation.started, True
    if not started:
        joined: Activity = {
            "type": "conversationUpdate",
            "id": new_id(),
            "from": conversation.user,
            "membersAdded": [conversation.user, service.bot],
            **({"locale": locale} if locale else {}),
        }
        service.send_to_bot(conversation, joined)
    status = HTTPStatus.OK if started else HTTPStatus.CREATED
    return _respond_with_conversation(request, conversation, status)


async def _read_locale(request: web.Request) -> str:
    """Read ``locale`` from the optional body; empty where there is none."""
    with contextlib.suppress(web.HTTPBadRequest):
        properties = await read_object(request) if request.can_read_body else {}
        locale = properties.get("locale")
        return locale if isinstance(locale, str) else ""
    return ""


async def reconnect(request: web.Request) -> web.Response:
    """``GET /conversations/{id}?watermark=…``: the URL of a stream that continues after the watermark."""
    return _respond_with_conversation(request, find_conversation(request), HTTPStatus.OK)


async def stream_activities(request: web.Request) -> web.WebSocketResponse:
    """``GET /conversations/{id}/stream``: a WebSocket with the activities after the watermark."""
    conversation = find_conversation(request, request.query.get("t", ""))
    socket = web.WebSocketResponse(heartbeat=30, max_msg_size=4096)
    await socket.prepare(request)
    service = request.app[SERVICE]
    service.sockets.add(socket)
    sending = asyncio.create_task(_send_activities(socket, conversation, _read_watermark(request)))
    try:
        # The client sends empty frames as keep-alives.
        async for message in socket:
            if message.type is aiohttp.WSMsgType.ERROR:
                break
    finally:
        service.sockets.discard(socket)
        sending.cancel()
    return socket


async def poll_activities(request: web.Request) -> web.Response:
    """``GET /conversations/{id}/activities?watermark=…``: the activities after the watermark."""
    return web.json_response(_activity_set(find_conversation(request), _read_watermark(request)))


async def post_activity(request: web.Request) -> web.Response:
    """``POST /conversations/{id}/activities``: send an activity; the response has its new id.

    The response comes with the bot's first activity, or when its turn ends; 502 where the bot refused.
    The activity itself comes back on the stream, which to a client is the proof of delivery.
    """
    conversation = find_conversation(request)
    if request.content_type != "application/json":
        raise refusal(web.HTTPUnsupportedMediaType, "UnsupportedMediaType", "send application/json")
    return await _receive(request.app[SERVICE], conversation, await read_object(request))


async def refuse_files(request: web.Request) -> web.Response:
    """``POST /conversations/{id}/upload``: 415, since the bot reads no files that are sent to it."""
    find_conversation(request)
    raise refusal(web.HTTPUnsupportedMediaType, "UnsupportedMediaType", "files are not read here")


ROUTES: Final = (
    web.post(f"{PREFIX}/tokens/generate", generate_token),
    web.post(f"{PREFIX}/tokens/refresh", refresh_token),
    web.post(f"{PREFIX}/conversations", start_conversation),
    web.get(f"{PREFIX}/conversations/{{conversation}}", reconnect),
    web.get(f"{PREFIX}/conversations/{{conversation}}/stream", stream_activities),
    web.get(f"{PREFIX}/conversations/{{conversation}}/activities", poll_activities),
    web.post(f"{PREFIX}/conversations/{{conversation}}/activities", post_activity),
    web.post(f"{PREFIX}/conversations/{{conversation}}/upload", refuse_files),
)


async def _receive(service: DirectLine, conversation: Conversation, body: Activity) -> web.Response:
    body = json.loads(write_json(body))  # it comes back on the stream, and is shown
    if not isinstance(body.get("type"), str):
        raise refusal(web.HTTPBadRequest, "MissingProperty", "$.type must be a string")
    author = body.get("from")
    name = author.get("name") if isinstance(author, dict) else None
    # The sender's id is the token's, and the one in the body is ignored.
    user = {**conversation.user, **({"name": name} if isinstance(name, str) and name else {})}
    activity: Activity = {**body, "from": user}
    activity_id = conversation.add(activity)
    sending = service.send_to_bot(conversation, {**activity, "id": activity_id})
    status = await service.wait_for_status(sending, conversation, conversation.watermark)
    if status >= HTTPStatus.BAD_REQUEST:
        raise refusal(web.HTTPBadGateway, "BotError", "the bot could not take this message")
    return web.json_response({"id": activity_id})


async def _send_activities(socket: web.WebSocketResponse, conversation: Conversation, watermark: int) -> None:
    # A watermark above the conversation's own is invalid.
    watermark = min(watermark, conversation.watermark)
    while not socket.closed:
        await conversation.wait_for_more(watermark)
        activities = _activity_set(conversation, watermark)
        watermark = conversation.watermark
        await socket.send_json(activities)


def _activity_set(conversation: Conversation, watermark: int) -> dict[str, object]:
    # The watermark is a string, because the client treats the number 0 as absent.
    return {"activities": conversation.after(watermark), "watermark": str(conversation.watermark)}


def _respond_with_token(service: DirectLine, grant: Grant) -> web.Response:
    body = {"conversationId": grant.conversation, "token": service.tokens.mint(grant), "expires_in": LIFETIME}
    return web.json_response(body, headers={hdrs.CACHE_CONTROL: "no-store"})


def _respond_with_conversation(request: web.Request, conversation: Conversation, status: int) -> web.Response:
    token = request.app[SERVICE].tokens.mint(Grant(conversation.id, conversation.user_id))
    path = f"{PREFIX}/conversations/{conversation.id}/stream?watermark={_read_watermark(request)}&t={token}"
    body = {
        "conversationId": conversation.id,
        "token": token,
        "expires_in": LIFETIME,
        # The host of the request, because the page's security policy allows no other.
        "streamUrl": f"ws://{request.host}{path}",
        "referenceGrammarId": conversation.id,
    }
    return web.json_response(body, status=status, headers={hdrs.CACHE_CONTROL: "no-store"})


def _require_grant(request: web.Request, token: str = "") -> Grant:
    """Read the request's token. Raises 401 without one, and 403 for an invalid or expired one."""
    scheme, _, bearer = request.headers.get(hdrs.AUTHORIZATION, "").partition(" ")
    token = token or (bearer if scheme.lower() == "bearer" else "")
    if not token:
        raise refusal(
            web.HTTPUnauthorized, "MissingToken", "a token is needed: POST /tokens/generate gives one"
        )
    grant = request.app[SERVICE].tokens.read(token)
    if grant is None:
        # The client treats 403 as an expired token, and retries after any other status.
        raise refusal(web.HTTPForbidden, "TokenExpired", "the token has expired or is not ours")
    return grant


def find_conversation(request: web.Request, token: str = "") -> Conversation:
    """Find the conversation of the path. Raises 403 if the token is for another, and 404 if it has ended."""
    conversation_id = read_path_id(request, "conversation")
    grant = _require_grant(request, token)
    if grant.conversation != conversation_id:
        raise refusal(web.HTTPForbidden, "BadArgument", "the token is for another conversation")
    conversation = request.app[SERVICE].conversations.get(conversation_id)
    if conversation is None:
        raise refusal(
            web.HTTPNotFound, "ConversationNotFound", "the conversation was not started, or has ended"
        )
    return conversation


def _read_watermark(request: web.Request) -> int:
    value = request.query.get("watermark", "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else 0
