"""The side of the bot: the connector's REST API, as far as a conversation in Web Chat needs it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from aiohttp import web

from ..http.body import read_object
from ..http.refusal import refusal
from .conversation import Activity, Conversation, new_id
from .path import path_id
from .service import SERVICE

PREFIX: Final = "/v3/conversations"


async def create(request: web.Request) -> web.Response:
    """``POST /v3/conversations``: begin one with its first member; 201 with ``id``."""
    body = await read_object(request)
    members = body.get("members")
    first = members[0] if isinstance(members, list) and members else None
    if not isinstance(first, dict) or not isinstance(first.get("id"), str) or not first["id"]:
        raise refusal(web.HTTPBadRequest, "MissingProperty", "$.members[0].id must be a non-empty string")
    conversation = request.app[SERVICE].conversations.open(new_id(), first["id"])
    conversation.started = True
    answer: dict[str, object] = {
        "id": conversation.id,
        "serviceUrl": f"http://{request.app[SERVICE].authority}/",
    }
    if isinstance(body.get("activity"), dict):
        answer["activityId"] = conversation.add(_address(request, dict(body["activity"])))  # type: ignore[call-overload]
    return web.json_response(answer, status=HTTPStatus.CREATED)


async def send(request: web.Request) -> web.Response:
    """``POST …/activities`` and ``POST …/activities/{id}``: say something, or reply to something."""
    conversation = _conversation(request)
    activity = _address(request, await read_object(request))
    if "activity" in request.match_info:
        activity["replyToId"] = path_id(request, "activity")
    return web.json_response({"id": conversation.add(activity)})


async def update(request: web.Request) -> web.Response:
    """``PUT …/activities/{id}``: say it differently, in the same place."""
    conversation, activity_id = _conversation(request), path_id(request, "activity")
    if not conversation.replace(activity_id, _address(request, await read_object(request))):
        raise refusal(web.HTTPNotFound, "ActivityNotFound", "there is no such activity")
    return web.json_response({"id": activity_id})


async def delete(request: web.Request) -> web.Response:
    """``DELETE …/activities/{id}``: those who connect later don't see it."""
    if not _conversation(request).remove(path_id(request, "activity")):
        raise refusal(web.HTTPNotFound, "ActivityNotFound", "there is no such activity")
    return web.Response()


async def members(request: web.Request) -> web.Response:
    """``GET …/members``: the person and the bot, as ``ChannelAccount`` objects."""
    return web.json_response(_members(request))


async def list_members_page(request: web.Request) -> web.Response:
    """``GET …/pagedmembers``: both on one page."""
    return web.json_response({"members": _members(request)})


async def member(request: web.Request) -> web.Response:
    """``GET …/members/{id}``: one of them."""
    wanted = path_id(request, "member")
    for account in _members(request):
        if account["id"] == wanted:
            return web.json_response(account)
    raise refusal(web.HTTPNotFound, "MemberNotFound", "there is no such member")


_CONVERSATION: Final = f"{PREFIX}/{{conversation}}"

ROUTES: Final = (
    web.post(PREFIX, create),
    web.post(f"{_CONVERSATION}/activities", send),
    web.post(f"{_CONVERSATION}/activities/{{activity}}", send),
    web.put(f"{_CONVERSATION}/activities/{{activity}}", update),
    web.delete(f"{_CONVERSATION}/activities/{{activity}}", delete),
    web.get(f"{_CONVERSATION}/activities/{{activity}}/members", members),
    web.get(f"{_CONVERSATION}/members", members),
    web.get(f"{_CONVERSATION}/members/{{member}}", member),
    web.get(f"{_CONVERSATION}/pagedmembers", list_members_page),
)


def _conversation(request: web.Request) -> Conversation:
    conversation = request.app[SERVICE].conversations.get(path_id(request, "conversation"))
    if conversation is None:
        raise refusal(web.HTTPNotFound, "ConversationNotFound", "there is no such conversation")
    return conversation


def _address(request: web.Request, activity: Activity) -> Activity:
    """``activity`` as it reaches the person: said by the bot, and without what only the bot needs."""
    if not isinstance(activity.get("type"), str):
        raise refusal(web.HTTPBadRequest, "MissingProperty", "$.type must be a string")
    return {
        **{name: value for name, value in activity.items() if name != "serviceUrl"},
        "from": request.app[SERVICE].bot,
    }


def _members(request: web.Request) -> list[Activity]:
    return [{"id": _conversation(request).user_id, "role": "user"}, request.app[SERVICE].bot]
