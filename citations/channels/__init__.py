"""The channels: one module for each kind of client in :mod:`..model.channel_id`.

:func:`channel` returns a :class:`Channel`. It says how the channel writes text and streams, which graph
it gets, and what its limits are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..graph.schema_org import Graph
from ..model.channel_id import CHANNEL_IDS, Client, channel_ids, nearest_channel
from ..model.wording import ENGLISH, Wording
from . import email, limit, plain, playground, sms, teams, web_chat
from .shape import Channel, InterimMode

_SHAPES: Final = {
    Client.WEB_CHAT: web_chat.CHANNEL,
    Client.TEAMS: replace(teams.CHANNEL, limit=limit.TEAMS, asks_for_votes=True),
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
    """The channel of an ``Activity.channelId``. An unknown id is a channel with plain text.

    ``service_url``, the activity's own, distinguishes an emulator from the channel itself. ``cards`` says
    whether Teams gets passages without a URL as Adaptive Cards (:attr:`Graph.TEAMS_CARDS`). ``wording``
    has the few sentences of a rendering besides the answer, by default in English.
    """
    name = channel_id.lower()
    if playground.is_playground(service_url) and name in playground.MODES:
        return replace(playground.MODES[name], id=name, wording=wording)
    shape = _BY_ID.get(name, plain.CHANNEL)
    graph = Graph.TEAMS_CARDS if cards and shape.graph is Graph.TEAMS else shape.graph
    return replace(shape, id=name, graph=graph, wording=wording)


__all__ = ["Channel", "InterimMode", "channel", "channel_ids", "nearest_channel"]
