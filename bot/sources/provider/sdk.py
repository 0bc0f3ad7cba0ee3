"""Requests through a provider's own library, which Stainless made from its API's description.

Such libraries have the same settings and exceptions, and ``httpx`` or a successor of it. They send the
requests, but :mod:`citations` reads the bytes of a response, as it reads saved ones.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Awaitable
from typing import Any, NamedTuple, TypeVar

from ..errors import SourceUnavailable
from .response import ProviderResponse
from .status import status_error

_T = TypeVar("_T")


class SdkErrors(NamedTuple):
    """The exceptions of one library: for a status, a lost connection, anything, and of its HTTP library."""

    status: type[Exception]
    connection: type[Exception]
    any: type[Exception]
    http: type[Exception]


def sdk_settings(http: Any, client: Any) -> dict[str, Any]:
    """The settings of a library that uses ``http``, and has a kind of ``client`` of it."""
    # The exchange applies all other timeouts, and retries. The library's own retries take minutes.
    timeout = http.Timeout(None, connect=5.0)
    # A redirect would send the question, and perhaps the key, to another server.
    return {
        "max_retries": 0,
        "timeout": timeout,
        "http_client": client(follow_redirects=False, timeout=timeout),
    }


async def open_response(
    opening: Any, stack: contextlib.AsyncExitStack, errors: SdkErrors
) -> ProviderResponse:
    """The response to a request of a library, once its status is known; ``stack`` closes it."""
    response: Any = await translate_errors(stack.enter_async_context(opening), errors)
    content_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    return ProviderResponse(content_type, functools.partial(anext, response.iter_bytes(), b""), errors.http)


async def translate_errors(coming: Awaitable[_T], errors: SdkErrors) -> _T:
    """Await ``coming``, and translate the library's errors into those of :mod:`..errors`."""
    try:
        return await coming
    except errors.status as error:
        caught: Any = error
        response = caught.response
        wait = response.headers.get("Retry-After")
        raise status_error(response.status_code, wait, response.content) from error
    except errors.connection as error:
        kind = type(error.__cause__ or error).__name__
        raise SourceUnavailable(f"it can't be reached ({kind})", transient=True) from error
    except (errors.any, errors.http, ValueError) as error:
        raise SourceUnavailable(f"its response can't be read ({type(error).__name__})") from error
