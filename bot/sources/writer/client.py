"""Requests to Writer's API through ``writerai``, Writer's own library, which uses ``httpx``.

The library's own reading of a response would return a gateway's HTML page as an answer. It returns nothing
for a JSON body that comes in spite of ``stream``. It returns no ``file_id`` that is not spelt ``fileId``,
and it knows no event with a name.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Awaitable
from typing import Any, Final

import httpx
import writerai
from writerai import AsyncWriter, DefaultAsyncHttpxClient

from citations import AnswerFormatError

from ...config.writer import WriterOptions
from ..provider import ProviderResponse, SdkErrors, open_response, sdk_settings, translate_errors

_FILE_ID: Final = re.compile(r"[\w-]{1,100}", re.ASCII)
_ERRORS: Final = SdkErrors(
    writerai.APIStatusError, writerai.APIConnectionError, writerai.WriterError, httpx.HTTPError
)
_TOOL: Final = "The documents from which this question has to be answered"


class WriterClient:
    """Asks Writer's API. Every method makes one request, and raises a ``SourceError`` if that fails."""

    def __init__(self, options: WriterOptions) -> None:
        self._options = options
        self._sdk = AsyncWriter(
            api_key=options.api_key,
            base_url=options.base_url,
            **sdk_settings(httpx, DefaultAsyncHttpxClient),
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._sdk.close()

    async def ask(self, question: str, stack: contextlib.AsyncExitStack) -> ProviderResponse:
        """The response to a question, once its status is known; ``stack`` closes it.

        A chat model gets the graphs as its only tool. Without one, the graphs are asked directly.
        """
        requests: Any = self._sdk
        options = self._options
        graphs: dict[str, Any] = {
            "graph_ids": list(options.graph_ids),
            "subqueries": options.subqueries,
            "query_config": dict(options.query_config),
        }
        if options.model:
            opening = requests.chat.with_streaming_response.chat(
                model=options.model,
                messages=[{"role": "user", "content": question}],
                stream=options.stream,
                tools=[{"type": "graph", "function": {"description": _TOOL, **graphs}}],
                tool_choice="auto",
            )
        else:
            opening = requests.graphs.with_streaming_response.question(
                question=question, stream=options.stream, **graphs
            )
        return await open_response(opening, stack, _ERRORS)

    async def graph_name(self, graph_id: str) -> str:
        """The name of a Knowledge Graph."""
        return await _read_name(self._sdk.graphs.retrieve(graph_id))

    async def file_name(self, file_id: str) -> str:
        """The name of a file in Writer; empty for a malformed id."""
        return await _read_name(self._sdk.files.retrieve(file_id)) if _FILE_ID.fullmatch(file_id) else ""


async def _read_name(coming: Awaitable[object]) -> str:
    """The name in a response. Raises :class:`AnswerFormatError` if there is none.

    The library returns a text for a response that is no JSON, and does not check the types of JSON.
    """
    name = getattr(await translate_errors(coming, _ERRORS), "name", None)
    if isinstance(name, str):
        return name
    raise AnswerFormatError("expected a name, got none", "$.name")
