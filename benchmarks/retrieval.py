"""How well the folder finds, quotes and abstains, on public question sets.

    python -m benchmarks.retrieval COVID-QA.json xquad.en.json --off-topic cran.qry

Each set is a file in SQuAD's JSON format (COVID-QA, SQuAD, XQuAD, MLQA, GermanQuAD); it is not part of
this repository. Its articles are written as text files, indexed as any folder is, and every question
is asked. ``--off-topic`` are questions that the articles do not answer: Cranfield's ``cran.qry``, a
text file with one a line, or another set.

Columns: *passage@1*, *passage@5*: the passage with the gold answer is the first, is among five.
*span@1*, *span@3*: the best sentence, one of the sentences of the answer, overlaps the gold answer.
*kept*: questions that are answered at all; *off-topic*: off-topic questions that are; *at 96.7*:
off-topic questions that would be if the threshold kept just 96.7 % of the others. The weights of
ranking were chosen on the even articles of COVID-QA, and the odd ones are shown apart; the threshold
was chosen on all of them, with Cranfield's questions as off-topic.

The baseline is what a folder search usually is, over the same passages: SQLite FTS5 (Porter stems, stop
words out), then sentences by the share of the question's rare words that they hold, with a bonus for
neighbouring words, and silence below half of it.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from bot.retrieval.extract import ENOUGH, choose_quotes
from bot.retrieval.index import FolderIndex
from bot.retrieval.language import is_stop_word
from bot.retrieval.passage import Passage
from bot.retrieval.query import read_question
from bot.retrieval.rank import measure_coverage, rank
from bot.retrieval.record import PASSAGE, read_record
from bot.retrieval.search import PASSAGES
from bot.retrieval.sentences import split_units

Span = tuple[str, int, int]
"""A file, and where something starts and ends in its text."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a set, and where its gold answer stands."""

    text: str
    gold: Span


@dataclass(frozen=True, slots=True)
class Reply:
    """What a search found for one question."""

    passages: list[Span]
    sentences: list[Span]
    """The best first."""
    coverage: float
    enough: float
    """The coverage from which on it answers."""


@dataclass(slots=True)
class Tally:
    """How many questions were asked, and how many hit each mark."""

    asked: int = 0
    hits: dict[str, int] = field(default_factory=dict)

    def add(self, found: dict[str, bool]) -> None:
        self.asked += 1
        for name, hit in found.items():
            self.hits[name] = self.hits.get(name, 0) + hit

    def share(self, name: str) -> float:
        return self.hits.get(name, 0) / self.asked if self.asked else math.nan


def read_set(path: Path) -> tuple[dict[str, str], list[Question]]:
    """The articles of a set by file name, and its questions."""
    articles: dict[str, str] = {}
    questions: list[Question] = []
    for number, article in enumerate(json.loads(path.read_text(encoding="utf-8"))["data"]):
        name, text = f"{number:04}.txt", ""
        for paragraph in article["paragraphs"]:
            start = len(text)
            text += paragraph["context"].replace("\r", " ") + "\n\n"
            for asked in paragraph["qas"]:
                for gold in asked["answers"][:1]:
                    first = start + gold["answer_start"]
                    questions.append(Question(asked["question"], (name, first, first + len(gold["text"]))))
        articles[name] = text
    return articles, questions


def read_off_topic(path: Path) -> list[str]:
    """Questions that the articles do not answer: Cranfield's, one a line, or another set's."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return [question.text for question in read_set(path)[1]]
    if ".W" in text:  # the format of SMART
        return [
            " ".join(part.split(".W")[1].split()) for part in re.split(r"^\.I ", text, flags=re.MULTILINE)[1:]
        ]
    return text.splitlines()


def ours(index: FolderIndex) -> Callable[[str], Reply]:
    """The folder's search over an index."""

    def ask(question: str) -> Reply:
        query = read_question(question, index.engine, index.languages)
        ranked = rank(query, index.engine, PASSAGES)
        quotes = choose_quotes(query, ranked)
        return Reply(
            [(one.passage.path, one.passage.start, one.passage.end) for one in ranked],
            [(*quote.location, quote.location[1] + len(quote.text)) for quote in quotes],
            measure_coverage(query, ranked),
            ENOUGH,
        )

    return ask


class Baseline:
    """SQLite FTS5 and the sentences with most of the question's rare words."""

    def __init__(self, passages: list[Passage], language: str) -> None:
        self._passages, self._language = passages, language
        self._tables = sqlite3.connect(":memory:", check_same_thread=False)
        self._tables.execute("CREATE VIRTUAL TABLE passage USING fts5(text, tokenize='porter unicode61')")
        self._tables.executemany("INSERT INTO passage(text) VALUES (?)", ((one.text,) for one in passages))
        self._frequency: dict[str, int] = {}
        for one in passages:
            for word in set(_words(one.text)):
                self._frequency[word] = self._frequency.get(word, 0) + 1

    def ask(self, question: str) -> Reply:
        asked = [word for word in _words(question) if not is_stop_word(word, self._language)]
        match = " OR ".join(f'"{word}"' for word in asked)
        sql = "SELECT rowid, -bm25(passage) FROM passage WHERE passage MATCH ? ORDER BY bm25(passage) LIMIT 5"
        rows = self._tables.execute(sql, (match,)).fetchall() if asked else []
        found = [(self._passages[row - 1], score) for row, score in rows]
        worth = {word: math.log1p(len(self._passages) / (1 + self._frequency.get(word, 0))) for word in asked}
        mass = sum(worth.values()) or 1.0
        best = max((self._coverage(one.text, worth) / mass for one, _ in found), default=0.0)
        sentences = sorted(self._sentences(found, asked, worth, mass), key=lambda rated: -rated[0])
        spans = list(dict.fromkeys(span for _, span in sentences))[:3]
        return Reply([(one.path, one.start, one.end) for one, _ in found], spans, best, 0.5)

    def _sentences(
        self, found: list[tuple[Passage, float]], asked: list[str], worth: dict[str, float], mass: float
    ) -> Iterator[tuple[float, Span]]:
        top = found[0][1] if found else 1.0
        for one, score in found:
            for unit in split_units(one.text):
                said = _words(one.text[unit.start : unit.end])
                both = len(set(pairwise(asked)) & set(pairwise(said)))
                rated = self._coverage(" ".join(said), worth) / mass + 0.1 * both + 0.3 * score / top
                yield rated, (one.path, one.start + unit.start, one.start + unit.end)

    def _coverage(self, text: str, worth: dict[str, float]) -> float:
        return sum(worth[word] for word in set(_words(text)) & worth.keys())


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def overlap(one: Span, other: Span) -> bool:
    """Whether two spans share a character."""
    return one[0] == other[0] and one[1] < other[2] and other[1] < one[2]


def marks(reply: Reply, gold: Span) -> dict[str, bool]:
    """Which of the columns a reply earns."""
    passages = [overlap(span, gold) for span in reply.passages]
    sentences = [overlap(span, gold) for span in reply.sentences]
    return {
        "passage@1": any(passages[:1]),
        "passage@5": any(passages[:5]),
        "span@1": any(sentences[:1]),
        "span@3": any(sentences),
        "kept": reply.coverage >= reply.enough,
    }


def measure(ask: Callable[[str], Reply], questions: list[Question], off_topic: list[str]) -> dict[str, Any]:
    """Ask all questions, and count."""
    halves = {"even": Tally(), "odd": Tally(), "all": Tally()}
    off, times, known, unknown = Tally(), list[float](), list[float](), list[float]()
    for question in questions:
        started = time.perf_counter()
        reply = ask(question.text)
        times.append(time.perf_counter() - started)
        known.append(reply.coverage)
        found = marks(reply, question.gold)
        halves["odd" if int(question.gold[0].partition(".")[0]) % 2 else "even"].add(found)
        halves["all"].add(found)
    for text in off_topic:
        reply = ask(text)
        unknown.append(reply.coverage)
        off.add({"off-topic": reply.coverage >= reply.enough})
    threshold = sorted(known)[round((1 - 0.967) * len(known))]
    at_threshold = sum(one >= threshold for one in unknown) / len(unknown) if unknown else math.nan
    return {**halves, "off": off, "at 96.7": at_threshold, "ms": 1000 * statistics.median(times)}


def show(name: str, measured: dict[str, Any], halves: tuple[str, ...]) -> None:
    """Print a row for each half."""
    for half in halves:
        tally = measured[half]
        shares = [
            f"{100 * tally.share(key):9.1f}" for key in ("passage@1", "passage@5", "span@1", "span@3", "kept")
        ]
        off = f"{100 * measured['off'].share('off-topic'):9.1f}{100 * measured['at 96.7']:9.1f}"
        off = off if half == "all" else " " * len(off)
        print(f"{name:<18} {half:<5}{''.join(shares)}{off}   {measured['ms']:6.1f}")


def main() -> None:
    """Read the sets, ask, and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="+", type=Path, help="question sets in SQuAD's JSON format")
    parser.add_argument("--off-topic", nargs="*", type=Path, default=[], help="questions they do not answer")
    arguments = parser.parse_args()
    off_topic = [text for path in arguments.off_topic for text in read_off_topic(path)]
    for path in arguments.sets:
        articles, questions = read_set(path)
        with tempfile.TemporaryDirectory() as directory:
            folder = Path(directory, "articles")
            folder.mkdir()
            for name, text in articles.items():
                (folder / name).write_text(text, encoding="utf-8", newline="\n")
            index = FolderIndex(folder, Path(directory, "cache"))
            report = index.update()
            passages = [read_record(record).passage for record in index.engine.iter_records(PASSAGE)]
            print(
                f"\n{path.name}: {report.documents} articles, {report.passages} passages, "
                f"{len(questions)} questions, {len(off_topic)} off-topic questions"
            )
            print(f"{'%':<24}passage@1  @5    span@1   @3       kept off-topic at 96.7   median ms")
            baseline = Baseline(passages, index.languages[0] if index.languages else "english")
            show("FTS5 + coverage", measure(baseline.ask, questions, off_topic), ("all",))
            show("this folder", measure(ours(index), questions, off_topic), ("even", "odd", "all"))


if __name__ == "__main__":
    main()
