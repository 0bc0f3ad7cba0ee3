"""This bot, whole, with the sample documents; they are searched by words, or by meaning too (``vectors``)."""

from __future__ import annotations

import asyncio
import socket
import sys

from bot.app.answer_source import choose
from bot.app.application import build_app
from bot.app.server import BACKLOG, freeze_objects, open_server
from bot.app.settings import Settings
from bot.app.terminal.wait import wait_until_read
from bot.telemetry.log import configure_logging

from .hosting import measured


async def main() -> None:
    """Serve until the standard input ends."""
    configure_logging()
    listener = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
    port = listener.getsockname()[1]
    embeddings = "on" if "vectors" in sys.argv else "off"
    settings = Settings.from_env({"LOCAL_MODEL": "off", "EMBEDDINGS": embeddings})
    source = choose(settings, f"127.0.0.1:{port}")
    app = build_app(settings, source, authority=f"127.0.0.1:{port}")
    async with open_server(app, listener):
        await wait_until_read(source)
        freeze_objects()
        await measured(port)


if __name__ == "__main__":
    asyncio.run(main())
