"""Open WebUI's API for tests, on a real socket: it answers what a real one of version 0.12.4 answered."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from bot.config.answer_sources import OpenWebUIOptions
from bot.sources.open_webui.source import OpenWebUISource

from ..model_server import Handler, sending
from ..web_server import serving_routes

CORPUS = Path(__file__).parents[1] / "corpus" / "open_webui"
KEY = "sk-secret-0123456789"
MODEL = "handbook"
CHAT = "b8d3962e-8379-4052-8157-84c0a101416c"
KNOWLEDGE = "fa12775f-7871-4b31-bbb7-0dd4a8eeec85"
NOT_SHARED = "11111111-2222-4333-8444-555555555555"
OTHERS = {
    "/api/models": {"data": [{"id": MODEL, "name": "Handbook"}, {"id": "nasapipe.nasa"}]},
    f"/api/v1/knowledge/{KNOWLEDGE}": {"id": KNOWLEDGE, "name": "Proxies", "files": []},
}
"""What it says to a GET, by path."""


def captured(name: str) -> bytes:
    """The body of a response, byte for byte."""
    return (CORPUS / name).read_bytes()


def replaying(name: str, status: int = 200, every: int = 0, finish: str = "stop") -> Handler:
    """Answers with a capture, in pieces of ``every`` bytes; whole where that is 0.

    ``finish`` is why its model finishes.
    """

    async def behave(request: web.Request) -> web.StreamResponse:
        body = re.sub(rb'("finish_reason": ?)"stop"', rb'\1"%s"' % finish.encode(), captured(name))
        content_type = "text/event-stream" if name.endswith(".sse") else "application/json"
        size = every or len(body)
        pieces = (body[start : start + size] for start in range(0, len(body), size))
        return await sending(*pieces, status=status, headers={"Content-Type": content_type})(request)

    return behave


@dataclass
class OpenWebUIServer:
    """What it was asked, and how it behaves."""

    behave: Handler = field(default_factory=lambda: replaying("collection.sse"))
    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    chats: dict[str, list[Any]] = field(default_factory=dict)
    """The saved chats, each with the sources that it has besides those of the capture."""
    deleted: list[str] = field(default_factory=list)
    deletes: bool = True
    """Whether the key's owner may delete chats."""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(await request.json())
        self.keys.append(request.headers["Authorization"])
        return await self.behave(request)

    async def made_chat(self, request: web.Request) -> web.StreamResponse:
        assert (await request.json())["chat"]["history"]["messages"] == {}
        self.chats[CHAT] = []
        return web.json_response({"id": CHAT})

    async def chat(self, request: web.Request) -> web.StreamResponse:
        """The captured chat, whose message has the id that was asked for last."""
        if request.match_info["id"] not in self.chats:
            return web.json_response({"detail": "Not found"}, status=404)
        chat = json.loads(captured("pipe_saved_chat.json"))
        messages = chat["chat"]["history"]["messages"]
        messages[self.asked[-1]["id"]] = messages.pop("a-nonstream")
        messages[self.asked[-1]["id"]]["sources"] += self.chats[CHAT]
        return web.json_response(chat)

    async def delete_chat(self, request: web.Request) -> web.StreamResponse:
        self.deleted.append(request.match_info["id"])
        if not self.deletes:
            return web.json_response({"detail": "Not permitted"}, status=401)
        del self.chats[request.match_info["id"]]
        return web.json_response(data=True)

    async def look(self, request: web.Request) -> web.StreamResponse:
        if request.headers["Authorization"] != f"Bearer {KEY}":
            return web.Response(status=401, body=captured("bad_key.json"), content_type="application/json")
        if request.path == f"/api/v1/knowledge/{NOT_SHARED}":
            return web.json_response({"detail": "You do not have permission"}, status=401)
        if request.path not in OTHERS:
            return web.json_response({"detail": "We could not find what you're looking for :/"}, status=404)
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
        return OpenWebUISource(self.options(**more))


@contextlib.asynccontextmanager
async def open_webui_server() -> AsyncIterator[OpenWebUIServer]:
    serving = OpenWebUIServer()
    async with serving_routes(
        web.post("/api/chat/completions", serving.answer),
        web.post("/api/v1/chats/new", serving.made_chat),
        web.get("/api/v1/chats/{id}", serving.chat),
        web.delete("/api/v1/chats/{id}", serving.delete_chat),
        web.get("/{path:.*}", serving.look),
    ) as serving.url:
        yield serving
