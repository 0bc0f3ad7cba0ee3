"""An agent on the Microsoft 365 Agents SDK that streams and cites: ``python -m examples.agents_stream``.

It needs ``pip install '.[agents]'``.
"""

from __future__ import annotations

import asyncio
import re

from aiohttp import web
from microsoft_agents.authentication.msal import MsalConnectionManager
from microsoft_agents.hosting.aiohttp import CloudAdapter, jwt_authorization_middleware, start_agent_process
from microsoft_agents.hosting.core import (
    AgentApplication,
    AgentAuthConfiguration,
    MemoryStorage,
    TurnContext,
    TurnState,
)

from citations import Reference
from citations.integrations.agents import CitationMiddleware

ANSWER = "Set a proxy [2], and never two [1][2]."
FOUND = (
    Reference(id="1", name="Proxy settings", url="https://example.com/proxy"),
    Reference(id="2", name="handbook.pdf", page=3, text="One proxy is enough."),
)

# Anyone may ask it: it listens on this machine only.
anonymous = AgentAuthConfiguration(anonymous_allowed=True)
connections = MsalConnectionManager(connections_configurations={"SERVICE_CONNECTION": anonymous})
adapter = CloudAdapter(connection_manager=connections)
adapter.use(CitationMiddleware())
agent = AgentApplication[TurnState](storage=MemoryStorage(), adapter=adapter, connection_manager=connections)


@agent.activity("message")
async def on_message(context: TurnContext, _: TurnState) -> None:
    """Leave what was found, and stream the answer as a model words it."""
    context.turn_state["references"] = FOUND
    for piece in re.findall(r"\S+\s*", ANSWER):
        context.streaming_response.queue_text_chunk(piece)
        await asyncio.sleep(0.1)
    await context.streaming_response.end_stream()


async def messages(request: web.Request) -> web.Response:
    """The messaging endpoint."""
    return await start_agent_process(request, agent, adapter)


if __name__ == "__main__":
    app = web.Application(middlewares=[jwt_authorization_middleware])
    app["agent_configuration"] = anonymous
    app.router.add_post("/api/messages", messages)
    web.run_app(app, host="127.0.0.1", port=3978)
