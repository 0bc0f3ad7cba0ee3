"""The bot's own access tokens, kept: a turn asks here, and here alone is Entra ID asked."""

from __future__ import annotations

import asyncio
import functools
import time
from typing import Final

from ..connector import TokenError
from ..telemetry.log import logger
from .entra import Entra
from .refreshing_value import RefreshingValue, Unavailable

PATIENCE: Final = 5.0
"""Seconds that a send waits for a token where there is none: then the channel has still time to be told."""
DOUBT: Final = 60.0
"""Seconds between two tokens that are asked for because a connector refused the one before."""

log = logger(__name__)


class TokenCache:
    """The tokens of one bot, one for each scope; implements ``bot.connector.AccessTokens``."""

    def __init__(self, entra: Entra) -> None:
        self._entra = entra
        self._kept: dict[str, RefreshingValue[str]] = {}
        self._doubted: dict[str, float] = {}
        self._doubting = asyncio.Lock()

    def open(self, scope: str) -> None:
        """Begin to get the token for ``scope``, so that no turn has to wait for it. Never fails."""
        self._of(scope).open()

    async def close(self) -> None:
        """End what runs in the background."""
        await asyncio.gather(*(kept.close() for kept in self._kept.values()))
        self._entra.close()

    def holds(self, scope: str) -> bool:
        """Whether there is a token for ``scope`` that hasn't ended."""
        return self._of(scope).holds

    async def token(self, scope: str) -> str:
        """The token for ``scope``. Raises :class:`TokenError` where there is none."""
        try:
            return await self._of(scope).value()
        except Unavailable as error:
            raise TokenError(f"no access token: {error}") from None

    async def fresh(self, scope: str, refused: str) -> str:
        """The token for ``scope`` after a connector refused one: another, if there can be one.

        It is the same again where that has just been tried, or Entra ID can't be asked: a connector
        that refuses every token must not make us ask for one at every turn. Raises
        :class:`TokenError` where there is none.
        """
        # One asks, and the others have what that brought.
        async with self._doubting:
            held = await self.token(scope)
            now = time.monotonic()
            if held != refused or now < self._doubted.get(scope, 0.0):
                return held
            self._doubted[scope] = now + DOUBT
            log.warning("a connector refused our token")
            try:
                return await self._of(scope).renew()
            except Unavailable:
                return held

    def _of(self, scope: str) -> RefreshingValue[str]:
        if scope not in self._kept:
            get = functools.partial(self._entra.token, scope)
            self._kept[scope] = RefreshingValue("access token", get, patience=PATIENCE)
        return self._kept[scope]
