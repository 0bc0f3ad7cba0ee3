"""Writer's API for tests, on a real socket: it answers as Writer does, in each of the forms that are known."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.config.answer_sources import WriterOptions
from bot.sources.writer import WriterSource

from ..model_server import DONE, Handler, sending
from ..web_server import serving_routes

KEY = "wk-secret-0123456789"
GRAPH = "11111111-2222-4333-8444-555555555555"
CATALOG = "a1b2c3d4-e5f6-7890-abcd-ef1234567890"
TRENDS = "https://example.com/industry-trends"
PIECES = (
    "The industrial tools division offers ",
    "precision manufacturing equipment [Acme-Product",
    f"-Catalog.pdf]({CATALOG[:9]}",
    f"{CATALOG[9:]}). Smart manufacturing rises [Industry Trends Report]({TRENDS}).",
)
TEXT = "".join(PIECES)
REFERENCES = {
    "files": [{"text": "Precision manufacturing equipment with **real-time** monitoring.", "fileId": CATALOG, "score": 0.95, "page": 12, "cite": CATALOG}],
    "web": [{"text": "Adoption has increased by 40 %.", "url": TRENDS, "title": "Industry Trends Report", "score": 0.88}],
}  # fmt: skip
SOURCES = [
    {"file_id": CATALOG, "snippet": "Precision manufacturing equipment."},
    None,
    {"file_id": "f2", "snippet": "Terms."},
]


def event(data: object) -> bytes:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def question(answer: str, **more: Any) -> dict[str, Any]:
    return {
        "question": "What?",
        "answer": answer,
        "sources": [],
        "subqueries": None,
        "references": None,
    } | more


def chunk(content: str | None, finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"id": "c1", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": content} | delta, "finish_reason": finish}]}  # fmt: skip


FLAT = b"".join(
    [*(event(question(piece)) for piece in PIECES), event(question("", references=REFERENCES)), DONE]
)
ENVELOPED = b"".join(
    [
        *(event({"data": question(piece)}) for piece in PIECES),
        event({"data": question("", references=REFERENCES)}),
    ]
)
ARRAY = event({"data": [*map(question, PIECES), question("", references=REFERENCES)]})
CHAT = b"".join(
    [
        event(chunk(None, role="assistant", graph_data={"status": "processing", "references": None})),
        *(event(chunk(piece)) for piece in PIECES),
        event(chunk("", "stop", graph_data={"status": "finished", "references": REFERENCES, "sources": SOURCES[:1], "subqueries": [None]})),
        event({"id": "c1", "object": "chat.completion.chunk", "choices": [], "usage": {"total_tokens": 9}}),
        DONE,
    ]
)  # fmt: skip
DEPRECATED = b"".join(
    [
        *(event(chunk(piece)) for piece in PIECES),
        event({"choices": [{"delta": {"content": ""}, "message": {"content": TEXT, "graph_data": {"references": REFERENCES}}}]}),
        DONE,
    ]
)  # fmt: skip
WHOLE = question(TEXT, references=REFERENCES)
WHOLE_CHAT = {"choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": TEXT, "graph_data": {"references": REFERENCES}}}]}  # fmt: skip


@dataclass
class WriterServer:
    """What it was asked, and how it behaves."""

    behave: Handler = field(default_factory=lambda: sending(FLAT))
    files: dict[str, str] = field(default_factory=lambda: {CATALOG: "Acme-Product-Catalog.pdf"})
    """The names of the files that it knows; what it is asked for others is not found."""
    file: Handler | None = None
    """How it answers for a file, if not with its name."""
    url: str = ""
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    looked_up: list[str] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append((request.path, await request.json()))
        self.headers.append(dict(request.headers))
        return await self.behave(request)

    async def graph(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["id"] != GRAPH:
            raise web.HTTPNotFound
        return web.json_response({"id": GRAPH, "name": "Products", "created_at": "2025-01-01T00:00:00Z", "file_status": {}, "type": "manual"})  # fmt: skip

    async def named(self, request: web.Request) -> web.StreamResponse:
        one = request.match_info["id"]
        self.looked_up.append(one)
        if self.file:
            return await self.file(request)
        if one not in self.files:
            raise web.HTTPNotFound
        return web.json_response({"id": one, "name": self.files[one], "created_at": "2025-01-01T00:00:00Z", "graph_ids": [GRAPH], "status": "completed"})  # fmt: skip

    def options(self, **more: Any) -> WriterOptions:
        return WriterOptions(api_key=KEY, base_url=self.url, graph_ids=(GRAPH,), **more)

    def source(self, **more: Any) -> WriterSource:
        return WriterSource(self.options(**more))


@contextlib.asynccontextmanager
async def writer_server() -> AsyncIterator[WriterServer]:
    serving = WriterServer()
    async with serving_routes(
        web.post("/v1/graphs/question", serving.answer),
        web.post("/v1/chat", serving.answer),
        web.get("/v1/graphs/{id}", serving.graph),
        web.get("/v1/files/{id}", serving.named),
    ) as serving.url:
        yield serving
