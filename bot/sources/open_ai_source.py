"""Answers from an OpenAI-compatible model that searches by itself.

Governing sources: OpenAI API reference, "Create a model response", and "Create chat completion".
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any, Final

from citations.readers import FORMATS

from ..config.answer_sources import OpenAIOptions
from .open_ai import CHAT_PATH, chat_request
from .provider import ProviderClient, ProviderResponse
from .searching_source import SearchingSource

_PATHS: Final = {"responses": "/responses", "chat": CHAT_PATH}


class OpenAISource(SearchingSource):
    """Asks the model of ``options``, which searches the web or its vector stores."""

    _client: ProviderClient

    def __init__(self, options: OpenAIOptions) -> None:
        client = ProviderClient(options.base_url, options.api_key)
        super().__init__("openai", client, replace(FORMATS["openai"], title=options.model))
        self._options = options

    def _describe(self) -> dict[str, str | int]:
        return {"model": self._options.model}

    async def _request(self, question: str, stack: contextlib.AsyncExitStack) -> ProviderResponse:
        body = request_body(self._options, question)
        return await self._client.request("POST", _PATHS[self._options.protocol], stack, body)


def request_body(options: OpenAIOptions, question: str) -> dict[str, Any]:
    """The request for an answer to a question, as plain JSON. The provider is asked not to store it."""
    if options.protocol == "chat":
        return chat_request(options.model, question)
    body: dict[str, Any] = {"model": options.model, "stream": True, "store": False, "input": question}
    if not options.vector_store_ids:
        return body | {"tools": [{"type": "web_search"}]}
    tool = {"type": "file_search", "vector_store_ids": list(options.vector_store_ids)}
    # "include": the passages that were found come only if they are asked for.
    return body | {"tools": [tool], "include": ["file_search_call.results"]}
