"""The public keys of the channels, which sign the tokens of their requests.

Governing sources: Bot Framework Authentication, "Step 3: Get the list of valid signing keys" and "Step 4"
(``endorsements``); JWK Set, RFC 7517 § 5. Step 3 requires to read the list at least once a day.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import jwt

from .exchange import send
from .refreshing_value import Lease, RefreshingValue, Unavailable

ALGORITHM: Final = "RS256"
DAY: Final = 24 * 3600.0
"""Seconds after which the keys are fetched again. If that fails, they stay valid for another day."""
SEARCH_INTERVAL: Final = 300.0
"""Seconds between two searches for unknown keys: any sender can name one."""
TIMEOUT: Final = 5.0
"""Seconds that a request waits while no keys are cached."""


class UnknownKey(Exception):  # noqa: N818 - the token is at fault, the bot is not
    """No key with this id is published."""


class KeysUnavailable(Exception):  # noqa: N818 - "unavailable" already names the failure
    """A token can't be validated: no valid keys are cached, or its key may be newer than them."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A public key, and the channels that may sign with it."""

    public: jwt.PyJWK
    endorsements: frozenset[str]


class SigningKeys:
    """The cached keys of the OpenID metadata document at ``metadata``."""

    def __init__(self, metadata: str) -> None:
        self._metadata = metadata
        self._cache = RefreshingValue("signing keys", self._fetch, timeout=TIMEOUT)
        self._next_search = 0.0
        self._searching = asyncio.Lock()

    def open(self) -> None:
        """Start fetching the keys in the background, now and every day. Never fails."""
        self._cache.open()

    async def close(self) -> None:
        """End the background task."""
        await self._cache.close()

    @property
    def valid(self) -> bool:
        """Whether unexpired keys are cached."""
        return self._cache.valid

    async def find(self, kid: str) -> SigningKey:
        """Find the key with the id ``kid``.

        Raises :class:`UnknownKey` where it isn't published, :class:`KeysUnavailable` where that is unknown.
        """
        try:
            keys = await self._cache.get()
            if kid not in keys:
                await self._search()
                keys = await self._cache.get()
        except Unavailable as error:
            raise KeysUnavailable(str(error)) from None
        if kid not in keys:
            raise UnknownKey
        return keys[kid]

    async def _search(self) -> None:
        """Fetch the keys again, at most once in :data:`SEARCH_INTERVAL`."""
        async with self._searching:
            if time.monotonic() < self._next_search:
                return
            if self._cache.failing:
                # The background task retries already. No sender of tokens can shorten its pauses.
                raise Unavailable("not reached lately")
            await self._cache.refresh()
            self._next_search = time.monotonic() + SEARCH_INTERVAL

    async def _fetch(self) -> Lease[Mapping[str, SigningKey]]:
        jwks_uri = str((await _fetch_object(self._metadata))["jwks_uri"])
        if not jwks_uri.startswith("https://"):
            raise Unavailable("jwks_uri is not https")
        keys = dict(_read_keys(await _fetch_object(jwks_uri)))
        if not keys:
            raise Unavailable("none are published")
        return Lease(keys, refresh_after=DAY, lifetime=2 * DAY)


async def _fetch_object(url: str) -> dict[str, Any]:
    reply = await send("GET", url, redirects=True)
    if reply.status_code != 200:
        raise Unavailable(f"status {reply.status_code}")
    document = json.loads(reply.text)
    if not isinstance(document, dict):
        raise TypeError("not a JSON object")
    return document


def _read_keys(document: Mapping[str, Any]) -> list[tuple[str, SigningKey]]:
    """The keys of a JWK Set. Keys of an unknown type are skipped (RFC 7517 § 5)."""
    keys = []
    for published in document["keys"]:
        try:
            public = jwt.PyJWK.from_dict(published, algorithm=ALGORITHM)
            key = SigningKey(public, frozenset(map(str, published.get("endorsements", ()))))
            keys.append((str(published["kid"]), key))
        except (jwt.PyJWTError, AttributeError, KeyError, TypeError, ValueError):
            continue
    return keys
