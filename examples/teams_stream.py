"""A bot on the Teams SDK that streams and cites: ``python -m examples.teams_stream``.

It needs ``pip install '.[teams]'``.
"""

from __future__ import annotations

import asyncio
import re

import uvicorn
from fastapi import FastAPI
from microsoft_teams.api import MessageActivity
from microsoft_teams.apps import ActivityContext, App, FastAPIAdapter

from citations import Reference
from citations.integrations.teams import CitedStream, cited_message

ANSWER = "Set a proxy [2], and never two [1][2]."
FOUND = (
    Reference(id="1", name="Proxy settings", url="https://example.com/proxy"),
    Reference(id="2", name="handbook.pdf", page=3, text="One proxy is enough."),
)


def listen(api: FastAPI) -> uvicorn.Server:
    """Listen on this machine only, as anyone may ask."""
    return uvicorn.Server(uvicorn.Config(api, host="127.0.0.1", port=3978))


app = App(
    http_server_adapter=FastAPIAdapter(server_factory=listen),
    dangerously_allow_unauthenticated_requests=True,
    fetch_user_token=False,
)


@app.on_message
async def on_message(context: ActivityContext[MessageActivity]) -> None:
    """Stream the answer as a model words it. A group chat doesn't stream, and gets it whole."""
    if context.activity.conversation.conversation_type != "personal":
        await context.send(cited_message(ANSWER, FOUND))
        return
    stream = CitedStream(context.stream, FOUND)
    for piece in re.findall(r"\S+\s*", ANSWER):
        stream.feed(piece)
        await asyncio.sleep(0.1)
    stream.end()


if __name__ == "__main__":
    asyncio.run(app.start(3978))
