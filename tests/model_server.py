"""A server of OpenAI's and Anthropic's APIs for tests, on a real socket: it behaves well and badly."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.sources.anthropic_writer import AnthropicWriter
from bot.sources.open_ai import OpenAIWriter

from .web_server import serving_routes

KEY = "sk-secret-0123456789"
DONE = b"data: [DONE]\n\n"
END = b""
"""Ends a response, as it should be ended."""
EVENTS = {"Content-Type": "text/event-stream"}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class ModelServer:
    """What it was asked, and how it behaves, request by request."""

    behave: Handler
    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    """When each request came, in seconds of the event loop's clock."""
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client hangs up before its response is complete."""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.times.append(asyncio.get_running_loop().time())
        self.bodies.append(await request.json())
        self.headers.append(request.headers)
        try:
            return await self.behave(request)
        except (asyncio.CancelledError, ConnectionError):
            self.left.set()
            raise

    def writer(self, **timeouts: float) -> OpenAIWriter:
        writer = OpenAIWriter(base_url=f"{self.url}/v1", api_key=KEY, model="test-model")
        for name, seconds in timeouts.items():
            setattr(writer.provider, name, seconds)
        return writer

    def anthropic_writer(self) -> AnthropicWriter:
        return AnthropicWriter(base_url=self.url, api_key=KEY, model="test-model")


@contextlib.asynccontextmanager
async def model_server() -> AsyncIterator[ModelServer]:
    serving = ModelServer(streaming("It is 150 € [1]."))
    paths = ("/v1/chat/completions", "/v1/messages")
    async with serving_routes(*(web.post(path, serving.handle) for path in paths)) as serving.url:
        yield serving


def chunk(content: str | None, finish: str | None = None, **more: Any) -> bytes:
    delta = {} if content is None else {"content": content}
    body = {"choices": [{"index": 0, "delta": delta | more, "finish_reason": finish}]}
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n".encode()


def sending(*pieces: bytes, status: int = 200, headers: Mapping[str, str] = EVENTS) -> Handler:
    async def behave(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(status=status, headers={**EVENTS, **headers})
        await response.prepare(request)
        for piece in pieces:
            await response.write(piece)
        return response

    return behave


def streaming(text: str) -> Handler:
    """As OpenAI does: a role first, words, the reason for finishing, usage without choices, the end."""
    words = [chunk(word) for word in text.split(" ") for word in (word, " ")][:-1]
    usage = b'data: {"choices": [], "usage": {"total_tokens": 9}}\n\n'
    return sending(chunk("", role="assistant"), b": keep-alive\n\n", *words, chunk(None, "stop"), usage, DONE)


def saying(body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Handler:
    async def behave(_: web.Request) -> web.StreamResponse:
        return web.json_response(body, status=status, headers=headers)

    return behave


@dataclass
class ScriptedReply:
    """Sends each piece when the test says so, up to :data:`END`; ``None`` cuts the connection."""

    pieces: asyncio.Queue[bytes | None] = field(default_factory=asyncio.Queue)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the client hangs up before the end."""

    def send(self, *pieces: bytes | None) -> None:
        for piece in pieces:
            self.pieces.put_nowait(piece)

    async def __call__(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers=EVENTS)
        await response.prepare(request)
        try:
            while piece := await self.pieces.get():
                await response.write(piece)
        except (asyncio.CancelledError, ConnectionError):
            self.left.set()
            raise
        if piece is None:
            assert request.transport
            request.transport.abort()
        return response


BREAKS: dict[str, tuple[tuple[bytes | None, ...], str]] = {
    "the connection is cut": ((None,), "broke off"),
    "an end without a reason": ((END,), "broke off"),
    "an end in an event": ((chunk("about 150 €")[:-20], END), "not JSON"),
    "an error": ((b'data: {"error": {"message": "sk-secret-0123456789"}}\n\n', DONE), "reported an error"),
    "an event named error": ((b'event: error\ndata: {"message": "overloaded"}\n\n',), "reported an error"),
    "a refusal": ((chunk(None, refusal="I can't."), DONE), "refused"),
    "a model that failed": ((chunk(None, "error"), DONE), "broke off"),
    "a filter": ((chunk(None, "content_filter"), DONE), "filter"),
    "broken JSON": ((b'data: {"choices": [\n\n',), "not JSON"),
    "JSON without a bottom": ((b"data: " + b"[" * 100_000 + b"\n\n",), "nested too deeply"),
    "JSON of another kind": ((b'data: ["a"]\n\n',), "no answer"),
    "a line without end": ((b"data: " + b"x" * 1_100_000,), "broke off"),
}
"""How a stream breaks, at its beginning or in the middle, and what the reason says."""
