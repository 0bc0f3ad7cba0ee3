"""The Microsoft Entra tenants whose members are answered on Teams."""

from __future__ import annotations

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
