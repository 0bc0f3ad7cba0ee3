# A bot on the Teams SDK whose answers cite. Anyone on this machine may ask it.
import asyncio

from microsoft_teams.api import MessageActivity
from microsoft_teams.apps import ActivityContext, App, FastAPIAdapter
from uvicorn import Config, Server

from citations import Reference
from citations.integrations.teams import cited_message

server = FastAPIAdapter(server_factory=lambda api: Server(Config(api, host="127.0.0.1", port=3978)))
app = App(http_server_adapter=server, dangerously_allow_unauthenticated_requests=True, fetch_user_token=False)


@app.on_message
async def on_message(context: ActivityContext[MessageActivity]) -> None:
    found = [Reference(id="1", name="Network", url="https://example.com/network")]
    await context.send(cited_message("Set a proxy [1].", found))


asyncio.run(app.start(3978))
