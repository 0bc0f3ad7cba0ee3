"""Tokens of clients: each permits access to one conversation, until it expires."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import jwt

LIFETIME: Final = 24 * 3600
"""Seconds. Azure's tokens expire after 30 minutes; here a page survives a laptop's sleep."""


@dataclass(frozen=True, slots=True)
class Grant:
    """The permission of a token: to act as ``user`` in ``conversation``."""

    conversation: str
    user: str


class Tokens:
    """Creates and validates JSON Web Tokens, with a key that ends with the process.

    They have Azure's claims ``conv`` and ``user``; Web Chat reads its user id from the latter.
    """

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self._key = secrets.token_bytes(32)
        self._clock = clock

    def mint(self, grant: Grant) -> str:
        """Create a token for ``grant``, which expires after :data:`LIFETIME`."""
        claims = {"conv": grant.conversation, "user": grant.user, "exp": int(self._clock()) + LIFETIME}
        return jwt.encode(claims, self._key, algorithm="HS256")

    def read(self, token: str) -> Grant | None:
        """Validate ``token`` and return its grant; None if it is invalid or has expired."""
        try:
            claims = jwt.decode(
                token,
                self._key,
                algorithms=["HS256"],
                options={"require": ["exp", "conv", "user"], "verify_exp": False},
            )
        except jwt.InvalidTokenError:
            return None
        if claims["exp"] <= self._clock():
            return None
        return Grant(str(claims["conv"]), str(claims["user"]))
