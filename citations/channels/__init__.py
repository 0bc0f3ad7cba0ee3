"""What each channel can show: one module for each kind, and the table by Bot Framework channel id."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from . import plain, teams, web_chat
from .shape import Channel, Interim

_BY_ID: Final = {
    "webchat": web_chat.CHANNEL,
    "directline": web_chat.CHANNEL,
    "emulator": web_chat.CHANNEL,
    "msteams": teams.CHANNEL,
}


def channel(channel_id: str, service_url: str = "") -> Channel:  # noqa: ARG001 - not read yet
    """The channel of an ``Activity.channelId``; plain text, which every channel shows, if unknown.

    ``service_url``, the activity's own, tells an emulator of a channel from the channel.
    """
    name = channel_id.lower()
    return replace(_BY_ID.get(name, plain.CHANNEL), id=name)


__all__ = ["Channel", "Interim", "channel"]
