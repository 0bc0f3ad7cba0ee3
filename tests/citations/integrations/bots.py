"""A bot on each SDK, for one turn: the SDK's own adapter on a socket, and its own client."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import aiohttp
import httpx
from aiohttp import web
from botbuilder.integration.aiohttp import CloudAdapter, ConfigurationBotFrameworkAuthentication
from microsoft_agents.authentication.msal import MsalConnectionManager
from microsoft_agents.hosting import aiohttp as agents_hosting
from microsoft_agents.hosting.core import AgentAuthConfiguration
from microsoft_teams.apps import App

Turn = Callable[[Any], Awaitable[None]]
Endpoint = Callable[[web.Request], Awaitable[web.Response]]


class TurnFailures:
    """What an adapter is told to do with an error: it is kept, where samples apologise to the person."""

    def __init__(self) -> None:
        self.errors: list[Exception] = []

    async def keep(self, _: Any, error: Exception) -> None:
        self.errors.append(error)


def botbuilder_adapter(*middleware: Any) -> Any:
    config = SimpleNamespace(APP_ID="", APP_PASSWORD="", APP_TYPE="MultiTenant", APP_TENANTID="")
    return _adapter(CloudAdapter(ConfigurationBotFrameworkAuthentication(config)), middleware)


def agents_adapter(*middleware: Any) -> Any:
    who = {"SERVICE_CONNECTION": AgentAuthConfiguration(anonymous_allowed=True)}
    connections = MsalConnectionManager(connections_configurations=who)
    return _adapter(agents_hosting.CloudAdapter(connection_manager=connections), middleware)


def _adapter(adapter: Any, middleware: tuple[Any, ...]) -> Any:
    adapter.failures = TurnFailures()
    adapter.on_turn_error = adapter.failures.keep
    for one in middleware:
        adapter.use(one)
    return adapter


async def run_turn(adapter: Any, activity: dict[str, Any], turn: Turn) -> Any:
    """Post ``activity`` to an endpoint with this adapter; the JSON of its response. Raises what the turn did."""

    async def messages(request: web.Request) -> web.Response:
        response: web.Response | None = await adapter.process(request, SimpleNamespace(on_turn=turn))
        return response or web.Response()

    posted = await post(messages, activity)
    for error in adapter.failures.errors:
        raise error
    return posted


async def post(endpoint: Endpoint, activity: dict[str, Any]) -> Any:
    """Post ``activity`` to ``endpoint``; the JSON of its response. Raises for a status of 400 or more."""
    async with (
        _serving(endpoint) as url,
        aiohttp.ClientSession() as client,
        client.post(url, json=activity) as response,
    ):
        body = await response.read()
    response.raise_for_status()
    return json.loads(body) if body else None


@contextlib.asynccontextmanager
async def _serving(handler: Endpoint) -> AsyncIterator[str]:
    app = web.Application()
    app.router.add_post("/api/messages", handler)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/api/messages"
    finally:
        await runner.cleanup()


async def run_teams_turn(activity: dict[str, Any], turn: Turn) -> int:
    """Post ``activity`` to the Teams SDK's own application; the status of its response."""
    app = App(dangerously_allow_unauthenticated_requests=True, fetch_user_token=False)
    app.on_message(turn)
    return await post_to_teams(app, activity)


async def post_to_teams(app: Any, activity: dict[str, Any]) -> int:
    """Post ``activity`` to the messaging endpoint of ``app``; the status of its response."""
    await app.initialize()
    transport = httpx.ASGITransport(app.server.adapter.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://bot") as client:
        response = await client.post("/api/messages", json=activity)
    return response.status_code
