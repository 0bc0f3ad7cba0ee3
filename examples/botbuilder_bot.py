# A bot on botbuilder whose answers cite. Anyone on this machine may ask it.
from types import SimpleNamespace

from aiohttp import web
from botbuilder.core import ActivityHandler, TurnContext
from botbuilder.integration.aiohttp import CloudAdapter, ConfigurationBotFrameworkAuthentication

from citations import Reference
from citations.integrations.botbuilder import CitationMiddleware

adapter = CloudAdapter(ConfigurationBotFrameworkAuthentication(SimpleNamespace()))
adapter.use(CitationMiddleware())


class Bot(ActivityHandler):
    async def on_message_activity(self, turn_context: TurnContext) -> None:
        found = [Reference(id="1", name="Network", url="https://example.com/network")]
        turn_context.turn_state["references"] = found
        await turn_context.send_activity("Set a proxy [1].")


app = web.Application()
app.router.add_post("/api/messages", lambda request: adapter.process(request, Bot()))
web.run_app(app, host="127.0.0.1", port=3978)
