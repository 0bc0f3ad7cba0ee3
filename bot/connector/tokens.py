"""Who gives the access tokens that the connector asks of a bot."""

from __future__ import annotations

from typing import Protocol

from .errors import NotSent


class TokenError(NotSent):
    """There is no access token, and so nothing can be sent."""


class AccessTokens(Protocol):
    """Gives the bot's access tokens."""

    async def token(self, scope: str) -> str:
        """A token for ``scope`` that holds, such as ``https://api.botframework.com``, without ``Bearer``.

        It is asked for before every request, and so is expected to be kept. Raises
        :class:`TokenError` where there is none.
        """
        ...

    async def fresh(self, scope: str, refused: str) -> str:
        """Another token for ``scope``, after a connector refused one; the same again where there is no other.

        Raises :class:`TokenError` where there is none.
        """
        ...
