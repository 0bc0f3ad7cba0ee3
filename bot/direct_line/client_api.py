"""The side of the people: Direct Line API 3.0 as its JavaScript client speaks it."""

from __future__ import annotations

import asyncio
import contextlib
from http import HTTPStatus
from typing import Final

import aiohttp
from aiohttp import hdrs, web

from ..http.body import read_object
from ..http.refusal import refusal
from .conversation import Activity, Conversation, new_id
from .path import path_id
from .service import SERVICE, DirectLine
from .tokens import LIFETIME, Grant
from .upload import read_upload

PREFIX: Final = "/v3/directline"


async def generate_token(request: web.Request) -> web.Response:
    """``POST /tokens/generate``: a token for a conversation that can be started with it."""
    body = await read_object(request) if request.can_read_body else {}
    user = body.get("user")
    user_id = user.get("id") if isinstance(user, dict) else None
    grant = Grant(new_id(), user_id if isinstance(user_id, str) and user_id else f"user-{new_id()}")
    return _token(request.app[SERVICE], grant)


async def refresh_token(request: web.Request) -> web.Response:
    """``POST /tokens/refresh``: a newer token for the same conversation."""
    return _token(request.app[SERVICE], _grant(request))


async def start(request: web.Request) -> web.Response:
    """``POST /conversations``: 201 and the conversation of the token, 200 if it was started before.

    The bot hears of it once: both members joined, which is what it greets upon. ``locale`` of the body,
    where there is one, is the language in which the person wants to be greeted.
    """
    service, grant = request.app[SERVICE], _grant(request)
    conversation = service.conversations.open(grant.conversation, grant.user)
    locale = await _read_locale(request)
    begun, conversation.started = conversation.started, True
    if not begun:
        joined: Activity = {
            "type": "conversationUpdate",
            "id": new_id(),
            "from": _user(conversation),
            "membersAdded": [_user(conversation), service.bot],
            **({"locale": locale} if locale else {}),
        }
        service.to_bot(conversation, joined)
    return _conversation(request, conversation, HTTPStatus.OK if begun else HTTPStatus.CREATED)


async def _read_locale(request: web.Request) -> str:
    """The ``locale`` of a body that need not be there; empty where it has none."""
    with contextlib.suppress(web.HTTPBadRequest):
        properties = await read_object(request) if request.can_read_body else {}
        locale = properties.get("locale")
        return locale if isinstance(locale, str) else ""
    return ""


async def reconnect(request: web.Request) -> web.Response:
    """``GET /conversations/{id}?watermark=…``: a new stream that goes on after the watermark."""
    return _conversation(request, _find_conversation(request), HTTPStatus.OK)


async def stream(request: web.Request) -> web.WebSocketResponse:
    """``GET /conversations/{id}/stream``: the activities after the watermark, then each as it comes."""
    conversation = _find_conversation(request, request.query.get("t", ""))
    socket = web.WebSocketResponse(heartbeat=30, max_msg_size=4096)
    await socket.prepare(request)
    service = request.app[SERVICE]
    service.sockets.add(socket)
    sending = asyncio.create_task(_send(socket, conversation, _watermark(request)))
    try:
        # The client's empty frames keep proxies awake and mean nothing else.
        async for message in socket:
            if message.type is aiohttp.WSMsgType.ERROR:
                break
    finally:
        service.sockets.discard(socket)
        sending.cancel()
    return socket


async def poll(request: web.Request) -> web.Response:
    """``GET /conversations/{id}/activities?watermark=…``: what came after the watermark."""
    return web.json_response(_activity_set(_find_conversation(request), _watermark(request)))


async def post(request: web.Request) -> web.Response:
    """``POST /conversations/{id}/activities``: say something; the answer is the new activity's id.

    It comes when the bot has said something or is done, and the activity itself comes back on the
    stream: a client takes that for the proof of sending. 502 where the bot refused it.
    """
    conversation = _find_conversation(request)
    if request.content_type != "application/json":
        raise refusal(web.HTTPUnsupportedMediaType, "UnsupportedMediaType", "send application/json")
    return await _say(request.app[SERVICE], conversation, await read_object(request))


async def upload(request: web.Request) -> web.Response:
    """``POST /conversations/{id}/upload``: the message without its files, which nobody here can read.

    The bot is told that there were some, and says so to the person, which is more than a failed send.
    """
    conversation = _find_conversation(request)
    return await _say(request.app[SERVICE], conversation, await read_upload(request))


ROUTES: Final = (
    web.post(f"{PREFIX}/tokens/generate", generate_token),
    web.post(f"{PREFIX}/tokens/refresh", refresh_token),
    web.post(f"{PREFIX}/conversations", start),
    web.get(f"{PREFIX}/conversations/{{conversation}}", reconnect),
    web.get(f"{PREFIX}/conversations/{{conversation}}/stream", stream),
    web.get(f"{PREFIX}/conversations/{{conversation}}/activities", poll),
    web.post(f"{PREFIX}/conversations/{{conversation}}/activities", post),
    web.post(f"{PREFIX}/conversations/{{conversation}}/upload", upload),
)


async def _say(service: DirectLine, conversation: Conversation, said: Activity) -> web.Response:
    if not isinstance(said.get("type"), str):
        raise refusal(web.HTTPBadRequest, "MissingProperty", "$.type must be a string")
    author = said.get("from")
    name = author.get("name") if isinstance(author, dict) else None
    # Who speaks is what the token says, not what the body says.
    user = {**_user(conversation), **({"name": name} if isinstance(name, str) and name else {})}
    activity: Activity = {**said, "from": user}
    activity_id = conversation.add(activity)
    sending = service.to_bot(conversation, {**activity, "id": activity_id})
    status = await service.wait_for_status(sending, conversation, conversation.watermark)
    if status >= HTTPStatus.BAD_REQUEST:
        raise refusal(web.HTTPBadGateway, "BotError", "the bot could not take this message")
    return web.json_response({"id": activity_id})


async def _send(socket: web.WebSocketResponse, conversation: Conversation, watermark: int) -> None:
    # One of the future is none of ours: nobody has more than there is.
    watermark = min(watermark, conversation.watermark)
    while not socket.closed:
        await conversation.more_than(watermark)
        activities = _activity_set(conversation, watermark)
        watermark = conversation.watermark
        await socket.send_json(activities)


def _activity_set(conversation: Conversation, watermark: int) -> dict[str, object]:
    # A string, because the client takes the number 0 for none.
    return {"activities": conversation.after(watermark), "watermark": str(conversation.watermark)}


def _token(service: DirectLine, grant: Grant) -> web.Response:
    body = {"conversationId": grant.conversation, "token": service.tokens.mint(grant), "expires_in": LIFETIME}
    return web.json_response(body, headers={hdrs.CACHE_CONTROL: "no-store"})


def _conversation(request: web.Request, conversation: Conversation, status: int) -> web.Response:
    token = request.app[SERVICE].tokens.mint(Grant(conversation.id, conversation.user_id))
    # The name that the client knows us by, which its page's security policy allows.
    path = f"{PREFIX}/conversations/{conversation.id}/stream?watermark={_watermark(request)}&t={token}"
    body = {
        "conversationId": conversation.id,
        "token": token,
        "expires_in": LIFETIME,
        "streamUrl": f"ws://{request.host}{path}",
        "referenceGrammarId": conversation.id,
    }
    return web.json_response(body, status=status, headers={hdrs.CACHE_CONTROL: "no-store"})


def _grant(request: web.Request, token: str = "") -> Grant:
    """What the caller may do: 401 without a token, 403 with one that isn't or is no longer valid."""
    scheme, _, bearer = request.headers.get(hdrs.AUTHORIZATION, "").partition(" ")
    token = token or (bearer if scheme.lower() == "bearer" else "")
    if not token:
        raise refusal(
            web.HTTPUnauthorized, "MissingToken", "a token is needed: POST /tokens/generate gives one"
        )
    grant = request.app[SERVICE].tokens.read(token)
    if grant is None:
        # The client takes 403 for an expired token, and any other code for something worth a retry.
        raise refusal(web.HTTPForbidden, "TokenExpired", "the token has expired or is not ours")
    return grant


def _find_conversation(request: web.Request, token: str = "") -> Conversation:
    """The conversation of the path, if the token is for it: 403 if it isn't, 404 if it has ended."""
    wanted = path_id(request, "conversation")
    grant = _grant(request, token)
    if grant.conversation != wanted:
        raise refusal(web.HTTPForbidden, "BadArgument", "the token is for another conversation")
    conversation = request.app[SERVICE].conversations.get(wanted)
    if conversation is None:
        raise refusal(
            web.HTTPNotFound, "ConversationNotFound", "the conversation was not started, or has ended"
        )
    return conversation


def _watermark(request: web.Request) -> int:
    written = request.query.get("watermark", "")
    return int(written) if written.isascii() and written.isdigit() and len(written) < 16 else 0


def _user(conversation: Conversation) -> Activity:
    return {"id": conversation.user_id, "role": "user"}
