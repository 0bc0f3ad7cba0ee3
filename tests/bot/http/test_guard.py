"""Who may talk to the bot: foreign pages, names and services are refused, and bad requests named."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import aiohttp
import pytest

from bot.config.credentials import Credentials
from bot.config.loopback import host_of_authority, is_loopback, service_host
from tests.bot.running import Connector, connecting, message, running
from tests.bot.table_source import TableSource

NAMES = [
    ("localhost", True),
    ("LOCALHOST", True),
    ("127.0.0.1", True),
    ("127.255.0.9", True),
    ("::1", True),
    ("localhost.example.com", False),
    ("127.0.0.1.example.com", False),
    ("0.0.0.0", False),
    ("::", False),
    ("10.0.0.1", False),
    ("", False),
]

AUTHORITIES = [
    ("localhost:3978", "localhost"),
    ("127.0.0.1", "127.0.0.1"),
    ("[::1]:3978", "::1"),
    ("evil.test:3978", "evil.test"),
    ("user@localhost:3978", None),
    ("localhost:port", None),
    ("localhost:3978/x", None),
    ("[::1", None),
    ("", None),
]

SERVICES = [
    ("http://localhost:3978/", "localhost"),
    ("https://smba.trafficmanager.net/teams/", "smba.trafficmanager.net"),
    ("http://user:pw@localhost/", None),
    ("http://localhost\\@evil.test/", None),
    ("ftp://localhost/", None),
    ("localhost:3978", None),
    ("http://[::1", None),
    ("http://localhost:99999/", None),
]


@pytest.mark.parametrize(("name", "expected"), NAMES)
def test_names_of_this_machine(name: str, expected: bool) -> None:
    assert is_loopback(name) is expected


@pytest.mark.parametrize(("authority", "expected"), AUTHORITIES)
def test_hosts_of_authorities(authority: str, expected: str | None) -> None:
    assert host_of_authority(authority) == expected


@pytest.mark.parametrize(("url", "expected"), SERVICES)
def test_hosts_of_services(url: str, expected: str | None) -> None:
    assert service_host(url) == expected


@pytest.fixture
async def connector() -> AsyncIterator[Connector]:
    async with connecting() as one:
        yield one


@pytest.fixture
async def bot() -> AsyncIterator[str]:
    async with running(TableSource()) as authority:
        yield authority


async def call(
    method: str,
    authority: str,
    path: str,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> tuple[int, str]:
    async with (
        aiohttp.ClientSession(skip_auto_headers=["Content-Type"]) as session,
        session.request(method, f"http://{authority}{path}", data=body, headers=headers) as response,
    ):
        return response.status, await response.text()


JSON = {"Content-Type": "application/json"}

HEADERS = [
    ({"Content-Type": "application/json"}, 201),
    ({"Content-Type": "Application/JSON; charset=utf-8"}, 201),
    # What a page may send to anyone without asking first.
    ({"Content-Type": "text/plain; application/json"}, 415),
    ({"Content-Type": "text/plain"}, 415),
    ({"Content-Type": "application/json-patch+json"}, 415),
    ({}, 415),
    # Few bytes that may become many.
    ({**JSON, "Content-Encoding": "gzip"}, 415),
    ({**JSON, "Content-Encoding": "deflate"}, 415),
    ({**JSON, "Content-Encoding": "br"}, 415),
    ({**JSON, "Content-Encoding": "identity"}, 201),
    ({**JSON, "Origin": "http://evil.test"}, 403),
    ({**JSON, "Origin": "null"}, 403),
    ({**JSON, "Origin": "http://127.0.0.1"}, 403),
    ({**JSON, "Host": "evil.test"}, 403),
    ({**JSON, "Host": "evil.test:3978"}, 403),
    ({**JSON, "Host": "localhost"}, 201),
]


@pytest.mark.parametrize(("headers", "status"), HEADERS)
async def test_headers(bot: str, connector: Connector, headers: dict[str, str], status: int) -> None:
    body = json.dumps(message(connector.service_url, "fern")).encode()
    assert (await call("POST", bot, "/api/messages", body, headers))[0] == status
    came = [one["type"] for one in connector.rest()]
    # A busy machine has time to say before the answer that it is on its way.
    assert [one for one in came if one != "typing"] == (["message"] if status == 201 else [])


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in message("http://127.0.0.1:1/", "x").items() if key != name}


def having(**fields: Any) -> dict[str, Any]:
    return {**message("http://127.0.0.1:1/", "x"), **fields}


def nested(depth: int) -> list[Any]:
    """So many lists, each in the one before."""
    outermost: list[Any] = []
    for _ in range(depth - 1):
        outermost = [outermost]
    return outermost


BODIES = [
    (b"", 400, "not JSON"),
    (b"{", 400, "not JSON"),
    (b"\xff\xfe", 400, "not JSON"),
    (b"[" * 100_000, 400, "not JSON"),
    (b"[]", 400, "JSON object"),
    (b"null", 400, "JSON object"),
    (json.dumps(without("type")).encode(), 400, "$.type"),
    (json.dumps(without("channelId")).encode(), 400, "$.channelId"),
    (json.dumps(without("serviceUrl")).encode(), 400, "$.serviceUrl"),
    (json.dumps(without("conversation")).encode(), 400, "$.conversation.id"),
    (json.dumps(having(conversation={})).encode(), 400, "$.conversation.id"),
    (json.dumps(having(conversation="c1")).encode(), 400, "$.conversation.id"),
    (json.dumps(having(text=5)).encode(), 400, "$.text must be a string"),
    (json.dumps(having(id=["x"])).encode(), 400, "$.id must be a string"),
    (json.dumps(having(id="\ud83d")).encode(), 400, "$.id must be Unicode"),
    (json.dumps(having(conversation={"id": "\udc4d"})).encode(), 400, "$.conversation.id must be Unicode"),
    (json.dumps(having(conversation={"id": ""})).encode(), 400, "$.conversation.id"),
    (json.dumps(having(conversation={"id": ".."})).encode(), 400, "$.conversation.id must not be . or .."),
    (json.dumps(having(conversation={"id": "%2E%2e"})).encode(), 400, "$.conversation.id must not be"),
    (json.dumps(having(conversation={"id": "c\r\n1"})).encode(), 400, "no control characters"),
    (json.dumps(having(id=".")).encode(), 400, "$.id must not be"),
    (json.dumps(having(id="1%00")).encode(), 400, "$.id must not be"),
    (json.dumps(having(replyToId="..")).encode(), 400, "$.replyToId must not be"),
    (json.dumps(having(conversation={"id": 1})).encode(), 400, "$.conversation.id"),
    (json.dumps(having(conversation={"id": "c", "isGroup": "yes"})).encode(), 400, "isGroup must be"),
    (json.dumps(having(conversation={"id": "c", "tenantId": {}})).encode(), 400, "tenantId must be a string"),
    (json.dumps(having(recipient="bot")).encode(), 400, "$.recipient must be an object"),
    (json.dumps(having(**{"from": {"id": 7}})).encode(), 400, "$.from.id must be a string"),
    (json.dumps(having(**{"from": {"aadObjectId": []}})).encode(), 400, "$.from.aadObjectId"),
    (json.dumps(having(membersAdded={"id": "u1"})).encode(), 400, "$.membersAdded must be a list"),
    (json.dumps(having(membersAdded=[{"id": "u1"}, {"id": 2}])).encode(), 400, "$.membersAdded[1].id"),
    (json.dumps(having(entities="x")).encode(), 400, "$.entities must be a list"),
    (json.dumps(having(entities=[None])).encode(), 400, "$.entities[0] must be an object"),
    (json.dumps(having(entities=[{"type": 1}])).encode(), 400, "$.entities[0].type must be a string"),
    (json.dumps(having(attachments=["x"])).encode(), 400, "$.attachments[0] must be an object"),
    (json.dumps(having(value=nested(32))).encode(), 400, "nested deeper than 32"),
    (json.dumps(having(value=nested(900))).encode(), 400, "nested deeper than 32"),
    (json.dumps(having(membersAdded=[{}] * 60_000)).encode(), 400, "more than 5000 objects and lists"),
    (json.dumps(having(channelData=[[[]] * 20_000] * 2)).encode(), 400, "more than 5000 objects and lists"),
    (b'{"type": NaN}', 400, "not JSON"),
    (b'{"value": ' + b"9" * 10_000 + b"}", 400, "not JSON"),
    (json.dumps(having(serviceUrl="http://u:p@127.0.0.1/")).encode(), 400, "$.serviceUrl"),
    (json.dumps(having(serviceUrl="https://evil.test/")).encode(), 403, "go to this"),
    (json.dumps(having(serviceUrl="http://127.0.0.1.evil.test/")).encode(), 403, "go to this"),
    (json.dumps(having(text="x" * 300_000)).encode(), 413, ""),
]


@pytest.mark.parametrize(("body", "status", "words"), BODIES, ids=lambda value: str(value)[:40])
async def test_bodies(bot: str, body: bytes, status: int, words: str) -> None:
    answer = await call("POST", bot, "/api/messages", body, JSON)
    assert answer[0] == status
    assert words in answer[1]
    if status != 413:
        assert set(json.loads(answer[1])["error"]) == {"code", "message"}


async def test_what_is_deep_but_not_too_deep_is_taken(bot: str, connector: Connector) -> None:
    body = message(connector.service_url, "fern", value=nested(31), channelData={"x": [None, 1.5, {}] * 4000})
    assert (await call("POST", bot, "/api/messages", json.dumps(body).encode(), JSON))[0] == 201


async def test_a_text_that_was_cut_in_a_character_is_answered(bot: str, connector: Connector) -> None:
    body = message(connector.service_url, "fern \ud83e", id="1")
    assert (await call("POST", bot, "/api/messages", json.dumps(body).encode(), JSON))[0] == 201
    assert "twice a week" in (await connector.next())["text"]


async def test_a_body_in_chunks_has_the_same_limit(bot: str) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(30):
            yield b" " * 10_000

    async with (
        aiohttp.ClientSession() as session,
        session.post(f"http://{bot}/api/messages", data=chunks(), headers=JSON) as response,
    ):
        assert response.status == 413


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS"])
async def test_a_wrong_method_is_405(bot: str, method: str) -> None:
    assert (await call(method, bot, "/api/messages"))[0] == 405


# Every route of the local service, not only the bot's endpoint: DNS may be rebound to our address.
ROUTES = [
    ("GET", "/"),
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/documents/x.md"),
    ("GET", "/local/documents"),
    ("GET", "/no/such/route"),
    ("POST", "/v3/directline/tokens/generate"),
    ("POST", "/v3/directline/conversations"),
    ("GET", "/v3/directline/conversations/c/stream"),
    ("POST", "/v3/conversations/c/activities"),
    ("GET", "/page/conversations/c/markdown"),
    ("DELETE", "/page/conversations/c"),
]


@pytest.mark.parametrize(("method", "path"), ROUTES)
@pytest.mark.parametrize(
    "headers", [{"Host": "evil.test"}, {"Origin": "http://evil.test"}, {"Origin": "null"}]
)
async def test_every_route_refuses_what_is_foreign(
    bot: str, method: str, path: str, headers: dict[str, str]
) -> None:
    status, body = await call(method, bot, path, headers=headers)
    assert status == 403
    assert "error" in json.loads(body)


async def test_our_own_origin_is_welcome(bot: str) -> None:
    headers = {"Origin": f"http://{bot}"}
    assert (await call("POST", bot, "/v3/directline/tokens/generate", headers=headers))[0] == 200


async def test_with_credentials_there_is_nothing_for_a_browser() -> None:
    credentials = Credentials(app_id="0c3d4b55-1111-4222-8333-000000000001", password="p")
    async with running(TableSource(), credentials=credentials) as authority:
        found = {path: (await call(method, authority, path))[0] for method, path in ROUTES}
    assert {path for path, status in found.items() if status != 404} == {"/healthz", "/readyz"}
