"""How fast a vector store takes a folder's passages, and answers over them.

    python -m benchmarks.engines postgres [--passages 100000] [--questions 300]

The stores are ``postgres`` (PostgreSQL with pgvector, words and meaning), ``chroma`` (Chroma's server),
``milvus`` (Milvus Lite) and ``qdrant`` (its local mode), each started here and empty. ``--uri`` names another
server.

The vectors are those of the local model for :data:`POOL` sentences of ``docs/``, over and over. Each time the
axes are in another order, and some are turned round. A million real texts would take hours to embed. Within
such a rotation the vectors lie as close to each other as real ones. The vector of a question has a cosine of
0.7 with that of one passage, so its nearest neighbour is known.

The text is that of ``benchmarks.indexing``. A question holds three rare words of its passage, and stop
words. Each document has ten passages. What is measured is the whole way: from passages to a committed store,
and from a question to ranked sentences, with the bot's own part. The embedding takes no time here. Times of
the CPU are those of this process and of the server together.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import os
import random
import re
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate, islice
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import psutil
import sqlalchemy
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from benchmarks.indexing import vocabulary
from bot.retrieval.answer.scope import Scope
from bot.retrieval.answer.search_result import search
from bot.retrieval.index.listing import Listing
from bot.retrieval.meaning.embedder import Vectors
from bot.retrieval.passages.known_file import FileReading, KnownFile
from bot.retrieval.passages.passage import Passage
from bot.retrieval.passages.record import PASSAGE, write_entry
from bot.retrieval.passages.sentences import split_units
from bot.sources.llamaindex.store import DocumentStore
from bot.sources.local_embedder import LocalEmbedder
from examples import llamaindex_vector
from tests.sources.vector_stores import chroma_server, open_qdrant, postgres_server

PASSAGES_OF_A_DOCUMENT = 10
INDEX = "data_documents_embedding_idx"
"""PostgreSQL's index of vectors."""
BATCH = 25
"""Documents that are stored together, as an update of a folder stores them."""
COSINE = 0.7
POOL = 1000
"""Sentences whose vectors are turned."""
LEARNING = 20
"""Questions before the measurement."""
_NUMBER = re.compile(r"Number (\d+)\.")


@functools.cache
def pool() -> Vectors:
    """The vectors of the first sentences of ``docs/``."""
    texts = "\n".join(path.read_text(encoding="utf-8") for path in sorted(Path("docs").glob("*.md")))
    sentences = list(dict.fromkeys(re.findall(r"[A-Z][\w ,'-]{30,200}\.", texts)))[:POOL]
    return LocalEmbedder().embed(sentences)


def direction(text: str) -> Vectors:
    """The vector of a passage, which begins with its number."""
    found = _NUMBER.match(text)
    turn, place = divmod(int(found[1]) if found else 0, len(pool()))
    order, signs = rotation(turn)
    vector: Vectors = pool()[place][order] * signs
    return vector


@functools.lru_cache(maxsize=4)
def rotation(turn: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The axes in another order, and some of them turned round."""
    chance = np.random.default_rng(turn)
    size = pool().shape[1]
    return chance.permutation(size), chance.choice(np.array([-1, 1], np.float32), size)


class RotatedEmbedding(BaseEmbedding):
    """Gives each passage a vector by its number, and questions those in ``questions``."""

    questions: dict[str, list[float]]

    def _get_text_embedding(self, text: str) -> list[float]:
        vector: list[float] = direction(text).tolist()
        return vector

    def _get_query_embedding(self, query: str) -> list[float]:
        return self.questions.get(query) or self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


def documents(count: int) -> Iterator[tuple[KnownFile, list[Passage]]]:
    """Documents with ``count`` passages together, always the same."""
    chance = random.Random(2026)
    words = vocabulary(chance)
    weights = list(accumulate(1 / (rank + 2) for rank in range(len(words))))
    for number in range(count // PASSAGES_OF_A_DOCUMENT):
        path = f"folder-{number % 100}/document-{number}.md"
        found = []
        for part in range(PASSAGES_OF_A_DOCUMENT):
            chosen = chance.choices(words, cum_weights=weights, k=130)
            sentences = (" ".join(chosen[at : at + 13]).capitalize() + "." for at in range(0, 130, 13))
            text = f"Number {number * PASSAGES_OF_A_DOCUMENT + part}. {' '.join(sentences)}"
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


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question, and the passage that it asks for."""

    text: str
    target: Passage


def choose_questions(passages: int, count: int, embedding: RotatedEmbedding) -> list[AskedQuestion]:
    """Questions for passages all over the store, whose vectors ``embedding`` knows then."""
    step = max(1, passages // PASSAGES_OF_A_DOCUMENT // count)
    chosen = [found[0] for _, found in islice(documents(passages), 0, step * count, step)]
    noise = np.random.default_rng(7)
    asked = []
    for target in chosen:
        rare = sorted(set(target.text.lower().replace(".", "").split()), key=len)[-3:]
        question = f"What is the {' '.join(sorted(rare))} of this?"
        near = direction(target.text)
        other = noise.standard_normal(len(near))
        other -= (other @ near) * near
        vector = COSINE * near + (1 - COSINE**2) ** 0.5 * other / np.linalg.norm(other)
        embedding.questions[question] = vector.tolist()
        asked.append(AskedQuestion(question, target))
    return asked


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
                stack.enter_context(chroma_server(folder)) if kind == "chroma" else str(folder / f"{kind}.db")
            )


def open_store(kind: str, uri: str, embedding: BaseEmbedding) -> DocumentStore:
    """The store of this kind, with this embedding."""
    if kind == "qdrant":
        return DocumentStore(open_qdrant(Path(uri)), embedding, place="Qdrant's local mode")
    os.environ["VECTOR_STORE_URI"] = uri
    llamaindex_vector.embedding = lambda: embedding
    return llamaindex_vector.document_store()


class Clock:
    """Measures the seconds, and those of the CPU in this process and in the server behind ``uri``."""

    def __init__(self, uri: str) -> None:
        self._own = psutil.Process()
        self._servers = self._own.children(recursive=True)
        if "host" in (query := parse_qs(urlsplit(uri).query)):
            # PostgreSQL's server is no child; the socket lies beside the file that names it.
            written = (Path(query["host"][0]) / "postmaster.pid").read_text(encoding="utf-8")
            self._servers.append(psutil.Process(int(written.split()[0])))

    def read(self) -> tuple[float, float]:
        """The seconds on the wall, and those of the CPU."""
        found = {one.pid: one for root in (self._own, *self._servers) for one in _family(root)}
        # What ended counts at its parent.
        return time.perf_counter(), sum(sum(one.cpu_times()[:4]) for one in found.values())


def _family(root: psutil.Process) -> list[psutil.Process]:
    return [root, *root.children(recursive=True)]


def report(**facts: Any) -> None:
    """Print a line of JSON, with the machine's load."""
    print(json.dumps(facts | {"load": round(os.getloadavg()[0], 1)}), flush=True)


def execute(engine: Any, *statements: str) -> None:
    """Execute statements of SQL."""
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(sqlalchemy.text(statement))


def fill(store: DocumentStore, passages: int, clock: Clock) -> None:
    """Store the documents, and report how fast that was."""
    made, seconds, cpu, count, told = documents(passages), 0.0, 0.0, 0, 0
    while batch := list(islice(made, BATCH)):
        for _, found in batch:
            for passage in found:
                direction(passage.text)
        readings = [
            FileReading(file, tuple(write_entry(one).record for one in found)) for file, found in batch
        ]
        begun = clock.read()
        store.put(readings)
        ended = clock.read()
        seconds, cpu = seconds + ended[0] - begun[0], cpu + ended[1] - begun[1]
        count += sum(len(found) for _, found in batch)
        if count // 10_000 > told:
            told = count // 10_000
            report(stored=count, per_second=round(count / seconds), per_cpu_second=round(count / cpu))
    report(ingest=count, seconds=round(seconds), per_second=round(count / seconds), cpu_seconds=round(cpu))


def build_index(database: Any, clock: Clock) -> None:
    """Build PostgreSQL's index of vectors, which takes a fraction of the time once all of them are there."""
    begun = clock.read()
    memory = "SET statement_timeout = 0; SET maintenance_work_mem = '4GB'"
    built = f"CREATE INDEX {INDEX} ON data_documents USING hnsw (embedding vector_cosine_ops)"
    execute(database, memory, built, "ANALYZE data_documents")
    ended = clock.read()
    report(index_seconds=round(ended[0] - begun[0]), cpu_seconds=round(ended[1] - begun[1]))


def ask(store: DocumentStore, listing: Listing, asked: AskedQuestion) -> bool:
    """Ask one question as the bot does, among the documents of ``listing``; whether its passage was found."""
    found = store.find(asked.text, listing)
    search(asked.text, found, Scope(listing))
    places = {(one["path"], one["start"]) for one in found.words.iter_records(PASSAGE)}
    return (asked.target.path, asked.target.start) in places


def measure(
    answers: Callable[[AskedQuestion], bool], asked: list[AskedQuestion], clock: Clock
) -> dict[str, float]:
    """Milliseconds of a question, those of the CPU, and how many questions found their passage."""
    for question in asked[:LEARNING]:
        answers(question)
    seconds, found = [], 0
    begun = clock.read()
    for question in asked[LEARNING:]:
        started = time.perf_counter()
        found += answers(question)
        seconds.append(time.perf_counter() - started)
    cpu = clock.read()[1] - begun[1]
    hundredths = statistics.quantiles(seconds, n=100)
    return {
        "median_ms": round(hundredths[49] * 1000, 1),
        "p99_ms": round(hundredths[98] * 1000, 1),
        "cpu_ms": round(cpu / len(seconds) * 1000, 1),
        "found": round(found / len(seconds), 3),
    }


def run(kind: str, uri: str, passages: int, questions: int) -> None:
    """Measure one store."""
    embedding = RotatedEmbedding(model_name="rotated", embed_batch_size=2048, questions={})
    asked = choose_questions(passages, questions + LEARNING, embedding)
    store = open_store(kind, uri, embedding)
    clock = Clock(uri)
    report(place=store.place, passages=passages)
    database: Any = getattr(store.vectors, "_engine", None)
    if database:
        llamaindex_vector.sort_new_words(store)
        execute(database, f"DROP INDEX {INDEX}")
    fill(store, passages, clock)
    if database:
        build_index(database, clock)
    begun = clock.read()
    whole = store.listing
    report(listed=len(whole.known), seconds=round(clock.read()[0] - begun[0], 2))
    paths = sorted(whole.known)
    few = asked[: LEARNING + 100]
    report(everything=measure(lambda one: ask(store, whole, one), asked, clock))
    for name, others in (("ten", paths[:9]), ("half", paths[: len(paths) // 2])):
        parts = {one.text: whole.restrict({one.target.path, *others}) for one in few}

        def ask_part(one: AskedQuestion, parts: dict[str, Listing] = parts) -> bool:
            return ask(store, parts[one.text], one)

        report(**{name: measure(ask_part, few, clock)})
    report(peak_mb_of_this_process=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


def main() -> None:
    """Fill a store, ask it, and print what that took as JSON lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("store", choices=["postgres", "chroma", "milvus", "qdrant"])
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--uri", default="")
    given = parser.parse_args()
    with serving(given.store, given.uri) as uri:
        run(given.store, uri, given.passages, given.questions)


if __name__ == "__main__":
    main()
