"""The question whether an answer was good, as Web Chat asks it: a thumb up and a thumb down."""

from __future__ import annotations

from .feedback import Reaction, action_id
from .schema_org import DislikeAction, LikeAction


def thumbs(answer_id: str) -> tuple[LikeAction | DislikeAction, ...]:
    """``potentialAction`` of the message; raises ``ValueError`` for an id that is none."""
    return (
        LikeAction(id=action_id(answer_id, Reaction.LIKE)),
        DislikeAction(id=action_id(answer_id, Reaction.DISLIKE)),
    )
