"""Says how much of a reply a person gets at once: on a page more than by SMS or by voice.

It is a context variable, as the language is. So no answer source has to pass it on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from enum import Enum, auto
from typing import Final


class Room(Enum):
    """Where a reply is shown: on a page, above a list of its sources, in a short message, or by a voice.

    A short message has such a list, too.
    """

    PAGE = auto()
    ABOVE_LIST = auto()
    MESSAGE = auto()
    VOICE = auto()


_ROOM: Final[ContextVar[Room]] = ContextVar("room", default=Room.PAGE)


def room() -> Room:
    """Where the reply of this turn is shown."""
    return _ROOM.get()


def is_brief() -> bool:
    """Whether a person gets little at once."""
    return room() in (Room.MESSAGE, Room.VOICE)


@contextlib.contextmanager
def replying_in(where: Room) -> Iterator[None]:
    """Say where the replies of this block are shown."""
    token = _ROOM.set(where)
    try:
        yield
    finally:
        _ROOM.reset(token)
