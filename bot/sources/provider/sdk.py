"""Requests through a provider's own library, which Stainless made from its API's description.

Such libraries have the same exceptions, each below a root of its own, and ``httpx`` or a successor of it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Mapping
from typing import Any, NamedTuple, TypeVar

from ..errors import SourceBrokeOff, SourceUnavailable
from .client import Explain
from .status import status_error

_T = TypeVar("_T")


class SdkErrors(NamedTuple):
    """The exceptions of one library: for a status, a lost connection, anything, and of its HTTP library."""

    status: type[Exception]
    connection: type[Exception]
    any: type[Exception]
    http: type[Exception]


class SdkResponse:
    """The response to one request, whose body is not read yet."""

    def __init__(self, headers: Mapping[str, str], body: AsyncIterator[bytes], errors: SdkErrors) -> None:
        self.content_type = headers.get("Content-Type", "").partition(";")[0].strip().lower()
        self._body = body
        self._errors = errors

    async def read(self) -> bytes:
        """The next bytes; empty at the end. Raises :class:`SourceBrokeOff`."""
        try:
            return await anext(self._body, b"")
        except self._errors.http as error:
            raise SourceBrokeOff(f"the answer broke off ({type(error).__name__})") from error


async def translate_errors(coming: Awaitable[_T], errors: SdkErrors, explain: Explain | None = None) -> _T:
    """Await ``coming``, and translate the library's errors into those of :mod:`..errors`."""
    try:
        return await coming
    except errors.status as error:
        caught: Any = error
        status, headers = caught.response.status_code, caught.response.headers
        explained = explain(status, caught.response.content) if explain else None
        raise explained or status_error(status, headers.get("Retry-After")) from error
    except errors.connection as error:
        kind = type(error.__cause__ or error).__name__
        raise SourceUnavailable(f"it can't be reached ({kind})", transient=True) from error
    except (errors.any, errors.http, ValueError) as error:
        raise SourceUnavailable(f"its response can't be read ({type(error).__name__})") from error
