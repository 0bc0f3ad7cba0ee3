"""Names with a bounded number of values, for what the outside world can name as it likes.

The values of a metric's label are kept for the life of the process, and a span begins before it is
checked that a token is for the channel that the activity names.
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
    """A channel's id if it is one that is known here, else ``other``."""
    name = channel_id.lower()
    return name if name in _CHANNELS else _OTHER


def activity_kind(activity_type: str) -> str:
    """An activity's type if it is one of Bot Framework's, else ``other``."""
    return activity_type if activity_type in _KINDS else _OTHER


def status_class(status: int | None) -> str:
    """``2xx``; ``429``, which asks to slow down, for itself; ``none`` for None."""
    if status is None:
        return "none"
    return "429" if status == 429 else f"{status // 100}xx"
