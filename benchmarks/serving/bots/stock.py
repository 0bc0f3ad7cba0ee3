"""A bot on the SDK's own CloudAdapter, as Microsoft's samples for Python write it."""

from __future__ import annotations

import argparse
import asyncio
import sys
import traceback
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, ClassVar

from aiohttp import web
from botbuilder.core import ActivityHandler, TurnContext
from botbuilder.core.integration import aiohttp_error_middleware
from botbuilder.integration.aiohttp import CloudAdapter, ConfigurationBotFrameworkAuthentication
from botbuilder.schema import Activity, Entity
from botframework.connector.auth import (
    AuthenticationConstants,
    ChannelValidation,
    microsoft_app_credentials,
)
from msal import ConfidentialClientApplication

from .hosting import APP_ID, answer, arguments, host


class Node(Entity):  # type: ignore[misc] # the SDK ships no types
    """An entity of which not only ``type`` is sent."""

    _attribute_map: ClassVar[dict[str, dict[str, str]]] = {
        "type": {"key": "type", "type": "str"},
        "additional_properties": {"key": "", "type": "{object}"},
    }

    def __init__(self, node: Mapping[str, Any]) -> None:
        super().__init__(type=node["type"])
        self.additional_properties = {name: value for name, value in node.items() if name != "type"}


class CitingBot(ActivityHandler):  # type: ignore[misc] # as above
    """Answers every message with the same activity."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields

    async def on_message_activity(self, turn_context: TurnContext) -> None:
        fields = self._fields
        await turn_context.send_activity(
            Activity(
                type=fields["type"],
                text=fields["text"],
                text_format=fields["textFormat"],
                channel_data=fields.get("channelData"),
                entities=[Node(node) for node in fields["entities"]],
            )
        )


class Config:
    """Under the names that the samples' ``config.py`` has."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.APP_ID = APP_ID if options.entra else ""
        self.APP_PASSWORD = "secret" if options.entra else ""
        self.APP_TYPE = "MultiTenant"
        self.APP_TENANTID = ""


async def on_error(_: TurnContext, error: Exception) -> None:
    """Say on standard error what went wrong, as Microsoft's samples do."""
    print(f"[on_turn_error] {error!r}", file=sys.stderr)
    traceback.print_exc()


async def main() -> None:
    """Serve until the standard input ends."""
    options = arguments()
    if options.entra:
        _turn_to(options.entra)
    adapter = CloudAdapter(ConfigurationBotFrameworkAuthentication(Config(options)))
    adapter.on_turn_error = on_error
    bot = CitingBot(answer(options))

    async def messages(request: web.Request) -> web.Response:
        response: web.Response = await adapter.process(request, bot)
        return response or web.Response(status=HTTPStatus.OK)

    app = web.Application(middlewares=[aiohttp_error_middleware])
    app.router.add_post("/api/messages", messages)
    await host(app)


class Client(ConfidentialClientApplication):  # type: ignore[misc] # as above
    """MSAL, which asks Microsoft whether it may trust an authority that it doesn't know."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, instance_discovery=False)


def _turn_to(entra: str) -> None:
    """Make the SDK ask ``entra`` for tokens and keys: its configuration has no way to that works."""
    AuthenticationConstants.TO_CHANNEL_FROM_BOT_LOGIN_URL_PREFIX = f"{entra}/"
    ChannelValidation.open_id_metadata_endpoint = f"{entra}/v1/.well-known/openidconfiguration"
    microsoft_app_credentials.ConfidentialClientApplication = Client


if __name__ == "__main__":
    asyncio.run(main())
