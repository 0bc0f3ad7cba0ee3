"""The answers of a seed, judged chunk by chunk."""

from __future__ import annotations

import atexit
import functools
import multiprocessing
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from .answers import hostile_answer, hostile_text
from .engines import Engines
from .rendered import JudgedText, RenderedText, judged, rendered, streamed
from .short_texts import short_text

CHUNK: Final = 250
SOURCES: Final = {"pieces": hostile_text, "short": short_text}
"""What makes the texts, by name."""
Key = tuple[str, str, bool]
"""What was found, the engine that found it, and whether the promise is of that engine too."""


@dataclass(slots=True)
class Tally:
    """What was found in how many answers."""

    answers: int = 0
    texts: int = 0
    degraded: int = 0
    crashes: list[tuple[str, str]] = field(default_factory=list)
    counts: Counter[Key] = field(default_factory=Counter)
    examples: dict[Key, list[JudgedText]] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Take in what another part found."""
        self.answers += other.answers
        self.texts += other.texts
        self.degraded += other.degraded
        self.crashes += other.crashes
        self.counts += other.counts
        for key, found in other.examples.items():
            self.keep(key, *found)

    def keep(self, key: Key, *found: JudgedText) -> None:
        """Keep the shortest answers of a kind."""
        kept = [*self.examples.get(key, ()), *found]
        self.examples[key] = sorted(kept, key=lambda one: len(one.rendered.hostile.answer.text))[:3]


class Chunk(NamedTuple):
    """Some answers of a seed, for a channel, whole or told in pieces."""

    channel_id: str
    seed: int
    number: int
    in_pieces: bool = False
    size: int = CHUNK
    source: str = "pieces"
    others: bool = False
    """Whether engines read that no client of ours has, too."""


@functools.cache
def engines(*, others: bool = False) -> Engines:
    """The engines of this process, for as long as it runs."""
    started = Engines(others=others)
    atexit.register(started.close)
    return started


def search(chunk: Chunk) -> Tally:
    """Judge the answers of one chunk."""
    channel_id, seed, number, in_pieces, size, source, others = chunk
    chance = Random(f"{seed}:{number}")
    tally = Tally(answers=size)
    texts: list[RenderedText] = []
    for _ in range(size):
        hostile = hostile_answer(chance, SOURCES[source])
        try:
            texts += streamed(channel_id, hostile, chance) if in_pieces else rendered(channel_id, hostile)
        except Exception as error:  # noqa: BLE001 - every exception is a finding
            tally.crashes.append((hostile.answer.text, repr(error)))
    tally.texts = len(texts)
    for one in judged(engines(others=others), texts):
        tally.degraded += one.rendered.degraded
        for key in {(finding.kind, finding.engine, finding.holds) for finding in one.findings}:
            tally.counts[key] += 1
            tally.keep(key, one)
    return tally


def search_all(chunks: Iterator[Chunk], processes: int) -> Iterator[Tally]:
    """Judge the answers of all chunks, in so many processes."""
    if processes == 1:
        yield from map(search, chunks)
        return
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        running = []
        for chunk in chunks:
            running.append(pool.submit(search, chunk))
            if len(running) >= processes * 2:
                yield running.pop(0).result()
        for one in running:
            yield one.result()
