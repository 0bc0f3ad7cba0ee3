"""How many questions are answered at once, in which order, and how many may wait for that.

A bot that takes up whatever comes answers everything too late. This one answers so many questions
at a time, lets so many wait, and says at once to everybody else that it can't.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from ..telemetry.conversation_key import ConversationKey
from .outcome import BUSY, CLOSING, Outcome

ANSWERS: Final = 100
"""Questions that are answered at once; as many other answers may be on their way to their channel."""
WAITING: Final = 400
"""Questions that wait; with a second for an answer, the last of them waits for four."""
IN_ONE: Final = 20
"""Questions in one conversation, so that one person can't take all the places."""


class NoPlaceError(Exception):
    """A question can't be taken up; ``ending`` says why, in words for the person."""

    def __init__(self, ending: Outcome) -> None:
        super().__init__(ending.name)
        self.ending = ending


class OverloadedError(Exception):
    """There is no time even to say so to the person: the channel has to."""


@dataclass(slots=True, eq=False)
class Ticket:
    """A question's place in the order of arrival, from when it comes until its answer is sent."""

    conversation: ConversationKey
    _give_back: Callable[[Ticket], None]
    _send: Callable[[Ticket], None]
    held: bool = False
    """Whether it is the question's turn."""
    read: bool = False
    """Whether its answer is there, and only has to be sent."""
    _decided: asyncio.Event = field(default_factory=asyncio.Event)

    async def wait_turn(self) -> bool:
        """Wait for the question's turn; False where the place was left before."""
        await self._decided.wait()
        return self.held

    def give(self) -> None:
        """It is the question's turn now."""
        self.held = True
        self._decided.set()

    def send(self) -> None:
        """The answer is there: while it is sent, which the channel may be slow to take, another is read."""
        self._send(self)

    def leave(self) -> None:
        """Make room for the next, whether or not it came to a turn; a second time does nothing."""
        self.held = False
        self._decided.set()
        self._give_back(self)


class AnswerQueue:
    """Gives places in the order of arrival, one at a time in each conversation.

    In one conversation answers come in the order of the questions, and a question that waits for the
    one before it keeps nobody else's place. While so many are read, as many others are sent.
    """

    def __init__(self, *, answers: int = ANSWERS, waiting: int = WAITING) -> None:
        self._answers = answers
        self._most_waiting = waiting
        self._held: dict[ConversationKey, Ticket] = {}
        self._reading = 0
        """How many of those who hold one have not got their answer."""
        self._waiting: dict[Ticket, None] = {}
        self._in_one: Counter[ConversationKey] = Counter()
        self._declining = 0
        self._closed = False

    @property
    def under_way(self) -> int:
        """How many are being answered."""
        return len(self._held)

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return len(self._waiting)

    def enter(self, conversation: ConversationKey) -> Ticket:
        """A place for a question, to be left whatever becomes of it.

        Raises :class:`NoPlaceError` where too many wait, or nobody is admitted any more.
        """
        if self._closed:
            raise NoPlaceError(CLOSING)
        free = conversation not in self._held and self._has_room()
        if not free and len(self._waiting) >= self._most_waiting:
            raise NoPlaceError(BUSY)
        if self._in_one[conversation] >= IN_ONE:
            raise NoPlaceError(BUSY)
        place = Ticket(conversation, self._give_back, self._send)
        self._in_one[conversation] += 1
        if free:
            self._give(place)
        else:
            self._waiting[place] = None
        return place

    @contextlib.contextmanager
    def decline(self) -> Iterator[None]:
        """While somebody is told that there is no place.

        Raises :class:`OverloadedError` where as many are being told so as can be answered at once.
        """
        if self._declining >= self._answers:
            raise OverloadedError
        self._declining += 1
        try:
            yield
        finally:
            self._declining -= 1

    def close(self) -> None:
        """Admit nobody any more; who has a place keeps it."""
        self._closed = True

    def _has_room(self) -> bool:
        return self._reading < self._answers and len(self._held) < 2 * self._answers

    def _give(self, place: Ticket) -> None:
        self._held[place.conversation] = place
        self._reading += 1
        place.give()

    def _send(self, place: Ticket) -> None:
        if place.held and not place.read:
            place.read = True
            self._reading -= 1
            self._call_next()

    def _give_back(self, place: Ticket) -> None:
        if self._held.get(place.conversation) is place:
            del self._held[place.conversation]
            self._reading -= not place.read
        elif place in self._waiting:
            del self._waiting[place]
        else:
            return
        self._in_one[place.conversation] -= 1
        if not self._in_one[place.conversation]:
            del self._in_one[place.conversation]
        self._call_next()

    def _call_next(self) -> None:
        for place in list(self._waiting):
            if not self._has_room():
                return
            if place.conversation not in self._held:
                del self._waiting[place]
                self._give(place)
