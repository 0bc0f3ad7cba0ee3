"""This bot, whole: what ``app.py`` serves, with a source that answers at once and always the same."""

from __future__ import annotations

import asyncio

from bot.authentication.credentials import Credentials
from bot.log import configure_logging
from bot.settings import Settings
from bot.web import build_app

from .fixed_source import LABELS, FixedSource
from .hosting import arguments, host


async def main() -> None:
    options = arguments()
    configure_logging()
    credentials = Credentials(app_id=options.app_id, password="secret") if options.app_id else None
    settings = Settings(credentials=credentials, labels=LABELS)
    await host(build_app(settings, FixedSource(), authority="127.0.0.1:3978"))


if __name__ == "__main__":
    asyncio.run(main())
