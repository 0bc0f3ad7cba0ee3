"""A note on stderr about ``--channel``: an unknown id."""

from __future__ import annotations

from ..channels import channel_ids, nearest_channel
from .console import say


def say_unknown(channel_id: str) -> None:
    """Print a note for an unknown channel id, whose answers are plain text."""
    if channel_id.lower() not in channel_ids():
        say(f"{describe_unknown(channel_id)}: plain text")


def describe_unknown(channel_id: str) -> str:
    """Words for an id that no channel has, with the one that may be meant."""
    near = nearest_channel(channel_id)
    meant = f" (did you mean {near}?)" if near else ""
    return f"the channel {channel_id!r:.80} isn't known{meant}"
