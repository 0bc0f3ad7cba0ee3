"""A bot's registration with Azure Bot Service: its access tokens and the channels' signing keys."""

from __future__ import annotations

from ..config.cloud import Cloud
from ..config.credentials import Credentials
from .entra import Entra
from .signing_keys import SigningKeys
from .token_cache import TokenCache


class Registration:
    """The tokens and the keys of one bot, refreshed in the background between ``open`` and ``close``."""

    def __init__(self, credentials: Credentials, cloud: Cloud) -> None:
        self.app_id = credentials.app_id
        self.cloud = cloud
        self.tokens = TokenCache(Entra(credentials, cloud))
        self.keys = SigningKeys(cloud.metadata)

    def open(self) -> None:
        """Start fetching both in the background. Startup does not fail while Entra ID is unreachable."""
        self.tokens.open(self.cloud.scope)
        self.keys.open()

    async def close(self) -> None:
        """Stop refreshing them."""
        await self.tokens.close()
        await self.keys.close()

    @property
    def ready(self) -> dict[str, bool]:
        """Whether a valid ``token`` (needed to send) and valid ``keys`` (needed to receive) are cached."""
        return {"token": self.tokens.has_token(self.cloud.scope), "keys": self.keys.valid}
