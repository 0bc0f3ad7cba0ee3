"""A bot that is registered with Azure Bot Service: its own tokens, and the keys of those who talk to it."""

from __future__ import annotations

from ..config.cloud import Cloud
from ..config.credentials import Credentials
from .entra import Entra
from .signing_keys import SigningKeys
from .token_cache import TokenCache


class Registration:
    """What has to be got before the bot can be talked to, and is renewed while it is open."""

    def __init__(self, credentials: Credentials, cloud: Cloud) -> None:
        self.app_id = credentials.app_id
        self.cloud = cloud
        self.tokens = TokenCache(Entra(credentials, cloud))
        self.keys = SigningKeys(cloud.metadata)

    def open(self) -> None:
        """Begin to get both, in the background: a start doesn't fail because others don't answer yet."""
        self.tokens.open(self.cloud.scope)
        self.keys.open()

    async def close(self) -> None:
        """Renew nothing any more."""
        await self.tokens.close()
        await self.keys.close()

    @property
    def ready(self) -> dict[str, bool]:
        """What is there that holds: ``token``, without which nothing is sent; ``keys``, nothing admitted."""
        return {"token": self.tokens.holds(self.cloud.scope), "keys": self.keys.held}
