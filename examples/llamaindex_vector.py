"""A folder in a vector store: ``LLAMAINDEX_ENGINE=examples.llamaindex_vector:engine``.

``VECTOR_STORE_URI`` is a file, which Milvus Lite keeps, or the URL of a server: ``http://…`` of a Milvus
cluster, ``postgresql://…`` of PostgreSQL with pgvector, ``chroma://host:port`` of Chroma's server. Another
store is another function. ``OPENAI_EMBEDDING_MODEL`` names the embedding, behind ``OPENAI_BASE_URL`` as the
model; without it, the model that is installed with the bot embeds, without key or internet.

``python -m examples.llamaindex_vector --docs FOLDER`` embeds what has changed in a folder, and removes what
was deleted there; with ``--watch`` it goes on. The bot itself fills a store only when it is empty.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import math
import os
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.vector_stores.types import BasePydanticVectorStore
from llama_index.embeddings.openai_like import OpenAILikeEmbedding

from bot.sources.llamaindex.store import DocumentStore, EmbedderEmbedding, StoreUpdate
from bot.sources.local_embedder import LocalEmbedder
from bot.telemetry.log import configure_logging

from .llamaindex_bm25 import SAMPLES

TABLE = "documents"


def engine() -> DocumentStore:
    """The store with the documents of ``DOCS_DIR``. They are embedded here only if it is empty."""
    store = document_store()
    if not store.list_files():
        sort_new_words(store)
        StoreUpdate(store, Path(os.environ.get("DOCS_DIR", SAMPLES))).run()
    return store


def document_store() -> DocumentStore:
    """The store that ``VECTOR_STORE_URI`` names, open."""
    uri = os.environ.get("VECTOR_STORE_URI", "milvus.db")
    parts = urlsplit(uri)
    # A URL may hold a password, so only its host gets into the log.
    place = parts.netloc.rpartition("@")[2] or parts.path if parts.scheme else uri
    match parts.scheme:
        case "postgresql":
            return DocumentStore(
                lambda size: postgres(uri, size),
                embedding(),
                place=f"PostgreSQL at {place}, table data_{TABLE}",
                words=True,
            )
        case "chroma":
            return DocumentStore(
                lambda _: chroma(parts.hostname or "localhost", parts.port or 8000),
                embedding(),
                place=f"Chroma at {place}, collection {TABLE}",
                read_cosine=lambda similarity: 1 + math.log(similarity),
            )
        case _:
            return DocumentStore(
                lambda size: milvus(uri, size), embedding(), place=f"Milvus at {place}, collection {TABLE}"
            )


def embedding() -> BaseEmbedding:
    """The embedding that the bot's own variables name, else the one that is installed with the bot."""
    if "OPENAI_EMBEDDING_MODEL" not in os.environ:
        return EmbedderEmbedding(LocalEmbedder())
    return OpenAILikeEmbedding(
        model_name=os.environ["OPENAI_EMBEDDING_MODEL"],
        api_base=os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1"),
        api_key=os.environ.get("OPENAI_API_KEY", "none"),
        embed_batch_size=64,
        max_retries=0,  # the bot asks again where that may help
        timeout=60,
    )


def milvus(uri: str, size: int) -> BasePydanticVectorStore:
    """Milvus, in a file or as a server."""
    from llama_index.vector_stores.milvus import MilvusVectorStore  # noqa: PLC0415 - each store is a package

    # The server in Milvus Lite lacks a method that its client can do without, and logs a traceback.
    logging.getLogger("grpc._server").setLevel(logging.CRITICAL)
    store = MilvusVectorStore(
        uri=uri,
        token=os.environ.get("VECTOR_STORE_TOKEN", ""),
        collection_name=TABLE,
        dim=size,
        similarity_metric="COSINE",
    )
    store.client.load_collection(TABLE)  # Milvus Lite has not loaded what an earlier process stored
    return store


def chroma(host: str, port: int) -> BasePydanticVectorStore:
    """Chroma's server."""
    import chromadb  # noqa: PLC0415
    from llama_index.vector_stores.chroma import ChromaVectorStore  # noqa: PLC0415

    client = chromadb.HttpClient(host=host, port=port)
    collection = client.get_or_create_collection(
        TABLE,
        configuration={"hnsw": {"space": "cosine"}},
        embedding_function=None,  # its own would be downloaded
    )
    store: BasePydanticVectorStore = ChromaVectorStore(chroma_collection=collection)
    return store


def postgres(uri: str, size: int) -> BasePydanticVectorStore:
    """PostgreSQL with pgvector, which finds by meaning and by words."""
    from llama_index.vector_stores.postgres import PGVectorStore  # noqa: PLC0415
    from sqlalchemy import create_engine  # noqa: PLC0415
    from sqlalchemy.ext.asyncio import create_async_engine  # noqa: PLC0415

    settings = {
        # Without this, an index of vectors is searched first, and what a person may not see is dropped then.
        "hnsw.iterative_scan": "strict_order",
        "statement_timeout": "30s",
    }
    options = " ".join(f"-c {name}={value}" for name, value in settings.items())
    rest = urlunsplit(urlsplit(uri)._replace(scheme=""))
    store: BasePydanticVectorStore = PGVectorStore(
        engine=create_engine(
            f"postgresql+psycopg2:{rest}",
            connect_args={"options": options, "connect_timeout": 10},
            pool_pre_ping=True,  # the server may have been started again
        ),
        async_engine=create_async_engine(f"postgresql+asyncpg:{rest}"),  # the bot doesn't use it
        table_name=TABLE,
        embed_dim=size,
        hybrid_search=True,
        # PostgreSQL's name of the documents' language; "simple" has no stems and fits every language.
        text_search_config=os.environ.get("VECTOR_STORE_LANGUAGE", "simple"),
        hnsw_kwargs={"hnsw_m": 16, "hnsw_ef_construction": 64, "hnsw_ef_search": 60},
        indexed_metadata_keys={("document_key", "text"), ("part", "double precision")},
        initialization_fail_on_error=True,
    )
    return store


def sort_new_words(store: DocumentStore) -> None:
    """Have PostgreSQL sort new words into its index at once; another store is left alone.

    It would list them first. As long as that list is long, it reads the whole table for a question's words.
    """
    database = store.vectors.client
    if not hasattr(database, "begin"):
        return
    from sqlalchemy import text  # noqa: PLC0415
    from sqlalchemy.exc import ProgrammingError  # noqa: PLC0415

    # Only the owner of the index may do so. For others it stays as it is.
    with contextlib.suppress(ProgrammingError), database.begin() as connection:
        connection.execute(text(f"ALTER INDEX IF EXISTS {TABLE}_idx SET (fastupdate = off)"))
        connection.execute(text(f"SELECT gin_clean_pending_list(to_regclass('{TABLE}_idx'))"))


def main() -> None:
    """Bring the store up to date with a folder, once or until it is interrupted."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument(
        "--docs", type=Path, default=os.environ.get("DOCS_DIR"), help="the folder; else DOCS_DIR"
    )
    parser.add_argument("--watch", action="store_true", help="go on, and update whenever the folder changes")
    given = parser.parse_args()
    if given.docs is None:
        # A default folder would replace all that is stored.
        parser.error("--docs or DOCS_DIR has to name the folder")
    configure_logging()
    store = document_store()
    store.list_files()  # an empty store makes its tables
    sort_new_words(store)
    update = StoreUpdate(store, Path(given.docs))
    if given.watch:
        with contextlib.suppress(KeyboardInterrupt):
            update.watch()
    else:
        print(update.run())


if __name__ == "__main__":
    main()
