"""Answers from Writer's Knowledge Graphs, asked through Writer's API.

Governing source: the Writer API's reference, "Question", "Chat completion", "Retrieve a Knowledge Graph" and
"Retrieve a file".
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, Final

from citations import AnswerEvent, AnswerFormatError, Dialect, TextDelta
from citations.markdown import escape_text
from citations.markers import AnswerSoFar
from citations.model import SubqueriesKnown, Subquery
from citations.readers import FORMATS

from ..config.answer_sources import WriterOptions
from ..languages import Sentence, say
from .errors import CutLater, SourceError
from .provider import ProviderClient, ProviderResponse
from .searching_source import SearchingSource

_FIRST_LOOK: Final = 5.0
"""The timeout in seconds for the checks at the start of the bot."""
_PATIENCE: Final = 3.0
"""The timeout in seconds for all names together: it is short, because the answer's text is there."""
_KEPT: Final = 1000
_FILE_ID: Final = re.compile(r"[\w-]{1,100}", re.ASCII)
_TOOL: Final = "The documents from which this question has to be answered"


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


class WriterClient(ProviderClient):
    """Asks Writer's API. Every method makes one request, and raises a ``SourceError`` if that fails."""

    def __init__(self, options: WriterOptions) -> None:
        super().__init__(options.base_url, options.api_key)
        self._options = options

    async def ask(self, question: str, stack: contextlib.AsyncExitStack) -> ProviderResponse:
        """The response to a question, once its status is known; ``stack`` closes it.

        A chat model gets the graphs as its only tool. Without one, the graphs are asked directly.
        """
        options = self._options
        graphs: dict[str, Any] = {
            "graph_ids": list(options.graph_ids),
            "subqueries": options.subqueries,
            "query_config": dict(options.query_config),
        }
        if not options.model:
            body = {"question": question, "stream": options.stream, **graphs}
            return await self.request("POST", "/v1/graphs/question", stack, body)
        body = {
            "model": options.model,
            "messages": [{"role": "user", "content": question}],
            "stream": options.stream,
            "tools": [{"type": "graph", "function": {"description": _TOOL, **graphs}}],
            "tool_choice": "auto",
        }
        return await self.request("POST", "/v1/chat", stack, body)

    async def graph_name(self, graph_id: str) -> str:
        """The name of a Knowledge Graph."""
        return await self._read_name(f"/v1/graphs/{graph_id}")

    async def file_name(self, file_id: str) -> str:
        """The name of a file in Writer; empty for a malformed id."""
        return await self._read_name(f"/v1/files/{file_id}") if _FILE_ID.fullmatch(file_id) else ""

    async def _read_name(self, path: str) -> str:
        """The name in a response. Raises :class:`AnswerFormatError` if there is none."""
        name = (await self.fetch("GET", path)).get("name")
        if isinstance(name, str):
            return name
        raise AnswerFormatError("expected a name, got none", "$.name")


class FileNames:
    """Looks up the names of files that an answer does not cite, and caches the last 1,000 of them."""

    def __init__(self, look_up: Callable[[str], Awaitable[str]], *, patience: float = _PATIENCE) -> None:
        self._look_up = look_up
        self._patience = patience
        self._names: dict[str, str] = {}

    async def of(self, ids: Collection[str]) -> Mapping[str, str]:
        """The names of ``ids``, except those whose look-up fails or times out."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._patience), asyncio.TaskGroup() as group:
                for one in ids:
                    if one not in self._names:
                        group.create_task(self._learn(one))
        return {one: name for one in ids if (name := self._names.get(one))}

    async def _learn(self, one: str) -> None:
        with contextlib.suppress(SourceError, AnswerFormatError):
            name = await self._look_up(one)
            if len(self._names) >= _KEPT:
                del self._names[next(iter(self._names))]
            self._names[one] = name


def _list_steps(subqueries: Sequence[Subquery]) -> str:
    """Markdown with one line for each subquery and its answer, whose markers are not changed."""
    return "\n".join((f"**{say(Sentence.STEPS)}**\n", *map(_list_step, subqueries)))


def _list_step(subquery: Subquery) -> str:
    # The line has no line breaks, so that no block of an answer leaves its list item.
    question, answer = (" ".join(text.split()) for text in (subquery.question, subquery.answer))
    return f"- {escape_text(question)} {answer}".rstrip()
