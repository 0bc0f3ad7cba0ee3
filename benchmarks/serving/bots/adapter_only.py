"""This bot's adapter alone, below a bot that sends the same activity every time."""

from __future__ import annotations

import asyncio
from typing import Any

from aiohttp import web
from botbuilder.core import ActivityHandler, TurnContext
from botbuilder.schema import Activity

from bot.access.sdk_authentication import Authentication
from bot.config.routes import MESSAGES
from bot.config.service_urls import ServiceUrls
from bot.connector import Connectors
from bot.conversation.adapter import Adapter
from bot.http.body import LARGEST
from bot.http.guard import guard
from bot.telemetry.log import configure_logging
from citations.integrations.botbuilder import WholeEntity

from .hosting import answer, arguments, host


class CitingBot(ActivityHandler):  # type: ignore[misc] # the SDK ships no types
    """Answers every message with the same activity."""

    def __init__(self, fields: dict[str, object]) -> None:
        self._fields = fields

    async def on_message_activity(self, turn_context: TurnContext) -> None:
        fields: dict[str, Any] = self._fields
        await turn_context.send_activity(
            Activity(
                type=fields["type"],
                text=fields["text"],
                text_format=fields["textFormat"],
                channel_data=fields.get("channelData"),
                entities=[WholeEntity(node) for node in fields["entities"]],
            )
        )


async def main() -> None:
    """Serve until the standard input ends."""
    options = arguments()
    configure_logging()
    local = ServiceUrls()
    connectors = Connectors(None, local)
    await connectors.open()
    adapter, bot = Adapter(Authentication(connectors)), CitingBot(answer(options))

    async def messages(request: web.Request) -> web.Response:
        return await adapter.process(request, bot)

    app = web.Application(middlewares=[guard(local, adapter.identify)], client_max_size=LARGEST)
    app.router.add_post(MESSAGES, messages)
    await host(app)


if __name__ == "__main__":
    asyncio.run(main())
