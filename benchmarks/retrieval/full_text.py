"""This module is the baseline: what a folder search usually is, over the same passages.

SQLite FTS5 finds passages (Porter stems, stop words out). Then come the sentences with the largest share
of the question's rare words, with a bonus for neighbouring words. Below half of it, there is no answer.
"""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Iterator
from itertools import pairwise

from bot.retrieval.language import is_stop_word
from bot.retrieval.passage import Passage
from bot.retrieval.sentences import split_units

from .measure import FoundSpans
from .public_set import Span

_ENOUGH = 0.5


class FullTextSearch:
    """SQLite FTS5 and the sentences with most of the question's rare words."""

    def __init__(self, passages: list[Passage], language: str) -> None:
        self._passages, self._language = passages, language
        self._tables = sqlite3.connect(":memory:")
        self._tables.execute("CREATE VIRTUAL TABLE passage USING fts5(text, tokenize='porter unicode61')")
        self._tables.executemany("INSERT INTO passage(text) VALUES (?)", ((one.text,) for one in passages))
        self._frequency: dict[str, int] = {}
        for one in passages:
            for word in set(_words(one.text)):
                self._frequency[word] = self._frequency.get(word, 0) + 1

    def ask(self, question: str) -> FoundSpans:
        """Find passages and sentences for a question."""
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
        kind = "answered" if best >= _ENOUGH else "nothing"
        return FoundSpans([(one.path, one.start, one.end) for one, _ in found], spans, kind)

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
