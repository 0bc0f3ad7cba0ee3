"""Whatever is done to a token, it says what the channel signed, or it is refused; nothing else comes of it."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.access.signing_keys import SigningKeys
from bot.access.token import Expected, Unauthorized, validate_token
from tests.bot.fake_entra import APP_ID, FakeEntra, entra_running, good_claims
from tests.depth import examples

URL = "https://smba.trafficmanager.net/emea/"


@pytest.fixture(scope="module")
async def entra() -> AsyncIterator[FakeEntra]:
    async with entra_running() as one:
        yield one


@pytest.fixture(scope="module")
async def keys(entra: FakeEntra) -> AsyncIterator[SigningKeys]:
    keys = SigningKeys(entra.cloud.metadata)
    await keys.find(entra.kid)
    yield keys
    await keys.close()


async def read_claims(entra: FakeEntra, keys: SigningKeys, header: str) -> dict[str, Any] | None:
    """The claims that were believed; None where it was refused. Any other failure is one of ours."""
    try:
        token = await validate_token([header], keys, Expected(issuer=entra.cloud.issuer, app_id=APP_ID))
        token.authorize("directline", URL)
    except Unauthorized:
        return None
    return token.claims


@examples(50)
@given(st.data())
async def test_a_token_that_was_changed_says_what_it_said_or_nothing(
    entra: FakeEntra, keys: SigningKeys, data: st.DataObject
) -> None:
    header = entra.bearer(URL)
    signed = await read_claims(entra, keys, header)
    assert signed
    begin, end = sorted(data.draw(st.tuples(*[st.integers(0, len(header))] * 2)))
    changed = header[:begin] + data.draw(st.text("Ab9-_.= {\0é", max_size=8)) + header[end:]
    assert await read_claims(entra, keys, changed) in (None, signed)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(["iss", "aud", "exp", "nbf", "iat", "serviceurl", "sub", "jti", "crit", "x"])


@examples(50)
@given(st.dictionaries(NAMES, ANYTHING, max_size=3))
async def test_claims_of_any_type_are_read_or_refused(
    entra: FakeEntra, keys: SigningKeys, claims: dict[str, Any]
) -> None:
    """Signed by a good key: it is the channel's own fault, and still no failure of ours."""
    good = good_claims(URL)
    believed = await read_claims(entra, keys, entra.bearer(URL, **claims))
    if believed is not None:
        assert all(believed[name] == good[name] for name in ("iss", "aud", "serviceurl"))
        assert "exp" in believed


@examples(50)
@given(st.dictionaries(st.sampled_from(["alg", "kid", "typ", "crit", "b64", "jku", "jwk", "x5u"]), ANYTHING))
async def test_a_header_of_any_shape_is_read_or_refused(
    entra: FakeEntra, keys: SigningKeys, fields: dict[str, Any]
) -> None:
    _, payload, signature = entra.bearer(URL).removeprefix("Bearer ").split(".")
    head = json.dumps({"alg": "RS256", "kid": entra.kid, "typ": "JWT", **fields}).encode()
    written = base64.urlsafe_b64encode(head).decode().rstrip("=")
    assert await read_claims(entra, keys, f"Bearer {written}.{payload}.{signature}") is None


@examples(50)
@given(st.text(max_size=60) | st.text("Bearer .eyJ0", max_size=60))
async def test_anything_else_is_refused(entra: FakeEntra, keys: SigningKeys, header: str) -> None:
    assert await read_claims(entra, keys, header) is None
