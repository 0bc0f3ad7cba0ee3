"""Votes on an answer: the ids of its thumbs, and the activities that channels send for a vote."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ..markdown import clean_text
from .schema_org import DislikeAction, LikeAction

VOTE_EVENT: Final = "webchat:activity-status/feedback"
"""The name of Web Chat's event. One of its entities is the pressed action, as it was sent."""
VOTE_INVOKE: Final = "message/submitAction"
"""The name of Teams' invoke, and of newer Web Chat's where it asks for a comment."""
MAX_COMMENT: Final = 2000
"""Characters of a comment."""
_ANSWER_ID: Final = r"[A-Za-z0-9._~-]{1,128}"
"""Unreserved characters (RFC 3986 § 2.3), which need no escape anywhere."""


class Reaction(StrEnum):
    """A person's opinion of an answer, in Teams' words."""

    LIKE = "like"
    DISLIKE = "dislike"


_ACTION_ID: Final = re.compile(rf"urn:answer:(?P<answer>{_ANSWER_ID})\#(?P<reaction>{'|'.join(Reaction)})")
_ACTIONS: Final = {
    "LikeAction": Reaction.LIKE,
    "DislikeAction": Reaction.DISLIKE,
    # Web Chat's legacy forms.
    "VoteAction upvote": Reaction.LIKE,
    "VoteAction downvote": Reaction.DISLIKE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One person's reaction to one answer.

    ``answer_id`` is None where the channel only names one of its activities, in ``replyToId``.
    ``comment`` has at most :data:`MAX_COMMENT` characters.
    """

    reaction: Reaction
    answer_id: str | None = None
    comment: str = ""


def check_answer_id(answer_id: str) -> None:
    """Raise ``ValueError`` unless the id has 1 to 128 ASCII letters, digits and ``- . _ ~``."""
    if not re.fullmatch(_ANSWER_ID, answer_id):
        raise ValueError("an answer's id is 1 to 128 of A-Z a-z 0-9 - . _ ~")


def action_id(answer_id: str, reaction: Reaction) -> str:
    """The ``@id`` of a thumb. Web Chat returns it, and nothing else that identifies the answer."""
    check_answer_id(answer_id)
    return f"urn:answer:{answer_id}#{reaction}"


def thumbs(answer_id: str) -> tuple[LikeAction | DislikeAction, ...]:
    """The message's ``potentialAction``; raises ``ValueError`` for an invalid id."""
    return (
        LikeAction(id=action_id(answer_id, Reaction.LIKE)),
        DislikeAction(id=action_id(answer_id, Reaction.DISLIKE)),
    )


def read_vote(activity: Mapping[str, object]) -> Vote | None:
    """The vote in an activity from a channel, as plain JSON; None if there is none.

    Any client can write such an activity. The caller must check that the answer belongs to the
    conversation.
    """
    match activity.get("type"), activity.get("name"):
        case ("event", name) if name == VOTE_EVENT:
            entities = activity.get("entities")
            votes = map(_read_action, entities if isinstance(entities, list) else ())
            return next((vote for vote in votes if vote), None)
        case ("invoke", name) if name == VOTE_INVOKE:
            return _read_submission(activity.get("value"))
    return None


def _read_action(action: object) -> Vote | None:
    if not isinstance(action, Mapping) or not isinstance(action.get("@id"), str):
        return None
    kind, found = action.get("@type"), _ACTION_ID.fullmatch(action["@id"])
    reaction = _ACTIONS.get(f"{kind} {action.get('actionOption')}" if kind == "VoteAction" else f"{kind}")
    # The action and its id differ only in an activity that no thumb produced.
    if found is None or found["reaction"] != reaction:
        return None
    return Vote(reaction=Reaction(found["reaction"]), answer_id=found["answer"])


def _read_submission(value: object) -> Vote | None:
    if not isinstance(value, Mapping) or value.get("actionName") != "feedback":
        return None
    submitted = value.get("actionValue")
    if not isinstance(submitted, Mapping) or submitted.get("reaction") not in list(Reaction):
        return None
    return Vote(reaction=Reaction(submitted["reaction"]), comment=_comment(submitted.get("feedback")))


def _comment(feedback: object) -> str:
    """The comment: Teams sends a string of JSON, Web Chat an object."""
    if isinstance(feedback, str):
        try:
            feedback = json.loads(feedback)
        except (ValueError, RecursionError):
            return ""
    text = feedback.get("feedbackText") if isinstance(feedback, Mapping) else None
    return clean_text(text[: MAX_COMMENT * 2]).strip()[:MAX_COMMENT] if isinstance(text, str) else ""
