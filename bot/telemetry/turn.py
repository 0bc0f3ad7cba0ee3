"""The frame around one inbound activity: what is logged, counted and traced within it belongs together."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from aiohttp import web

from . import Responded, Turn, emit, span
from .conversation_key import ConversationKey, short


async def turn(body: dict[str, Any], respond: Callable[[], Awaitable[web.Response]]) -> web.Response:
    """What ``respond`` answers the request with that brought ``body``, an activity that the guard let in.

    All that is logged meanwhile, and by the tasks that it leaves behind, has ``activity``, the end of
    the activity's id.
    """
    begun = Turn(
        channel=body["channelId"],
        kind=body["type"],
        conversation=short(ConversationKey(body["channelId"], body["conversation"]["id"])),
        activity=suffix_of(body.get("id")),
    )
    with structlog.contextvars.bound_contextvars(activity=begun.activity), span(begun):
        response: web.Response
        try:
            response = await respond()
        except web.HTTPException as refused:
            response = refused
        emit(Responded(response.status))
    # Beyond the step, in which an exception would count as a fault.
    if isinstance(response, web.HTTPException):
        raise response
    return response


def suffix_of(activity_id: object) -> str:
    """Enough of an activity's id to tell it from others of its conversation.

    Its beginning may be the whole id of the conversation (Direct Line), which is for nobody's eyes.
    """
    return activity_id[-8:] if isinstance(activity_id, str) else ""
