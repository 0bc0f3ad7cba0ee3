"""How fast a folder is indexed and searched, and how much memory that takes.

    python -m benchmarks.indexing [--megabytes 10] [--passages 100000] [--queries 200]

The text is made here, always the same: Markdown files with headings, paragraphs and tables, whose words
are as frequent as those of a language (Zipf's law over 30,000 words). Each measurement runs in a
process of its own, so that its peak memory is its own. The baseline, SQLite FTS5 with Porter stems,
gets the finished passages and only finds them; the folder also reads, splits, stems, and ranks again.

The folder is indexed with the local model, as by the bot: *index s* is the time until every question is
answered by words, while vectors are computed behind it. *peak MB* is the most that this process had at once,
with the model. It counts pages of the index's files, which the system keeps as long as it has room. *own MB*
is without those pages, while vectors are computed. *reader MB* is the peak of the largest process that reads
files.

Questions are asked from the first word to the sentences that answer. *by meaning*: each passage and sentence
has a vector, and each question gets one from the local model. The vectors of the passages are random, because
the model would take hours for them.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from benchmarks.retrieval.workspace import wait_for
from bot.retrieval.answer.scope import Scope
from bot.retrieval.answer.search_result import search
from bot.retrieval.index.folder_index import FolderIndex
from bot.retrieval.meaning.embedder import TextKind, Vectors, normalize
from bot.retrieval.passages.record import PASSAGE
from bot.sources.local_embedder import LocalEmbedder

SYLLABLES = (
    "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru sta ple tri".split()
)
WORDS = 30_000
BYTES_OF_A_FILE = 100_000
BYTES_OF_A_PASSAGE = 1480
"""What a passage of this text takes, by measurement."""
EMBEDDING = 20.0
"""Seconds in which vectors are computed before the peak of memory is read."""


def vocabulary(chance: random.Random) -> list[str]:
    """Made-up words, always the same for one seed."""
    common = (
        "the of and to in a is that for it as was with be by on not he his but at are this have from".split()
    )
    made = {"".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(2 * WORDS)}
    return common + sorted(made)[:WORDS]


def write_folder(folder: Path, size: int) -> None:
    """Fill a folder with about ``size`` bytes of Markdown."""
    chance = random.Random(2026)
    words = vocabulary(chance)
    weights = list(accumulate(1 / (rank + 2) for rank in range(len(words))))

    def sentence() -> str:
        chosen = chance.choices(words, cum_weights=weights, k=chance.randint(6, 24))
        return " ".join(chosen).capitalize() + "."

    for number in range(max(1, size // BYTES_OF_A_FILE)):
        lines, length = [f"# {sentence()[:40]}", ""], 0
        while length < min(size, BYTES_OF_A_FILE):
            paragraph = " ".join(sentence() for _ in range(chance.randint(3, 9)))
            lines += [paragraph, ""]
            if chance.random() < 0.15:
                lines += [f"## {sentence()[:50]}", ""]
            if chance.random() < 0.05:
                lines += ["| Name | Value |", "| --- | --- |"]
                lines += [f"| {chance.choice(words)} | {chance.randint(1, 999)} |" for _ in range(6)] + [""]
            length += len(paragraph)
        (folder / f"document-{number:05}.md").write_text("\n".join(lines), encoding="utf-8", newline="\n")


def peak_megabytes(*, of_children: bool = False) -> float:
    """The most memory that this process held, or the largest of those that it started and awaited.

    It is not a number where the system does not tell.
    """
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        return float("nan")
    unit = 1 if sys.platform == "darwin" else 1024
    whose = resource.RUSAGE_CHILDREN if of_children else resource.RUSAGE_SELF
    return resource.getrusage(whose).ru_maxrss * unit / 1e6


def own_megabytes() -> float:
    """The memory that this process holds now, without pages of files; not a number but on Linux."""
    memory = psutil.Process().memory_info()
    return (memory.rss - memory.shared) / 1e6 if hasattr(memory, "shared") else float("nan")


def index(folder: Path, cache: Path) -> dict[str, Any]:
    """Index a folder from nothing with the local model, and then again, with nothing changed."""
    started = time.perf_counter()
    model = FolderIndex(folder, cache, LocalEmbedder())
    report = model.update()
    first = time.perf_counter() - started
    time.sleep(EMBEDDING)
    own, peak = own_megabytes(), peak_megabytes()
    model.close()
    started = time.perf_counter()
    FolderIndex(folder, cache).update()
    return {
        "passages": report.passages,
        "seconds": first,
        "again": time.perf_counter() - started,
        "megabytes": peak,
        "own": own,
        "reader": peak_megabytes(of_children=True),
    }


def index_fts5(folder: Path, cache: Path) -> dict[str, Any]:
    """Put the folder's finished passages into SQLite FTS5."""
    records = FolderIndex(folder, cache)
    records.update()
    texts = [record["text"] for record in records.whole.words.iter_records(PASSAGE)]
    started = time.perf_counter()
    tables = sqlite3.connect(cache / "fts5.db")
    tables.execute("CREATE VIRTUAL TABLE passage USING fts5(text, tokenize='porter unicode61')")
    tables.executemany("INSERT INTO passage(text) VALUES (?)", ((text,) for text in texts))
    tables.commit()
    return {"passages": len(texts), "seconds": time.perf_counter() - started}


def questions(folder: Path, count: int) -> list[str]:
    """Questions as people ask: three to seven words from one place of one document."""
    chance = random.Random(7)
    files = sorted(folder.iterdir())
    asked = []
    for _ in range(count):
        words = chance.choice(files).read_text(encoding="utf-8").split()
        start = chance.randrange(len(words) - 20)
        asked.append(
            "What is " + " ".join(chance.sample(words[start : start + 20], chance.randint(3, 7))) + "?"
        )
    return asked


@dataclass
class HalfRandomEmbedder:
    """The local model for questions, and random vectors for the texts before them."""

    local: LocalEmbedder = field(default_factory=LocalEmbedder)
    chance: np.random.Generator = field(default_factory=lambda: np.random.default_rng(2026))
    is_asked: bool = False
    space: str = "random"
    is_elsewhere: bool = False
    width: int = field(init=False)
    """The numbers of a vector of the local model."""

    def __post_init__(self) -> None:
        self.width = self.local.embed(["A passage."]).shape[1]

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    def embed(self, texts: Sequence[str], kind: TextKind = TextKind.PASSAGE) -> Vectors:
        """Embed texts: with the local model once questions are asked."""
        if self.is_asked:
            return self.local.embed(texts, kind)
        return normalize(self.chance.standard_normal((len(texts), self.width), np.float32))

    def code_question(self, question: str) -> None:
        """None: there are no codes of words."""

    def code_words(self, headings: str, units: Sequence[str], language: str | None) -> None:
        """None, as of a question."""

    def knows_word(self, word: str) -> bool:
        """As the local embedder."""
        return self.local.knows_word(word)


def ask(folder: Path, cache: Path, count: int) -> dict[str, Any]:
    """Ask the folder by words, by words and meaning, and FTS5 the same questions, in milliseconds."""
    embedder = HalfRandomEmbedder()
    found = FolderIndex(folder, cache, embedder)
    found.update()
    wait_for(found.whole.meaning)
    embedder.is_asked = True
    scope = Scope(found.whole.listing)
    words_only = replace(found.whole, meaning=None)
    tables = sqlite3.connect(cache / "fts5.db")

    def fts5(question: str) -> object:
        match = " OR ".join(f'"{word}"' for word in question.replace("?", "").replace(".", "").split())
        sql = "SELECT text FROM passage WHERE passage MATCH ? ORDER BY bm25(passage) LIMIT 8"
        return tables.execute(sql, (match,)).fetchall()

    asked = questions(folder, count)
    result: dict[str, Any] = {
        "by words": times(lambda question: search(question, words_only, scope), asked),
        "by meaning": times(lambda question: search(question, found.whole, scope), asked),
        "FTS5": times(fts5, asked),
    }
    result |= {"megabytes": peak_megabytes(), "own": own_megabytes()}
    found.close()
    return result


def times(ask: Callable[[str], object], asked: list[str]) -> list[float]:
    """Milliseconds of CPU time for each question, after a few that warm up."""
    for question in asked[:5]:
        ask(question)
    taken = []
    for question in asked:
        started = time.thread_time()
        ask(question)
        taken.append(1000 * (time.thread_time() - started))
    return sorted(taken)


def in_a_process(what: str, *arguments: object) -> dict[str, Any]:
    """What :func:`run` prints in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.indexing", "--run", what, *map(str, arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def run(what: str, folder: str | Path, cache: str | Path, *count: str | int) -> dict[str, Any]:
    """Measure one thing."""
    Path(cache).mkdir(parents=True, exist_ok=True)
    if what == "search":
        return ask(Path(folder), Path(cache), int(count[0]))
    return {"index": index, "fts5": index_fts5}[what](Path(folder), Path(cache))


def quantile(taken: list[float], share: float) -> float:
    """The value below which ``share`` of sorted values lie."""
    return taken[min(len(taken) - 1, int(share * len(taken)))]


def main() -> None:
    """Print the three tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=float, default=10)
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--run", nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        print(json.dumps(run(*arguments.run)))  # for the process that asked
        return
    with tempfile.TemporaryDirectory() as directory:
        small, large = Path(directory, "small"), Path(directory, "large")
        for folder, size in (
            (small, int(arguments.megabytes * 1e6)),
            (large, arguments.passages * BYTES_OF_A_PASSAGE),
        ):
            folder.mkdir()
            write_folder(folder, size)
            cache = Path(directory, f"cache-{folder.name}")
            ours = in_a_process("index", folder, cache)
            fts5 = in_a_process("fts5", folder, cache)
            total = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
            print(f"\n{total:.1f} MB of Markdown, {ours['passages']:,} passages")
            print(f"{'':<14}{'index s':>10}{'unchanged s':>13}{'peak MB':>10}{'own MB':>8}{'reader MB':>11}")
            print(f"{'this folder':<14}{ours['seconds']:>10.1f}", end="")
            print(f"{ours['again']:>13.2f}{ours['megabytes']:>10.0f}", end="")
            print(f"{ours['own']:>8.0f}{ours['reader']:>11.0f}")
            print(f"{'FTS5':<14}{fts5['seconds']:>10.1f}")
        found = in_a_process("search", large, cache, arguments.queries)
        print(
            f"\n{arguments.queries} questions over these {ours['passages']:,} passages, ms of CPU time; ",
            end="",
        )
        print(f"peak {found.pop('megabytes'):.0f} MB, own {found.pop('own'):.0f} MB")
        print(f"{'':<14}{'median':>10}{'p95':>10}{'p99':>10}")
        for name, taken in found.items():
            shares = "".join(f"{quantile(taken, share):>10.1f}" for share in (0.5, 0.95, 0.99))
            print(f"{name:<14}{shares}")


if __name__ == "__main__":
    main()
