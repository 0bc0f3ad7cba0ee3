"""The person who asks, as an access policy sees them, and whether their tenant is answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..telemetry.log import logger

log = logger(__name__)


def tenant_of(activity: Any) -> str:
    """The tenant id of a conversation, in lower case; empty where there is none, or more than one."""
    conversation, data = activity.conversation, activity.channel_data
    in_channel_data = data.get("tenant") if isinstance(data, dict) else None
    ids = {
        # The SDK reads `tenantID`, and Teams writes `tenantId`.
        conversation.tenant_id,
        conversation.additional_properties.get("tenantId"),
        in_channel_data.get("id") if isinstance(in_channel_data, dict) else None,
    }
    tenants = {str(tenant).lower() for tenant in ids if tenant}
    return tenants.pop() if len(tenants) == 1 else ""


class Tenants:
    """The tenants whose members are answered on Teams: those in ``allowed``, or all if it is empty."""

    def __init__(self, allowed: frozenset[str]) -> None:
        self._allowed = allowed
        self._refused = 0

    def admit(self, activity: Any) -> bool:
        """Whether the activity's sender is answered. The log has a running count of the others."""
        if not self._allowed or activity.channel_id != "msteams" or tenant_of(activity) in self._allowed:
            return True
        self._refused += 1
        log.warning("other tenant refused", count=self._refused)
        return False


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
