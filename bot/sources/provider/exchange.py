"""One question to a provider, with its retries and timeouts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, TypeVar

import stamina

from citations import AnswerFormatError, EventStreamError

from ...resilience.breaker import Breaker
from ...resilience.clock import now
from ...telemetry import ProviderAsked, emit
from ...telemetry.log import logger
from ..errors import (
    AnswerCut,
    KeyRefused,
    NotFoundAtSource,
    SourceError,
    SourcePaused,
    SourceRefused,
    SourceTimedOut,
    SourceUnavailable,
)

_T = TypeVar("_T")

log = logger(__name__)

ATTEMPTS: Final = 3
"""One and two retries, behind 0.2 and 0.4 s, and up to 0.5 s of jitter each."""
LONGEST_PAUSE: Final = 10.0
"""Seconds between two attempts, whatever the server asks for: a person waits."""

LONGEST_ANSWER: Final = 200_000
"""Characters; who writes on is out of order."""


@dataclass(slots=True, eq=False, kw_only=True)
class Provider:
    """A service elsewhere that answers: its timeouts, and whether it has answered lately.

    ``name`` is for the log and ``/readyz``. ``deadline`` and ``patience`` are timeouts in seconds: for
    the whole answer with its retries, and for the next piece of it. Only the time of waiting counts, and
    not the time in which a slow reader leaves the pieces unread.
    """

    name: str
    deadline: float = 180.0
    patience: float = 30.0
    breaker: Breaker = field(default_factory=Breaker)
    _state: str = "not asked yet"

    def exchange(self) -> Exchange:
        """One question to it: an asynchronous context manager.

        What is raised within it tells the breaker how the provider is. Entering it raises
        :class:`SourcePaused` while the breaker is open.
        """
        return Exchange(self)

    def facts(self) -> dict[str, str | int]:
        """The provider's name, and whether it answers, as the last questions have shown."""
        paused = ", and is left alone for a while" if self.breaker.open else ""
        return {"source": self.name, "answers": self._state + paused}

    def note_answer(self) -> None:
        """It answered."""
        self._state = "yes"
        self.breaker.note_success()
        emit(ProviderAsked(paused=False))

    def note_failure(self, error: Exception) -> None:
        """It did not answer, or what it sent is no answer."""
        if isinstance(error, SourceRefused | AnswerCut):
            # It was reached and is well; only a refused key or a wrong name concerns all questions.
            for_all = isinstance(error, KeyRefused | NotFoundAtSource)
            self._state = f"no: {_in_short(error)}" if for_all else "yes"
            self.breaker.note_success()
        else:
            self._state = f"no: {_in_short(error)}"
            self.breaker.note_failure()
        log.warning("upstream failed", source=self.name, reason=_in_short(error), paused=self.breaker.open)
        emit(ProviderAsked(paused=self.breaker.open))


class Exchange:
    """One question to a :class:`Provider`, and the time that may still be spent on waiting for it."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._seconds = provider.deadline

    async def __aenter__(self) -> Exchange:
        breaker = self._provider.breaker
        if not breaker.enter():
            raise SourcePaused(f"not asked: it failed {breaker.failures} times in a row")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self._provider.note_answer()
        elif isinstance(error, SourceError | AnswerFormatError | EventStreamError):
            self._provider.note_failure(error)
        else:
            # Cancelled, closed, or a fault of ours.
            self._provider.breaker.note_hangup()

    async def open(self, ask: Callable[[], Awaitable[_T]]) -> _T:
        """What ``ask`` returns, called anew up to twice where that may help.

        That is where it raises :class:`SourceUnavailable` with ``transient``, so before anything of
        an answer came. ``Retry-After`` is honoured where it is short enough. An attempt that is
        waited for in vain is not made again: the provider may be at work on it. Raises what the last
        attempt raised, or :class:`SourceTimedOut`.
        """
        return await self._within(self._attempt(ask), self._seconds)

    async def next(self, coming: Awaitable[_T]) -> _T:
        """What ``coming`` brings within the provider's patience, or :class:`SourceTimedOut`."""
        return await self._within(coming, min(self._seconds, self._provider.patience))

    def shorten(self, seconds: float) -> None:
        """Wait no longer than ``seconds`` in all for what may still come."""
        self._seconds = min(self._seconds, seconds)

    async def _attempt(self, ask: Callable[[], Awaitable[_T]]) -> _T:
        latest = now() + self._seconds

        def worth_another(error: Exception) -> bool | float:
            if not isinstance(error, SourceUnavailable) or not error.transient:
                return False
            if error.after is None:
                return True
            return error.after if error.after <= min(LONGEST_PAUSE, latest - now()) else False

        retries = stamina.retry_context(
            on=worth_another,
            attempts=ATTEMPTS,
            timeout=self._seconds,
            wait_initial=0.2,
            wait_max=3,
            wait_jitter=0.5,
        )
        async for attempt in retries:
            with attempt:
                return await self._within(ask(), min(self._seconds, self._provider.patience), counted=False)
        raise AssertionError("a retry either returns or raises")

    async def _within(self, coming: Awaitable[_T], seconds: float, *, counted: bool = True) -> _T:
        begun = now()
        try:
            async with asyncio.timeout(seconds):
                return await coming
        except TimeoutError as error:
            raise SourceTimedOut("no answer in the time for it") from error
        finally:
            if counted:
                self._seconds -= now() - begun


def _in_short(error: Exception) -> str:
    """A few words for whoever runs the bot; nothing of what was asked or sent."""
    match error:
        case KeyRefused():
            return "it refuses the key"
        case SourceError():
            return str(error)
        case _:
            return "what it sends is no answer"
