"""The ``Retry-After`` header."""

from __future__ import annotations

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
