"""Label values from a closed set, for names that a sender can choose.

Each value of a metric's label uses memory for the life of the process. A turn's span starts before the
token is checked against the activity's channel.
"""

from __future__ import annotations

from typing import Final

from citations.channels import channel_ids

_CHANNELS: Final = frozenset(channel_ids())
_KINDS: Final = frozenset(
    "contactRelationUpdate conversationUpdate deleteUserData endOfConversation event installationUpdate"
    " invoke message messageDelete messageReaction messageUpdate typing".split()
)
_OTHER: Final = "other"


def channel_family(channel_id: str) -> str:
    """A channel's id if the library knows it, else ``other``."""
    name = channel_id.lower()
    return name if name in _CHANNELS else _OTHER


def activity_kind(activity_type: str) -> str:
    """An activity's type if it is one of Bot Framework's, else ``other``."""
    return activity_type if activity_type in _KINDS else _OTHER


def status_class(status: int | None) -> str:
    """The class of a status, such as ``2xx``; ``429`` for a rate limit; ``none`` for None."""
    if status is None:
        return "none"
    return "429" if status == 429 else f"{status // 100}xx"
