"""What a failing system says, Retry-After, and a circuit breaker: it gets no requests for a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after(value: str | None) -> float | None:
    """Parse ``Retry-After``, whole seconds or a date (RFC 9110 § 10.2.3), into seconds from now."""
    if not value:
        return None
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    # A date without a zone is in UTC; email.utils leaves "-0000" naive.
    seconds = ((date if date.tzinfo else date.replace(tzinfo=UTC)) - datetime.now(UTC)).total_seconds()
    return max(0.0, seconds)


class Breaker:
    """A circuit breaker in front of another system.

    It opens after ``failures`` requests in a row that failed, each with all its retries. It then refuses
    requests for ``pause`` seconds. After that it is half-open: it lets one request through as a probe.
    The probe's success closes it, and its failure opens it for another ``pause``.
    """

    def __init__(
        self, *, failures: int = 5, pause: float = 30.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._threshold = failures
        self._pause = pause
        self._clock = clock
        self._opened: float | None = None
        self._probing = False
        self.failures = 0
        """The number of failures in a row."""

    @property
    def open(self) -> bool:
        """Whether requests are refused, but for a probe after the pause."""
        return self._opened is not None

    def enter(self) -> bool:
        """Whether a request may be sent. Its caller then calls exactly one of the ``note`` methods."""
        if self._opened is None:
            return True
        if self._probing or self._clock() - self._opened < self._pause:
            return False
        self._probing = True
        return True

    def note_success(self) -> None:
        """The request was answered, or refused for a reason of its own."""
        self.failures, self._opened, self._probing = 0, None, False

    def note_failure(self) -> None:
        """The other system failed to answer the request."""
        self.failures += 1
        self._probing = False
        if self.failures >= self._threshold:
            self._opened = self._clock()

    def note_hangup(self) -> None:
        """The request was cancelled, which says nothing about the other system."""
        self._probing = False
