"""A channel's token, checked.

Governing source: Bot Framework Authentication, "Authenticate requests from the Bot Connector service to
your bot" § "Step 4: Verify the JWT token"; JWT, RFC 7519 § 4.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import jwt

from .signing_keys import ALGORITHM, SigningKeys, UnknownKey

LEEWAY: Final = 300.0
"""Seconds by which clocks may differ ("Industry-standard clock-skew is 5 minutes")."""


class Unauthorized(Exception):  # noqa: N818 - HTTP's word, for what is the sender's fault
    """The request doesn't come from a channel that talks to this bot; the word tells which rule says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """Who signs the tokens that are for us, and who we are."""

    issuer: str
    app_id: str


@dataclass(frozen=True, slots=True)
class Token:
    """What one of the cloud's channels has signed for this bot."""

    claims: dict[str, Any]
    endorsements: frozenset[str]
    """The channels that its key may sign for."""

    def vouch(self, channel_id: str, service_url: str) -> None:
        """Raises :class:`Unauthorized` unless it is that channel's, and for answers to that URL."""
        # "The token contains an "endorsements" property … matching the channelId": a key without is nobody's.
        if channel_id not in self.endorsements:
            raise Unauthorized("NotEndorsed")
        # "The token contains a "serviceUrl" claim with value that matches the serviceUrl property".
        if not service_url or self.claims.get("serviceurl") != service_url:
            raise Unauthorized("ServiceUrl")


async def token_of(headers: Sequence[str], keys: SigningKeys, expected: Expected) -> Token:
    """The token in the ``Authorization`` headers of a request, of which there may be one.

    Raises :class:`Unauthorized` for whatever is wrong with it, and ``KeysUnavailable``.
    """
    if len(headers) != 1:
        # A proxy before us may have looked at another of them.
        raise Unauthorized("NoBearerToken")
    token = _bearer(headers[0])
    kid = _key_of(token, expected.issuer)
    try:
        key = await keys.find(kid)
    except UnknownKey:
        raise Unauthorized("UnknownKey") from None
    return Token(_verify(token, key.public, expected), key.endorsements)


def _bearer(header: str) -> str:
    """RFC 6750 § 2.1: one scheme, whose name is read in any case (RFC 9110 § 11.1), one space, one token."""
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token or " " in token:
        raise Unauthorized("NoBearerToken")
    return token


def _key_of(token: str, issuer: str) -> str:
    """The name of the key, for a token that is worth looking for it.

    Tokens of the Emulator, of skills and of other tenants have other issuers, and others sign nothing.
    """
    try:
        unverified = jwt.decode_complete(token, options={"verify_signature": False})
    except Exception as error:  # noqa: BLE001 - it has whatever shape its sender likes
        raise Unauthorized(type(error).__name__) from None
    if unverified["payload"].get("iss") != issuer:
        raise Unauthorized("InvalidIssuerError")
    kid = unverified["header"].get("kid")
    if unverified["header"].get("alg") != ALGORITHM or not isinstance(kid, str):
        raise Unauthorized("InvalidAlgorithmError")
    return kid


def _verify(token: str, key: jwt.PyJWK, expected: Expected) -> dict[str, Any]:
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=[ALGORITHM],
            issuer=expected.issuer,
            audience=expected.app_id,
            leeway=LEEWAY,
            # RFC 7519 lets each of these be absent, and `aud` be a list; a channel's never are.
            options={"require": ["exp", "iss", "aud"], "strict_aud": True},
        )
    except Exception as error:  # noqa: BLE001 - PyJWT's errors, and an `exp` of infinity's OverflowError
        raise Unauthorized(type(error).__name__) from None
    return claims
