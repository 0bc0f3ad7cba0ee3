"""What an engine raises, in the words of our errors.

An engine asks a model and a store, each by a client of its own; what those raise comes through it. They
are told by what they have in common: a status, httpx below, an ``OSError``, or a timeout.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Iterator
from typing import Final, TypeVar

import httpx
from workflows.errors import WorkflowTimeoutError

from citations import AnswerFormatError, EventStreamError

from ...messages import Sentence
from ...telemetry.log import cause
from ..errors import SourceBrokeOff, SourceError, SourceTimedOut, SourceUnavailable
from ..provider import status_error

_T = TypeVar("_T")
_DEEPEST: Final = 8


class EngineFailed(SourceUnavailable):
    """The engine raised something of its own; the log says where."""

    message = Sentence.ENGINE_FAILED


async def translate_errors(coming: Awaitable[_T], *, begun: bool = False) -> _T:
    """What comes, or our error for what an engine raises; ``begun`` says that there was text before."""
    try:
        return await coming
    except (SourceError, AnswerFormatError, EventStreamError):
        raise
    except Exception as error:
        raise failure(error, begun=begun) from error


def failure(error: Exception, *, begun: bool) -> SourceError | AnswerFormatError:
    """The error of our family; one that may pass is transient."""
    for one in _chain(error):
        status = getattr(one, "status_code", None)
        if isinstance(status, int) and status >= 300:
            headers = getattr(getattr(one, "response", None), "headers", None) or {}
            return status_error(status, headers.get("Retry-After"))
        match one:
            case httpx.TimeoutException() | TimeoutError() | WorkflowTimeoutError():
                return SourceTimedOut(f"it timed out ({type(one).__name__})")
            case httpx.TransportError() | OSError() if begun:
                return SourceBrokeOff(f"the answer broke off ({type(one).__name__})")
            case httpx.TransportError() | OSError():
                return SourceUnavailable(f"it can't be reached ({type(one).__name__})", transient=True)
            case json.JSONDecodeError():
                return AnswerFormatError("not JSON")
    return EngineFailed(f"its engine failed ({cause(error)})")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(_DEEPEST):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__
