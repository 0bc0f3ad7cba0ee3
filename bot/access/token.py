"""Validation of a channel's token.

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


class Unauthorized(Exception):  # noqa: N818 - HTTP's name of the status
    """The request doesn't come from a channel of this bot; the argument names the rule that failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """The issuer of a valid token, and its audience: the id of this bot."""

    issuer: str
    app_id: str


@dataclass(frozen=True, slots=True)
class Token:
    """A validated token, which one of the cloud's channels signed for this bot."""

    claims: dict[str, Any]
    endorsements: frozenset[str]
    """The channels that may sign with its key."""

    def authorize(self, channel_id: str, service_url: str) -> None:
        """Raise :class:`Unauthorized` unless the token covers this channel and this service URL."""
        # "The token contains an "endorsements" property … matching the channelId".
        if channel_id not in self.endorsements:
            raise Unauthorized("NotEndorsed")
        # "The token contains a "serviceUrl" claim with value that matches the serviceUrl property".
        if not service_url or self.claims.get("serviceurl") != service_url:
            raise Unauthorized("ServiceUrl")


async def validate_token(headers: Sequence[str], keys: SigningKeys, expected: Expected) -> Token:
    """Validate the token in a request's ``Authorization`` headers, of which there must be exactly one.

    Raises :class:`Unauthorized` for an invalid token, and ``KeysUnavailable``.
    """
    if len(headers) != 1:
        # Of several, a proxy in front of the bot may have checked another one.
        raise Unauthorized("NoBearerToken")
    token = _read_bearer(headers[0])
    kid = _read_key_id(token, expected.issuer)
    try:
        key = await keys.find(kid)
    except UnknownKey:
        raise Unauthorized("UnknownKey") from None
    return Token(_verify(token, key.public, expected), key.endorsements)


def _read_bearer(header: str) -> str:
    """RFC 6750 § 2.1: a scheme, a space, a token. The scheme's case doesn't matter (RFC 9110 § 11.1)."""
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token or " " in token:
        raise Unauthorized("NoBearerToken")
    return token


def _read_key_id(token: str, issuer: str) -> str:
    """The id of the key that signed ``token``, read before the signature is verified.

    Tokens of the Emulator, of skills and of other tenants have other issuers, and are refused here.
    """
    try:
        unverified = jwt.decode_complete(token, options={"verify_signature": False})
    except Exception as error:  # noqa: BLE001 - the sender chooses its shape
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
            # RFC 7519 lets each of these be absent, and `aud` be a list. Channels do neither.
            options={"require": ["exp", "iss", "aud"], "strict_aud": True},
        )
    except Exception as error:  # noqa: BLE001 - PyJWT's errors, and OverflowError for an infinite `exp`
        raise Unauthorized(type(error).__name__) from None
    return claims
