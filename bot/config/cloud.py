"""The clouds of Azure Bot Service, with their URLs, issuers and hosts.

Governing sources: the Bot Framework SDK, ``AuthenticationConstants`` and ``GovernmentConstants``; for
the hosts of Teams, the Teams SDK, "Service URL Validation" § "Allowed hostnames by cloud"; for the sign-in,
Azure AI Bot Service, "OAuth URL support".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from botframework.connector.auth import AuthenticationConstants, GovernmentConstants


@dataclass(frozen=True, slots=True, kw_only=True)
class Cloud:
    """One cloud."""

    login: str
    """The URL of Entra ID. With a tenant appended, it is an authority."""
    tenant: str
    """The tenant that issues a multi-tenant bot's tokens."""
    scope: str
    """The default scope of the bot's own tokens."""
    issuer: str
    """The claim ``iss`` of the channels' tokens."""
    metadata: str
    """The URL of the OpenID metadata document, which has the URL of the channels' signing keys."""
    graph: str
    """The URL of Microsoft Graph, which is also its scope."""
    sign_in_service: str
    """The URL of the service that signs people in, and keeps their tokens."""
    service_hosts: tuple[str, ...]
    """The hosts of the channels' service URLs; ``.example.com`` means every name below ``example.com``."""


PUBLIC: Final = Cloud(
    login=AuthenticationConstants.TO_CHANNEL_FROM_BOT_LOGIN_URL_PREFIX,
    tenant=AuthenticationConstants.DEFAULT_CHANNEL_AUTH_TENANT,
    scope=AuthenticationConstants.TO_CHANNEL_FROM_BOT_OAUTH_SCOPE,
    issuer=AuthenticationConstants.TO_BOT_FROM_CHANNEL_TOKEN_ISSUER,
    metadata=AuthenticationConstants.TO_BOT_FROM_CHANNEL_OPENID_METADATA_URL,
    graph="https://graph.microsoft.com",
    sign_in_service="https://token.botframework.com",
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
    graph="https://graph.microsoft.us",
    sign_in_service="https://token.botframework.azure.us",
    service_hosts=(
        ".botframework.azure.us",
        ".botframework.us",
        "smba.infra.gov.teams.microsoft.us",
        "smba.infra.dod.teams.microsoft.us",
    ),
)

CLOUDS: Final = {"": PUBLIC, GovernmentConstants.CHANNEL_SERVICE: US_GOVERNMENT}
"""The clouds by the value of ``ChannelService``, a variable of the Bot Framework samples."""
