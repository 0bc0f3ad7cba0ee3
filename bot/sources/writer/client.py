"""Requests to Writer's API through ``writerai``, Writer's own library, which uses ``httpx``.

The library sends the requests, but :mod:`citations` reads the bytes of a response. The library would
return a gateway's HTML page as an answer. It returns nothing for a JSON body that comes in spite of
``stream``. It returns no ``file_id`` that is not spelt ``fileId``, and it knows no event with a name.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Awaitable
from typing import Any, Final, TypeVar

import httpx
import writerai
from writerai import AsyncWriter, DefaultAsyncHttpxClient

from citations import AnswerFormatError

from ...config.writer import WriterOptions
from ..provider import SdkErrors, SdkResponse, translate_errors
from .request import chat_request, question_request

_T = TypeVar("_T")
_FILE_ID: Final = re.compile(r"[\w-]{1,100}", re.ASCII)
_ERRORS: Final = SdkErrors(
    writerai.APIStatusError, writerai.APIConnectionError, writerai.WriterError, httpx.HTTPError
)
_CONNECT: Final = httpx.Timeout(None, connect=5.0)
"""Five seconds to connect. The exchange applies all other timeouts."""


class WriterClient:
    """Asks Writer's API. Every method makes one request, and raises a ``SourceError`` if that fails."""

    def __init__(self, options: WriterOptions) -> None:
        self._options = options
        self._sdk = AsyncWriter(
            api_key=options.api_key,
            base_url=options.base_url,
            max_retries=0,  # the exchange retries; the library's own retries take minutes
            timeout=_CONNECT,
            # A redirect would send the question, and perhaps the key, to another server.
            http_client=DefaultAsyncHttpxClient(follow_redirects=False, timeout=_CONNECT),
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._sdk.close()

    async def ask(self, question: str, stack: contextlib.AsyncExitStack) -> SdkResponse:
        """The response to a question, once its status is known; ``stack`` closes it."""
        requests: Any = self._sdk
        if self._options.model:
            body = chat_request(self._options, question)
            opening = requests.chat.with_streaming_response.chat(**body)
        else:
            body = question_request(self._options, question)
            opening = requests.graphs.with_streaming_response.question(**body)
        response = await _translate_errors(stack.enter_async_context(opening))
        return SdkResponse(response.headers, response.iter_bytes(), _ERRORS)

    async def graph_name(self, graph_id: str) -> str:
        """The name of a Knowledge Graph."""
        return _name(await _translate_errors(self._sdk.graphs.retrieve(graph_id)))

    async def file_name(self, file_id: str) -> str:
        """The name of a file in Writer; empty for a malformed id."""
        if not _FILE_ID.fullmatch(file_id):
            return ""
        return _name(await _translate_errors(self._sdk.files.retrieve(file_id)))


def _name(described: object) -> str:
    """The name in a response. Raises :class:`AnswerFormatError` if there is none.

    The library returns a text for a response that is no JSON, and does not check the types of JSON.
    """
    name = getattr(described, "name", None)
    if isinstance(name, str):
        return name
    raise AnswerFormatError("expected a name, got none", "$.name")


async def _translate_errors(coming: Awaitable[_T]) -> _T:
    return await translate_errors(coming, _ERRORS)
