"""The two thumbs by which Web Chat asks for a vote."""

from __future__ import annotations

from .feedback import Reaction, action_id
from .schema_org import DislikeAction, LikeAction


def thumbs(answer_id: str) -> tuple[LikeAction | DislikeAction, ...]:
    """The message's ``potentialAction``; raises ``ValueError`` for an invalid id."""
    return (
        LikeAction(id=action_id(answer_id, Reaction.LIKE)),
        DislikeAction(id=action_id(answer_id, Reaction.DISLIKE)),
    )
