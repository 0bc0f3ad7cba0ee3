"""A breaker: who failed several times in a row is left alone for a while."""

from __future__ import annotations

import time
from collections.abc import Callable


class Breaker:
    """Lets requests through to somebody else, or holds them back while they are known to fail.

    It opens after ``failures`` requests in a row that failed, each with all its retries, and then
    holds back for ``pause`` seconds. After them it is half-open: one request goes through as a probe,
    and the others are held back until it is answered. The probe's success closes it, its failure opens
    it for another ``pause``.
    """

    def __init__(
        self, *, failures: int = 5, pause: float = 30.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._allowed = failures
        self._pause = pause
        self._clock = clock
        self._opened: float | None = None
        self._probing = False
        self.failures = 0
        """How many failed in a row."""

    @property
    def open(self) -> bool:
        """Whether requests are held back, but for a probe when its time has come."""
        return self._opened is not None

    def enter(self) -> bool:
        """Whether one request may go through; whoever enters says afterwards what became of it."""
        if self._opened is None:
            return True
        if self._probing or self._clock() - self._opened < self._pause:
            return False
        self._probing = True
        return True

    def note_success(self) -> None:
        """A request was answered, or refused for a reason of its own."""
        self.failures, self._opened, self._probing = 0, None, False

    def note_failure(self) -> None:
        """A request was not answered because the other one failed."""
        self.failures += 1
        self._probing = False
        if self.failures >= self._allowed:
            self._opened = self._clock()

    def note_hangup(self) -> None:
        """Whoever asked hung up first, so that nothing is known."""
        self._probing = False
