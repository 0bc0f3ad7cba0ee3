"""A breaker: who failed several times in a row is left alone for a while."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..errors import SourcePaused


class Breaker:
    """Lets questions through to an upstream, or refuses them at once while it is known to fail.

    It opens after ``failures`` questions in a row that failed, each with all its retries, and then
    refuses for ``pause`` seconds. After them it is half-open: one question goes through as a probe,
    and the others are refused until it is answered. The probe's success closes it, its failure opens
    it for another ``pause``.
    """

    def __init__(
        self, *, failures: int = 5, pause: float = 30.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._allowed = failures
        self._pause = pause
        self._clock = clock
        self._failures = 0
        self._opened: float | None = None
        self._probing = False

    @property
    def open(self) -> bool:
        """Whether questions are refused, but for a probe when its time has come."""
        return self._opened is not None

    def enter(self) -> None:
        """Let one question through; raises :class:`SourcePaused` where it is not to be asked."""
        if self._opened is None:
            return
        if self._probing or self._clock() - self._opened < self._pause:
            raise SourcePaused(f"not asked: it failed {self._failures} times in a row")
        self._probing = True

    def succeeded(self) -> None:
        """A question was answered, or refused for a reason of its own."""
        self._failures, self._opened, self._probing = 0, None, False

    def failed(self) -> None:
        """A question was not answered because the upstream failed."""
        self._failures += 1
        self._probing = False
        if self._failures >= self._allowed:
            self._opened = self._clock()

    def left(self) -> None:
        """Whoever asked hung up first, so that nothing is known."""
        self._probing = False
