"""What each channel can show: one module for each client that :mod:`..model.channel_id` names."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..graph.schema_org import Graph
from ..model.channel_id import CHANNEL_IDS, Client, channel_ids, nearest_channel
from ..model.wording import ENGLISH, Wording
from . import email, limit, plain, playground, sms, web_chat
from .shape import Channel, InterimMode
from .teams.text import CHANNEL as TEAMS

_SHAPES: Final = {
    Client.WEB_CHAT: web_chat.CHANNEL,
    Client.TEAMS: replace(TEAMS, limit=limit.TEAMS, asks=True),
    Client.EMAIL: email.CHANNEL,
    Client.SMS: sms.CHANNEL,
    Client.SPOKEN: plain.SPOKEN,
    Client.PLAIN: plain.CHANNEL,
}
_BY_ID: Final = {
    name: plain.in_messages(row.longest) if row.longest else _SHAPES[row.client]
    for name, row in CHANNEL_IDS.items()
}


def channel(
    channel_id: str, service_url: str = "", *, cards: bool = False, wording: Wording = ENGLISH
) -> Channel:
    """The channel of an ``Activity.channelId``; plain text, which every channel shows, if unknown.

    ``service_url``, the activity's own, tells an emulator of a channel from the channel. ``cards``:
    whether Teams gets passages without a URL as Adaptive Cards (:attr:`Graph.TEAMS_CARDS`). ``wording``
    has the few sentences that stand in a rendering besides the answer; they are English by default.
    """
    name = channel_id.lower()
    if playground.is_playground(service_url) and name in playground.MODES:
        return replace(playground.MODES[name], id=name, wording=wording)
    shape = _BY_ID.get(name, plain.CHANNEL)
    graph = Graph.TEAMS_CARDS if cards and shape.graph is Graph.TEAMS else shape.graph
    return replace(shape, id=name, graph=graph, wording=wording)


__all__ = ["Channel", "InterimMode", "channel", "channel_ids", "nearest_channel"]
