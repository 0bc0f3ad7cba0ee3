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
    """Their id in Microsoft Entra, on Teams; empty on every other channel."""
    tenant_id: str = ""
    """The tenant of the conversation, on Teams alone; empty where what Teams says of it disagrees."""
    conversation_id: str = ""


def asker_of(activity: Any) -> Asker:
    """Who sent an activity."""
    sender = activity.from_property
    # Only Teams signs people in with Entra; what another channel passes on, its client may have chosen.
    in_entra = activity.channel_id == "msteams"
    return Asker(
        channel_id=activity.channel_id or "",
        user_id=(sender.id if sender else None) or "",
        aad_object_id=(sender.aad_object_id if sender and in_entra else None) or "",
        tenant_id=tenant_of(activity) if in_entra else "",
        conversation_id=activity.conversation.id or "",
    )
