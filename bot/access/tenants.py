"""Whose people are answered: the tenants of Microsoft Entra, on Teams."""

from __future__ import annotations

from typing import Any

from ..telemetry.log import logger

log = logger(__name__)


def tenant_of(activity: Any) -> str:
    """The tenant of a conversation, in lower case; empty where none is named, or two."""
    conversation, data = activity.conversation, activity.channel_data
    told = data.get("tenant") if isinstance(data, dict) else None
    named = {
        # The SDK looks for `tenantID`, and Teams writes `tenantId`.
        conversation.tenant_id,
        conversation.additional_properties.get("tenantId"),
        told.get("id") if isinstance(told, dict) else None,
    }
    tenants = {str(tenant).lower() for tenant in named if tenant}
    return tenants.pop() if len(tenants) == 1 else ""


class Tenants:
    """The tenants whose people are answered on Teams; where none is named, all are."""

    def __init__(self, allowed: frozenset[str]) -> None:
        self._allowed = allowed
        self._refused = 0

    def admit(self, activity: Any) -> bool:
        """Whether the activity is no other tenant's; those that are get counted in the log."""
        if not self._allowed or activity.channel_id != "msteams" or tenant_of(activity) in self._allowed:
            return True
        self._refused += 1
        log.warning("other tenant refused", count=self._refused)
        return False
