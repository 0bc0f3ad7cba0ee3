"""LlamaIndex's engines, each asked in its own way: here ``llama_index`` and ``workflows`` are met."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from typing import Any, Protocol

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import AsyncStreamingResponse, StreamingResponse
from llama_index.core.chat_engine.types import BaseChatEngine
from llama_index.core.indices.base import BaseIndex
from llama_index.core.schema import MetadataMode, NodeWithScore
from workflows import Workflow

from citations import Cut

from .finish import note_finish

Nodes = Sequence[NodeWithScore]
Told = Nodes | str | Cut
"""The numbered sources, a piece of the text, or behind it why it is not complete."""


class LlamaIndexEngine(Protocol):
    """What answers or finds."""

    @property
    def name(self) -> str:
        """What LlamaIndex calls it."""

    @property
    def retrieves(self) -> bool:
        """Whether it only finds passages, so that somebody else has to put them into words."""

    @property
    def finds_first(self) -> bool:
        """Whether it tells all its sources at once, before the text."""

    def ask(self, question: str) -> AsyncGenerator[Told, None]:
        """Ask it: the numbered sources, then the text in pieces. Closing the generator hangs up."""
        ...


def is_engine(found: object) -> bool:
    """Whether this is an engine, and not something that makes one."""
    kinds = (BaseQueryEngine, BaseRetriever, BaseChatEngine, BaseIndex, Workflow)
    return isinstance(found, kinds)


def adapt(made: object) -> LlamaIndexEngine:
    """The engine for an object of LlamaIndex's; raises ``TypeError`` with a line that says what is wrong."""
    match made:
        case BaseQueryEngine():
            return QueryEngine(made)
        case BaseRetriever():
            return Retriever(made)
        case Workflow():
            return WorkflowEngine(made)
        case BaseChatEngine():
            # Its memory is one for all: what one person said would be told to another.
            raise TypeError("a chat engine remembers what everybody said; return its query engine")
        case BaseIndex():
            raise TypeError("an index can't be asked; return index.as_retriever() or a query engine over it")
    kind = type(made).__name__
    raise TypeError(f"expected a query engine, a retriever or a workflow, got {kind}")


def as_json(node: NodeWithScore) -> dict[str, Any]:
    """A node as ``to_dict()`` writes it, with no more than what a reference is made of."""
    inner, document = node.node, node.node.source_node
    described = {
        "id_": inner.node_id,
        "ref_doc_id": document.node_id if document else None,
        "text": inner.get_content(metadata_mode=MetadataMode.NONE),
        "metadata": inner.metadata,
    }
    return {"node": described, "score": node.score}


class QueryEngine:
    """A query engine: whole responses, and those that are streamed in either of two ways."""

    retrieves = False
    finds_first = True

    def __init__(self, engine: BaseQueryEngine) -> None:
        self.name = type(engine).__name__
        self._engine = engine
        self._blocks = False

    async def ask(self, question: str) -> AsyncGenerator[Told, None]:
        """The sources, then the text."""
        finish = note_finish()
        async with contextlib.aclosing(_events_of(await self._response(question))) as pieces:
            async for piece in pieces:
                yield piece
        if finish.cut:
            yield finish.cut

    async def _response(self, question: str) -> object:
        if not self._blocks:
            try:
                return await self._engine.aquery(question)
            except Exception as error:
                if not _wants_a_thread(error):
                    raise
                self._blocks = True
        return await asyncio.to_thread(self._engine.query, question)


class Retriever:
    """A retriever: passages, and no text."""

    retrieves = True
    finds_first = True

    def __init__(self, retriever: BaseRetriever) -> None:
        self.name = type(retriever).__name__
        self._retriever = retriever
        # The base class' own way to be asynchronous is to block.
        self._blocks = type(retriever)._aretrieve is BaseRetriever._aretrieve

    async def ask(self, question: str) -> AsyncGenerator[Told, None]:
        """The passages that it finds."""
        yield _drop_unscored(await self._retrieve(question))

    async def _retrieve(self, question: str) -> list[NodeWithScore]:
        if not self._blocks:
            try:
                return await self._retriever.aretrieve(question)
            except Exception as error:
                if not _wants_a_thread(error):
                    raise
                self._blocks = True
        return await asyncio.to_thread(self._retriever.retrieve, question)


class WorkflowEngine:
    """A workflow that is run with ``query``.

    Of the events that it streams, ``source_nodes`` are the numbered sources and ``delta`` is the next
    piece of the text. What it returns in the end is a response, a ``dict`` with ``response`` and
    ``source_nodes``, or the text; what was streamed isn't told twice.
    """

    retrieves = False
    finds_first = False

    def __init__(self, workflow: Workflow) -> None:
        self.name = type(workflow).__name__
        self._workflow = workflow

    async def ask(self, question: str) -> AsyncGenerator[Told, None]:
        """The sources and the text, in the order in which it tells them."""
        finish = note_finish()
        run = self._workflow.run(query=question)
        found = spoken = ended = False
        try:
            async for event in run.stream_events():
                if nodes := getattr(event, "source_nodes", None):
                    found = True
                    yield nodes
                if delta := getattr(event, "delta", None):
                    spoken = True
                    yield str(delta)
            response = await run
            ended = True
            async with contextlib.aclosing(_events_of(response)) as pieces:
                async for piece in pieces:
                    if not (spoken if isinstance(piece, str) else found):
                        yield piece
            if finish.cut:
                yield finish.cut
        finally:
            if not ended:
                await run.cancel_run()


async def _events_of(response: Any) -> AsyncGenerator[Nodes | str, None]:
    """The sources of a response, then its text."""
    if isinstance(response, dict):
        nodes, text = response.get("source_nodes"), response.get("response")
    else:
        nodes, text = getattr(response, "source_nodes", None), getattr(response, "response", response)
    if nodes:
        yield nodes
    if isinstance(response, AsyncStreamingResponse):
        async with _close_after(response.response_gen) as tokens:
            async for token in tokens:
                yield token
    elif isinstance(response, StreamingResponse):
        async for token in _in_a_thread(response.response_gen):
            yield token
    elif text is not None:
        yield str(text)


@contextlib.asynccontextmanager
async def _close_after(tokens: Any) -> AsyncIterator[AsyncIterator[str]]:
    try:
        yield tokens
    finally:
        if aclose := getattr(tokens, "aclose", None):
            await aclose()


async def _in_a_thread(tokens: Iterator[str]) -> AsyncGenerator[str, None]:
    while (token := await asyncio.to_thread(next, tokens, None)) is not None:
        yield token


def _drop_unscored(nodes: list[NodeWithScore]) -> list[NodeWithScore]:
    """Without those at the end whose score is 0: BM25 fills up with what has no word of the question."""
    while nodes and nodes[-1].score == 0:
        nodes = nodes[:-1]
    return nodes


def _wants_a_thread(error: Exception) -> bool:
    """Whether a store has no asynchronous client; each says so in its own way."""
    kinds = (ValueError, RuntimeError, AttributeError, TypeError)
    return isinstance(error, NotImplementedError) or (
        isinstance(error, kinds) and "async" in str(error).casefold()
    )
