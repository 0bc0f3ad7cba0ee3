"""How fast a vector store takes a folder's passages, and answers over them.

    python -m benchmarks.engines postgres [--passages 100000] [--dimensions 512] [--questions 300]

The stores are ``postgres`` (PostgreSQL with pgvector, words and meaning), ``chroma`` (Chroma's server) and
``milvus`` (Milvus Lite), each started here and empty; ``--uri`` names another server. The vectors are random
unit vectors. That of a question is the vector of one passage with noise, at a cosine of 0.7, so its nearest
neighbour is known. Real vectors lie closer together, and their neighbours are harder to find.

The text is that of ``benchmarks.indexing``. A question holds three rare words of its passage, and
stop words. Each document
has ten passages. What is measured is the whole way: from passages to a committed store, and from a question
to ranked sentences, with the bot's own part. The embedding takes no time here.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import sqlalchemy
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr

from benchmarks.indexing import vocabulary
from bot.retrieval.candidates import Candidate, search_candidates
from bot.retrieval.elliptic import CompleteQuestion
from bot.retrieval.engine import SearchEngine
from bot.retrieval.known_file import KnownFile
from bot.retrieval.part import make_part
from bot.retrieval.passage import Passage
from bot.retrieval.search import Scope
from bot.retrieval.sentences import split_units
from bot.sources.llamaindex.document_store import DocumentStore
from examples import llamaindex_vector
from tests.sources.vector_stores import chroma_server, postgres_server

PASSAGES_OF_A_DOCUMENT = 10
INDEX = "data_documents_embedding_idx"
"""PostgreSQL's index of vectors."""
BATCH = 25
"""Documents that are stored together, as an update of a folder stores them."""
COSINE = 0.7
TARGETS: dict[str, str] = {}
"""The text of the passage that each question asks for."""
LEARNING = 20
"""Questions before the measurement."""


class RandomEmbedding(BaseEmbedding):
    """Each text has a random direction; a question's is near that of the text in ``TARGETS``."""

    _size: int = PrivateAttr(default=512)

    def __init__(self, size: int) -> None:
        super().__init__(model_name=f"random-{size}", embed_batch_size=2048)
        self._size = size

    def _get_text_embedding(self, text: str) -> list[float]:
        vector: list[float] = self._direction(text).tolist()
        return vector

    def _get_query_embedding(self, query: str) -> list[float]:
        target, noise = self._direction(TARGETS.get(query, "")), self._direction(query)
        vector: list[float] = (COSINE * target + (1 - COSINE**2) ** 0.5 * noise).tolist()
        return vector

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)

    def _direction(self, text: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
        vector = np.random.default_rng(seed).standard_normal(self._size)
        return vector / np.linalg.norm(vector)


def documents(count: int) -> Iterator[tuple[KnownFile, list[Passage]]]:
    """Documents with ``count`` passages together, always the same."""
    chance = random.Random(2026)
    words = vocabulary(chance)
    weights = [1 / (rank + 2) for rank in range(len(words))]
    for number in range(count // PASSAGES_OF_A_DOCUMENT):
        path = f"folder-{number % 100}/document-{number}.md"
        found = []
        for part in range(PASSAGES_OF_A_DOCUMENT):
            chosen = chance.choices(words, weights, k=130)
            sentences = (" ".join(chosen[at : at + 13]).capitalize() + "." for at in range(0, 130, 13))
            text = " ".join(sentences)
            start = part * 1000
            units = tuple(split_units(text))
            found.append(
                Passage(
                    path=path, start=start, end=start + len(text), text=text, units=units, language="english"
                )
            )
        file = KnownFile(
            path=path, modified=number, size=1, changed=number, sha256=str(number),
            passages=len(found), language="english",
        )  # fmt: skip
        yield file, found


@contextlib.contextmanager
def serving(kind: str, uri: str) -> Iterator[str]:
    """The URI of the store: the one that is given, or that of a server or file of its own."""
    with contextlib.ExitStack() as stack:
        if uri:
            yield uri
        elif kind == "postgres":
            yield stack.enter_context(postgres_server())
        else:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            yield (
                stack.enter_context(chroma_server(folder)) if kind == "chroma" else str(folder / "milvus.db")
            )


def measure(ask: Callable[[int], bool], questions: int) -> dict[str, float]:
    """Milliseconds of questions at the median and the 99th percentile, and how many found their passage."""
    for number in range(LEARNING):
        ask(number)
    seconds, found = [], 0
    for number in range(LEARNING, LEARNING + questions):
        started = time.perf_counter()
        found += ask(number)
        seconds.append(time.perf_counter() - started)
    hundredths = statistics.quantiles(seconds, n=100)
    return {
        "median ms": round(hundredths[49] * 1000, 1),
        "p99 ms": round(hundredths[98] * 1000, 1),
        "found": round(found / questions, 3),
    }


def main() -> None:
    """Fill a store, ask it, and print what that took as JSON lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("store", choices=["postgres", "chroma", "milvus"])
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--dimensions", type=int, default=512)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--uri", default="")
    given = parser.parse_args()
    llamaindex_vector.embedding = lambda: RandomEmbedding(given.dimensions)
    with serving(given.store, given.uri) as uri:
        os.environ["VECTOR_STORE_URI"] = uri
        run(llamaindex_vector.document_store(), given.passages, given.questions)


def execute(engine: Any, *statements: str) -> None:
    """Execute statements of SQL."""
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(sqlalchemy.text(statement))


def run(store: DocumentStore, passages: int, questions: int) -> None:
    """Measure one store."""
    print(json.dumps({"place": store.place, "passages": passages, "load": os.getloadavg()[0]}), flush=True)
    made, seconds, count = documents(passages), 0.0, 0
    database: Any = getattr(store._store, "_engine", None)
    if database:
        # An index of vectors is built in a fraction of the time once all of them are there.
        execute(database, f"DROP INDEX {INDEX}")
    while batch := list(islice(made, BATCH)):
        begun = time.perf_counter()
        store.put(batch)
        seconds += time.perf_counter() - begun
        count += sum(len(found) for _, found in batch)
        if count % 10_000 < BATCH * PASSAGES_OF_A_DOCUMENT:
            print(json.dumps({"stored": count, "per second": round(count / seconds)}), flush=True)
    taken = {"seconds": round(seconds), "per second": round(count / seconds), "load": os.getloadavg()[0]}
    print(json.dumps({"ingest": taken}), flush=True)
    if database:
        begun = time.perf_counter()
        memory = "SET statement_timeout = 0; SET maintenance_work_mem = '1GB'"
        built = f"CREATE INDEX {INDEX} ON data_documents USING hnsw (embedding vector_cosine_ops)"
        execute(database, memory, built, "ANALYZE data_documents")
        print(json.dumps({"index built in seconds": round(time.perf_counter() - begun)}), flush=True)
    begun = time.perf_counter()
    files = store.list_files()
    print(json.dumps({"listed": len(files), "seconds": round(time.perf_counter() - begun, 2)}), flush=True)
    whole = make_part(SearchEngine(None), files)
    targets = [
        found[0]
        for number, (_, found) in enumerate(documents(passages))
        if number % max(1, passages // PASSAGES_OF_A_DOCUMENT // (questions + LEARNING)) == 0
    ][: questions + LEARNING]
    rare = [" ".join(sorted(set(one.text.lower().replace(".", "").split()), key=len)[-3:]) for one in targets]

    questions_asked = [f"What is the {words} of this?" for words in rare]
    TARGETS.update((question, one.text) for question, one in zip(questions_asked, targets, strict=True))

    def asking(visible: Callable[[int], list[str] | None]) -> Callable[[int], bool]:
        def ask(number: int) -> bool:
            target, question = targets[number], questions_asked[number]
            found = store.find(question, visible(number))
            candidates = [Candidate(one.stored.passage, one.likeness) for one in found]
            search_candidates(CompleteQuestion(question), Scope(whole), candidates)
            return any(
                (one.stored.passage.path, one.stored.passage.start) == (target.path, target.start)
                for one in found
            )

        return ask

    paths = sorted(files)
    half = paths[: len(paths) // 2]
    scopes: dict[str, Callable[[int], list[str] | None]] = {
        "everything": lambda _: None,
        "ten documents": lambda number: [targets[number].path, *paths[:9]],
        "half of the documents": lambda number: [targets[number].path, *half],
    }
    for name, visible in scopes.items():
        amount = questions if name == "everything" else min(questions, 100)
        print(json.dumps({name: measure(asking(visible), amount), "load": os.getloadavg()[0]}), flush=True)
    print(json.dumps({"peak MB of this process": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))


if __name__ == "__main__":
    main()
