"""The table of channel ids: the kind of client behind each ``Activity.channelId``.

The ids come from ``Channels`` in the Bot Framework SDK and the Microsoft 365 Agents SDK. Some connectors
of Azure Bot Service had other ids; these are here, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

from ..text.name import nearest


class Client(Enum):
    """The kind of client that shows an answer on a channel. The value is its name for people."""

    WEB_CHAT = "Web Chat"
    TEAMS = "Microsoft Teams"
    EMAIL = "e-mail"
    SMS = "SMS"
    SPOKEN = "a voice"
    PLAIN = "plain text"


class ChannelRow(NamedTuple):
    """A channel's client, and the most characters of one message where the channel splits an answer."""

    client: Client
    longest: int | None = None


_PLAIN: Final = """
    alexa console cortana kaizala kik m365extensions omnichannel outlook skype skypeforbusiness telephony test
""".split()

CHANNEL_IDS: Final[Mapping[str, ChannelRow]] = {
    "webchat": ChannelRow(Client.WEB_CHAT),
    "directline": ChannelRow(Client.WEB_CHAT),
    "emulator": ChannelRow(Client.WEB_CHAT),
    "msteams": ChannelRow(Client.TEAMS),
    "email": ChannelRow(Client.EMAIL),
    "sms": ChannelRow(Client.SMS),
    "twilio-sms": ChannelRow(Client.SMS),
    "telegram": ChannelRow(Client.PLAIN, 4096),
    "slack": ChannelRow(Client.PLAIN, 3000),
    "facebook": ChannelRow(Client.PLAIN, 2000),
    "line": ChannelRow(Client.PLAIN, 2000),
    "groupme": ChannelRow(Client.PLAIN, 1000),
    "directlinespeech": ChannelRow(Client.SPOKEN),
    **dict.fromkeys(_PLAIN, ChannelRow(Client.PLAIN)),
}
"""The row of each channel. A channel that is missing here gets plain text."""
EVERY_CHANNEL: Final = "*"
"""Stands for all channels that have no ceiling of their own."""


def channel_ids() -> tuple[str, ...]:
    """The ids that :func:`~citations.channel` knows. Any other id is a channel with plain text."""
    return tuple(CHANNEL_IDS)


def nearest_channel(channel_id: str) -> str | None:
    """The known id that is most similar to ``channel_id``; None if none is similar.

    >>> nearest_channel("teams"), nearest_channel("Web Chat"), nearest_channel("nowhere")
    ('msteams', 'webchat', None)
    """
    return nearest(channel_id, CHANNEL_IDS) or None
