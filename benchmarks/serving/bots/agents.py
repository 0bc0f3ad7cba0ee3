"""A bot on the Microsoft 365 Agents SDK, the successor of the Bot Framework's."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from aiohttp import web
from microsoft_agents.activity import Activity, Entity
from microsoft_agents.authentication.msal import MsalConnectionManager, msal_auth
from microsoft_agents.hosting.aiohttp import CloudAdapter, jwt_authorization_middleware
from microsoft_agents.hosting.core import ActivityHandler, AgentAuthConfiguration, TurnContext
from microsoft_agents.hosting.core.authorization._entra_issuers import BOTFRAMEWORK_JWKS_URIS
from msal import ConfidentialClientApplication

from .hosting import APP_ID, answer, arguments, host


class Node(Entity):  # type: ignore[misc] # not installed everywhere
    """An entity whose ``@`` fields are sent once: an ``Entity`` has each of them again, as ``atType``."""

    at_type: str
    at_context: str
    at_id: str


class CitingAgent(ActivityHandler):  # type: ignore[misc] # as above
    """Answers every message with the same activity; less than an AgentApplication, which keeps state too."""

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
                entities=[Node(**node) for node in fields["entities"]],
            )
        )


class Client(ConfidentialClientApplication):  # type: ignore[misc] # as above
    """MSAL, which asks Microsoft whether it may trust an authority that it doesn't know."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, instance_discovery=False)


def _who(entra: str) -> AgentAuthConfiguration:
    if not entra:
        return AgentAuthConfiguration(anonymous_allowed=True)
    BOTFRAMEWORK_JWKS_URIS["https://api.botframework.com"] = f"{entra}/v1/.well-known/keys"
    msal_auth.ConfidentialClientApplication = Client
    return AgentAuthConfiguration(
        client_id=APP_ID,
        tenant_id="botframework.com",
        client_secret="secret",
        authority=f"{entra}/botframework.com",
        scopes=["https://api.botframework.com/.default"],
    )


async def main() -> None:
    """Serve until the standard input ends."""
    options = arguments()
    who = {"SERVICE_CONNECTION": _who(options.entra)}
    connections = MsalConnectionManager(connections_configurations=who)
    adapter = CloudAdapter(connection_manager=connections)
    agent = CitingAgent(answer(options))

    async def messages(request: web.Request) -> web.Response:
        response: web.Response = await adapter.process(request, agent)
        return response

    app = web.Application(middlewares=[jwt_authorization_middleware])
    app["agent_configuration"] = connections.get_default_connection_configuration()
    app.router.add_post("/api/messages", messages)
    await host(app)


if __name__ == "__main__":
    asyncio.run(main())
