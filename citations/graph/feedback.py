"""Whether an answer was good: what its thumbs are called, and what a channel sends when one is pressed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ..markdown import clean_text

VOTE_EVENT: Final = "webchat:activity-status/feedback"
"""The name of Web Chat's event; one of its entities is the action that was pressed, as it was sent."""
VOTE_INVOKE: Final = "message/submitAction"
"""The name of the invoke of Teams, and of newer Web Chat where it asks for a comment."""
MAX_COMMENT: Final = 2000
"""Characters."""
_ANSWER_ID: Final = r"[A-Za-z0-9._~-]{1,128}"
"""RFC 3986 § 2.3: unreserved characters mean themselves wherever an id is written."""


class Reaction(StrEnum):
    """What a person thinks of an answer, in the words of Teams."""

    LIKE = "like"
    DISLIKE = "dislike"


_ACTION_ID: Final = re.compile(rf"urn:answer:(?P<answer>{_ANSWER_ID})\#(?P<reaction>{'|'.join(Reaction)})")
_ACTIONS: Final = {
    "LikeAction": Reaction.LIKE,
    "DislikeAction": Reaction.DISLIKE,
    # Web Chat calls these legacy.
    "VoteAction upvote": Reaction.LIKE,
    "VoteAction downvote": Reaction.DISLIKE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One person's reaction to one answer.

    ``answer_id`` is None where the channel says only which of its activities it is about: that is
    ``replyToId``. ``comment`` has :data:`MAX_COMMENT` characters at most.
    """

    reaction: Reaction
    answer_id: str | None = None
    comment: str = ""


def check_answer_id(answer_id: str) -> None:
    """Raise ``ValueError`` unless it is 1 to 128 letters, digits and ``- . _ ~`` of ASCII."""
    if not re.fullmatch(_ANSWER_ID, answer_id):
        raise ValueError("an answer's id is 1 to 128 of A-Z a-z 0-9 - . _ ~")


def action_id(answer_id: str, reaction: Reaction) -> str:
    """The ``@id`` of a thumb: Web Chat sends it back, and nothing else that tells one answer from another."""
    check_answer_id(answer_id)
    return f"urn:answer:{answer_id}#{reaction}"


def read_vote(activity: Mapping[str, object]) -> Vote | None:
    """The vote in an activity that a channel sent, as plain JSON; None if there is none.

    Whoever sends it may have written it: that the answer is one of this conversation, the caller
    has to know.
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
    # What was pressed and what it is called can only differ where somebody wrote it.
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
    """What the person wrote: Teams sends a string of JSON, Web Chat an object."""
    if isinstance(feedback, str):
        try:
            feedback = json.loads(feedback)
        except (ValueError, RecursionError):
            return ""
    text = feedback.get("feedbackText") if isinstance(feedback, Mapping) else None
    return clean_text(text[: MAX_COMMENT * 2]).strip()[:MAX_COMMENT] if isinstance(text, str) else ""
