"""Tokens: what lets a client into one conversation, and no other, for a while."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import jwt

LIFETIME: Final = 24 * 3600
"""Seconds. Azure's last 30 minutes; a laptop that slept longer than that should find its page alive."""


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token allows: to be ``user`` in ``conversation``."""

    conversation: str
    user: str


class Tokens:
    """Mints and reads tokens; they need no memory and end with the process.

    JSON Web Tokens with Azure's claims ``conv`` and ``user``: Web Chat takes its user id from the latter.
    """

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self._key = secrets.token_bytes(32)
        self._clock = clock

    def mint(self, grant: Grant) -> str:
        """A token for ``grant`` that holds for :data:`LIFETIME`."""
        claims = {"conv": grant.conversation, "user": grant.user, "exp": int(self._clock()) + LIFETIME}
        return jwt.encode(claims, self._key, algorithm="HS256")

    def read(self, token: str) -> Grant | None:
        """What ``token`` allows; None if it has expired, or isn't ours."""
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
