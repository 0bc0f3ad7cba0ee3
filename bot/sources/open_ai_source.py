"""Answers from an OpenAI-compatible model that searches by itself: the settings and the source.

Governing sources: OpenAI API reference, "Create a model response", and "Create chat completion".
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from citations import AnswerEvent
from citations.markers import AnswerSoFar
from citations.readers import OpenAIStream, read_openai

from ..config.env import read_ids
from ..config.language_model import LanguageModel, read_model_of
from .open_ai import explain_refusal
from .provider import Provider, ProviderClient
from .reply import EPILOGUE, list_uncited_sources, read_reply

RESPONSES: Final = "responses"
CHAT: Final = "chat"
_PATHS: Final = {RESPONSES: "/responses", CHAT: "/chat/completions"}
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


class OpenAISource:
    """Asks the model of ``options``, which searches the web or its vector stores.

    ``deadline`` and ``patience`` are the timeouts of its :class:`Provider`, in seconds.
    """

    def __init__(self, options: OpenAIOptions, *, deadline: float = 180.0, patience: float = 60.0) -> None:
        self.provider = Provider(name="openai", deadline=deadline, patience=patience)
        self._options = options
        model = options.model
        self._client = ProviderClient(model.base_url, model.api_key, explain=explain_refusal)

    @property
    def title(self) -> str:
        """The model's name."""
        return self._options.model.model

    async def open(self) -> None:
        """Send no request, because each request costs money."""

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def suggestions(self) -> tuple[str, ...]:
        """No suggestions: what the model will find is not known."""
        return ()

    async def facts(self) -> dict[str, str | int]:
        """Which source it is, whether it answers, and which model is asked."""
        return self.provider.facts() | {"model": self._options.model.model}

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Stream the model's answer, and a list of what it found if it cites none of that.

        Closing the generator cancels the request. Raises a :class:`SourceError`,
        :class:`AnswerFormatError` or :class:`EventStreamError`, after the events that came before it.
        """
        answer = list_uncited_sources(self._ask(question), AnswerSoFar(), self.title)
        async with contextlib.aclosing(answer) as events:
            async for event in events:
                yield event

    async def _ask(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        path, body = _PATHS[self._options.api], request_body(self._options, question)
        async with self.provider.exchange() as exchange:
            response = await exchange.open(lambda: self._client.request("POST", path, body))
            answer = read_reply(response, exchange, read_openai, OpenAIStream, epilogue=EPILOGUE)
            with contextlib.closing(response):
                async with contextlib.aclosing(answer) as events:
                    async for event in events:
                        yield event


def request_body(options: OpenAIOptions, question: str) -> dict[str, Any]:
    """The request for an answer to a question, as plain JSON. The provider is asked not to store it."""
    model = options.model.model
    if options.api == CHAT:
        return {"model": model, "stream": True, "messages": [{"role": "user", "content": question}]}
    body: dict[str, Any] = {"model": model, "stream": True, "store": False, "input": question}
    if not options.vector_stores:
        return body | {"tools": [{"type": "web_search"}]}
    tool = {"type": "file_search", "vector_store_ids": list(options.vector_stores)}
    # "include": the passages that were found come only if they are asked for.
    return body | {"tools": [tool], "include": ["file_search_call.results"]}
