"""Answers from Writer's Knowledge Graphs."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import AsyncGenerator, Sequence
from typing import Final

from citations import AnswerEvent, AnswerFormatError, Dialect, TextDelta
from citations.markdown import escape_text
from citations.markers import AnswerSoFar
from citations.model import SubqueriesKnown, Subquery
from citations.readers import FORMATS

from ...config.answer_sources import WriterOptions
from ...languages import Sentence, say
from ..errors import CutLater, SourceError
from ..provider import ProviderResponse
from ..searching_source import SearchingSource
from .client import WriterClient
from .names import FileNames

_FIRST_LOOK: Final = 5.0
"""The timeout in seconds for the checks at the start of the bot."""


class WriterSource(SearchingSource):
    """Asks the Knowledge Graphs of ``options``, through a chat model if ``options`` name one.

    Only the deadline limits an answer that is not streamed.
    """

    title: Final = "Writer Knowledge Graph"
    _client: WriterClient

    def __init__(self, options: WriterOptions) -> None:
        super().__init__(
            "writer",
            WriterClient(options),
            FORMATS["writer"],
            dialect=Dialect.NAMED_LINK,
            epilogue=None,  # the references may come last
        )
        if not options.stream:
            self.provider.patience = self.provider.deadline
        self._options = options
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

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Stream Writer's answer as :class:`SearchingSource` does, with its subqueries below if asked for."""
        so_far = AnswerSoFar(Dialect.NAMED_LINK)
        subqueries: tuple[Subquery, ...] = ()
        with CutLater() as cut:
            async with contextlib.aclosing(self._answer(question, so_far, self._names.of)) as events:
                async for event in events:
                    if isinstance(event, SubqueriesKnown):
                        subqueries = event.subqueries
                    yield event
        if subqueries and self._options.subqueries:
            yield TextDelta(so_far.below(_list_steps(subqueries)))
        cut.raise_if_cut()

    def _describe(self) -> dict[str, str | int]:
        return {"graphs": ", ".join(self._graphs) or len(self._options.graph_ids)}

    async def _request(self, question: str, stack: contextlib.AsyncExitStack) -> ProviderResponse:
        return await self._client.ask(question, stack)


def _list_steps(subqueries: Sequence[Subquery]) -> str:
    """Markdown with one line for each subquery and its answer, whose markers are not changed."""
    return "\n".join((f"**{say(Sentence.STEPS)}**\n", *map(_list_step, subqueries)))


def _list_step(subquery: Subquery) -> str:
    # The line has no line breaks, so that no block of an answer leaves its list item.
    question, answer = (" ".join(text.split()) for text in (subquery.question, subquery.answer))
    return f"- {escape_text(question)} {answer}".rstrip()
