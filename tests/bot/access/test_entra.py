"""Our own tokens: from Entra ID or the instance's metadata, over TLS, by MSAL, and off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

import aiohttp
import pytest

from bot.access.entra import Entra
from bot.access.token_cache import TokenCache
from bot.config.cloud import PUBLIC, US_GOVERNMENT, Cloud
from bot.config.credentials import Credentials
from bot.connector import TokenError
from bot.telemetry.log import cause
from tests.bot.fake_entra import APP_ID, PASSWORD, SECRET, TENANT, FakeEntra, entra_running
from tests.bot.running import Connector, connecting, logged, message, running, send
from tests.bot.table_source import TableSource
from tests.refusing_proxy import refusing_proxy


@pytest.fixture
async def entra() -> AsyncIterator[FakeEntra]:
    async with entra_running() as one:
        yield one


@pytest.fixture
async def connector() -> AsyncIterator[Connector]:
    async with connecting() as one:
        yield one


@pytest.fixture
async def tokens(entra: FakeEntra) -> AsyncIterator[TokenCache]:
    tokens = TokenCache(Entra(PASSWORD, entra.cloud))
    yield tokens
    await tokens.close()


def registered(entra: FakeEntra) -> AbstractAsyncContextManager[str]:
    """A bot that has time enough to answer within the request."""
    return running(TableSource(), credentials=PASSWORD, cloud=entra.cloud)


SINGLE = PASSWORD.model_copy(update={"app_type": "SingleTenant", "tenant_id": TENANT})
MANAGED = Credentials(app_id=APP_ID, app_type="UserAssignedMSI", tenant_id=TENANT)
FORM = {"client_id": APP_ID, "client_secret": SECRET, "grant_type": "client_credentials"}

ASKED: list[tuple[str, Credentials, Cloud, dict[str, str]]] = [
    ("any tenant's", PASSWORD, PUBLIC, {"tenant": "botframework.com", "scope": f"{PUBLIC.scope}/.default"}),
    ("one tenant's", SINGLE, PUBLIC, {"tenant": TENANT, "scope": f"{PUBLIC.scope}/.default"}),
    (
        "the government's",
        PASSWORD,
        US_GOVERNMENT,
        {"tenant": "MicrosoftServices.onmicrosoft.us", "scope": f"{US_GOVERNMENT.scope}/.default"},
    ),
]


@pytest.mark.parametrize(("whose", "credentials", "cloud", "form"), ASKED, ids=[row[0] for row in ASKED])
async def test_a_bot_with_a_password_asks_its_tenant(
    entra: FakeEntra, whose: str, credentials: Credentials, cloud: Cloud, form: dict[str, str]
) -> None:
    asking = Entra(credentials, replace(cloud, login=entra.cloud.login))
    given = await asking.acquire_token(cloud.scope)
    assert (given.value, given.refresh_after, given.lifetime) == ("token-1", 2880.0, 3600.0)
    assert (FORM | form).items() <= entra.asked[0].items()
    # Each is a new one: MSAL keeps none for us.
    assert (await asking.acquire_token(cloud.scope)).value == "token-2"
    assert entra.calls == {"tenant": 1, "token": 2}
    asking.close()


PLACES: list[tuple[str, dict[str, str]]] = [
    ("a virtual machine", {"AZURE_POD_IDENTITY_AUTHORITY_HOST": ""}),
    ("App Service and Container Apps", {"IDENTITY_ENDPOINT": "/msi/token", "IDENTITY_HEADER": "h"}),
]


@pytest.mark.parametrize(("place", "environment"), PLACES, ids=[place for place, _ in PLACES])
async def test_a_managed_identity_asks_where_it_runs(
    entra: FakeEntra, monkeypatch: pytest.MonkeyPatch, place: str, environment: dict[str, str]
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value if name == "IDENTITY_HEADER" else entra.url + value)
    asking = Entra(MANAGED, entra.cloud)
    given = await asking.acquire_token(PUBLIC.scope)
    assert given.value == "token-1"
    assert 3590 < given.lifetime <= 3600
    assert {"resource": PUBLIC.scope, "client_id": APP_ID}.items() <= entra.asked[0].items()
    assert (await asking.acquire_token(PUBLIC.scope)).value == "token-2"
    assert entra.calls == {"identity": 2}
    asking.close()


async def test_a_managed_identity_vouches_for_the_app(
    entra: FakeEntra, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both SDKs ask so: its token for one resource is the assertion of the app, in the app's tenant."""
    monkeypatch.setenv("AZURE_POD_IDENTITY_AUTHORITY_HOST", entra.url)
    identity = "0c3d4b55-1111-4222-8333-000000000009"
    federated = SINGLE.model_copy(
        update={"app_type": "FederatedIdentity", "password": "", "managed_identity_id": identity}
    )
    asking = Entra(federated, entra.cloud)
    assert (await asking.acquire_token(PUBLIC.scope)).value == "token-2"
    of_identity, of_app = entra.asked
    assert {"resource": "api://AzureADTokenExchange", "client_id": identity}.items() <= of_identity.items()
    assert (
        of_app.items()
        >= {
            "tenant": TENANT,
            "client_id": APP_ID,
            "client_assertion": "token-1",
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "scope": f"{PUBLIC.scope}/.default",
        }.items()
    )
    assert "client_secret" not in of_app
    assert (await asking.acquire_token(PUBLIC.scope)).value == "token-4"
    entra.status, entra.only = 400, "identity"
    entra.answer = b'{"error": "invalid_request", "error_description": "Identity not found"}'
    with pytest.raises(Exception, match="invalid_request"):
        await asking.acquire_token(PUBLIC.scope)
    asking.close()


async def test_one_token_is_for_all_turns(entra: FakeEntra, connector: Connector) -> None:
    entra.open.clear()
    async with registered(entra) as bot:
        header = entra.bearer(connector.service_url)
        turns = [
            asyncio.create_task(send(bot, one, Authorization=header))
            for one in (
                message(connector.service_url, "fern", id=f"{n}", conversation={"id": f"c{n}"})
                for n in range(20)
            )
        ]
        await entra.asked_for("metadata", 1)
        # The fake answers on this same loop: had anything blocked it, nobody would ever be answered.
        async with aiohttp.ClientSession() as session, session.get(f"http://{bot}/healthz") as response:
            assert response.status == 200
        entra.open.set()
        assert {status for status, _ in await asyncio.gather(*turns)} == {201}
        assert len([activity for activity in connector.rest() if activity["type"] == "message"]) == 20
        assert set(connector.authorizations) == {"Bearer token-1"}
    assert (entra.calls["token"], entra.calls["tenant"], entra.calls["keys"]) == (1, 1, 1)


async def test_a_bot_starts_while_nobody_answers_and_answers_once_they_do(
    entra: FakeEntra, connector: Connector
) -> None:
    entra.status = 503
    async with registered(entra) as bot:
        await entra.asked_for("tenant", 1)
        await entra.asked_for("metadata", 1)
        turn = asyncio.create_task(
            send(
                bot, message(connector.service_url, "fern"), Authorization=entra.bearer(connector.service_url)
            )
        )
        entra.status = 200
        assert (await turn)[0] == 201
        await connector.next()
        assert connector.authorizations[0] == f"Bearer token-{entra.calls['token']}"


async def test_a_token_is_renewed_before_it_ends(entra: FakeEntra, tokens: TokenCache) -> None:
    entra.life = 2
    assert await tokens.get_token(PUBLIC.scope) == "token-1"
    # Nobody asks for that one.
    await entra.asked_for("token", 2)
    async with asyncio.timeout(60):
        while await tokens.get_token(PUBLIC.scope) == "token-1":
            await asyncio.sleep(0.01)


async def test_a_connector_that_refuses_a_token_gets_another_once(
    entra: FakeEntra, tokens: TokenCache
) -> None:
    first = await tokens.get_token(PUBLIC.scope)
    renewed = await asyncio.gather(*(tokens.replace_token(PUBLIC.scope, first) for _ in range(20)))
    assert set(renewed) == {"token-2"}
    assert await tokens.replace_token(PUBLIC.scope, first) == "token-2"
    # One that refuses them all is not worth a third.
    assert await tokens.replace_token(PUBLIC.scope, "token-2") == "token-2"
    assert entra.calls["token"] == 2


REFUSALS: list[tuple[int, bytes, str]] = [
    (
        401,
        b'{"error":"invalid_client","error_description":"AADSTS7000215: Invalid client secret s3cret-of-the-bot"}',
        "invalid_client AADSTS7000215",
    ),
    (
        400,
        b'{"error":"unauthorized_client","error_description":"AADSTS700016: not found"}',
        "unauthorized_client",
    ),
    (400, b'{"error":"<script>","error_description":"s3cret-of-the-bot"}', "no token"),
    (200, b"{}", "no token"),
]


async def test_a_refusal_is_told_in_codes_and_at_once(entra: FakeEntra) -> None:
    entra.only = "token"
    for status, body, words in REFUSALS:
        entra.status, entra.answer = status, body
        tokens = TokenCache(Entra(PASSWORD, entra.cloud))
        with logged() as log, pytest.raises(TokenError, match=words):
            await tokens.get_token(PUBLIC.scope)
        await tokens.close()
        assert words in log.getvalue()
        assert SECRET not in log.getvalue()


async def test_entra_is_asked_through_the_proxy_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """``HTTPS_PROXY`` may have no scheme. MSAL takes an error of its address for an unknown tenant."""
    entra = Entra(PASSWORD, PUBLIC)
    async with refusing_proxy(monkeypatch, "403 Forbidden") as heads:
        with pytest.raises(aiohttp.ClientHttpProxyError):
            await entra.acquire_token(PUBLIC.scope)
    entra.close()
    assert [head.splitlines()[0] for head in heads] == ["CONNECT login.microsoftonline.com:443 HTTP/1.1"]


async def test_a_tenant_that_is_none_is_a_refusal(entra: FakeEntra, tokens: TokenCache) -> None:
    entra.status, entra.answer = 400, b'{"error":"invalid_tenant","error_description":"AADSTS90002: s3cret"}'
    with pytest.raises(TokenError, match="no such tenant"):
        await tokens.get_token(PUBLIC.scope)


UNREADABLE: list[tuple[int, bytes]] = [
    (200, b"<html>s3cret-of-the-bot"),
    (502, b"<html>s3cret-of-the-bot"),
    (200, b"[]"),
    (200, b"null"),
    (200, b'{"access_token":"s3cret-of-the-bot"}'),
    (200, b'{"access_token":"s3cret-of-the-bot","expires_in":"soon"}'),
    (429, b'{"error":"temporarily_unavailable"}'),
]


async def test_what_can_not_be_read_is_no_token_and_not_in_the_log(entra: FakeEntra) -> None:
    entra.only = "token"
    for status, body in UNREADABLE:
        entra.status, entra.answer = status, body
        asking = Entra(PASSWORD, entra.cloud)
        with logged() as log, pytest.raises(Exception) as raised:  # noqa: PT011 - MSAL's own, whichever
            await asking.acquire_token(PUBLIC.scope)
        asking.close()
        assert SECRET not in f"{log.getvalue()}{cause(raised.value)}"


async def test_without_a_token_the_channel_is_told_and_may_send_it_again(
    entra: FakeEntra, connector: Connector
) -> None:
    entra.only, entra.status, entra.answer = "token", 401, b'{"error":"invalid_client"}'
    async with registered(entra) as bot:
        body, header = message(connector.service_url, "fern"), entra.bearer(connector.service_url)
        assert (await send(bot, body, Authorization=header))[0] == 502
        assert connector.rest() == []
        entra.only, entra.status, entra.answer = "", 200, None
        assert (await send(bot, body, Authorization=header))[0] == 201
        assert (await connector.next())["entities"][0]["@type"] == "Message"
        # The same again was answered.
        assert (await send(bot, body, Authorization=header))[0] == 201
        assert connector.rest() == []


async def test_nothing_is_left_running(entra: FakeEntra) -> None:
    async with running(TableSource(), credentials=PASSWORD, cloud=entra.cloud):
        await entra.asked_for("token", 1)
        entra.open.clear()
    assert not [task for task in asyncio.all_tasks() if task.get_name().startswith("keep ")]
