"""What the page does with whole conversations, beside the Direct Line API: copy one, and delete one."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Final

from aiohttp import hdrs, web

from ..conversation.handler import STOP
from ..http.refusal import refusal
from ..languages import find_language, speaking
from .client_api import find_conversation
from .conversation import Activity, Conversation, is_from, new_id
from .footnotes import MarkdownCopy, copy_answer, copy_conversation, may_copy
from .service import SERVICE

_CONVERSATION: Final = "/page/conversations/{conversation}"
_LONGEST_TITLE: Final = 200
_STOPPING: Final = 2.0
"""Seconds in which an answer under way ends once it is stopped."""


async def copy_as_markdown(request: web.Request) -> web.Response:
    """``GET …/markdown``: the conversation as Markdown with footnotes, or its message ``answer``.

    The query may have a ``title``, the heading of the conversation. Raises 404 for a message that the bot
    did not send, and 403 for one that may not be copied.
    """
    conversation = find_conversation(request)
    with speaking(find_language(request.headers.get(hdrs.ACCEPT_LANGUAGE))):
        if answer := request.query.get("answer"):
            copied = _copy_answer(conversation, answer)
        else:
            title, name = request.query.get("title", "")[:_LONGEST_TITLE], request.app[SERVICE].name
            copied = await asyncio.to_thread(copy_conversation, conversation.after(0), title, name)
    headers = {hdrs.CACHE_CONTROL: "no-store", "X-Content-Type-Options": "nosniff"}
    return web.Response(text=copied.text, content_type="text/markdown", headers=headers)


def _copy_answer(conversation: Conversation, activity_id: str) -> MarkdownCopy:
    for activity in conversation.after(0):
        if (
            activity.get("id") == activity_id
            and activity.get("type") == "message"
            and is_from(activity, "bot")
        ):
            if may_copy(activity):
                return copy_answer(activity)
            raise refusal(web.HTTPForbidden, "NotCopied", "the sources of this answer are encrypted")
    raise refusal(web.HTTPNotFound, "ActivityNotFound", "there is no such answer")


async def delete_conversation(request: web.Request) -> web.Response:
    """``DELETE …``: forget the conversation, here and in the bot; 502 where the bot could not forget it."""
    conversation, service = find_conversation(request), request.app[SERVICE]
    # What becomes of an answer under way is remembered before the conversation is forgotten.
    await service.send_to_bot(conversation, _by_user(conversation, type="event", name=STOP))
    await service.wait_until_idle(_STOPPING)
    # Bot Framework -- Activity, "Delete user data".
    asked = _by_user(conversation, type="deleteUserData")
    if await service.send_to_bot(conversation, asked) >= HTTPStatus.BAD_REQUEST:
        raise refusal(web.HTTPBadGateway, "BotError", "the bot could not forget this conversation")
    service.conversations.drop(conversation.id)
    return web.Response(status=HTTPStatus.NO_CONTENT)


def _by_user(conversation: Conversation, **fields: str) -> Activity:
    return {**fields, "id": new_id(), "from": conversation.user}


ROUTES: Final = (
    web.get(f"{_CONVERSATION}/markdown", copy_as_markdown),
    web.delete(_CONVERSATION, delete_conversation),
)
