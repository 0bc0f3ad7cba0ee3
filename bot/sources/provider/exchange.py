"""One question to a provider, with its retries and timeouts."""

from __future__ import annotations

import asyncio
import contextlib
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
"""The first attempt and two retries, after 0.2 and 0.4 s, with up to 0.5 s of jitter each."""
LONGEST_PAUSE: Final = 10.0
"""The most seconds between two attempts, whatever ``Retry-After`` says, because a person waits."""

LONGEST_ANSWER: Final = 200_000
"""The limit in characters; a longer answer is taken for a fault of the model."""


@dataclass(slots=True, eq=False, kw_only=True)
class Provider:
    """A remote service that answers: its timeouts, and whether it answered lately.

    ``name`` is for the log and ``/readyz``. ``deadline`` is the timeout in seconds for the whole answer
    with its retries. ``patience`` is the timeout in seconds for each attempt, and for each chunk. Only
    the time of waiting counts. The time in which a slow reader leaves the chunks unread does not.
    """

    name: str
    deadline: float = 180.0
    patience: float = 30.0
    breaker: Breaker = field(default_factory=Breaker)
    error: Exception | None = None
    """The last failure that affects all questions; None where it answered since, or was not asked."""
    _was_asked: bool = False

    def exchange(self) -> Exchange:
        """One question to the provider, as an asynchronous context manager.

        The circuit breaker counts the provider's errors that are raised in its block. Entering it
        raises :class:`SourcePaused` while the breaker is open.
        """
        return Exchange(self)

    def facts(self) -> dict[str, str | int]:
        """The provider's name, and whether it answered the last question."""
        answers = "yes" if self._was_asked else "not asked yet"
        if self.error:
            answers = f"no: {_in_short(self.error)}"
        paused = ", and is left alone for a while" if self.breaker.open else ""
        return {"source": self.name, "answers": answers + paused}

    def note_answer(self) -> None:
        """Note that the provider answered."""
        self._was_asked, self.error = True, None
        self.breaker.note_success()
        emit(ProviderAsked(paused=False))

    def note_failure(self, error: Exception) -> None:
        """Note that the provider did not answer, or that its response is no answer."""
        self._was_asked, self.error = True, error
        if isinstance(error, SourceRefused | AnswerCut):
            # The provider works. Only a refused key or a wrong name in the settings affects all questions.
            self.error = error if isinstance(error, KeyRefused | NotFoundAtSource) else None
            self.breaker.note_success()
        else:
            self.breaker.note_failure()
        log.warning("upstream failed", source=self.name, reason=_in_short(error), paused=self.breaker.open)
        emit(ProviderAsked(paused=self.breaker.open))


class Exchange:
    """One question to a :class:`Provider`, and the time that is left for waiting."""

    def __init__(self, provider: Provider) -> None:
        self.stack = contextlib.AsyncExitStack()
        """Closes the responses at the end of the exchange."""
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
        try:
            await self.stack.aclose()
        finally:
            self._note(error)

    def _note(self, error: BaseException | None) -> None:
        if error is None:
            self._provider.note_answer()
        elif isinstance(error, SourceError | AnswerFormatError | EventStreamError):
            self._provider.note_failure(error)
        else:
            # The question was cancelled or closed, or the bot itself has a fault.
            self._provider.breaker.note_hangup()

    async def open(self, ask: Callable[[], Awaitable[_T]]) -> _T:
        """What ``ask`` returns, with up to two retries.

        A retry follows a :class:`SourceUnavailable` that is ``transient``, so no part of an answer has
        come yet. A ``Retry-After`` above :data:`LONGEST_PAUSE`, or above the time left, ends the retries.
        An attempt that timed out is not retried, because the provider may still work on it. Raises what
        the last attempt raised, or :class:`SourceTimedOut`.
        """
        return await self._within(self._attempt(ask), self._seconds)

    async def next(self, coming: Awaitable[_T]) -> _T:
        """What ``coming`` returns within the provider's ``patience``. Raises :class:`SourceTimedOut`."""
        return await self._within(coming, min(self._seconds, self._provider.patience))

    def shorten(self, seconds: float) -> None:
        """Limit the time that is left for waiting to ``seconds``."""
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
        started = now()
        try:
            async with asyncio.timeout(seconds):
                return await coming
        except TimeoutError as error:
            raise SourceTimedOut("no answer in the time for it") from error
        finally:
            if counted:
                self._seconds -= now() - started


def _note_retry(details: stamina.instrumentation.RetryDetails) -> None:
    log.info("upstream asked again", reason=_in_short(details.caused_by), pause=round(details.wait_for, 1))


stamina.instrumentation.set_on_retry_hooks([_note_retry])


def _in_short(error: Exception) -> str:
    """A few words for the operator of the bot, without any text of the question or the response."""
    return str(error) if isinstance(error, SourceError) else "what it sends is no answer"
