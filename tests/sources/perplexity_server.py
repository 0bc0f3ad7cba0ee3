"""Perplexity's API for tests, on a real socket: it answers in the forms that recorded responses have."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from bot.sources.perplexity import PerplexityOptions, PerplexitySource

from .writer_server import Handler

CORPUS = Path(__file__).parents[1] / "corpus" / "perplexity"
KEY = "pplx-secret-0123456789"


def replaying(name: str) -> Handler:
    """Answers with a file of the corpus, an event at a time."""

    async def behave(request: web.Request) -> web.StreamResponse:
        body = (CORPUS / name).read_bytes()
        content_type = "text/event-stream" if name.endswith(".sse") else "application/json"
        response = web.StreamResponse(headers={"Content-Type": f"{content_type}; charset=utf-8"})
        await response.prepare(request)
        for part in body.split(b"\n\n"):
            await response.write(part + b"\n\n")
        return response

    return behave


@dataclass
class PerplexityServer:
    """What it was asked, and how it behaves."""

    behave: Handler = field(default_factory=lambda: replaying("stream.sse"))
    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(await request.json())
        self.keys.append(request.headers["Authorization"])
        return await self.behave(request)

    def source(self, **more: Any) -> PerplexitySource:
        options = PerplexityOptions(base_url=self.url, api_key=KEY, **more)
        return PerplexitySource(options, deadline=20, patience=20)


@contextlib.asynccontextmanager
async def perplexity_server() -> AsyncIterator[PerplexityServer]:
    serving = PerplexityServer()
    app = web.Application()
    app.router.add_post("/chat/completions", serving.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    serving.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield serving
    finally:
        await runner.cleanup()
