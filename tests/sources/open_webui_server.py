"""Open WebUI's API for tests, on a real socket: it answers what a real one of version 0.12.4 answered."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from bot.sources.open_webui.options import OpenWebUIOptions
from bot.sources.open_webui.source import OpenWebUISource

from .writer_server import Handler

CORPUS = Path(__file__).parents[1] / "corpus" / "open_webui"
KEY = "sk-secret-0123456789"
MODEL = "handbook"
KNOWLEDGE = "fa12775f-7871-4b31-bbb7-0dd4a8eeec85"
OTHERS = {
    "/api/models": {"data": [{"id": MODEL, "name": "Handbook"}, {"id": "nasapipe.nasa"}]},
    f"/api/v1/knowledge/{KNOWLEDGE}": {"id": KNOWLEDGE, "name": "Proxies", "files": []},
}
"""What it says to a GET, by path."""


def captured(name: str) -> bytes:
    """The body of a response, byte for byte."""
    return (CORPUS / name).read_bytes()


def replaying(name: str, status: int = 200, every: int = 0) -> Handler:
    """Answers with a capture, in pieces of ``every`` bytes; whole where that is 0."""

    async def behave(request: web.Request) -> web.StreamResponse:
        body = captured(name)
        content_type = "text/event-stream" if name.endswith(".sse") else "application/json"
        response = web.StreamResponse(status=status, headers={"Content-Type": content_type})
        await response.prepare(request)
        for start in range(0, len(body), every or len(body)):
            await response.write(body[start : start + (every or len(body))])
        return response

    return behave


@dataclass
class OpenWebUIServer:
    """What it was asked, and how it behaves."""

    behave: Handler = field(default_factory=lambda: replaying("collection.sse"))
    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(await request.json())
        self.keys.append(request.headers["Authorization"])
        return await self.behave(request)

    async def look(self, request: web.Request) -> web.StreamResponse:
        if request.headers["Authorization"] != f"Bearer {KEY}":
            return web.Response(status=401, body=captured("bad_key.json"), content_type="application/json")
        if request.path not in OTHERS:
            # This is what it says of knowledge that it does not have.
            return web.json_response({"detail": "We could not find what you're looking for :/"}, status=401)
        return web.json_response(OTHERS[request.path])

    def options(self, **more: Any) -> OpenWebUIOptions:
        given: dict[str, Any] = {
            "url": self.url,
            "api_key": KEY,
            "model": MODEL,
            "knowledge_ids": (KNOWLEDGE,),
        }
        return OpenWebUIOptions(**given | more)

    def source(self, **more: Any) -> OpenWebUISource:
        return OpenWebUISource(self.options(**more), deadline=20, patience=20)


@contextlib.asynccontextmanager
async def open_webui_server() -> AsyncIterator[OpenWebUIServer]:
    serving = OpenWebUIServer()
    app = web.Application()
    app.router.add_post("/api/chat/completions", serving.answer)
    app.router.add_get("/{path:.*}", serving.look)
    runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    serving.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield serving
    finally:
        await runner.cleanup()
