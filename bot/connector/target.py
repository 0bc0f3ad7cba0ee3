"""Targeted messages: in a group chat or a channel of Teams, one person alone sees them.

Governing source: Teams, "Targeted messages" (agents-in-teams/targeted-messages). A person's question is
targeted where the bot's account in it has ``isTargeted``. The mark is kept in the activity that a turn
handles, and goes with its conversation reference into each proactive turn.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any, Final

from botbuilder.schema import ActivityTypes, ChannelAccount

from citations.integrations.botbuilder_entity import WholeEntity

QUERY: Final = "?isTargetedActivity=true"
"""What makes a request to a connector private, whatever its body has."""

_MARK: Final = "isTargeted"
_QUESTION: Final = "targetedMessageId"
"""Our own field beside the mark. No activity that is sent has it."""


@dataclass(frozen=True, slots=True)
class Target:
    """The one person who sees what a turn sends.

    ``question_id`` is the id of their targeted message, if it has one. None: all have read the question.
    """

    question_id: str | None


def target_of(activity: Any) -> Target | None:
    """Whom a turn that handles ``activity`` answers alone; None where it answers in public."""
    marks = _marks_of(activity)
    return Target(marks.get(_QUESTION, _find_question_id(activity))) if marks.get(_MARK) else None


def answer_privately(activity: Any, target: Target) -> None:
    """Have the turn that handles ``activity`` answer its sender alone, as ``target`` says."""
    activity.recipient = activity.recipient or ChannelAccount()
    marks = {_MARK: True, _QUESTION: target.question_id}
    activity.recipient.additional_properties = {**_marks_of(activity), **marks}


def address(activity: Any, target: Target) -> Any:
    """A copy of ``activity`` as Teams takes it for one person: its ``recipient`` says for whom it is.

    "Prompt preview": above the reply Teams shows the targeted message that ``targetedMessageInfo`` names.
    """
    addressed, person = copy(activity), activity.recipient
    addressed.recipient = {"id": person.id if person else None, "isTargeted": True}
    if target.question_id:
        addressed.reply_to_id = target.question_id
        info = WholeEntity({"type": "targetedMessageInfo", "messageId": target.question_id})
        addressed.entities = [*(activity.entities or []), info]
    return addressed


def _marks_of(activity: Any) -> dict[str, Any]:
    return (activity.recipient.additional_properties if activity.recipient else None) or {}


def _find_question_id(activity: Any) -> str:
    # In a proactive turn, the conversation reference of the first turn has the id of its message.
    origin = activity.relates_to.activity_id if activity.relates_to else activity.id
    return (origin if activity.relates_to or activity.type == ActivityTypes.message else None) or ""
