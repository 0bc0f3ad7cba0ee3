"""Answers that are streamed to a connector, and what a channel shows of them."""

from __future__ import annotations

from typing import Any

from bot.config.timeouts import Timeouts
from citations import Answer, Reference, ReferencesFound, channel, cite, render

from .running import message
from .streaming_connector import (
    SCALE,
    Activity,
    StreamingConnector,
    graph,
)

SCALED = Timeouts(
    budget=60,
    patience=60,
    typing_after=30,
    typing_every=0.1,
    extended_every=1.5 * SCALE,
    stream_limit=100 * SCALE,
    pause=0.05,
    longest_pause=0.3,
    farewell=1,
)


FOUND = ReferencesFound(
    tuple(Reference(id=str(n), name=f"Source {n}", url=f"https://example.com/{n}") for n in range(1, 4))
)


def write_question(
    connector: StreamingConnector, text: str, conversation: str = "c1", **fields: Any
) -> dict[str, Any]:
    """A question as the channel of ``connector`` sends it."""
    kind = {"conversationType": "personal"} if connector.channel_id == "msteams" else {}
    in_conversation = {"id": conversation, **kind}
    return message(
        connector.service_url,
        text,
        **{"channelId": connector.channel_id, "conversation": in_conversation, **fields},
    )


def render_whole(text: str, connector: StreamingConnector) -> tuple[str, list[Activity]]:
    """Text and graph of the finished answer."""
    rendering = render(cite(Answer(text=text, references=FOUND.references)), channel(connector.channel_id))
    return rendering.text, list(rendering.entities)


def read_message(activity: Activity) -> tuple[str, list[Activity]]:
    return activity["text"], graph(activity)


GUIDES = tuple(
    Reference(id=str(number), name=f"Guide {number}", url=f"https://example.com/{number}")
    for number in (1, 2)
)


SENTENCE = "Water the fern twice a week and never in the sun [1][2]. "
