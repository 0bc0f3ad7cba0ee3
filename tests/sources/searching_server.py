"""A provider that searches by itself for tests, on a real socket: it answers as in recorded responses."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from bot.app.answer_source import choose
from bot.app.settings import Settings
from bot.sources import AnswerSource

from ..model_server import Handler, sending
from ..web_server import serving_routes

KEY = "sk-secret-0123456789"


def replaying(file: Path) -> Handler:
    """Answers with a recorded response, an event at a time."""
    kind = "text/event-stream" if file.suffix == ".sse" else "application/json"
    pieces = (part + b"\n\n" for part in file.read_bytes().split(b"\n\n"))
    return sending(*pieces, headers={"Content-Type": f"{kind}; charset=utf-8"})


@dataclass
class SearchingServer:
    """What it was asked, and how it behaves; ``environ`` chooses it as the source."""

    behave: Handler
    environ: dict[str, str]
    url: str = ""
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append((request.path, await request.json()))
        self.keys.append(request.headers["Authorization"])
        return await self.behave(request)

    def source(self, **environ: str) -> AnswerSource:
        return choose(Settings.from_env(self.environ | environ), "127.0.0.1:1")


@contextlib.asynccontextmanager
async def searching_server(provider: str, good: Path, **environ: str) -> AsyncIterator[SearchingServer]:
    """The server of a provider with a good answer, and the variables that the source needs besides."""
    prefix = provider.upper()
    given = {"ANSWER_SOURCE": provider, f"{prefix}_API_KEY": KEY} | environ
    serving = SearchingServer(replaying(good), given)
    async with serving_routes(web.post("/{path:.+}", serving.answer)) as serving.url:
        serving.environ[f"{prefix}_BASE_URL"] = serving.url
        yield serving
