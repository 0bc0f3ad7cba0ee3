"""Real engines of LlamaIndex's for tests, over a few passages and a server of OpenAI's API."""

from __future__ import annotations

import os
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.llms import LLM
from llama_index.core.query_engine import CitationQueryEngine
from llama_index.core.schema import TextNode

from bot.config.answer_sources import LlamaIndexOptions
from bot.sources.llamaindex.source import LlamaIndexSource

from ..model_server import KEY

FOLDER = "/home/canary/secret-folder"
HOTEL = TextNode(
    text="A hotel in Berlin may cost 140 € a night.",
    metadata={"file_path": f"{FOLDER}/travel.pdf", "file_name": "travel.pdf", "page_label": "3"},
)
TRAIN = TextNode(
    text=f"A train is booked in first class from four hours on. See {FOLDER}/travel.pdf for a hotel.",
    metadata={"file_path": f"{FOLDER}/sub/trains.md", "file_name": f"{FOLDER}/sub/trains.md"},
)
PAGE = TextNode(
    text="Breakfast is part of a hotel's price.",
    metadata={"url": "https://intranet.example.com/hotels", "title": "Hotels"},
)
OPTIONS = LlamaIndexOptions.model_construct(engine="engines:engine")


def completion(text: str, finish: str | None = "stop") -> dict[str, Any]:
    """A whole chat completion, as OpenAI's client wants it."""
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "finish_reason": finish, "message": message}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def retriever(*nodes: TextNode, top: int = 3) -> BaseRetriever:
    from examples.llamaindex_bm25 import WordRetriever

    return WordRetriever(nodes or (HOTEL, TRAIN, PAGE), top)


def model(url: str, **more: Any) -> LLM:
    # Most processes of the suite collect this and never ask.
    import openai.resources.chat  # noqa: F401 - else the first question waits for it
    from llama_index.llms.openai_like import OpenAILike

    settings = {"context_window": 32_000, "max_retries": 0, "timeout": 60} | more
    return OpenAILike(model="m", api_base=f"{url}/v1", api_key=KEY, is_chat_model=True, **settings)


def query_engine(url: str, *nodes: TextNode, streaming: bool = True, **more: Any) -> CitationQueryEngine:
    return CitationQueryEngine.from_args(
        None,  # type: ignore[arg-type] # with a retriever no index is asked
        llm=model(url, **more),
        retriever=retriever(*nodes),
        streaming=streaming,
    )


def asking(engine: object, **more: Any) -> LlamaIndexSource:
    return LlamaIndexSource(engine, OPTIONS, **more)


def qdrant() -> CitationQueryEngine:
    """`examples.llamaindex_vector` with Qdrant for a store."""
    from llama_index.core import StorageContext, VectorStoreIndex
    from llama_index.embeddings.openai_like import OpenAILikeEmbedding
    from llama_index.vector_stores.qdrant import QdrantVectorStore
    from qdrant_client import QdrantClient

    from examples.llamaindex_bm25 import model, passages

    embedding = OpenAILikeEmbedding(
        model_name="e", api_base=os.environ["OPENAI_BASE_URL"], api_key="k", max_retries=0
    )
    store = QdrantVectorStore("documents", client=QdrantClient(path=os.environ["VECTOR_STORE_URI"]))
    kept = StorageContext.from_defaults(vector_store=store)
    index = VectorStoreIndex(passages(), storage_context=kept, embed_model=embedding)
    return CitationQueryEngine.from_args(index, llm=model(), similarity_top_k=6, streaming=True)
