"""Answers from a model of Open WebUI, and from the knowledge that this model searches."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final

from citations import AnswerEvent, AnswerFormatError, Dialect, Reference
from citations.markers import AnswerSoFar
from citations.readers import FORMATS

from ...config.answer_sources import OpenWebUIOptions
from ...telemetry.log import logger
from ..errors import KeyRefused, NotFoundAtSource, SourceError, UnknownModel
from ..open_ai import chat_request
from ..provider import Exchange, ProviderClient, ProviderResponse
from ..reply import trimmed_events
from ..searching_source import SearchingSource
from .saved_chat import COMPLETIONS, SavedChats

_FIRST_LOOK: Final = 5.0
"""The timeout in seconds for the checks at the start of the bot."""
_UNSEEN: Final = "not known there, or not shared with the key's owner"
"""Open WebUI reports no such error: it answers without sources."""

log = logger(__name__)


class OpenWebUISource(SearchingSource):
    """Asks the model of ``options``.

    An answer in a saved chat is not streamed, so only the deadline limits it.
    """

    _client: ProviderClient

    def __init__(self, options: OpenWebUIOptions) -> None:
        super().__init__(
            "open-webui",
            ProviderClient(options.url, options.api_key),
            FORMATS["open-webui"].where(webui_url=options.public_url),
            dialect=Dialect.NUMBERED,
            epilogue=None,  # pipes may emit sources behind the text
        )
        if options.saved_chats:
            self.provider.patience = self.provider.deadline
        self._options = options
        self._chats = SavedChats(self._client, options)
        self._names: dict[str, str] = {}
        self._warning = ""

    async def open(self) -> None:
        """Check that Open WebUI answers, and has the model and the knowledge.

        If not, the log and the facts say so.
        """
        with contextlib.suppress(SourceError, AnswerFormatError):
            async with self.provider.exchange() as exchange:
                exchange.shorten(_FIRST_LOOK)
                models = await exchange.open(lambda: self._client.fetch("GET", "/api/models"))
                if self._options.model not in _read_ids(models):
                    raise UnknownModel
                await self._look_at_knowledge(exchange)

    async def _look_at_knowledge(self, exchange: Exchange) -> None:
        unseen = []
        for one in self._options.knowledge_ids:
            try:
                look = functools.partial(self._client.fetch, "GET", f"/api/v1/knowledge/{one}")
                found = await exchange.open(look)
                self._names[one] = found["name"] if isinstance(found.get("name"), str) else ""
            except (KeyRefused, NotFoundAtSource):
                # The key is valid, because it listed the models, but it may not see this knowledge base.
                unseen.append(one)
        if unseen:
            self._warn(f"{', '.join(unseen)} in OPEN_WEBUI_KNOWLEDGE_IDS: {_UNSEEN}")

    async def close(self) -> None:
        """Delete the remaining chats, and close the connections."""
        await self._chats.close()
        await self._client.close()

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Stream the answer as :class:`SearchingSource` does, and note whether it has sources."""
        so_far = AnswerSoFar(Dialect.NUMBERED)
        async with contextlib.aclosing(self._answer(question, so_far)) as events:
            async for event in events:
                yield event
        self._look_at_sources(so_far.references)

    def _look_at_sources(self, references: tuple[Reference, ...]) -> None:
        """Warn about an answer without sources, although the model has knowledge to search.

        For knowledge that it doesn't find, Open WebUI answers with status 200 and without sources.
        """
        if references:
            self._warning = ""
        elif self._options.knowledge_ids:
            self._warn(f"the last answer has no sources; OPEN_WEBUI_KNOWLEDGE_IDS may be {_UNSEEN}, or empty")

    def _warn(self, warning: str) -> None:
        self._warning = warning
        log.warning("knowledge not found", source=self.provider.name, reason=warning)

    def _describe(self) -> dict[str, str | int]:
        facts: dict[str, str | int] = {"model": self._options.model}
        if self._options.knowledge_ids:
            facts["knowledge"] = ", ".join(self._names.get(one) or one for one in self._options.knowledge_ids)
        return facts | {"warning": self._warning} if self._warning else facts

    async def _request(self, question: str, stack: contextlib.AsyncExitStack) -> ProviderResponse:
        return await self._client.request("POST", COMPLETIONS, stack, self._body(question))

    def _ask(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        return self._ask_in_chat(question) if self._options.saved_chats else super()._ask(question)

    async def _ask_in_chat(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        async with self.provider.exchange() as exchange:
            for event in trimmed_events(await self._chats.answer(self._body(question), exchange)):
                yield event

    def _body(self, question: str) -> dict[str, Any]:
        """The request for one question, as plain JSON.

        With function calling other than ``legacy``, the knowledge of a model is a tool. Open WebUI runs this
        tool for its own page only: over the API, the model would answer without it. Each file has a name and
        an id. Open WebUI numbers the sources first, and then drops those that have neither.
        """
        files = [
            {"type": "collection", "id": one, "name": self._names.get(one) or one}
            for one in self._options.knowledge_ids
        ]
        legacy = {"params": {"function_calling": "legacy"}}
        return chat_request(self._options.model, question) | legacy | ({"files": files} if files else {})


def _read_ids(found: Mapping[str, Any]) -> frozenset[str]:
    """The ids of the models that the key may ask."""
    models = found.get("data")
    if not isinstance(models, list):
        raise AnswerFormatError("expected a list of models", "$.data")
    return frozenset(one["id"] for one in models if isinstance(one, dict) and isinstance(one.get("id"), str))
