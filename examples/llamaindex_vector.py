"""The same on a vector engine: ``LLAMAINDEX_ENGINE=examples.llamaindex_vector:engine``.

``VECTOR_STORE_URI`` is a file, which Milvus Lite keeps, or the URL of a Milvus cluster, with the same code.
Another engine is another ``store``. ``OPENAI_EMBEDDING_MODEL`` names the embedding, behind
``OPENAI_BASE_URL`` as the model.
"""

from __future__ import annotations

import os

from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.query_engine import CitationQueryEngine
from llama_index.embeddings.openai_like import OpenAILikeEmbedding
from llama_index.vector_stores.milvus import MilvusVectorStore

from .llamaindex_bm25 import model, passages


def engine() -> BaseQueryEngine | BaseRetriever:
    """A query engine that cites; a retriever where no model is named."""
    found = index()
    if "OPENAI_MODEL" not in os.environ:
        return found.as_retriever(similarity_top_k=6)
    return CitationQueryEngine.from_args(
        found,
        llm=model(),
        similarity_top_k=6,
        citation_chunk_size=512,
        citation_chunk_overlap=20,
        streaming=True,
    )


def index() -> VectorStoreIndex:
    """The passages in their store; they are embedded once, when it is still empty."""
    embedding = OpenAILikeEmbedding(
        model_name=os.environ.get("OPENAI_EMBEDDING_MODEL", "text-embedding-3-small"),
        api_base=os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1"),
        api_key=os.environ.get("OPENAI_API_KEY", "none"),
        max_retries=0,  # the bot asks again where that may help
    )
    store = MilvusVectorStore(
        uri=os.environ.get("VECTOR_STORE_URI", "milvus.db"),
        token=os.environ.get("VECTOR_STORE_TOKEN", ""),
        collection_name="documents",
        dim=len(embedding.get_text_embedding("How long is a vector?")),
        similarity_metric="COSINE",
    )
    if store.client.get_collection_stats("documents")["row_count"]:
        return VectorStoreIndex.from_vector_store(store, embed_model=embedding)
    kept = StorageContext.from_defaults(vector_store=store)
    return VectorStoreIndex(passages(), storage_context=kept, embed_model=embedding)
