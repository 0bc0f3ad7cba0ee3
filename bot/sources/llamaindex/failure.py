"""Translates what an engine raises into the errors of :mod:`..errors`.

An engine asks a model and a store, each with its own client, and raises the errors of those clients. They
are recognised by what they have in common: a status, an error of httpx, an ``OSError``, or a timeout.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Iterator
from typing import Final, TypeVar

import httpx
from workflows.errors import WorkflowTimeoutError

from citations import AnswerFormatError, EventStreamError

from ...languages import Sentence
from ...telemetry.log import cause
from ..errors import SourceBrokeOff, SourceError, SourceTimedOut, SourceUnavailable
from ..provider import status_error

_T = TypeVar("_T")
_DEEPEST: Final = 8


class EngineFailed(SourceUnavailable):
    """The engine raised an error of its own; the log says where."""

    message = Sentence.ENGINE_FAILED


async def translate_errors(coming: Awaitable[_T], *, begun: bool = False) -> _T:
    """Await ``coming``, and translate its errors; ``begun`` says whether any text came before."""
    try:
        return await coming
    except (SourceError, AnswerFormatError, EventStreamError):
        raise
    except Exception as error:
        raise failure(error, begun=begun) from error


def failure(error: BaseException, *, begun: bool) -> SourceError | AnswerFormatError:
    """The bot's own error for ``error``; it is transient if a retry may succeed."""
    for one in chain(error):
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


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error, what caused it, and so on."""
    for _ in range(_DEEPEST):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__
