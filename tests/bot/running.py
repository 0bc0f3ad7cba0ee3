"""The application on a real socket, and a connector on another that keeps what it receives."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import logging
import socket
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import aiohttp
import structlog
from aiohttp import web

from bot.app.application import build_app
from bot.app.server import open_server
from bot.app.settings import SAMPLES, Settings
from bot.config.credentials import Credentials
from bot.config.language_model import LocalModelOptions
from bot.config.timeouts import Timeouts
from bot.direct_line.bundle import Bundle
from bot.document_view.pdf_library import PdfLibrary
from bot.sources import AnswerSource
from bot.sources.folder import FolderSource
from bot.state.store_url import IN_MEMORY
from bot.telemetry.log import configure_logging

PROMPT = Timeouts(budget=60.0, patience=60.0, typing_after=0.05, typing_every=0.1, pause=0.05, farewell=1.0)
OVERTAKEN = replace(PROMPT, budget=0.5)
"""A request ends before a slow answer, which then follows."""
MOMENT = 0.02
"""Seconds that the bot waits at its end for requests on new connections, as hundreds of tests end it."""


@contextlib.asynccontextmanager
async def running(
    source: AnswerSource,
    *,
    docs: Path = SAMPLES,
    credentials: Credentials | None = None,
    timeouts: Timeouts = PROMPT,
    bundle: Bundle | None = None,
    pdf: PdfLibrary | None = None,
    port: int = 0,
    state: str = IN_MEMORY,
    moment: float = MOMENT,
    **settings: Any,
) -> AsyncIterator[str]:
    """The bot's authority, such as ``127.0.0.1:40123``, while it is being served with these settings."""
    serving = running_app(
        source,
        docs=docs,
        credentials=credentials,
        timeouts=timeouts,
        bundle=bundle,
        pdf=pdf,
        port=port,
        state=state,
        moment=moment,
        **settings,
    )
    async with serving as (authority, _):
        yield authority


@contextlib.asynccontextmanager
async def running_app(
    source: AnswerSource,
    *,
    docs: Path = SAMPLES,
    credentials: Credentials | None = None,
    timeouts: Timeouts = PROMPT,
    bundle: Bundle | None = None,
    pdf: PdfLibrary | None = None,
    port: int = 0,
    state: str = IN_MEMORY,
    moment: float = MOMENT,
    **settings: Any,
) -> AsyncIterator[tuple[str, web.Application]]:
    """The bot's authority and its application, while it is being served."""
    listener = socket.create_server(("127.0.0.1", port))
    port = listener.getsockname()[1]
    authority = f"127.0.0.1:{port}"
    if hasattr(source, "base"):
        source.base = f"http://{authority}/documents/"
    if credentials:
        # Where the connectors of the tests are.
        settings.setdefault("service_hosts", frozenset({"127.0.0.1"}))
    settings.setdefault("local_models", LocalModelOptions(mode="off"))
    chosen = Settings(docs=docs, credentials=credentials, state=state, **settings)
    folder = source if isinstance(source, FolderSource) else None
    app = build_app(chosen, source, folder, authority=authority, bundle=bundle, pdf=pdf, timeouts=timeouts)
    async with open_server(app, listener, grace=0, moment=moment):
        if isinstance(source, FolderSource):
            await source.wait_until_read()
        yield authority, app


@dataclass
class Connector:
    """A channel's connector: the raw bodies that it received, in order."""

    received: asyncio.Queue[tuple[str, str, bytes]] = field(default_factory=asyncio.Queue)
    authorizations: list[str] = field(default_factory=list)
    """What came in that header, where one came."""
    status: int = 200
    refuse: tuple[str, int] = ("", 0)
    """What is in the paths that get another status, and this status."""
    cuts: bool = False
    """Whether it cuts connections instead of answering."""
    port: int = 0
    open: asyncio.Event = field(default_factory=asyncio.Event)
    """Whether it answers at all."""

    @property
    def service_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    async def next(self, wanted: str = "message") -> dict[str, Any]:
        """The next activity of a type, read from the bytes that came over the socket."""
        while True:
            activity = (await self.next_bytes())[1]
            if json.loads(activity)["type"] == wanted:
                parsed: dict[str, Any] = json.loads(activity)
                return parsed

    async def next_bytes(self) -> tuple[str, bytes]:
        async with asyncio.timeout(60):
            _, path, body = await self.received.get()
        return path, body

    def rest(self) -> list[dict[str, Any]]:
        """What has come and was not looked at."""
        return [json.loads(self.received.get_nowait()[2]) for _ in range(self.received.qsize())]


@contextlib.asynccontextmanager
async def connecting(status: int = 200) -> AsyncIterator[Connector]:
    connector = Connector(status=status)
    connector.open.set()

    async def receive(request: web.Request) -> web.Response:
        connector.received.put_nowait((request.method, request.raw_path, await request.read()))
        connector.authorizations.extend(request.headers.getall("Authorization", []))
        await connector.open.wait()
        if connector.cuts and request.transport:
            request.transport.abort()
        part, refusal = connector.refuse
        status = refusal if refusal and part in request.raw_path else connector.status
        return web.json_response({"id": f"a{connector.received.qsize()}"}, status=status)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", receive)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    connector.port = runner.addresses[0][1]
    try:
        yield connector
    finally:
        await runner.cleanup()


@contextlib.contextmanager
def logged(stream: io.StringIO | None = None) -> Iterator[io.StringIO]:
    """What is logged meanwhile, as the application writes it to ``stream``."""
    before, level = logging.root.handlers[:], logging.root.level
    stream = io.StringIO() if stream is None else stream
    configure_logging(stream)
    try:
        yield stream
    finally:
        logging.root.handlers[:] = before
        logging.root.setLevel(level)
        structlog.reset_defaults()


def message(service_url: str, text: str, **fields: Any) -> dict[str, Any]:
    """An activity as a channel sends it."""
    return {
        "type": "message",
        "id": f"id-{text[:20]}",
        "channelId": "directline",
        "serviceUrl": service_url,
        "conversation": {"id": "c1"},
        "from": {"id": "u1", "role": "user"},
        "recipient": {"id": "bot", "name": "Bot", "role": "bot"},
        "text": text,
        **fields,
    }


async def send(authority: str, body: object, **headers: str) -> tuple[int, str]:
    """POST to the bot's endpoint; the status and the body of the answer."""
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"http://{authority}/api/messages", json=body, headers=headers) as response,
    ):
        return response.status, await response.text()
