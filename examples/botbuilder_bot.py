"""A bot on botbuilder whose answers cite: ``python -m examples.botbuilder_bot``, for the Emulator.

It needs ``pip install '.[botbuilder]' botbuilder-integration-aiohttp``.
"""

from __future__ import annotations

import os
import sys

from aiohttp import web
from botbuilder.core import ActivityHandler, TurnContext
from botbuilder.integration.aiohttp import CloudAdapter, ConfigurationBotFrameworkAuthentication

from citations import Reference
from citations.integrations.botbuilder import CitationMiddleware

ANSWER = "Set a proxy [2], and never two [1][2]."
FOUND = (
    Reference(id="1", name="Proxy settings", url="https://example.com/proxy"),
    Reference(id="2", name="handbook.pdf", page=3, text="One proxy is enough."),
)


class Config:
    """Who the bot is. Without an id, anyone may ask it: it listens on this machine only."""

    APP_ID = os.environ.get("MICROSOFT_APP_ID", "")
    APP_PASSWORD = os.environ.get("MICROSOFT_APP_PASSWORD", "")
    APP_TYPE = "MultiTenant"
    APP_TENANTID = ""


adapter = CloudAdapter(ConfigurationBotFrameworkAuthentication(Config()))
adapter.use(CitationMiddleware())


class HandbookBot(ActivityHandler):
    """Answers every message with what the handbook says."""

    async def on_message_activity(self, turn_context: TurnContext) -> None:
        """Leave what was found, and send the answer."""
        turn_context.turn_state["references"] = FOUND
        await turn_context.send_activity(ANSWER)


async def messages(request: web.Request) -> web.Response:
    """The messaging endpoint."""
    return await adapter.process(request, HandbookBot()) or web.Response()


if __name__ == "__main__":
    app = web.Application()
    app.router.add_post("/api/messages", messages)
    web.run_app(app, host="127.0.0.1", port=int((sys.argv[1:] or ["3978"])[0]))
