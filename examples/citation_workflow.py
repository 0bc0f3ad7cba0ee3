"""LlamaIndex' workflow that cites: ``LLAMAINDEX_ENGINE=examples.citation_workflow:workflow``.

It is the one of LlamaIndex' documentation, "Build RAG with in-line citations", for ``workflows`` 2: each
source is a node of its own, it says what it found before the model writes, and then streams. It needs
``OPENAI_MODEL``.
"""

from __future__ import annotations

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import AsyncStreamingResponse
from llama_index.core.llms import LLM
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.query_engine.citation_query_engine import (
    CITATION_QA_TEMPLATE,
    CITATION_REFINE_TEMPLATE,
    DEFAULT_CITATION_CHUNK_OVERLAP,
    DEFAULT_CITATION_CHUNK_SIZE,
)
from llama_index.core.response_synthesizers import ResponseMode, get_response_synthesizer
from llama_index.core.schema import MetadataMode, NodeWithScore, TextNode
from workflows import Context, Workflow, step
from workflows.events import Event, StartEvent, StopEvent

from .llamaindex_bm25 import model, retriever


class Asked(StartEvent):
    """A question; without one the run fails at once."""

    query: str


class Found(Event):
    """What was retrieved for it."""

    query: str
    nodes: list[NodeWithScore]


class Numbered(Event):
    """The sources as the model is shown them; the bot reads ``source_nodes``."""

    query: str
    source_nodes: list[NodeWithScore]


class Written(Event):
    """The next piece of the answer; the bot reads ``delta``."""

    delta: str


class CitationWorkflow(Workflow):
    """Retrieve, number, write."""

    def __init__(self, retriever: BaseRetriever, llm: LLM) -> None:
        super().__init__(timeout=170)  # the bot waits for 180 s
        self._retriever = retriever
        self._llm = llm

    @step
    async def retrieve(self, asked: Asked) -> Found:
        """What may answer the question; BM25 fills up with what has no word of it, at score 0."""
        nodes = await self._retriever.aretrieve(asked.query)
        return Found(query=asked.query, nodes=[node for node in nodes if node.score != 0])

    @step
    async def number(self, context: Context, found: Found) -> Numbered:
        """Each retrieved node cut into sources that are small enough to be cited."""
        splitter = SentenceSplitter(
            chunk_size=DEFAULT_CITATION_CHUNK_SIZE, chunk_overlap=DEFAULT_CITATION_CHUNK_OVERLAP
        )
        chunks = [
            (node, chunk)
            for node in found.nodes
            for chunk in splitter.split_text(node.node.get_content(metadata_mode=MetadataMode.NONE))
        ]
        # A new node for each: nodes that are changed in place would all show the last chunk.
        sources = [
            NodeWithScore(
                node=TextNode(
                    text=f"Source {number}:\n{chunk}\n",
                    metadata=dict(node.node.metadata),
                    excluded_llm_metadata_keys=list(node.node.metadata),
                ),
                score=node.score,
            )
            for number, (node, chunk) in enumerate(chunks, 1)
        ]
        numbered = Numbered(query=found.query, source_nodes=sources)
        context.write_event_to_stream(numbered)
        return numbered

    @step
    async def write(self, context: Context, numbered: Numbered) -> StopEvent:
        """The model's answer, piece by piece."""
        synthesizer = get_response_synthesizer(
            llm=self._llm,
            text_qa_template=CITATION_QA_TEMPLATE,
            refine_template=CITATION_REFINE_TEMPLATE,
            response_mode=ResponseMode.COMPACT,
            streaming=True,
            use_async=True,
        )
        response = await synthesizer.asynthesize(numbered.query, nodes=numbered.source_nodes)
        assert isinstance(response, AsyncStreamingResponse)  # noqa: S101 - as `streaming` says
        async for delta in response.async_response_gen():
            context.write_event_to_stream(Written(delta=delta))
        return StopEvent(result=response)


def workflow() -> CitationWorkflow:
    """Over the same folder as ``examples.llamaindex_bm25``."""
    return CitationWorkflow(retriever(), model())
