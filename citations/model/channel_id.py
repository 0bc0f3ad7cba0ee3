"""The ids of the channels that the library knows, for what stands below :mod:`.channels`."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Final

_KNOWN: Final = (
    "webchat", "directline", "emulator", "msteams", "email", "sms", "twilio-sms", "telegram", "slack",
    "facebook", "line", "groupme", "directlinespeech", "alexa", "cortana",
)  # fmt: skip


def channel_ids() -> tuple[str, ...]:
    """The ids that :func:`~citations.channel` knows; each other is that of a channel with plain text."""
    return _KNOWN


def nearest_channel(channel_id: str) -> str | None:
    """The known id that a person who wrote ``channel_id`` probably meant.

    >>> nearest_channel("teams"), nearest_channel("Web Chat"), nearest_channel("whatsapp")
    ('msteams', 'webchat', None)
    """
    return next(iter(get_close_matches(channel_id.lower(), _KNOWN, n=1)), None)
