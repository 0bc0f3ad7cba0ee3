"""The log fields and the span of a turn."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from aiohttp import web

from . import Responded, Turn, emit, span
from .conversation_key import ConversationKey, short


async def run_turn(body: dict[str, Any], respond: Callable[[], Awaitable[web.Response]]) -> web.Response:
    """Call ``respond`` within the span of a turn, and return or raise its response.

    ``body`` is the turn's activity, which the guard has validated. Log events of the turn and of its
    tasks have a field ``activity``, the end of the activity's id.
    """
    turn = Turn(
        channel=body["channelId"],
        kind=body["type"],
        conversation=short(ConversationKey(body["channelId"], body["conversation"]["id"])),
        activity=suffix_of(body.get("id")),
    )
    with structlog.contextvars.bound_contextvars(activity=turn.activity), span(turn):
        response: web.Response
        try:
            response = await respond()
        except web.HTTPException as error:
            response = error
        emit(Responded(response.status))
    # Raised outside of the span, in which any exception counts as a failure.
    if isinstance(response, web.HTTPException):
        raise response
    return response


def suffix_of(activity_id: object) -> str:
    """The end of an activity's id, by which the log identifies it within its conversation.

    On Direct Line its beginning is the conversation's id, which must not be logged.
    """
    return activity_id[-8:] if isinstance(activity_id, str) else ""
