"""The clouds that Azure Bot Service runs in, and what differs between them.

Governing sources: the Bot Framework SDK, ``AuthenticationConstants`` and ``GovernmentConstants``; for
the hosts of Teams, the Teams SDK, "Service URL Validation" § "Allowed hostnames by cloud".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from botframework.connector.auth import AuthenticationConstants, GovernmentConstants


@dataclass(frozen=True, slots=True, kw_only=True)
class Cloud:
    """Where tokens come from in one cloud, what they must say, and where its channels are."""

    login: str
    """The URL of Entra ID; an authority is this followed by a tenant."""
    tenant: str
    """The tenant that gives a multi-tenant bot its tokens."""
    scope: str
    """What our own tokens are for, unless a call names another audience."""
    issuer: str
    """``iss`` of every token that a channel sends us."""
    metadata: str
    """The URL of the OpenID metadata document, which names the channels' signing keys."""
    service_hosts: tuple[str, ...]
    """The hosts of the channels' service URLs; ``.example.com`` is every name below ``example.com``."""


PUBLIC: Final = Cloud(
    login=AuthenticationConstants.TO_CHANNEL_FROM_BOT_LOGIN_URL_PREFIX,
    tenant=AuthenticationConstants.DEFAULT_CHANNEL_AUTH_TENANT,
    scope=AuthenticationConstants.TO_CHANNEL_FROM_BOT_OAUTH_SCOPE,
    issuer=AuthenticationConstants.TO_BOT_FROM_CHANNEL_TOKEN_ISSUER,
    metadata=AuthenticationConstants.TO_BOT_FROM_CHANNEL_OPENID_METADATA_URL,
    service_hosts=(
        ".botframework.com",
        "smba.trafficmanager.net",
        "smba.onyx.prod.teams.trafficmanager.net",
        "smba.infra.gcc.teams.microsoft.com",
    ),
)

US_GOVERNMENT: Final = Cloud(
    login=GovernmentConstants.TO_CHANNEL_FROM_BOT_LOGIN_URL_PREFIX,
    tenant=GovernmentConstants.DEFAULT_CHANNEL_AUTH_TENANT,
    scope=GovernmentConstants.TO_CHANNEL_FROM_BOT_OAUTH_SCOPE,
    issuer=GovernmentConstants.TO_BOT_FROM_CHANNEL_TOKEN_ISSUER,
    metadata=GovernmentConstants.TO_BOT_FROM_CHANNEL_OPENID_METADATA_URL,
    service_hosts=(
        ".botframework.azure.us",
        ".botframework.us",
        "smba.infra.gov.teams.microsoft.us",
        "smba.infra.dod.teams.microsoft.us",
    ),
)

CLOUDS: Final = {"": PUBLIC, GovernmentConstants.CHANNEL_SERVICE: US_GOVERNMENT}
"""The clouds by what ``ChannelService`` says, as the Bot Framework samples name them."""
