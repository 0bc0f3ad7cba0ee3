"""The error for an HTTP status other than 200 (RFC 9110 § 15)."""

from __future__ import annotations

import re
from typing import Final

from ...resilience.breaker import retry_after
from ..errors import (
    KeyRefused,
    NotFoundAtSource,
    SourceBusy,
    SourceError,
    SourceRefused,
    SourceUnavailable,
    UnknownModel,
)

EXPLAINED: Final = frozenset({400, 404})
"""The statuses whose body tells a wrong name in the settings from a wrong request."""
_TRANSIENT: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_BUSY: Final = frozenset({429, 529})
"""529 is Anthropic's for a server with too much to do."""
_REFUSED: Final = frozenset({401, 403})
_KEY: Final = re.compile(rb"api[ _]key", re.IGNORECASE)
"""Google's server says so with status 400."""
_MODEL: Final = re.compile(rb"model", re.IGNORECASE)
_WRONG_MODEL: Final = re.compile(
    # Mistral, Perplexity; OpenRouter; LiteLLM; Open WebUI.
    rb"invalid_model|not a valid model|invalid model|model[^.{}]{0,80}(?:not found|not exist)",
    re.IGNORECASE,
)


def status_error(status: int, wait: str | None = None, body: bytes = b"") -> SourceError:
    """The error for ``status``; ``wait`` is the value of ``Retry-After``, if there is one.

    ``body`` is the beginning of the response's body, which is read for :data:`EXPLAINED` only. The error
    does not repeat it, because it may quote the question. Transient are 408, 409, 425, 429, 500, 502, 503,
    504 and 529.
    """
    reason = f"it answered with status {status}"
    if status == 402:
        return KeyRefused("it wants to be paid first (status 402)", status)
    if status in _REFUSED or (status == 400 and _KEY.search(body)):
        return KeyRefused(f"it refuses the key (status {status})", status)
    if status in EXPLAINED and (_MODEL if status == 404 else _WRONG_MODEL).search(body):
        return UnknownModel()
    if status == 404 or 300 <= status < 400:
        return NotFoundAtSource(reason)
    if status in _TRANSIENT or status >= 500 or status < 300:
        kind = SourceBusy if status in _BUSY else SourceUnavailable
        return kind(reason, transient=status in _TRANSIENT, after=retry_after(wait))
    return SourceRefused(reason)
