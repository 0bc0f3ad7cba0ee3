"""The connector's REST API for the bot, as far as a conversation in Web Chat needs it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from aiohttp import web

from ..http.body import read_object
from ..http.path_segment import read_path_id
from ..http.refusal import refusal
from .conversation import Activity, Conversation, new_id
from .service import SERVICE

PREFIX: Final = "/v3/conversations"


async def create_conversation(request: web.Request) -> web.Response:
    """``POST /v3/conversations``: start a conversation with its first member; 201 with ``id``."""
    body = await read_object(request)
    members = body.get("members")
    first = members[0] if isinstance(members, list) and members else None
    if not isinstance(first, dict) or not isinstance(first.get("id"), str) or not first["id"]:
        raise refusal(web.HTTPBadRequest, "MissingProperty", "$.members[0].id must be a non-empty string")
    conversation = request.app[SERVICE].conversations.open(new_id(), first["id"])
    conversation.started = True
    response: dict[str, object] = {
        "id": conversation.id,
        "serviceUrl": f"http://{request.app[SERVICE].authority}/",
    }
    if isinstance(body.get("activity"), dict):
        response["activityId"] = conversation.add(_sent_by_bot(request, dict(body["activity"])))  # type: ignore[call-overload]
    return web.json_response(response, status=HTTPStatus.CREATED)


async def send_activity(request: web.Request) -> web.Response:
    """``POST …/activities`` and ``POST …/activities/{id}``: send an activity, or a reply to one."""
    conversation = _find_conversation(request)
    activity = _sent_by_bot(request, await read_object(request))
    if "activity" in request.match_info:
        activity["replyToId"] = read_path_id(request, "activity")
    return web.json_response({"id": conversation.add(activity)})


async def update_activity(request: web.Request) -> web.Response:
    """``PUT …/activities/{id}``: replace an activity."""
    conversation, activity_id = _find_conversation(request), read_path_id(request, "activity")
    if not conversation.replace(activity_id, _sent_by_bot(request, await read_object(request))):
        raise refusal(web.HTTPNotFound, "ActivityNotFound", "there is no such activity")
    return web.json_response({"id": activity_id})


async def delete_activity(request: web.Request) -> web.Response:
    """``DELETE …/activities/{id}``: delete an activity. Clients that have it already still show it."""
    if not _find_conversation(request).remove(read_path_id(request, "activity")):
        raise refusal(web.HTTPNotFound, "ActivityNotFound", "there is no such activity")
    return web.Response()


async def list_members(request: web.Request) -> web.Response:
    """``GET …/members``: the person and the bot, as ``ChannelAccount`` objects."""
    return web.json_response(_members_of(request))


async def list_members_page(request: web.Request) -> web.Response:
    """``GET …/pagedmembers``: both on one page."""
    return web.json_response({"members": _members_of(request)})


async def get_member(request: web.Request) -> web.Response:
    """``GET …/members/{id}``: one of the two."""
    member_id = read_path_id(request, "member")
    for account in _members_of(request):
        if account["id"] == member_id:
            return web.json_response(account)
    raise refusal(web.HTTPNotFound, "MemberNotFound", "there is no such member")


_CONVERSATION: Final = f"{PREFIX}/{{conversation}}"

ROUTES: Final = (
    web.post(PREFIX, create_conversation),
    web.post(f"{_CONVERSATION}/activities", send_activity),
    web.post(f"{_CONVERSATION}/activities/{{activity}}", send_activity),
    web.put(f"{_CONVERSATION}/activities/{{activity}}", update_activity),
    web.delete(f"{_CONVERSATION}/activities/{{activity}}", delete_activity),
    web.get(f"{_CONVERSATION}/activities/{{activity}}/members", list_members),
    web.get(f"{_CONVERSATION}/members", list_members),
    web.get(f"{_CONVERSATION}/members/{{member}}", get_member),
    web.get(f"{_CONVERSATION}/pagedmembers", list_members_page),
)


def _find_conversation(request: web.Request) -> Conversation:
    conversation = request.app[SERVICE].conversations.get(read_path_id(request, "conversation"))
    if conversation is None:
        raise refusal(web.HTTPNotFound, "ConversationNotFound", "there is no such conversation")
    return conversation


def _sent_by_bot(request: web.Request, activity: Activity) -> Activity:
    """``activity`` as a client gets it: from the bot, and without its service URL."""
    if not isinstance(activity.get("type"), str):
        raise refusal(web.HTTPBadRequest, "MissingProperty", "$.type must be a string")
    return {
        **{name: value for name, value in activity.items() if name != "serviceUrl"},
        "from": request.app[SERVICE].bot,
    }


def _members_of(request: web.Request) -> list[Activity]:
    return [_find_conversation(request).user, request.app[SERVICE].bot]
