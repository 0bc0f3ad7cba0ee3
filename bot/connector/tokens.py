"""The interface to the access tokens that a connector asks of a bot."""

from __future__ import annotations

from typing import Protocol

from .errors import NotSent


class TokenError(NotSent):
    """There is no access token, and so nothing can be sent."""


class AccessTokens(Protocol):
    """The bot's access tokens, by scope."""

    async def get_token(self, scope: str) -> str:
        """Return a valid token for ``scope``, such as ``https://api.botframework.com``, without ``Bearer``.

        Every request asks for it, so an implementation caches it. Raises :class:`TokenError` where there
        is none.
        """
        ...

    async def replace_token(self, scope: str, refused: str) -> str:
        """Return another token for ``scope`` after a connector ``refused`` one, or the same if there is none.

        Raises :class:`TokenError` where there is no token.
        """
        ...
