"""Who is admitted: every token that a channel may send, and many that only others would."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import aiohttp
import pytest

from bot.config.cloud import US_GOVERNMENT
from tests.bot.fake_entra import APP_ID, KEYS, PASSWORD, TENANT, FakeEntra, entra_running
from tests.bot.running import PROMPT, Connector, connecting, logged, message, running, send
from tests.bot.table_source import TableSource


@pytest.fixture(scope="module")
async def entra() -> AsyncIterator[FakeEntra]:
    async with entra_running() as one:
        # The same key under two names more: one that is for no channel, and one for another channel.
        one.published += [
            {**one.published[0], "kid": kid, "endorsements": endorsed} for kid, endorsed in OTHERS
        ]
        one.published += [{"kid": "of-another-kind", "kty": "EC"}, {"kid": "of-no-kind"}]
        yield one


@pytest.fixture(scope="module")
async def bot(entra: FakeEntra) -> AsyncIterator[str]:
    # A test ends when the lease of its question is not renewed any more: after a quarter of it.
    brief = replace(PROMPT, lease=1)
    async with running(TableSource(), credentials=PASSWORD, cloud=entra.cloud, timeouts=brief) as authority:
        yield authority


@pytest.fixture
async def connector() -> AsyncIterator[Connector]:
    async with connecting() as one:
        yield one


OTHERS = [("for-nobody", []), ("for-teams", ["msteams"])]

ADMITTED: list[tuple[str, dict[str, Any]]] = [
    ("as a channel signs it", {}),
    ("expired four minutes ago: clocks differ", {"exp": timedelta(minutes=-4)}),
    ("valid in four minutes: clocks differ", {"nbf": timedelta(minutes=4)}),
    ("without a beginning", {"nbf": None}),
    ("with claims that nobody knows", {"x": {"y": [1]}, "ver": "1.0"}),
]


def from_now(claims: dict[str, Any]) -> dict[str, Any]:
    """``claims`` with times instead of what they are from now: the rows were written a while ago."""
    now = int(time.time())
    return {
        name: now + int(one.total_seconds()) if isinstance(one, timedelta) else one
        for name, one in claims.items()
    }


@pytest.mark.parametrize(("what", "claims"), ADMITTED, ids=[what for what, _ in ADMITTED])
async def test_a_token_of_the_channels_is_admitted(
    bot: str, entra: FakeEntra, connector: Connector, what: str, claims: dict[str, Any]
) -> None:
    header = entra.bearer(connector.service_url, **from_now(claims))
    assert (await send(bot, message(connector.service_url, "fern", id=what), Authorization=header))[0] == 201
    assert (await connector.next())["entities"][0]["@type"] == "Message"


V1, V2 = "https://sts.windows.net/{}/", "https://login.microsoftonline.com/{}/v2.0"
EMULATORS_TENANT = "d6d49420-f39b-4df7-a1dc-d59a935871db"

CLAIMS: list[tuple[str, dict[str, Any]]] = [
    ("for another bot", {"aud": APP_ID[:-1] + "2"}),
    ("for our bot among others", {"aud": [APP_ID]}),
    ("for nobody", {"aud": None}),
    ("for the connector, as our own tokens are", {"aud": "https://api.botframework.com"}),
    ("from another issuer", {"iss": "https://evil.test"}),
    ("from an issuer that begins as ours does", {"iss": "https://api.botframework.com.evil.test"}),
    ("from the other cloud", {"iss": US_GOVERNMENT.issuer}),
    ("from nobody", {"iss": None}),
    ("from several issuers", {"iss": ["https://api.botframework.com"]}),
    ("from the Emulator", {"iss": V1.format(EMULATORS_TENANT), "appid": APP_ID, "ver": "1.0"}),
    ("from the Emulator, newer", {"iss": V2.format(EMULATORS_TENANT), "azp": APP_ID, "ver": "2.0"}),
    ("from a skill's parent", {"iss": V1.format(TENANT), "appid": APP_ID[:-1] + "2", "ver": "1.0"}),
    ("expired six minutes ago", {"exp": timedelta(minutes=-6)}),
    ("without an end", {"exp": None}),
    ("without an end that is a time", {"exp": "never"}),
    ("with an end that never comes", {"exp": math.inf}),
    ("valid in an hour", {"nbf": timedelta(minutes=60)}),
    ("for another service", {"serviceurl": "https://evil.test/"}),
    ("for no service", {"serviceurl": None}),
    ("for an empty service", {"serviceurl": ""}),
    ("for several services", {"serviceurl": ["https://smba.trafficmanager.net/"]}),
    ("by a key of no name", {"kid": None}),
    ("by a key that nobody knows", {"kid": "unknown"}),
    ("by a key that is for no channel", {"kid": "for-nobody"}),
    ("by a key that is for another channel", {"kid": "for-teams"}),
    ("by a key of another kind", {"kid": "of-another-kind"}),
]


def _spliced(entra: FakeEntra, url: str) -> str:
    head, _, signature = entra.bearer(url, aud=APP_ID[:-1] + "2").split(".")
    return f"{head}.{entra.bearer(url).split('.')[1]}.{signature}"


HEADERS: list[tuple[str, Callable[[FakeEntra, str], str]]] = [
    ("signed by another", lambda entra, url: entra.bearer(url, key=KEYS[0])),
    ("signed by nobody", lambda entra, url: entra.bearer(url, alg="none")),
    ("signed with a shared secret", lambda entra, url: entra.bearer(url, key="s" * 64, alg="HS256")),
    ("signed by our key, by another algorithm", lambda entra, url: entra.bearer(url, alg="RS512")),
    ("signed by our key, with another padding", lambda entra, url: entra.bearer(url, alg="PS256")),
    ("with its signature cut off", lambda entra, url: entra.bearer(url).rpartition(".")[0] + "."),
    ("with other claims before the signature", _spliced),
    ("absent", lambda entra, url: ""),
    ("absent, but its scheme", lambda entra, url: "Bearer"),
    ("absent, but its scheme and a space", lambda entra, url: "Bearer "),
    ("of another scheme", lambda entra, url: "Basic dXNlcjpwdw=="),
    ("a token, of another scheme", lambda entra, url: entra.bearer(url).replace("Bearer", "Basic")),
    ("a token without a scheme", lambda entra, url: entra.bearer(url).removeprefix("Bearer ")),
    ("two tokens", lambda entra, url: f"{entra.bearer(url)} {entra.bearer(url)[7:]}"),
    ("garbage", lambda entra, url: "Bearer garbage"),
    ("garbage in three parts", lambda entra, url: "Bearer a.b.c"),
    ("garbage that is JSON", lambda entra, url: "Bearer W10.W10.W10"),
    ("JSON that is deep", lambda entra, url: f"Bearer {'W1tb' * 1500}.e30.e30"),
]


@pytest.mark.parametrize(("what", "claims"), CLAIMS, ids=[what for what, _ in CLAIMS])
async def test_a_token_that_is_not_for_us_is_401(
    bot: str, entra: FakeEntra, connector: Connector, what: str, claims: dict[str, Any]
) -> None:
    await refused(bot, connector, entra.bearer(connector.service_url, **from_now(claims)))


@pytest.mark.parametrize(("what", "header"), HEADERS, ids=[what for what, _ in HEADERS])
async def test_what_is_no_token_of_the_channels_is_401(
    bot: str, entra: FakeEntra, connector: Connector, what: str, header: Callable[[FakeEntra, str], str]
) -> None:
    await refused(bot, connector, header(entra, connector.service_url))


async def refused(bot: str, connector: Connector, header: str, **fields: Any) -> None:
    body = message(connector.service_url, "fern", **fields)
    async with (
        aiohttp.ClientSession(headers={"Authorization": header} if header else {}) as session,
        session.post(f"http://{bot}/api/messages", json=body) as response,
    ):
        assert response.status == 401
        assert response.headers["WWW-Authenticate"] == "Bearer"
        # Nothing of what is wrong: whoever forges a token learns nothing.
        assert await response.json() == {
            "error": {"code": "Unauthorized", "message": "a valid token of the channel is needed"}
        }
    assert connector.rest() == []


async def test_a_token_is_for_one_channel_and_one_service(
    bot: str, entra: FakeEntra, connector: Connector
) -> None:
    header = entra.bearer(connector.service_url)
    await refused(bot, connector, header, channelId="facebook")
    await refused(bot, connector, header, channelId="DirectLine")
    await refused(bot, connector, header, serviceUrl=connector.service_url.rstrip("/"))
    await refused(bot, connector, header, serviceUrl=f"{connector.service_url}evil/")


async def test_of_several_tokens_none_is_taken(bot: str, entra: FakeEntra, connector: Connector) -> None:
    """A proxy may have looked at one, and we at another."""
    good = entra.bearer(connector.service_url)
    for second in (good, "Bearer a.b.c", "Basic dXNlcjpwdw==", ""):
        async with (
            aiohttp.ClientSession(headers=[("Authorization", good), ("Authorization", second)]) as session,
            session.post(f"http://{bot}/api/messages", json=message(connector.service_url, "x")) as response,
        ):
            assert response.status == 401


async def test_who_is_no_channel_has_no_body_read(bot: str, entra: FakeEntra, connector: Connector) -> None:
    """256 KB can be made so that reading them takes a second, in which nobody is answered."""
    forged = entra.bearer(connector.service_url, key=KEYS[0])
    for header in ("", "Authorization: Bearer a.b.c\r\n", f"Authorization: {forged}\r\n"):
        reader, writer = await asyncio.open_connection(*bot.split(":"))
        head = f"POST /api/messages HTTP/1.1\r\nHost: {bot}\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}{header}Content-Length: 250000\r\n\r\n".encode())
        async with asyncio.timeout(60):
            assert b" 401 " in await reader.readline()
        writer.close()
        await writer.wait_closed()


SHAPES: list[tuple[str, dict[str, Any], int]] = [
    ("no channel", {"channelId": None}, 400),
    ("an empty channel", {"channelId": ""}, 400),
    ("no service", {"serviceUrl": None}, 400),
    ("a service with a password", {"serviceUrl": "https://u:p@smba.trafficmanager.net/"}, 400),
    ("no conversation", {"conversation": None}, 400),
    ("a time that is none, which the bot does not read", {"timestamp": "yesterday"}, 201),
    ("replies in the response", {"deliveryMode": "expectReplies"}, 200),
]


async def test_an_activity_that_is_none_is_400_with_the_best_token(
    bot: str, entra: FakeEntra, connector: Connector
) -> None:
    header = entra.bearer(connector.service_url)
    for what, fields, status in SHAPES:
        body = {**message(connector.service_url, "fern", id=what), **fields}
        given = {name: value for name, value in body.items() if value is not None}
        assert (what, (await send(bot, given, Authorization=header))[0]) == (what, status)


async def test_the_log_names_the_rule_and_nothing_of_the_token(
    bot: str, entra: FakeEntra, connector: Connector
) -> None:
    with logged() as log:
        await refused(bot, connector, entra.bearer(connector.service_url, exp=1, aud="canary"))
        await refused(bot, connector, entra.bearer(connector.service_url, iss="canary"))
    events = [json.loads(line) for line in log.getvalue().splitlines()]
    told = [event["reason"] for event in events if event["event"] == "token refused"]
    assert told == ["ExpiredSignatureError", "InvalidIssuerError"]
    assert "canary" not in log.getvalue()


async def test_a_burst_of_forged_tokens_has_the_keys_read_once(
    entra: FakeEntra, connector: Connector
) -> None:
    async with running(TableSource(), credentials=PASSWORD, cloud=entra.cloud) as bot:
        await entra.asked_for("keys", entra.calls["keys"] + 1)
        before = entra.calls["keys"]
        forged = (entra.bearer(connector.service_url, kid=f"forged{n}") for n in range(50))
        await asyncio.gather(*(refused(bot, connector, header) for header in forged))
        assert entra.calls["keys"] <= before + 1


async def test_without_credentials_a_token_can_not_be_checked(entra: FakeEntra, connector: Connector) -> None:
    async with running(TableSource()) as bot:
        await refused(bot, connector, entra.bearer(connector.service_url))
