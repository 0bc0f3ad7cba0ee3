"""LlamaIndex over a folder, without an embedding: ``LLAMAINDEX_ENGINE=examples.llamaindex_bm25:engine``.

With ``OPENAI_MODEL`` a model answers, and without one the passages are quoted; nothing else is needed, no
key and no internet. ``DOCS_DIR`` is the folder (Markdown, text and PDF), else the bot's samples.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import bm25s
import openai.resources.chat  # noqa: F401 - its client would import it while the first question waits
from llama_index.core import SimpleDirectoryReader
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.postprocessor import SimilarityPostprocessor
from llama_index.core.query_engine import CitationQueryEngine
from llama_index.core.schema import BaseNode, MetadataMode, NodeWithScore, QueryBundle
from llama_index.llms.openai_like import OpenAILike

SAMPLES: Final = Path(__file__).parents[1] / "bot" / "samples"


class WordRetriever(BaseRetriever):
    """The ``top`` passages, by the words that they share with the question (BM25).

    LlamaIndex' own package for it needs a stemmer that has no wheel for Python 3.14.
    """

    def __init__(self, nodes: Sequence[BaseNode], top: int = 6) -> None:
        super().__init__()
        logging.getLogger("bm25s").setLevel(logging.WARNING)  # it sets DEBUG on import
        self._nodes = nodes
        self._top = min(top, len(nodes))
        self._index = bm25s.BM25()
        texts = [node.get_content(MetadataMode.EMBED) for node in nodes]
        self._index.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        asked = bm25s.tokenize(query_bundle.query_str, show_progress=False)
        (places,), (scores,) = self._index.retrieve(asked, k=self._top, show_progress=False)
        found = zip(places.tolist(), scores.tolist(), strict=True)
        return [NodeWithScore(node=self._nodes[place], score=score) for place, score in found]


def engine() -> BaseQueryEngine | BaseRetriever:
    """A query engine that cites; the retriever below it where no model is named."""
    if "OPENAI_MODEL" not in os.environ:
        return retriever()
    return CitationQueryEngine.from_args(
        None,  # type: ignore[arg-type]  # with a retriever no index is asked
        llm=model(),
        retriever=retriever(),
        # BM25 fills up with passages that have no word of the question.
        node_postprocessors=[SimilarityPostprocessor(similarity_cutoff=1e-9)],
        citation_chunk_size=512,
        citation_chunk_overlap=20,
        streaming=True,
    )


def retriever() -> WordRetriever:
    """A retriever of the folder's passages."""
    return WordRetriever(passages())


def passages() -> list[BaseNode]:
    """The documents in passages of about a page."""
    folder = os.environ.get("DOCS_DIR", str(SAMPLES))
    documents = SimpleDirectoryReader(
        folder, recursive=True, required_exts=[".md", ".txt", ".pdf"]
    ).load_data()
    for document in documents:
        # A model that is shown where a file lies may repeat it.
        document.excluded_llm_metadata_keys.append("file_path")
        document.excluded_embed_metadata_keys.append("file_path")
    return SentenceSplitter(chunk_size=512, chunk_overlap=20).get_nodes_from_documents(documents)


def model() -> OpenAILike:
    """The model that the bot's own variables name."""
    return OpenAILike(
        model=os.environ["OPENAI_MODEL"],
        api_base=os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1"),
        api_key=os.environ.get("OPENAI_API_KEY", "none"),
        is_chat_model=True,  # it would ask /completions
        context_window=32_000,  # it would assume 3,900 tokens
        max_retries=0,  # the bot asks again where that may help
        timeout=60,
    )
