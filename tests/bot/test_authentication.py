"""With credentials: tokens checked as the channel signs them, and our own token got once."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from typing import Any

import jwt
import pytest
import requests
from botframework.connector.auth import MicrosoftAppCredentials
from botframework.connector.auth.jwt_token_extractor import JwtTokenExtractor
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from bot.authentication.credentials import Credentials

from .running import Connector, connecting, message, running, send
from .table_source import TableSource

APP_ID = "0c3d4b55-1111-4222-8333-000000000001"
KEYS = "https://login.botframework.com/v1/.well-known/openidconfiguration"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


@pytest.fixture
def channel_keys() -> Iterator[None]:
    """The channel's published keys, as if they had been fetched a moment ago."""
    published = json.loads(RSAAlgorithm.to_jwk(KEY.public_key()))
    metadata = JwtTokenExtractor.get_open_id_metadata(KEYS)
    metadata.keys = [{**published, "kid": "k1", "endorsements": ["directline"]}]
    metadata.last_updated = datetime.now()
    yield
    JwtTokenExtractor.metadataCache.pop(KEYS)


@pytest.fixture
def tokens_of_entra(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str]]:
    """Every call for a token of ours: on which thread, for which credentials."""
    calls: list[tuple[int, str]] = []

    def get_access_token(credentials: Any, force_refresh: bool = False) -> str:
        calls.append((threading.get_ident(), f"{id(credentials)}"))
        return "token-of-the-bot"

    monkeypatch.setattr(MicrosoftAppCredentials, "get_access_token", get_access_token)
    return calls


@pytest.fixture
async def connector() -> AsyncIterator[Connector]:
    async with connecting() as one:
        yield one


@pytest.fixture
async def bot(channel_keys: None, tokens_of_entra: list[tuple[int, str]]) -> AsyncIterator[str]:
    async with running(TableSource(), credentials=Credentials(app_id=APP_ID, password="p")) as authority:
        yield authority


def token(connector: Connector, *, key: Any = KEY, alg: str = "RS256", kid: str = "k1", **claims: Any) -> str:
    now = int(time.time())
    good = {
        "iss": "https://api.botframework.com",
        "aud": APP_ID,
        "serviceurl": connector.service_url,
        "nbf": now - 60,
        "exp": now + 600,
    }
    chosen = {name: value for name, value in {**good, **claims}.items() if value is not None}
    return "Bearer " + jwt.encode(chosen, key, algorithm=alg, headers={"kid": kid})


async def test_a_valid_token_is_answered(
    bot: str, connector: Connector, tokens_of_entra: list[tuple[int, str]]
) -> None:
    body = message(connector.service_url, "fern")
    assert (await send(bot, body, Authorization=token(connector)))[0] == 201
    assert (await connector.next())["entities"][0]["@type"] == "Message"


async def test_our_token_is_asked_for_by_one_pair_of_credentials(
    bot: str, connector: Connector, tokens_of_entra: list[tuple[int, str]]
) -> None:
    for number in range(3):
        body = message(connector.service_url, "fern", id=str(number))
        assert (await send(bot, body, Authorization=token(connector)))[0] == 201
    # The SDK would have made two for each turn.
    assert len({credentials for _, credentials in tokens_of_entra}) == 1
    # Whoever may have to wait for Entra ID waits off the event loop.
    assert tokens_of_entra[0][0] != threading.get_ident()


CLAIMS = [
    ("for another bot", {"aud": "0c3d4b55-1111-4222-8333-000000000002"}),
    ("for several bots", {"aud": [APP_ID]}),
    ("from another issuer", {"iss": "https://evil.test"}),
    ("from nobody", {"iss": None}),
    ("expired", {"exp": int(time.time()) - 600}),
    ("without an end", {"exp": None}),
    ("for another service", {"serviceurl": "https://evil.test/"}),
    ("for no service", {"serviceurl": None}),
]


@pytest.mark.parametrize(("what", "claims"), CLAIMS)
async def test_a_token_that_is_not_for_us_is_401(
    bot: str, connector: Connector, what: str, claims: dict[str, Any]
) -> None:
    await refused(bot, connector, token(connector, **claims))


async def test_a_token_that_is_not_the_channels_is_401(bot: str, connector: Connector) -> None:
    await refused(bot, connector, token(connector, key=OTHER_KEY))
    await refused(bot, connector, token(connector, kid="unknown"))
    await refused(bot, connector, token(connector, key="a secret of thirty-two bytes or so", alg="HS256"))
    await refused(bot, connector, token(connector, key=None, alg="none"))


GARBAGE = ["", "Bearer", "Bearer garbage", "Bearer a.b.c", "Basic dXNlcjpwdw==", "Bearer a b c", "bearer"]


@pytest.mark.parametrize("header", GARBAGE)
async def test_garbage_is_401(bot: str, connector: Connector, header: str) -> None:
    await refused(bot, connector, header)


async def test_a_channel_that_the_key_is_not_for_is_401(bot: str, connector: Connector) -> None:
    body = message(connector.service_url, "fern", channelId="msteams")
    assert (await send(bot, body, Authorization=token(connector)))[0] == 401
    assert connector.rest() == []


async def test_unreachable_keys_are_503(
    bot: str, connector: Connector, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(url: str) -> None:
        raise requests.ConnectionError(url)

    JwtTokenExtractor.metadataCache[KEYS].last_updated = datetime.min
    monkeypatch.setattr(requests, "get", unreachable)
    body = message(connector.service_url, "fern")
    assert (await send(bot, body, Authorization=token(connector)))[0] == 503


async def test_no_token_of_ours_is_502(
    bot: str, connector: Connector, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(credentials: Any, force_refresh: bool = False) -> str:
        raise PermissionError("invalid_client")

    monkeypatch.setattr(MicrosoftAppCredentials, "get_access_token", refuse)
    body = message(connector.service_url, "fern")
    assert (await send(bot, body, Authorization=token(connector)))[0] == 502


async def refused(bot: str, connector: Connector, header: str) -> None:
    headers = {"Authorization": header} if header else {}
    status, body = await send(bot, message(connector.service_url, "fern"), **headers)
    assert status == 401
    assert json.loads(body)["error"]["code"] == "Unauthorized"
    assert connector.rest() == []
