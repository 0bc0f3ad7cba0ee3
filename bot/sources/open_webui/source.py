"""Answers from a model of Open WebUI, and from the knowledge that this model searches."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import AsyncGenerator
from typing import Any, Final

from citations import (
    AnswerEvent,
    AnswerFormatError,
    Dialect,
    Reference,
    read_open_webui,
)
from citations.markers import AnswerSoFar
from citations.readers import OpenWebUIStream

from ...config.open_webui import OpenWebUIOptions
from ...telemetry.log import logger
from ..errors import KeyRefused, NotFoundAtSource, SourceError
from ..provider import Exchange, Provider
from ..reply import list_uncited_sources, read_reply, read_whole
from .client import OpenWebUIClient
from .request import completion_request
from .saved_chat import SavedChats

_FIRST_LOOK: Final = 5.0
"""The timeout in seconds for the checks at the start of the bot."""
_UNSEEN: Final = "not known there, or not shared with the key's owner"
"""Open WebUI reports no such error: it answers without sources."""

log = logger(__name__)


class OpenWebUISource:
    """Asks the model of ``options``.

    ``deadline`` and ``patience`` are the timeouts of its :class:`Provider`, in seconds. An answer in a
    saved chat is not streamed, so only ``deadline`` limits it.
    """

    title: Final = "Open WebUI"

    def __init__(self, options: OpenWebUIOptions, *, deadline: float = 180.0, patience: float = 60.0) -> None:
        self._options = options
        patience = deadline if options.saved_chats else patience
        self.provider = Provider(name="open-webui", deadline=deadline, patience=patience)
        self._client = OpenWebUIClient(options)
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
                if self._options.model not in await exchange.open(self._client.models):
                    raise NotFoundAtSource("it has no model of this name, or not for this key")
                await self._look_at_knowledge(exchange)

    async def _look_at_knowledge(self, exchange: Exchange) -> None:
        unseen = []
        for one in self._options.knowledge_ids:
            try:
                self._names[one] = await exchange.open(functools.partial(self._client.knowledge_name, one))
            except (KeyRefused, NotFoundAtSource):
                # The key is valid, because it listed the models, but it may not see this knowledge base.
                unseen.append(one)
        if unseen:
            self._warn(f"{', '.join(unseen)} in OPEN_WEBUI_KNOWLEDGE_IDS: {_UNSEEN}")

    async def close(self) -> None:
        """Delete the remaining chats, and close the connections."""
        await self._chats.close()
        await self._client.close()

    async def suggestions(self) -> tuple[str, ...]:
        """No suggestions, because those of Open WebUI can be about anything."""
        return ()

    async def facts(self) -> dict[str, str | int]:
        """The source, whether it answers, its model and knowledge, and a warning if there is one."""
        facts: dict[str, str | int] = self.provider.facts() | {"model": self._options.model}
        if self._options.knowledge_ids:
            facts["knowledge"] = ", ".join(self._names.get(one) or one for one in self._options.knowledge_ids)
        return facts | {"warning": self._warning} if self._warning else facts

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Stream the model's answer, and a list of its sources if it cites none of them.

        Closing the generator cancels the request. Raises a :class:`SourceError`,
        :class:`AnswerFormatError` or :class:`EventStreamError`, after the events that came before it.
        """
        so_far = AnswerSoFar(Dialect.NUMBERED)
        answer = list_uncited_sources(self._ask(question), so_far, "Open WebUI")
        async with contextlib.aclosing(answer) as events:
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

    async def _ask(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        body = completion_request(self._options, question, self._names)
        async with self.provider.exchange() as exchange, contextlib.AsyncExitStack() as stack:
            if self._options.saved_chats:
                answer = read_whole(self._chats.answer(body, exchange))
            else:
                answer = await self._open(body, exchange, stack)
            async with contextlib.aclosing(answer) as events:
                async for event in events:
                    yield event

    async def _open(
        self, body: dict[str, Any], exchange: Exchange, stack: contextlib.AsyncExitStack
    ) -> AsyncGenerator[AnswerEvent, None]:
        """The answer to a completion request; ``stack`` closes its response."""
        response = await exchange.open(lambda: self._client.ask(body))
        stack.enter_context(contextlib.closing(response))
        webui_url = self._options.public_url
        return read_reply(
            response,
            exchange,
            functools.partial(read_open_webui, webui_url=webui_url),
            functools.partial(OpenWebUIStream, webui_url=webui_url),
        )
