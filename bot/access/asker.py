"""The person who asks, as an access policy sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .tenants import tenant_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """The person who asks. A field is empty where the channel doesn't provide it.

    A channel is as trustworthy as its token. On Direct Line a page can choose any ``user_id``, unless
    its token contains one.
    """

    channel_id: str
    user_id: str = ""
    """The person's id on the channel."""
    aad_object_id: str = ""
    """The person's object id in Microsoft Entra, on Teams; empty on every other channel."""
    tenant_id: str = ""
    """The conversation's tenant, on Teams only; empty where the activity's fields contradict each other."""
    conversation_id: str = ""


def asker_of(activity: Any) -> Asker:
    """The sender of an activity."""
    sender = activity.from_property
    # Only Teams signs people in with Entra. On other channels the client may have chosen these fields.
    in_entra = activity.channel_id == "msteams"
    return Asker(
        channel_id=activity.channel_id or "",
        user_id=(sender.id if sender else None) or "",
        aad_object_id=(sender.aad_object_id if sender and in_entra else None) or "",
        tenant_id=tenant_of(activity) if in_entra else "",
        conversation_id=activity.conversation.id or "",
    )
