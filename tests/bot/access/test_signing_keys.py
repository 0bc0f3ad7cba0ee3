"""The channels' keys: read at the start and every day, searched for when one is not known, and not too often."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web

from bot.access.signing_keys import KeysUnavailable, SigningKey, SigningKeys, UnknownKey
from tests.bot.fake_entra import CHANNELS, KEYS, PASSWORD, FakeEntra, entra_running
from tests.bot.running import connecting, message, running, send
from tests.bot.table_source import TableSource


@pytest.fixture
async def entra() -> AsyncIterator[FakeEntra]:
    async with entra_running() as one:
        yield one


@pytest.fixture
async def keys(entra: FakeEntra) -> AsyncIterator[SigningKeys]:
    keys = SigningKeys(entra.cloud.metadata)
    yield keys
    await keys.close()


async def test_they_are_read_once_for_all_who_wait(entra: FakeEntra, keys: SigningKeys) -> None:
    found = await asyncio.gather(*(keys.find("k1") for _ in range(20)))
    assert {key.endorsements for key in found} == {frozenset(CHANNELS)}
    assert found[0].public.key.public_numbers() == KEYS[1].public_key().public_numbers()
    assert (entra.calls["metadata"], entra.calls["keys"]) == (1, 1)


async def test_a_key_that_is_not_known_is_searched_for_once_in_a_while(
    entra: FakeEntra, keys: SigningKeys
) -> None:
    await keys.find("k1")
    entra.roll()
    await asyncio.gather(*(keys.find("k2") for _ in range(20)))
    assert entra.calls["keys"] == 2
    # A key that is published no more signs nothing; nor is it searched for again so soon, nor another.
    for kid in ("k1", "k3", "k4"):
        with pytest.raises(UnknownKey):
            await keys.find(kid)
    assert entra.calls["keys"] == 2


async def test_those_we_have_are_held_on_to_through_an_outage(entra: FakeEntra, keys: SigningKeys) -> None:
    await keys.find("k1")
    entra.status = 503
    # Whether another is published, nobody can tell.
    with pytest.raises(KeysUnavailable):
        await keys.find("k2")
    assert await keys.find("k1")
    assert keys.valid
    # Nor does anybody who asks shorten the pause after which it is tried again.
    asked = entra.calls["metadata"]
    for _ in range(20):
        with pytest.raises(KeysUnavailable):
            await keys.find("k2")
    assert entra.calls["metadata"] == asked
    # A search that failed was none.
    entra.status = 200
    entra.roll()
    await entra.asked_for("keys", 2)
    assert await known(keys, "k2")


async def known(keys: SigningKeys, kid: str) -> SigningKey:
    """The key, once somebody can tell."""
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(KeysUnavailable):
                return await keys.find(kid)
            await asyncio.sleep(0.01)


UNREADABLE: list[tuple[str, bytes]] = [
    ("a page", b"<html>"),
    ("no object", b"[]"),
    ("no keys", b'{"keys":[]}'),
    ("no text", b"\xff\xfe"),
    ("more than 1 MB", b'{"keys":[' + b" " * 1_100_000 + b"]}"),
]


@pytest.mark.parametrize(("what", "body"), UNREADABLE, ids=[what for what, _ in UNREADABLE])
async def test_what_can_not_be_read_changes_nothing(
    entra: FakeEntra, keys: SigningKeys, what: str, body: bytes
) -> None:
    await keys.find("k1")
    entra.answer = body
    with pytest.raises(KeysUnavailable):
        await keys.find("k2")
    assert await keys.find("k1")


async def test_keys_are_not_fetched_in_the_open(entra: FakeEntra, keys: SigningKeys) -> None:
    async with connecting() as anybody:
        entra.only, entra.answer = "metadata", json.dumps({"jwks_uri": anybody.service_url}).encode()
        with pytest.raises(KeysUnavailable, match="jwks_uri is not https"):
            await keys.find("k1")
        assert anybody.received.empty()


async def test_a_redirect_to_the_open_is_not_believed(entra: FakeEntra, keys: SigningKeys) -> None:
    async def publish(_: web.Request) -> web.Response:
        return web.json_response({"keys": entra.published})

    app = web.Application()
    app.router.add_get("/keys", publish)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    open_to_all = f"http://127.0.0.1:{runner.addresses[0][1]}/keys"
    entra.only, entra.status, entra.headers = "keys", 302, {"Location": open_to_all}
    with pytest.raises(KeysUnavailable):
        await keys.find("k1")
    await runner.cleanup()


async def test_a_key_that_can_not_be_read_hides_no_other(entra: FakeEntra, keys: SigningKeys) -> None:
    good = entra.published[0]
    odd: list[Any] = [7, None, {}, {"kty": "RSA"}, {**good, "n": "!"}, {**good, "kid": None}, {"kty": "oct"}]
    entra.published = [*odd, good, *odd]
    assert await keys.find("k1")


async def test_a_rollover_is_not_noticed_by_anybody(entra: FakeEntra) -> None:
    async with (
        connecting() as connector,
        running(TableSource(), credentials=PASSWORD, cloud=entra.cloud) as bot,
    ):
        for number in range(2):
            body = message(connector.service_url, "fern", id=str(number))
            assert (await send(bot, body, Authorization=entra.bearer(connector.service_url)))[0] == 201
            entra.roll()
    assert entra.calls["keys"] == 2


async def test_without_keys_nobody_is_admitted_and_nobody_refused(entra: FakeEntra) -> None:
    entra.status = 503
    async with (
        connecting() as connector,
        running(TableSource(), credentials=PASSWORD, cloud=entra.cloud) as bot,
    ):
        body = message(connector.service_url, "fern")
        header = entra.bearer(connector.service_url)
        assert (await send(bot, body, Authorization=header))[0] == 503
        # What is no token at all is refused all the same.
        assert (await send(bot, body, Authorization="Bearer garbage"))[0] == 401
        entra.status = 200
        assert (await send(bot, body, Authorization=header))[0] == 201
