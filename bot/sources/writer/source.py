"""Answers from Writer's Knowledge Graphs."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import AsyncGenerator
from typing import Final

from citations import (
    AnswerEvent,
    AnswerFormatError,
    Dialect,
    TextDelta,
    read_writer,
)
from citations.markers import AnswerSoFar
from citations.model import SubqueriesKnown, Subquery
from citations.readers import STREAM_READERS

from ...config.writer import WriterOptions
from ..errors import CutLater, SourceError
from ..provider import Provider
from ..reply import list_uncited_sources, read_reply
from .client import WriterClient
from .names import FileNames
from .steps import steps

_FIRST_LOOK: Final = 5.0
"""The timeout in seconds for the checks at the start of the bot."""


class WriterSource:
    """Asks the Knowledge Graphs of ``options``, through a chat model if ``options`` name one.

    ``deadline`` and ``patience`` are the timeouts of its :class:`Provider`, in seconds. Only ``deadline``
    limits an answer that is not streamed.
    """

    title: Final = "Writer Knowledge Graph"

    def __init__(self, options: WriterOptions, *, deadline: float = 180.0, patience: float = 60.0) -> None:
        self._options = options
        patience = patience if options.stream else deadline
        self.provider = Provider(name="writer", deadline=deadline, patience=patience)
        self._client = WriterClient(options)
        self._names = FileNames(self._client.file_name)
        self._graphs: list[str] = []

    async def open(self) -> None:
        """Check that Writer answers and has the graphs. If not, the log and the facts say so."""
        with contextlib.suppress(SourceError, AnswerFormatError):
            async with self.provider.exchange() as exchange:
                exchange.shorten(_FIRST_LOOK)
                for graph in self._options.graph_ids:
                    named = functools.partial(self._client.graph_name, graph)
                    self._graphs.append(await exchange.open(named))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def suggestions(self) -> tuple[str, ...]:
        """No suggestions, because a Knowledge Graph doesn't list what it can answer."""
        return ()

    async def facts(self) -> dict[str, str | int]:
        """The source, whether it answers, and the names or the number of its graphs."""
        return self.provider.facts() | {"graphs": ", ".join(self._graphs) or len(self._options.graph_ids)}

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Stream Writer's answer, and a list of its sources if it cites none of them.

        Closing the generator cancels the request. Raises a :class:`SourceError`,
        :class:`AnswerFormatError` or :class:`EventStreamError`, after the events that came before it.
        """
        so_far = AnswerSoFar(Dialect.NAMED_LINK)
        subqueries: tuple[Subquery, ...] = ()
        answer = list_uncited_sources(self._ask(question), so_far, "Writer", self._names.of)
        with CutLater() as cut:
            async with contextlib.aclosing(answer) as events:
                async for event in events:
                    if isinstance(event, SubqueriesKnown):
                        subqueries = event.subqueries
                    yield event
        if subqueries and self._options.subqueries:
            yield TextDelta(so_far.below(steps(subqueries)))
        cut.raise_if_cut()

    async def _ask(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        async with self.provider.exchange() as exchange, contextlib.AsyncExitStack() as stack:
            response = await exchange.open(lambda: self._client.ask(question, stack))
            answer = read_reply(response, exchange, read_writer, STREAM_READERS["writer"])
            async with contextlib.aclosing(answer) as events:
                async for event in events:
                    yield event
