"""The channels: one module for each kind of client in :mod:`..model.channel_id`.

:func:`channel` returns a :class:`Channel`. It says how the channel writes text and streams, which graph
it gets, and what its limits are.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Final, Literal

from ..graph.schema_org import Graph
from ..model.channel_id import CHANNEL_IDS, ChannelRow, Client, channel_ids, nearest_channel
from ..model.typed import expect
from ..model.wording import ENGLISH, Wording
from .shape import Channel, InterimMode

_MODULES: Final = {
    Client.WEB_CHAT: "web_chat",
    Client.TEAMS: "teams",
    Client.EMAIL: "email",
    Client.SMS: "sms",
    Client.SPOKEN: "speech",
    Client.PLAIN: "plain",
}
"""The module of each kind of client, which is loaded with the first channel that needs it."""


def channel(
    channel_id: str,
    service_url: str = "",
    *,
    cards: bool | Literal["all"] = False,
    extended: bool = False,
    wording: Wording = ENGLISH,
) -> Channel:
    """The channel of an ``Activity.channelId``. An unknown id is a channel with plain text.

    A part of a channel, such as ``msteams:copilot`` in the Agents SDK, is as the whole, also for its ceiling.
    ``service_url``, the activity's own, distinguishes an emulator from the channel itself. ``cards`` says
    whether Teams gets passages without a URL as Adaptive Cards (:attr:`Graph.TEAMS_CARDS`), or ``"all"`` that
    are longer than an abstract. ``extended`` says whether Teams gets ``extendedmarkdown``, its preview of a
    format in which headings and tables stay. ``wording`` has the few sentences of a rendering besides the
    answer, by default in English.
    """
    expect(channel_id, str, 'channel takes the id of a channel, such as "webchat"')
    name = channel_id.partition(":")[0].strip().lower()
    row = CHANNEL_IDS.get(name, ChannelRow(Client.PLAIN))
    shape = _shape_of(row, extended=extended and row.client is Client.TEAMS)
    graph = shape.graph
    if cards and graph is Graph.TEAMS:
        graph = Graph.TEAMS_ALL_CARDS if cards == "all" else Graph.TEAMS_CARDS
    if service_url:
        from . import playground  # noqa: PLC0415 - few services are emulators

        if playground.is_playground(service_url) and name in playground.MODES:
            shape = playground.MODES[name]
            graph = shape.graph
    return replace(shape, id=name, graph=graph, wording=wording)


@cache
def _shape_of(row: ChannelRow, *, extended: bool) -> Channel:
    module = import_module(f".{_MODULES[row.client]}", __package__)
    shape: Channel = (
        module.EXTENDED if extended else module.in_messages(row.longest) if row.longest else module.CHANNEL
    )
    return shape


__all__ = ["Channel", "InterimMode", "channel", "channel_ids", "nearest_channel"]
