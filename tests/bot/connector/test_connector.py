"""What a channel's connector does with what it is sent, and what we do then: how often, and for how long."""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest
import trustme
from aiohttp import web
from botbuilder.schema import Activity, ConversationAccount

from bot.config.service_urls import ServiceUrls
from bot.config.timeouts import Timeouts
from bot.connector import (
    CACHED_CLIENTS,
    CONNECTIONS,
    ChannelRefusal,
    ConnectorError,
    Connectors,
    ForeignService,
    MaybeSent,
    NotSent,
    TokenError,
)
from bot.connector.transport import TRIES
from bot.conversation.queue import ANSWERS
from tests.refusing_proxy import refusing_proxy
from tests.sources.faults import (
    SOON,
    Behaviour,
    Connection,
    Good,
    at_first,
    body,
    closed,
    faulty_server,
    hanging,
    no_http,
    reset,
    status,
    well,
)

PACE: Final = Timeouts(sending=2.0, pause=0.05)
ID: Final = Good(
    pieces=(b'{"id": ', b'"a1"}'),
    piece=lambda text: text.encode(),
    beginning="",
    content_type="application/json",
)
HTML: Final = b"<!doctype html><title>Gateway</title>"
SCOPE: Final = "https://api.botframework.com"


def taking(data: bytes, content_type: str = "application/json", code: int = 200) -> Behaviour:
    async def behave(connection: Connection, good: Good) -> None:
        await connection.say(code, data, content_type)

    return behave


def refusing_with_html(code: int) -> Behaviour:
    async def behave(connection: Connection, good: Good) -> None:
        await connection.say(code, HTML, "text/html", Retry_After="60")

    return behave


async def nothing_behind_the_head(connection: Connection, good: Good) -> None:
    await connection.begin(good)
    await asyncio.Event().wait()


async def half_a_head(connection: Connection, good: Good) -> None:
    await connection.write(b"HTTP/1.1 200 OK\r\nContent-")
    await asyncio.Event().wait()


async def half_a_body(connection: Connection, good: Good) -> None:
    await connection.head(200, {"Content-Type": "application/json", "Content-Length": "100"})
    await connection.write(b'{"id": "a')


def in_seconds(seconds: float) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What a connector does; what we have then; how often it is asked; seconds that it takes at least.

    ``then`` is the id that we were given, the status that we were refused with, or what is raised.
    """

    does: Behaviour | None
    then: str | int | type[ConnectorError]
    asked: int = 1
    least: float = 0.0


ROWS: Final = {
    "none": Row(does=well, then="a1"),
    "201": Row(does=taking(b'{"id": "a1"}', code=201), then="a1"),
    "202 with nothing": Row(does=taking(b"", "text/plain", 202), then=""),
    "204": Row(does=taking(b"", code=204), then=""),
    "200 with HTML": Row(does=taking(HTML, "text/html"), then=""),
    "200 with HTML that is said to be JSON": Row(does=taking(HTML), then=""),
    "200 with nothing": Row(does=taking(b""), then=""),
    "200 with half a JSON": Row(does=taking(b'{"id": "a'), then=""),
    "200 with a list": Row(does=taking(b'[{"id": "a1"}]'), then=""),
    "200 with a null": Row(does=taking(b"null"), then=""),
    "200 with an id of another kind": Row(does=taking(b'{"id": {"id": "a1"}}'), then=""),
    "200 with JSON as text": Row(does=taking(b'{"id": "a1"}', "text/plain"), then="a1"),
    "200 with a byte order mark": Row(does=taking(b'\xef\xbb\xbf{"id": "a1"}'), then="a1"),
    "200 with other bytes": Row(does=taking(b'\xff\xfe{"id": 1}'), then=""),
    "200 with a deep JSON": Row(does=taking(b"[" * 50_000), then=""),
    "200 with 10 MB": Row(does=body(b'{"id": "' + b"a" * 10_000_000 + b'"}', ""), then=""),
    "200, and the body is cut": Row(does=half_a_body, then=""),
    "200, and the body hangs": Row(does=nothing_behind_the_head, then="", least=PACE.sending),
    "302": Row(does=status(302, Location="/elsewhere"), then=302),
    "400": Row(does=status(400), then=400),
    "401": Row(does=status(401), then=401),
    "403": Row(does=status(403), then=403),
    "404 with HTML": Row(does=refusing_with_html(404), then=404),
    "408": Row(does=status(408), then=408),
    "412": Row(does=at_first(status(412), 1), then="a1", asked=2),
    "413": Row(does=status(413), then=413),
    "429": Row(does=at_first(status(429), 1), then="a1", asked=2),
    "429 twice": Row(does=at_first(status(429), 2), then="a1", asked=3),
    "429 for ever": Row(does=status(429), then=429, asked=3),
    "429, come again in a second": Row(does=at_first(status(429, Retry_After="1"), 1), then="a1", asked=2, least=1.0),
    "429, come again in ten": Row(does=status(429, Retry_After="10"), then=429),
    "429, come again this year": Row(does=status(429, Retry_After=in_seconds(86400)), then=429),
    "429, come again then": Row(does=at_first(status(429, Retry_After=in_seconds(-5)), 1), then="a1", asked=2),
    "429, come again sometime": Row(does=at_first(status(429, Retry_After="soon"), 1), then="a1", asked=2),
    "500": Row(does=status(500), then=500),
    "501": Row(does=status(501), then=501),
    "502 with HTML": Row(does=at_first(taking(HTML, "text/html", 502), 1), then="a1", asked=2),
    "503": Row(does=at_first(status(503), 1), then="a1", asked=2),
    "503 with HTML, in a minute": Row(does=refusing_with_html(503), then=503),
    "504 for ever": Row(does=status(504), then=504, asked=3),
    "a closed port": Row(does=None, then=NotSent, asked=0),
    "reset": Row(does=reset, then=MaybeSent),
    "closed without a word": Row(does=closed, then=MaybeSent),
    "no HTTP": Row(does=no_http, then=MaybeSent),
    "hanging": Row(does=hanging, then=MaybeSent, least=PACE.sending),
    "hanging in the head": Row(does=half_a_head, then=MaybeSent, least=PACE.sending),
    "429, then hanging": Row(
        does=lambda connection, good: (status(429) if connection.count == 1 else hanging)(connection, good),
        then=MaybeSent, asked=2, least=PACE.sending,
    ),
}  # fmt: skip


@dataclass(slots=True)
class Tokens:
    """Gives one token after another, or none."""

    given: list[str]

    async def get_token(self, scope: str) -> str:
        assert scope == SCOPE
        if not self.given:
            raise TokenError("none")
        return self.given.pop(0)

    async def replace_token(self, scope: str, refused: str) -> str:
        return await self.get_token(scope) if self.given else refused


@contextlib.asynccontextmanager
async def connected(tokens: Tokens | None = None, timeouts: Timeouts = PACE) -> AsyncIterator[Connectors]:
    connectors = Connectors(tokens, ServiceUrls(), timeouts)
    await connectors.open()
    try:
        yield connectors
    finally:
        await connectors.close()


def hello(conversation: str = "c1", reply_to: str | None = None) -> Activity:
    return Activity(
        type="message",
        text="Hello",
        conversation=ConversationAccount(id=conversation),
        reply_to_id=reply_to,
    )


async def send(connectors: Connectors, service_url: str, tries: int = TRIES) -> str:
    return await connectors.client(service_url, SCOPE).send(hello(), tries)


async def outcome(connectors: Connectors, service_url: str) -> str | int | type[Exception]:
    """What comes of it, as in a row."""
    try:
        return await send(connectors, service_url)
    except ChannelRefusal as refusal:
        return refusal.status
    except ConnectorError as error:
        return type(error)


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
async def test_what_a_connector_does(row: Row) -> None:
    async with faulty_server(ID, row.does) as server, connected() as connectors:
        begun = time.monotonic()
        async with asyncio.timeout(SOON):
            assert await outcome(connectors, server.url) == row.then
        assert server.asked == row.asked
        assert time.monotonic() - begun >= row.least * 0.99


@pytest.mark.parametrize(
    "does", [status(429), status(503, Retry_After="0"), None], ids=["429", "503", "closed"]
)
async def test_what_the_next_one_outdates_is_tried_once(does: Behaviour | None) -> None:
    async with faulty_server(ID, does) as server, connected() as connectors:
        with pytest.raises((ChannelRefusal, NotSent)):
            await send(connectors, server.url, tries=1)
        assert server.asked == (0 if does is None else 1)


async def test_an_error_keeps_its_status_its_words_and_its_wait() -> None:
    async with faulty_server(ID, refusing_with_html(503)) as server, connected() as connectors:
        with pytest.raises(ChannelRefusal) as raised:
            await send(connectors, server.url)
    refusal = raised.value
    assert "<title>gateway</title>" in refusal.explanation
    assert "gateway" not in str(refusal), "what a channel writes is not logged"
    assert (refusal.status, refusal.retry_after, refusal.tries) == (503, 60, 1)


# Connections


@contextlib.asynccontextmanager
async def serving(
    handle: Callable[[web.Request], Awaitable[web.Response]], tls: ssl.SSLContext | None = None
) -> AsyncIterator[str]:
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=512, ssl_context=tls).start()
    try:
        yield f"{'https' if tls else 'http'}://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


async def test_connections_are_kept_and_bounded() -> None:
    seen: set[Any] = set()
    under_way, busiest = 0, 0

    async def accept(request: web.Request) -> web.Response:
        nonlocal under_way, busiest
        seen.add(request.transport)
        under_way += 1
        busiest = max(busiest, under_way)
        await asyncio.sleep(0.05)
        under_way -= 1
        return web.json_response({"id": "a1"})

    async with serving(accept) as service_url, connected(timeouts=Timeouts()) as connectors:
        for _ in range(5):
            await send(connectors, service_url)
        assert len(seen) == 1
        sent = await asyncio.gather(*(send(connectors, service_url) for _ in range(CONNECTIONS + 100)))
        assert set(sent) == {"a1"}
        assert busiest <= CONNECTIONS
        assert len(seen) <= CONNECTIONS


def test_no_answer_waits_for_the_response_to_a_sign() -> None:
    """As many answers are sent as are read at once. Each may have a message and a sign on its way."""
    assert CONNECTIONS >= 2 * 2 * ANSWERS


async def test_a_port_that_stays_closed_is_left_alone() -> None:
    async with faulty_server(ID, None) as server, connected() as connectors:
        for _ in range(5):
            with pytest.raises(NotSent, match="no connection: "):
                await send(connectors, server.url, tries=1)
        with pytest.raises(NotSent, match="not tried"):
            await send(connectors, server.url)
        async with faulty_server(ID, well) as other:
            assert await send(connectors, other.url) == "a1", "others are none the worse for it"


async def test_one_client_for_each_service_url_and_scope() -> None:
    async with connected() as connectors:
        first = await connectors.factory(SCOPE).create("http://127.0.0.1:1/")
        assert await connectors.factory(SCOPE).create("http://127.0.0.1:1/") is first
        assert await connectors.factory("skill").create("http://127.0.0.1:1/", SCOPE) is first
        assert await connectors.factory(SCOPE).create("http://127.0.0.1:1/", "skill") is not first
        assert await connectors.factory(SCOPE).create("http://127.0.0.1:2/") is not first
        for port in range(2, CACHED_CLIENTS + 2):
            await connectors.factory(SCOPE).create(f"http://127.0.0.1:{port}/")
        assert await connectors.factory(SCOPE).create("http://127.0.0.1:1/") is not first


async def test_nothing_goes_to_a_foreign_service() -> None:
    async with connected(Tokens([])) as connectors:
        for url in ("https://evil.test/", "http://user:pw@127.0.0.1/", "http://127.0.0.1/{conversationId}"):
            with pytest.raises(ForeignService):
                await connectors.factory(SCOPE).create(url)


async def test_only_a_certificate_of_an_authority_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority, tls = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(tls)
    asked: list[str] = []

    async def accept(request: web.Request) -> web.Response:
        asked.append(request.headers["Authorization"])
        return web.json_response({"id": "a1"})

    async with serving(accept, tls) as service_url:
        async with connected(Tokens(["one"])) as connectors:
            with pytest.raises(NotSent, match="ClientConnectorCertificateError"):
                await send(connectors, service_url, tries=1)
        authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        async with connected(Tokens(["two"])) as connectors:
            assert await send(connectors, service_url) == "a1"
    assert asked == ["Bearer two"]


async def test_a_proxy_that_refuses_us_has_not_seen_what_was_for_the_channel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connectors = Connectors(Tokens(["one"]), ServiceUrls(frozenset({".botframework.com"})), PACE)
    await connectors.open()
    try:
        async with refusing_proxy(monkeypatch, "407 Proxy Authentication Required") as heads:
            with pytest.raises(NotSent, match="ClientHttpProxyError"):
                await send(connectors, "https://webchat.botframework.com/", tries=1)
    finally:
        await connectors.close()
    [head] = heads
    assert head.startswith("CONNECT webchat.botframework.com:443 ")
    assert "one" not in head


async def test_this_machine_needs_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    async with faulty_server(ID, well) as server, connected() as connectors:
        assert await send(connectors, server.url) == "a1"


# Tokens


async def test_each_try_has_a_token() -> None:
    came: list[str | None] = []

    async def busy_at_first(request: web.Request) -> web.Response:
        came.append(request.headers.get("Authorization"))
        return web.json_response({"id": "a1"}, status=429 if len(came) == 1 else 200)

    async with serving(busy_at_first) as service_url:
        async with connected(Tokens(["one", "two"])) as connectors:
            assert await send(connectors, service_url) == "a1"
            with pytest.raises(TokenError):
                await send(connectors, service_url)
        async with connected() as connectors:
            await send(connectors, service_url)
    assert came == ["Bearer one", "Bearer two", None]


async def test_a_token_that_is_refused_is_followed_by_another() -> None:
    came: list[str | None] = []

    async def refusing(request: web.Request) -> web.Response:
        came.append(request.headers.get("Authorization"))
        return web.json_response({"id": "a1"}, status=200 if came[-1] == "Bearer two" else 401)

    async with serving(refusing) as service_url, connected(Tokens(["one", "two", "three"])) as connectors:
        assert await send(connectors, service_url) == "a1"
        # One that refuses them all is not asked again.
        assert await outcome(connectors, service_url) == 401
    assert came == ["Bearer one", "Bearer two", "Bearer three"]


async def test_a_token_that_does_not_come_is_not_the_connectors_fault() -> None:
    async with faulty_server(ID, well) as server, connected(Tokens([])) as connectors:
        for _ in range(6):
            assert await outcome(connectors, server.url) is TokenError
        assert server.asked == 0


async def test_no_token_follows_a_redirect() -> None:
    async with faulty_server(ID, well) as elsewhere:
        does = status(307, Location=f"{elsewhere.url}/v3/conversations")
        async with faulty_server(ID, does) as server, connected(Tokens(["one"])) as connectors:
            assert await outcome(connectors, server.url) == 307
        assert elsewhere.asked == 0


# The request


async def test_a_conversations_id_is_one_part_of_the_path() -> None:
    paths: list[str] = []

    async def accept(request: web.Request) -> web.Response:
        paths.append(request.raw_path)
        return web.json_response({"id": "a1"})

    async with serving(accept) as service_url, connected() as connectors:
        client = await connectors.factory(SCOPE).create(f"{service_url}teams/")
        await client.send(hello("19:a@thread.v2;messageid=1", reply_to="1"))
        await client.send(hello("../{x}?y#z"))
    assert paths == [
        "/teams/v3/conversations/19%3Aa%40thread.v2%3Bmessageid%3D1/activities/1",
        "/teams/v3/conversations/..%2F%7Bx%7D%3Fy%23z/activities",
    ]


@pytest.mark.parametrize("name", ["..", ".", "%2e%2E", "a\nb", "a%0ab"])
async def test_an_id_that_leads_elsewhere_is_not_sent(name: str) -> None:
    paths: list[str] = []

    async def accept(request: web.Request) -> web.Response:
        paths.append(request.raw_path)
        return web.json_response({"id": "a1"})

    async with serving(accept) as service_url, connected() as connectors:
        client = await connectors.factory(SCOPE).create(service_url)
        for activity in (hello(name), hello(reply_to=name)):
            with pytest.raises(NotSent, match="no segment of a path"):
                await client.send(activity)
    assert paths == []


@pytest.mark.parametrize("text", ["Fougère \U0001f33f", "cut \ud83c", "a\x00b\u2028"])
async def test_any_text_arrives(text: str) -> None:
    said: list[Any] = []

    async def accept(request: web.Request) -> web.Response:
        said.append((request.headers["Content-Type"], json.loads(await request.read())))
        return web.json_response({"id": "a1"})

    async with serving(accept) as service_url, connected() as connectors:
        client = await connectors.factory(SCOPE).create(service_url)
        activity = hello()
        activity.text, activity.value = text, {"id": 10**30, "share": 0.5}
        await client.send(activity)
    fields = {
        "type": "message",
        "conversation": {"id": "c1"},
        "text": text,
        "value": {"id": 10**30, "share": 0.5},
    }
    assert said == [("application/json; charset=utf-8", fields)]


async def test_a_closed_session_is_no_crash() -> None:
    connectors = Connectors(None, ServiceUrls())
    with pytest.raises(NotSent):
        connectors.client("http://127.0.0.1:1/", SCOPE)
    await connectors.close()


def test_aiohttp_knows_when_nothing_was_sent() -> None:
    """What we take for that is what aiohttp raises before it has a connection, and for nothing else."""
    before = (aiohttp.ClientConnectorError, aiohttp.ClientHttpProxyError, aiohttp.ConnectionTimeoutError)
    after = (
        aiohttp.ServerDisconnectedError,
        aiohttp.ClientOSError,
        aiohttp.SocketTimeoutError,
        aiohttp.ClientPayloadError,
    )
    assert not any(issubclass(one, before) for one in after)
    assert issubclass(aiohttp.ClientConnectorCertificateError, aiohttp.ClientConnectorError)
    assert issubclass(aiohttp.ClientConnectorDNSError, aiohttp.ClientConnectorError)
    assert issubclass(aiohttp.ClientProxyConnectionError, aiohttp.ClientConnectorError)
