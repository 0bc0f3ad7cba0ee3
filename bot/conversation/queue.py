"""Limits how many questions are answered at once, and orders those that wait.

A bot that accepts every question answers all of them too late. This one answers a fixed number of
questions at a time, and lets a fixed number wait. It declines all others at once.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from ..telemetry.conversation_key import ConversationKey
from .outcome import BUSY, CLOSING, Outcome

ANSWERS: Final = 100
"""Questions whose answers are read at once; as many other answers may be sent at the same time."""
WAITING: Final = 400
"""Questions that wait. If an answer takes a second, the last of them waits for four."""
IN_ONE: Final = 20
"""Questions in one conversation, so that one person can't take all the tickets."""


class NoTicketError(Exception):
    """A question is not accepted; ``outcome`` has the reason, in words for the person."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.name)
        self.outcome = outcome


class OverloadedError(Exception):
    """There is no time even to decline the question, so the channel has to tell the person."""


@dataclass(slots=True, eq=False)
class Ticket:
    """A question's place in the order of arrival, until its answer is sent."""

    conversation: ConversationKey
    _queue: AnswerQueue
    granted: bool = False
    """Whether it is the question's turn."""
    answer_read: bool = False
    """Whether the answer is complete, and only has to be sent."""
    _decided: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_followed(self) -> bool:
        """Whether there is another question of the conversation, once this one was released."""
        return self._queue.has(self.conversation)

    @property
    def is_in_crowd(self) -> bool:
        """Whether so many questions wait that each sign of life would delay answers."""
        return self._queue.is_crowded

    async def wait_turn(self) -> bool:
        """Wait for the question's turn; return False if the ticket was released before."""
        await self._decided.wait()
        return self.granted

    def grant(self) -> None:
        """Begin the question's turn."""
        self.granted = True
        self._decided.set()

    def start_sending(self) -> None:
        """Let another answer be read while this one is sent, since the channel may be slow."""
        self._queue.start_sending(self)

    def release(self) -> None:
        """End the question's turn or its wait, and let the next one begin. This is idempotent."""
        self.granted = False
        self._decided.set()
        self._queue.release(self)


class AnswerQueue:
    """Grants tickets in the order of arrival, one at a time in each conversation.

    So the answers of a conversation come in the order of its questions. A question that waits for the
    one before it takes no other conversation's turn. ``answers`` answers are read at a time, and as many
    others are sent. ``waiting`` questions may wait.
    """

    def __init__(self, *, answers: int = ANSWERS, waiting: int = WAITING) -> None:
        self._answers = answers
        self._most_waiting = waiting
        self._granted: dict[ConversationKey, Ticket] = {}
        self._reading = 0
        """The number of granted tickets whose answers are not complete."""
        self._waiting: dict[Ticket, None] = {}
        self._in_one: Counter[ConversationKey] = Counter()
        self._declining = 0
        self._closed = False

    @property
    def under_way(self) -> int:
        """The number of questions that are being answered."""
        return len(self._granted)

    @property
    def waiting(self) -> int:
        """The number of questions that wait for their turn."""
        return len(self._waiting)

    @property
    def is_crowded(self) -> bool:
        """Whether more than half as many questions wait as are answered at once."""
        return len(self._waiting) > self._answers // 2

    def has(self, conversation: ConversationKey) -> bool:
        """Whether a question of the conversation waits or is being answered."""
        return conversation in self._in_one

    def enter(self, conversation: ConversationKey) -> Ticket:
        """A ticket for a question. The caller must release it in the end.

        Raises :class:`NoTicketError` where too many questions wait, or the queue is closed.
        """
        if self._closed:
            raise NoTicketError(CLOSING)
        free = conversation not in self._granted and self._has_room()
        if not free and len(self._waiting) >= self._most_waiting:
            raise NoTicketError(BUSY)
        if self._in_one[conversation] >= IN_ONE:
            raise NoTicketError(BUSY)
        ticket = Ticket(conversation, self)
        self._in_one[conversation] += 1
        if free:
            self._grant(ticket)
        else:
            self._waiting[ticket] = None
        return ticket

    @contextlib.contextmanager
    def decline(self) -> Iterator[None]:
        """A context in which one person is told that their question is not accepted.

        Raises :class:`OverloadedError` where as many people are being told so as ``answers``.
        """
        if self._declining >= self._answers:
            raise OverloadedError
        self._declining += 1
        try:
            yield
        finally:
            self._declining -= 1

    def close(self) -> None:
        """Accept no more questions; the tickets stay."""
        self._closed = True

    def _has_room(self) -> bool:
        return self._reading < self._answers and len(self._granted) < 2 * self._answers

    def _grant(self, ticket: Ticket) -> None:
        self._granted[ticket.conversation] = ticket
        self._reading += 1
        ticket.grant()

    def start_sending(self, ticket: Ticket) -> None:
        """Let another answer be read, if that of ``ticket`` was being read until now."""
        if ticket.granted and not ticket.answer_read:
            ticket.answer_read = True
            self._reading -= 1
            self._grant_next()

    def release(self, ticket: Ticket) -> None:
        """Forget a ticket, and let the next one begin. This is idempotent."""
        if self._granted.get(ticket.conversation) is ticket:
            del self._granted[ticket.conversation]
            self._reading -= not ticket.answer_read
        elif ticket in self._waiting:
            del self._waiting[ticket]
        else:
            return
        self._in_one[ticket.conversation] -= 1
        if not self._in_one[ticket.conversation]:
            del self._in_one[ticket.conversation]
        self._grant_next()

    def _grant_next(self) -> None:
        for ticket in list(self._waiting):
            if not self._has_room():
                return
            if ticket.conversation not in self._granted:
                del self._waiting[ticket]
                self._grant(ticket)
