"""The cache of the bot's own access tokens, and the only caller of Entra ID."""

from __future__ import annotations

import asyncio
import functools
import time
from typing import Final

from ..connector import TokenError
from ..telemetry.log import logger
from .entra import Entra
from .refreshing_value import RefreshingValue, Unavailable

TIMEOUT: Final = 5.0
"""Seconds that a request waits while no token is cached: time is left to answer its channel."""
REPLACEMENT_INTERVAL: Final = 60.0
"""Seconds between two tokens that are requested because a connector refused the previous one."""

log = logger(__name__)


class TokenCache:
    """The tokens of one bot, one for each scope; implements ``bot.connector.AccessTokens``."""

    def __init__(self, entra: Entra) -> None:
        self._entra = entra
        self._tokens: dict[str, RefreshingValue[str]] = {}
        self._next_replacement: dict[str, float] = {}
        self._replacing = asyncio.Lock()

    def open(self, scope: str) -> None:
        """Start fetching the token for ``scope`` in the background. Never fails."""
        self._refreshing_token(scope).open()

    async def close(self) -> None:
        """End the background tasks."""
        await asyncio.gather(*(token.close() for token in self._tokens.values()))
        self._entra.close()

    def has_token(self, scope: str) -> bool:
        """Whether an unexpired token for ``scope`` is cached."""
        return self._refreshing_token(scope).valid

    async def get_token(self, scope: str) -> str:
        """The token for ``scope``. Raises :class:`TokenError` where there is none."""
        try:
            return await self._refreshing_token(scope).get()
        except Unavailable as error:
            raise TokenError(f"no access token: {error}") from None

    async def replace_token(self, scope: str, refused: str) -> str:
        """A new token for ``scope``, after a connector refused one.

        Returns the same token within :data:`REPLACEMENT_INTERVAL`, and where Entra ID fails. A connector
        that refuses every token must not cause a request in every turn. Raises :class:`TokenError` where
        there is none.
        """
        # The first caller requests a token; those that waited for the lock get it from the cache.
        async with self._replacing:
            cached = await self.get_token(scope)
            now = time.monotonic()
            if cached != refused or now < self._next_replacement.get(scope, 0.0):
                return cached
            self._next_replacement[scope] = now + REPLACEMENT_INTERVAL
            log.warning("a connector refused our token")
            try:
                return await self._refreshing_token(scope).refresh()
            except Unavailable:
                return cached

    def _refreshing_token(self, scope: str) -> RefreshingValue[str]:
        if scope not in self._tokens:
            acquire = functools.partial(self._entra.acquire_token, scope)
            self._tokens[scope] = RefreshingValue("access token", acquire, timeout=TIMEOUT)
        return self._tokens[scope]
