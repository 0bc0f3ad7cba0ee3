"""What stderr says of a ``--channel``: that its id isn't known, or how little of it can be judged."""

from __future__ import annotations

from ..channels import channel_ids, nearest_channel
from ..checks import CLIENTS
from .console import say


def say_unknown(channel_id: str) -> None:
    """Point out an id that no channel here has; its answers are plain text."""
    if channel_id.lower() not in channel_ids():
        say(f"{_unknown(channel_id)}: plain text")


def say_judged(channel_id: str) -> None:
    """Say what ``check`` judges where it knows no client of the channel."""
    if channel_id.lower() in CLIENTS:
        return
    known = channel_id.lower() in channel_ids()
    subject = f"the client of {channel_id} isn't known" if known else _unknown(channel_id)
    say(f"{subject}: only the activity's type, size, depth and characters are judged")


def _unknown(channel_id: str) -> str:
    near = nearest_channel(channel_id)
    meant = f" (did you mean {near}?)" if near else ""
    return f"the channel {channel_id!r:.80} isn't known{meant}"
