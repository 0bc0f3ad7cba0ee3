# An agent on the Microsoft 365 Agents SDK whose answers cite. Anyone on this machine may ask it.
from aiohttp import web
from microsoft_agents.authentication.msal import MsalConnectionManager
from microsoft_agents.hosting.aiohttp import CloudAdapter, jwt_authorization_middleware
from microsoft_agents.hosting.core import AgentApplication, AgentAuthConfiguration, MemoryStorage, TurnContext

from citations import Reference
from citations.integrations.agents import CitationMiddleware

anyone = AgentAuthConfiguration(anonymous_allowed=True)
connections = MsalConnectionManager({"SERVICE_CONNECTION": anyone})
adapter = CloudAdapter(connection_manager=connections).use(CitationMiddleware())
agent = AgentApplication(storage=MemoryStorage(), adapter=adapter, connection_manager=connections)


@agent.activity("message")
async def on_message(context: TurnContext, _: object) -> None:
    context.turn_state["references"] = [Reference(id="1", name="Network", url="https://example.com/network")]
    await context.send_activity("Set a proxy [1].")


app = web.Application(middlewares=[jwt_authorization_middleware])
app["agent_configuration"] = anyone
app.router.add_post("/api/messages", lambda request: adapter.process(request, agent))
web.run_app(app, host="127.0.0.1", port=3978)
