"""What an HTTP status other than 200 means for who waits for an answer (RFC 9110 § 15)."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from ..errors import KeyRefused, NotFoundAtSource, SourceBusy, SourceError, SourceRefused, SourceUnavailable

_TRANSIENT: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_KEY: Final = frozenset({401, 402, 403})


def status_error(status: int, wait: str | None = None) -> SourceError:
    """The error for ``status``; ``wait`` is the value of ``Retry-After``, if there is one.

    Transient are 408, 409, 425, 429, 500, 502, 503 and 504. The response's body is not repeated: it
    may quote what was asked.
    """
    reason = f"it answered with status {status}"
    if status in _KEY:
        return KeyRefused(reason)
    if status == 404 or 300 <= status < 400:
        return NotFoundAtSource(reason)
    if status in _TRANSIENT or status >= 500 or status < 300:
        kind = SourceBusy if status == 429 else SourceUnavailable
        return kind(reason, transient=status in _TRANSIENT, after=retry_after(wait))
    return SourceRefused(reason)


def retry_after(value: str | None) -> float | None:
    """The seconds of ``Retry-After``: whole seconds, or a date (RFC 9110 § 10.2.3)."""
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
