"""Adapters that ask each kind of LlamaIndex engine in its own way."""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from typing import Any, Final

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import AsyncStreamingResponse, StreamingResponse
from llama_index.core.chat_engine.types import BaseChatEngine
from llama_index.core.indices.base import BaseIndex
from llama_index.core.instrumentation import root_dispatcher  # type: ignore[attr-defined] # its documented place
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.events import BaseEvent
from llama_index.core.instrumentation.events.llm import LLMChatStartEvent, LLMCompletionStartEvent
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle
from llama_index.core.vector_stores.types import FilterOperator, MetadataFilter, MetadataFilters
from workflows import Workflow

from citations import Cut
from citations.readers import finish_reason_of

Node = NodeWithScore
Nodes = Sequence[Node]
EngineItem = Nodes | str | Cut
"""The numbered sources, a chunk of the text, or after the text the reason why it is incomplete."""
NodeTest = Callable[[Node], bool]
"""Whether a passage may be used for the person who asks."""
_STEPS: Final = ("retrieve", "aretrieve", "synthesize", "asynthesize")
"""The methods of a query engine that retrieves passages in one step, and writes in another."""


class LlamaIndexEngine(ABC):
    """An engine that answers questions, or finds passages for them. ``name`` is that of its class."""

    retrieves = False
    """Whether the engine only finds passages, and writes no text."""
    finds_first = True
    """Whether the engine gives all its sources at once, before the text."""
    filters = True
    """Whether passages can be dropped before the engine's model reads them."""

    def __init__(self, engine: Any, *, blocks: bool = False) -> None:
        self.name = type(engine).__name__
        self._engine = engine
        self._blocks = blocks

    @abstractmethod
    def ask(self, question: str, allows: NodeTest | None = None) -> AsyncGenerator[EngineItem, None]:
        """Stream the numbered sources, then the text in chunks. Closing the generator cancels the request.

        If the engine ``filters``, it uses only the passages that ``allows`` accepts.
        """

    async def _call(self, begin: Callable[[], Awaitable[Any]], block: Callable[[], Any]) -> Any:
        """What ``begin`` gives, or ``block`` in a thread where a store has no asynchronous client."""
        if not self._blocks:
            try:
                return await begin()
            except Exception as error:
                if not _wants_a_thread(error):
                    raise
                self._blocks = True
        return await asyncio.to_thread(block)


def is_engine(found: object) -> bool:
    """Whether this is an engine itself, and not a function that makes one."""
    kinds = (BaseQueryEngine, BaseRetriever, BaseChatEngine, BaseIndex, Workflow)
    return isinstance(found, kinds)


def adapt(made: object) -> LlamaIndexEngine:
    """The adapter for an object of LlamaIndex. Raises ``TypeError`` with the reason if it has none."""
    match made:
        case BaseQueryEngine():
            return QueryEngine(made)
        case BaseRetriever():
            return Retriever(made)
        case Workflow():
            return WorkflowEngine(made)
        case BaseChatEngine():
            # A chat engine has one memory, so it would show one person's messages to another person.
            raise TypeError("a chat engine remembers what everybody said; return its query engine")
        case BaseIndex():
            raise TypeError("an index can't be asked; return index.as_retriever() or a query engine over it")
    kind = type(made).__name__
    raise TypeError(f"expected a query engine, a retriever or a workflow, got {kind}")


def write_filters(fields: Iterable[tuple[str, Iterable[str]]]) -> MetadataFilters:
    """The filters by which a store finds only passages with one of the values in each of these fields."""
    written = [
        MetadataFilter(key=field, value=sorted(values), operator=FilterOperator.IN)
        for field, values in sorted(fields, key=lambda one: one[0])
    ]
    return MetadataFilters(filters=list(written))


def as_json(node: NodeWithScore) -> dict[str, Any]:
    """A node in the form of ``to_dict()``, with only the fields that a reference needs."""
    inner, document = node.node, node.node.source_node
    described = {
        "id_": inner.node_id,
        "ref_doc_id": document.node_id if document else None,
        "text": inner.get_content(metadata_mode=MetadataMode.NONE),
        "metadata": inner.metadata,
    }
    return {"node": described, "score": node.score}


class QueryEngine(LlamaIndexEngine):
    """A query engine: its response is whole, or it is an asynchronous or a blocking stream."""

    def __init__(self, engine: BaseQueryEngine) -> None:
        super().__init__(engine)
        self.filters = all(
            getattr(type(engine), step, None) is not getattr(BaseQueryEngine, step, None) for step in _STEPS
        )

    async def ask(self, question: str, allows: NodeTest | None = None) -> AsyncGenerator[EngineItem, None]:
        """The sources, then the text."""
        finish = note_finish()
        response = await self._respond(question, allows if self.filters else None)
        async with contextlib.aclosing(_events_of(response)) as pieces:
            async for piece in pieces:
                yield piece
        if finish.cut:
            yield finish.cut

    async def _respond(self, question: str, allows: NodeTest | None) -> object:
        engine, asked = self._engine, QueryBundle(question)
        if allows is None:
            return await self._call(lambda: engine.aquery(question), lambda: engine.query(question))

        async def begin() -> object:
            nodes = await engine.aretrieve(asked)
            return await engine.asynthesize(asked, list(filter(allows, nodes)))

        def block() -> object:
            return engine.synthesize(asked, list(filter(allows, engine.retrieve(asked))))

        return await self._call(begin, block)


class Retriever(LlamaIndexEngine):
    """A retriever: it finds passages, and writes no text."""

    retrieves = True

    def __init__(self, retriever: BaseRetriever) -> None:
        # The method of the base class blocks, although it is asynchronous.
        super().__init__(retriever, blocks=type(retriever)._aretrieve is BaseRetriever._aretrieve)

    async def ask(self, question: str, allows: NodeTest | None = None) -> AsyncGenerator[EngineItem, None]:
        """The passages that the retriever finds."""
        retriever = self._engine
        found = await self._call(lambda: retriever.aretrieve(question), lambda: retriever.retrieve(question))
        nodes = _drop_unscored(found)
        yield nodes if allows is None else list(filter(allows, nodes))


class WorkflowEngine(LlamaIndexEngine):
    """A workflow that is run with the keyword ``query``.

    In its stream, ``source_nodes`` of an event are the numbered sources and ``delta`` is the next chunk
    of the text. Its result is a response, a ``dict`` with ``response`` and ``source_nodes``, or the text.
    The sources of the result are dropped if sources were streamed, and its text if text was.
    """

    finds_first = False
    filters = False

    async def ask(self, question: str, allows: NodeTest | None = None) -> AsyncGenerator[EngineItem, None]:  # noqa: ARG002
        """The sources and the text, in the order in which the workflow gives them."""
        finish = note_finish()
        run = self._engine.run(query=question)
        has_sources = has_text = ended = False
        try:
            async for event in run.stream_events():
                if nodes := getattr(event, "source_nodes", None):
                    has_sources = True
                    yield nodes
                if delta := getattr(event, "delta", None):
                    has_text = True
                    yield str(delta)
            response = await run
            ended = True
            async with contextlib.aclosing(_events_of(response)) as pieces:
                async for piece in pieces:
                    if not (has_text if isinstance(piece, str) else has_sources):
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
        tokens = response.response_gen
        try:
            async for token in tokens:
                yield token
        finally:
            if aclose := getattr(tokens, "aclose", None):
                await aclose()
    elif isinstance(response, StreamingResponse):
        async for token in _in_a_thread(response.response_gen):
            yield token
    elif text is not None:
        yield str(text)


async def _in_a_thread(tokens: Iterator[str]) -> AsyncGenerator[str, None]:
    while (token := await asyncio.to_thread(next, tokens, None)) is not None:
        yield token


def _drop_unscored(nodes: list[NodeWithScore]) -> list[NodeWithScore]:
    """The nodes without those at the end that score 0: BM25 adds nodes that have no word of the question."""
    while nodes and nodes[-1].score == 0:
        nodes = nodes[:-1]
    return nodes


def _wants_a_thread(error: Exception) -> bool:
    """Whether the error means that a store has no asynchronous client; each store raises another one."""
    kinds = (ValueError, RuntimeError, AttributeError, TypeError)
    return isinstance(error, NotImplementedError) or (
        isinstance(error, kinds) and "async" in str(error).casefold()
    )


class FinishRecord:
    """Why the last model of one question finished: the last one writes the answer.

    A response of LlamaIndex does not have the reason, but its instrumentation does: each event of a model
    has the response of the model's server in ``raw``.
    """

    def __init__(self) -> None:
        self.reason: str | None = None

    @property
    def cut(self) -> Cut | None:
        """Why the answer is not complete; None for a complete one."""
        return Cut.of(self.reason)


_NOTED: Final[ContextVar[FinishRecord | None]] = ContextVar("finish", default=None)


def note_finish() -> FinishRecord:
    """Start a record for this task, for the tasks that it starts, and for the threads that it uses."""
    if not any(isinstance(one, _FinishListener) for one in root_dispatcher.event_handlers):
        root_dispatcher.add_event_handler(_FinishListener())
    finish = FinishRecord()
    _NOTED.set(finish)
    return finish


class _FinishListener(BaseEventHandler):
    """Receives the events of all models that LlamaIndex asks, for every question."""

    @classmethod
    def class_name(cls) -> str:
        """The name of this class for LlamaIndex."""
        return "FinishListener"

    def handle(self, event: BaseEvent, **_: Any) -> None:
        """Record the reason that this event contains."""
        finish = _NOTED.get()
        if finish is None:
            return
        if isinstance(event, LLMChatStartEvent | LLMCompletionStartEvent):
            finish.reason = None
        raw = getattr(getattr(event, "response", None), "raw", None)
        finish.reason = finish_reason_of(raw) or finish.reason
