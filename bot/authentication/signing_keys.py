"""The keys that the channels sign their tokens with, as the cloud publishes them.

Governing sources: Bot Framework Authentication, "Step 3: Get the list of valid signing keys" (they are
to be read at least once a day) and "Step 4" (``endorsements``); JWK Set, RFC 7517 § 5.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import jwt

from .exchange import ask
from .refreshing_value import Lease, RefreshingValue, Unavailable

ALGORITHM: Final = "RS256"
DAY: Final = 24 * 3600.0
"""Seconds after which the keys are read again; if that fails they hold for as long once more."""
SEARCH: Final = 300.0
"""Seconds between two searches for keys that we don't have: anybody can name one."""
PATIENCE: Final = 5.0
"""Seconds that a request waits for the keys where there are none."""


class UnknownKey(Exception):  # noqa: N818 - it is the token's fault, not ours
    """No key is published under this name."""


class KeysUnavailable(Exception):  # noqa: N818 - "unavailable" says it
    """There are no keys to check a token with, or none that are new enough to be sure."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A public key, and the channels that it may sign for."""

    public: jwt.PyJWK
    endorsements: frozenset[str]


class SigningKeys:
    """The keys that the OpenID metadata document at ``metadata`` leads to."""

    def __init__(self, metadata: str) -> None:
        self._metadata = metadata
        self._kept = RefreshingValue("signing keys", self._fetch, patience=PATIENCE)
        self._again = 0.0
        self._searching = asyncio.Lock()

    def open(self) -> None:
        """Begin to read them, and to read them again every day, in the background. Never fails."""
        self._kept.open()

    async def close(self) -> None:
        """End what runs in the background."""
        await self._kept.close()

    @property
    def held(self) -> bool:
        """Whether there are keys that hold."""
        return self._kept.holds

    async def find(self, kid: str) -> SigningKey:
        """The key ``kid``. Raises :class:`UnknownKey`, or :class:`KeysUnavailable` where nobody can tell."""
        try:
            keys = await self._kept.value()
            if kid not in keys:
                await self._search()
                keys = await self._kept.value()
        except Unavailable as error:
            raise KeysUnavailable(str(error)) from None
        if kid not in keys:
            raise UnknownKey
        return keys[kid]

    async def _search(self) -> None:
        """Have what is published now, unless that has just been looked up."""
        async with self._searching:
            if time.monotonic() < self._again:
                return
            if self._kept.failing:
                # It is being tried again already, with pauses that nobody who sends us tokens can shorten.
                raise Unavailable("not reached lately")
            await self._kept.renew()
            self._again = time.monotonic() + SEARCH

    async def _fetch(self) -> Lease[Mapping[str, SigningKey]]:
        keys_at = str((await _document(self._metadata))["jwks_uri"])
        if not keys_at.startswith("https://"):
            raise Unavailable("jwks_uri is not https")
        keys = dict(_read_keys(await _document(keys_at)))
        if not keys:
            raise Unavailable("none are published")
        return Lease(keys, renew=DAY, life=2 * DAY)


async def _document(url: str) -> dict[str, Any]:
    reply = await ask("GET", url, redirects=True)
    if reply.status_code != 200:
        raise Unavailable(f"status {reply.status_code}")
    document = json.loads(reply.text)
    if not isinstance(document, dict):
        raise TypeError("not a JSON object")
    return document


def _read_keys(document: Mapping[str, Any]) -> list[tuple[str, SigningKey]]:
    """Those that can be read: one of a kind that we don't know must not hide the others."""
    keys = []
    for published in document["keys"]:
        try:
            public = jwt.PyJWK.from_dict(published, algorithm=ALGORITHM)
            key = SigningKey(public, frozenset(map(str, published.get("endorsements", ()))))
            keys.append((str(published["kid"]), key))
        except (jwt.PyJWTError, AttributeError, KeyError, TypeError, ValueError):
            continue
    return keys
