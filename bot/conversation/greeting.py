"""The greeting: when it is due, and what it says."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, Final, TypeVar

from citations import channel
from citations.markdown import sanitize

from ..connector import activities
from ..languages import Sentence, say
from ..sources import AnswerSource
from ..sources.permission import Permission
from ..telemetry.log import cause, logger
from . import Delivery
from .activity_log import ActivityKey
from .question_turn import conversation_of, is_in_group

TIMEOUT: Final = 2.0
"""Seconds for each optional part of a greeting, which must be sent within its request."""
_TEAMS: Final = "msteams"
_Loaded = TypeVar("_Loaded")

log = logger(__name__)


def is_due(activity: Any) -> bool:
    """Whether an activity says that people meet the bot in its conversation.

    Teams tells of an installation once or twice, by ``installationUpdate`` and ``conversationUpdate``
    ("Conversation events in your Teams bot"). Later it tells of each person who joins a team. The bot does
    not greet them before all the others.
    """
    if activity.type == "installationUpdate":
        return bool(activity.channel_id == _TEAMS and activity.action == "add")
    bot = activity.recipient
    added = [bot is not None and member.id == bot.id for member in activity.members_added or []]
    if activity.channel_id != _TEAMS:
        return not all(added)
    return any(added) or (bool(added) and not is_in_group(activity))


def key_of(activity: Any) -> ActivityKey | None:
    """The key under which a conversation is greeted once; None where each such activity is greeted."""
    is_teams = activity.channel_id == _TEAMS
    return ActivityKey(conversation_of(activity), "greeting") if is_teams else None


async def write(delivery: Delivery, activity: Any) -> Any:
    """The greeting of the conversation of ``activity``: an activity."""
    shape = channel(activity.channel_id, activity.service_url or "")
    source, permission = delivery.source, await _try_to_load(delivery.permission_of(activity), None)
    sentences = [await _write_text(source, permission, shape.text_format)]
    in_group = activity.channel_id == _TEAMS and is_in_group(activity)
    if in_group:
        bot = activity.recipient.name if activity.recipient else ""
        sentences.append(say(Sentence.GREETING_MENTION, name=_format(bot or "Bot", shape.text_format)))
    if shape.graph is None:
        sentences.append(say(Sentence.GREETING_NUMBER))
    suggestions: tuple[str, ...] = ()
    if permission is not None:
        suggestions = await _try_to_load(source.suggestions_for(permission), ())
    return activities.welcome(" ".join(sentences), shape.text_format, suggestions[: shape.most_buttons])


async def _write_text(source: AnswerSource, permission: Permission | None, text_format: str) -> str:
    title_text = _format(source.title, text_format)
    facts = await _try_to_load(source.facts_for(permission), {}) if permission is not None else {}
    count = facts.get("documents")
    if not count:
        return say(Sentence.GREETING, title=title_text)
    return say(Sentence.GREETING_WITH_COUNT, title=title_text, count=count)


def _format(name: str, text_format: str) -> str:
    return f"**{sanitize(name)}**" if text_format == "markdown" else name


async def _try_to_load(loading: Awaitable[_Loaded], default: _Loaded) -> _Loaded:
    """Load an optional part of a greeting: without it, it is still a greeting."""
    try:
        async with asyncio.timeout(TIMEOUT):
            return await loading
    except Exception as error:  # noqa: BLE001 - whatever a source raises
        log.warning("greeting without all parts", cause=cause(error))
        return default
