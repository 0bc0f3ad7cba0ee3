"""Bot Service's token service and Microsoft Graph on one socket, as their documentation describes them."""

from __future__ import annotations

import base64
import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from aiohttp import web

from bot.config.cloud import Cloud

from ..web_server import serving_routes
from .fake_entra import APP_ID, FakeEntra, entra_running

CONNECTION: Final = "graph"
LABEL: Final[dict[str, Any]] = {
    "sensitivityLabelId": "f71f1f74-bf1f-4e6b-b266-c777ea76e2s8",
    "displayName": "Confidential\\Any User (No Protection)",
    "toolTip": "Data is classified as Confidential but is NOT PROTECTED.",
    "priority": 4,
    "color": "#FF8C00",
}


def hit(name: str, *extracts: str, label: Mapping[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """One ``retrievalHit``, as in "Retrieve grounding data", example 1."""
    return {
        "webUrl": f"https://contoso.sharepoint.com/sites/HR/{name.replace(' ', '')}.docx",
        "extracts": [
            {"text": text, "relevanceScore": round(0.9 - number / 10, 2)}
            for number, text in enumerate(extracts)
        ],
        "resourceType": "listItem",
        "resourceMetadata": {"title": name},
        **({"sensitivityLabel": label} if label else {}),
        **fields,
    }


@dataclass
class Microsoft365:
    """Who has signed in, what each person may read, and what was asked."""

    entra: FakeEntra
    url: str = ""
    tokens: dict[tuple[str, str], str] = field(default_factory=dict)
    """The tokens by user and channel."""
    codes: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """The code that confirms a sign-in, and the token that it gives then."""
    exchanges: dict[str, str] = field(default_factory=dict)
    """The tokens of Graph for those of Teams."""
    readable: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """The hits by token."""
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """The tokens and the questions that came to Graph."""
    states: list[dict[str, Any]] = field(default_factory=list)
    down: bool = False
    status: int = 200
    """Graph's."""
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def cloud(self) -> Cloud:
        return replace(self.entra.cloud, sign_in_service=self.url, graph=self.url)

    def person(self, request: web.Request) -> tuple[str, str]:
        if self.down:
            raise web.HTTPServiceUnavailable
        assert request.headers["Authorization"].startswith("Bearer token-")
        assert request.query["connectionName"] == CONNECTION
        return request.query["userId"], request.query["channelId"]

    async def get_token(self, request: web.Request) -> web.Response:
        person = self.person(request)
        code, _ = self.codes.get(person, ("", ""))
        if code and request.query.get("code") == code:
            self.tokens[person] = self.codes.pop(person)[1]
        return self.token_of(person)

    def token_of(self, person: tuple[str, str]) -> web.Response:
        if person not in self.tokens:
            return web.json_response({"error": {"code": "NotFound"}}, status=404)
        found = {"channelId": person[1], "connectionName": CONNECTION, "token": self.tokens[person]}
        return web.json_response(found)

    async def exchange(self, request: web.Request) -> web.Response:
        person = self.person(request)
        given = (await request.json())["token"]
        if given not in self.exchanges:
            return web.json_response({"error": {"code": "ConsentRequired"}}, status=400)
        self.tokens[person] = self.exchanges[given]
        return self.token_of(person)

    async def sign_out(self, request: web.Request) -> web.Response:
        self.tokens.pop(self.person(request), None)
        return web.Response(status=204)

    async def sign_in_resource(self, request: web.Request) -> web.Response:
        if self.down:
            raise web.HTTPServiceUnavailable
        state = json.loads(base64.b64decode(request.query["state"]))
        assert (state["connectionName"], state["msAppId"]) == (CONNECTION, APP_ID)
        self.states.append(state)
        resource = {"id": "exchange-1", "uri": f"api://botid-{APP_ID}", "providerId": "aad"}
        link = "https://token.botframework.com/api/oauth/signin?signin=abc"
        return web.json_response({"signInLink": link, "tokenExchangeResource": resource})

    async def retrieve(self, request: web.Request) -> web.Response:
        token = request.headers["Authorization"].removeprefix("Bearer ")
        self.asked.append((token, await request.json()))
        if self.status != 200:
            return web.json_response({"error": {"code": "x"}}, status=self.status, headers=self.headers)
        return web.json_response({"retrievalHits": self.readable.get(token, [])})


@contextlib.asynccontextmanager
async def microsoft365_running() -> AsyncIterator[Microsoft365]:
    async with entra_running() as entra:
        services = Microsoft365(entra)
        routes = (
            web.get("/api/usertoken/GetToken", services.get_token),
            web.post("/api/usertoken/exchange", services.exchange),
            web.delete("/api/usertoken/SignOut", services.sign_out),
            web.get("/api/botsignin/GetSignInResource", services.sign_in_resource),
            web.post("/v1.0/copilot/retrieval", services.retrieve),
        )
        async with serving_routes(*routes) as services.url:
            yield services
