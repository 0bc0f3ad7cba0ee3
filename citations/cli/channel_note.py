"""Notes on stderr about ``--channel``: an unknown id, or a channel that ``check`` hardly knows."""

from __future__ import annotations

from ..channels import channel_ids, nearest_channel
from ..checks import CLIENTS
from .console import say


def say_unknown(channel_id: str) -> None:
    """Print a note for an unknown channel id, whose answers are plain text."""
    if channel_id.lower() not in channel_ids():
        say(f"{_unknown(channel_id)}: plain text")


def say_judged(channel_id: str) -> None:
    """Print what ``check`` judges on a channel whose client it doesn't know."""
    if channel_id.lower() in CLIENTS:
        return
    known = channel_id.lower() in channel_ids()
    subject = f"the client of {channel_id} isn't known" if known else _unknown(channel_id)
    say(f"{subject}: only the activity's type, size, depth and characters are judged")


def _unknown(channel_id: str) -> str:
    near = nearest_channel(channel_id)
    meant = f" (did you mean {near}?)" if near else ""
    return f"the channel {channel_id!r:.80} isn't known{meant}"
