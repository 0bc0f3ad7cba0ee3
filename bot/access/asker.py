"""Who asks: what an access policy is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .tenants import tenant_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Who asks, in the channel's words: each is empty where the channel doesn't say it.

    A channel is trusted as far as its token is. On Direct Line a page may choose any ``user_id``
    unless the token that it was given fixes one.
    """

    channel_id: str
    user_id: str = ""
    """The channel's id of the person."""
    aad_object_id: str = ""
    """Their id in Microsoft Entra, on Teams."""
    tenant_id: str = ""
    """The tenant of the conversation, on Teams; empty where what Teams says of it disagrees."""
    conversation_id: str = ""


def asker_of(activity: Any) -> Asker:
    """Who sent an activity."""
    sender = activity.from_property
    return Asker(
        channel_id=activity.channel_id or "",
        user_id=(sender.id if sender else None) or "",
        aad_object_id=(sender.aad_object_id if sender else None) or "",
        tenant_id=tenant_of(activity),
        conversation_id=activity.conversation.id or "",
    )
