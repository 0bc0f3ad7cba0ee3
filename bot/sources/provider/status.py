"""The error for an HTTP status other than 200 (RFC 9110 § 15)."""

from __future__ import annotations

from typing import Final

from ...resilience.retry_after import retry_after
from ..errors import KeyRefused, NotFoundAtSource, SourceBusy, SourceError, SourceRefused, SourceUnavailable

_TRANSIENT: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""529 is Anthropic's for a server with too much to do."""
_KEY: Final = frozenset({401, 402, 403})


def status_error(status: int, wait: str | None = None) -> SourceError:
    """The error for ``status``; ``wait`` is the value of ``Retry-After``, if there is one.

    Transient are 408, 409, 425, 429, 500, 502, 503, 504 and 529. The error does not repeat the response's
    body, which may quote the question.
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
