"""What was answered last in each conversation, for the person who wants to know more about it."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from citations import Citation, CitedAnswer, Reference

from .state import ConversationKey


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedAnswer:
    """An answer as it was shown, complete or not.

    ``references`` are all that were found for it; ``interrupted`` says that it breaks off.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    references: tuple[Reference, ...] = ()
    interrupted: bool = False


def remembered(text: str, cited: CitedAnswer, *, interrupted: bool) -> RememberedAnswer:
    """What is kept of an answer that was shown as ``text``."""
    return RememberedAnswer(
        text=text, citations=cited.citations, references=cited.references, interrupted=interrupted
    )


class AnswerMemory(Protocol):
    """Keeps the last answer of each conversation for a while."""

    async def remember(self, conversation: ConversationKey, answer: RememberedAnswer) -> None:
        """Keep ``answer`` in the place of the conversation's last one."""

    async def recall(self, conversation: ConversationKey) -> RememberedAnswer | None:
        """The conversation's last answer; None where there was none, or it is too long ago."""


class AnswersInMemory:
    """An :class:`AnswerMemory` that ends with the process.

    It keeps an answer for ``lifetime`` seconds, and no more than ``capacity`` of them.
    """

    def __init__(
        self,
        *,
        lifetime: float = 12 * 3600,
        capacity: int = 1000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lifetime = lifetime
        self._capacity = capacity
        self._clock = clock
        self._kept: OrderedDict[ConversationKey, tuple[float, RememberedAnswer]] = OrderedDict()

    async def remember(self, conversation: ConversationKey, answer: RememberedAnswer) -> None:
        """Keep ``answer``; the oldest make room."""
        self._kept.pop(conversation, None)
        self._kept[conversation] = (self._clock(), answer)
        self._expire()

    async def recall(self, conversation: ConversationKey) -> RememberedAnswer | None:
        """The conversation's last answer, if it is still kept."""
        self._expire()
        kept = self._kept.get(conversation)
        return kept[1] if kept else None

    def _expire(self) -> None:
        oldest_allowed = self._clock() - self._lifetime
        while self._kept:
            since, _ = next(iter(self._kept.values()))
            if since > oldest_allowed and len(self._kept) <= self._capacity:
                return
            self._kept.popitem(last=False)
