"""Tokens for pages of one's own, over sockets: what Direct Line is asked, and what a page gets."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from bot.app.settings import Settings
from bot.config.env import SettingsError
from bot.config.web_chat import WebChatOptions
from bot.direct_line.token_exchange import (
    AT_ONCE,
    EVERY,
    PATH,
    AddressLimit,
    TokenExchange,
    add_tokens,
    address_of,
)
from tests.bot.running import logged, running
from tests.bot.table_source import TableSource

SECRET = "the-s3cret-of-direct-line"
PAGE = "https://www.example.com"
GIVEN = {"conversationId": "c1", "token": "t1", "expires_in": 1800}


@dataclass
class FakeDirectLine:
    """Keeps what it is asked, and answers as it is told to."""

    status: int = 200
    answer: str = json.dumps({**GIVEN, "more": "is not passed on"})
    asked: list[tuple[str, str, Any]] = field(default_factory=list)
    port: int = 0

    async def receive(self, request: web.Request) -> web.Response:
        body = await request.json() if request.can_read_body else None
        self.asked.append((request.path, request.headers["Authorization"], body))
        return web.Response(status=self.status, text=self.answer, content_type="application/json")


@dataclass
class Site:
    """The bot's route on a socket, beside a Direct Line."""

    direct_line: FakeDirectLine
    client: aiohttp.ClientSession
    url: str = ""

    async def ask(self, method: str = "GET", **headers: str) -> tuple[int, Mapping[str, str], Any]:
        async with self.client.request(method, self.url, headers=headers) as response:
            text = await response.text()
            assert SECRET not in text + str(response.headers)
            return response.status, response.headers, json.loads(text) if text else None


@contextlib.asynccontextmanager
async def serving(app: web.Application) -> AsyncIterator[int]:
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    direct_line, theirs, ours = FakeDirectLine(), web.Application(), web.Application()
    theirs.router.add_route("*", "/{path:.*}", direct_line.receive)
    async with serving(theirs) as direct_line.port, aiohttp.ClientSession() as client:
        url = f"http://127.0.0.1:{direct_line.port}"
        add_tokens(ours, WebChatOptions(secret=SECRET, origins=(PAGE,), direct_line=url))
        async with serving(ours) as port:
            yield Site(direct_line, client, f"http://127.0.0.1:{port}{PATH}")


async def test_a_page_gets_a_token_for_a_person_of_its_own(site: Site) -> None:
    status, headers, token = await site.ask(Origin=PAGE)
    assert (status, token) == (
        200,
        {**GIVEN, "domain": f"http://127.0.0.1:{site.direct_line.port}/v3/directline"},
    )
    assert headers["Access-Control-Allow-Origin"] == PAGE
    assert (headers["Vary"], headers["Cache-Control"]) == ("Origin", "no-store")
    await site.ask(Origin=PAGE)
    (path, bearer, body), (*_, other) = site.direct_line.asked
    assert (path, bearer) == ("/v3/directline/tokens/generate", f"Bearer {SECRET}")
    assert body["trustedOrigins"] == [PAGE]
    assert body["user"]["id"].startswith("dl_")
    assert body["user"]["id"] != other["user"]["id"]


async def test_a_token_is_renewed_without_the_secret(site: Site) -> None:
    status, headers, _ = await site.ask("OPTIONS", Origin=PAGE)
    assert (status, headers["Access-Control-Allow-Headers"]) == (204, "Authorization")
    status, _, token = await site.ask(Origin=PAGE, Authorization="Bearer t0")
    assert (status, token["token"]) == (200, "t1")
    assert site.direct_line.asked == [("/v3/directline/tokens/refresh", "Bearer t0", None)]
    site.direct_line.status = 403
    status, headers, error = await site.ask(Origin=PAGE, Authorization="Bearer old")
    assert (status, error["error"]["code"]) == (403, "TokenExpired")
    assert headers["Access-Control-Allow-Origin"] == PAGE


@pytest.mark.parametrize("origin", ["https://www.example.com.evil.example", "http://www.example.com", "null"])
@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
async def test_no_other_page_gets_one(site: Site, method: str, origin: str) -> None:
    status, headers, error = await site.ask(method, Origin=origin)
    assert (status, error["error"]["code"]) == (403, "ForeignOrigin")
    assert "Access-Control-Allow-Origin" not in headers
    assert (await site.ask())[0] == 403
    assert site.direct_line.asked == []


async def test_a_page_of_the_bots_own_host_has_no_origin(site: Site) -> None:
    assert (await site.ask(Host="www.example.com"))[0] == 200
    assert site.direct_line.asked[0][2]["trustedOrigins"] == [PAGE]


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (401, f"{SECRET} is wrong"),
        (403, "{}"),
        (500, ""),
        (200, "no JSON"),
        (200, "[]"),
        (200, '{"token": "t"}'),
    ],
)
async def test_an_error_says_nothing_of_the_secret(site: Site, status: int, answer: str) -> None:
    site.direct_line.status, site.direct_line.answer = status, answer
    with logged() as log:
        assert (await site.ask(Origin=PAGE))[0] == 502
    assert "no token of Direct Line" in log.getvalue()
    assert SECRET not in log.getvalue()


async def test_where_direct_line_is_not_there(site: Site) -> None:
    options = WebChatOptions(secret=SECRET, origins=(PAGE,), direct_line="http://127.0.0.1:9")
    request = make_mocked_request("GET", PATH, headers={"Origin": PAGE})
    with logged() as log, pytest.raises(web.HTTPBadGateway):
        await TokenExchange(options).give(request)
    assert "no token of Direct Line" in log.getvalue()
    assert SECRET not in log.getvalue() + repr(options)


async def test_an_address_has_so_many_tokens(site: Site) -> None:
    statuses = [
        (await site.ask(Origin=PAGE, **{"X-Forwarded-For": "8.8.8.8"}))[0] for _ in range(AT_ONCE + 1)
    ]
    assert statuses == [200] * AT_ONCE + [429]
    status, headers, _ = await site.ask(Origin=PAGE, **{"X-Forwarded-For": "1.1.1.1, 8.8.8.8"})
    assert (status, headers["Retry-After"]) == (429, "2")
    assert (await site.ask(Origin=PAGE, **{"X-Forwarded-For": "8.8.4.4"}))[0] == 200


def test_the_limit_goes_with_time() -> None:
    now = 0.0
    limit = AddressLimit(clock=lambda: now)
    assert [limit.admit("a") for _ in range(AT_ONCE + 1)] == [True] * AT_ONCE + [False]
    now += EVERY
    assert [limit.admit("a"), limit.admit("a"), limit.admit("b")] == [True, False, True]


@pytest.mark.parametrize(
    ("forwarded", "peer", "address"),
    [
        ([], "8.8.8.8", "8.8.8.8"),
        (["1.1.1.1"], "8.8.8.8", "8.8.8.8"),  # no proxy of ours: the header is anybody's
        (["1.1.1.1"], "10.0.0.2", "1.1.1.1"),
        (["6.6.6.6, 1.1.1.1", "10.0.0.3"], "127.0.0.1", "1.1.1.1"),
        (["1.1.1.1:4711"], "10.0.0.2", "1.1.1.1"),
        (["[2606:4700::1]:443"], "10.0.0.2", "2606:4700::/64"),
        (["<script>"], "10.0.0.2", "10.0.0.2"),
        ([], "2606:4700::2", "2606:4700::/64"),
    ],
)
def test_whose_address_it_is(forwarded: list[str], peer: str, address: str) -> None:
    class Transport:
        def get_extra_info(self, name: str, default: object = None) -> object:
            return (peer, 1) if name == "peername" else default

    request = make_mocked_request("GET", PATH, transport=Transport())
    request = request.clone(headers=[("X-Forwarded-For", one) for one in forwarded])
    assert address_of(request) == address


async def test_each_needs_the_other(site: Site) -> None:
    for given, missing in (
        ({"DIRECT_LINE_SECRET": SECRET}, "WEBCHAT_ORIGINS names no origin"),
        ({"WEBCHAT_ORIGINS": PAGE}, "DIRECT_LINE_SECRET is missing"),
    ):
        with pytest.raises(SettingsError, match=missing):
            Settings.from_env(given)
    both = {
        "DIRECT_LINE_SECRET": SECRET,
        "WEBCHAT_ORIGINS": "HTTPS://www.Example.com:443/, http://localhost:8080",
    }
    options = Settings.from_env(both).web_chat
    assert options
    assert options.origins == (PAGE, "http://localhost:8080")
    async with running(TableSource()) as bot, site.client.get(f"http://{bot}{PATH}") as response:
        assert response.status == 404


@pytest.mark.parametrize(
    "origins", ["*", "www.example.com", "https://example.com/chat", "http://example.com", "https://x:y", ","]
)
def test_what_is_no_origin(origins: str) -> None:
    with pytest.raises(SettingsError, match="WEBCHAT_ORIGINS") as error:
        Settings.from_env({"DIRECT_LINE_SECRET": SECRET, "WEBCHAT_ORIGINS": origins})
    assert SECRET not in str(error.value)
    with pytest.raises(SettingsError, match="DIRECT_LINE_URL is not an https URL"):
        Settings.from_env(
            {"DIRECT_LINE_SECRET": SECRET, "WEBCHAT_ORIGINS": PAGE, "DIRECT_LINE_URL": "http://example.com"}
        )
