"""Answers from an OpenAI-compatible model that searches by itself: the settings and the source.

Governing sources: OpenAI API reference, "Create a model response", and "Create chat completion".
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from citations.readers import FORMATS

from ..config.env import read_ids
from ..config.language_model import LanguageModel, read_model_of
from .open_ai import CHAT_PATH, chat_request
from .provider import ProviderClient, ProviderResponse
from .searching_source import SearchingSource

RESPONSES: Final = "responses"
CHAT: Final = "chat"
_PATHS: Final = {RESPONSES: "/responses", CHAT: CHAT_PATH}
_STORE: Final = re.compile(r"[\w-]{1,100}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIOptions:
    """The settings of the source: the model, the API, and the vector stores that are searched.

    Without vector stores the model searches the web.
    """

    model: LanguageModel
    api: str = RESPONSES
    vector_stores: tuple[str, ...] = ()


def read_options(given: Mapping[str, str], faults: list[str]) -> OpenAIOptions:
    """Read the ``OPENAI_`` variables of ``given``, and append a line to ``faults`` for each error.

    The model's own variables are read, with their faults, for every answer source.
    """
    model = read_model_of("openai", given, [])
    if "OPENAI_MODEL" not in given:
        faults.append("ANSWER_SOURCE=openai needs OPENAI_MODEL, the model that searches and answers")
    api = given.get("OPENAI_API", RESPONSES).lower()
    if api not in _PATHS:
        faults.append(f"OPENAI_API={api} is not known: use {' or '.join(_PATHS)}")
    fault = "{} in OPENAI_VECTOR_STORE_IDS is no id, such as vs_68a1"
    stores = read_ids("OPENAI_VECTOR_STORE_IDS", given, faults, _STORE, fault)
    if stores and api == CHAT:
        faults.append("OPENAI_VECTOR_STORE_IDS needs OPENAI_API=responses")
    return OpenAIOptions(model=model or LanguageModel(model=""), api=api, vector_stores=stores)


class OpenAISource(SearchingSource):
    """Asks the model of ``options``, which searches the web or its vector stores."""

    _client: ProviderClient

    def __init__(self, options: OpenAIOptions) -> None:
        model = options.model
        client = ProviderClient(model.base_url, model.api_key)
        super().__init__("openai", client, FORMATS["openai"]._replace(title=model.model))
        self._options = options

    def _describe(self) -> dict[str, str | int]:
        return {"model": self._options.model.model}

    async def _request(self, question: str, stack: contextlib.AsyncExitStack) -> ProviderResponse:
        body = request_body(self._options, question)
        return await self._client.request("POST", _PATHS[self._options.api], stack, body)


def request_body(options: OpenAIOptions, question: str) -> dict[str, Any]:
    """The request for an answer to a question, as plain JSON. The provider is asked not to store it."""
    model = options.model.model
    if options.api == CHAT:
        return chat_request(model, question)
    body: dict[str, Any] = {"model": model, "stream": True, "store": False, "input": question}
    if not options.vector_stores:
        return body | {"tools": [{"type": "web_search"}]}
    tool = {"type": "file_search", "vector_store_ids": list(options.vector_stores)}
    # "include": the passages that were found come only if they are asked for.
    return body | {"tools": [tool], "include": ["file_search_call.results"]}
