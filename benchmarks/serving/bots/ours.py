"""This bot, whole: what ``app.py`` serves, with a source that answers at once and always the same."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace

from bot.app.application import build_app
from bot.app.server import BACKLOG, freeze_objects, open_server
from bot.app.settings import Settings
from bot.config.cloud import PUBLIC
from bot.config.credentials import Credentials
from bot.telemetry.log import configure_logging

from .fixed_source import LABELS, FixedSource
from .hosting import APP_ID, arguments, measured


def _settings(entra: str) -> Settings:
    if not entra:
        return Settings(labels=LABELS)
    metadata = f"{entra}/v1/.well-known/openidconfiguration"
    return Settings(
        labels=LABELS,
        credentials=Credentials(app_id=APP_ID, password="secret"),
        cloud=replace(PUBLIC, login=f"{entra}/", metadata=metadata),
        service_hosts=frozenset({"127.0.0.1"}),
    )


async def main() -> None:
    """Serve until the standard input ends."""
    options = arguments()
    configure_logging()
    listener = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
    port = listener.getsockname()[1]
    app = build_app(_settings(options.entra), FixedSource(), authority=f"127.0.0.1:{port}")
    async with open_server(app, listener):
        freeze_objects()
        await measured(port)


if __name__ == "__main__":
    asyncio.run(main())
