"""Passages that may answer a question, and those that a retriever or a vector store has found for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..meaning import ComparedQuestion, Likeness
from ..passages import IndexedPassage, Passage, read_record, write_entry
from ..words import SearchEngine

_CONTEXT_BOOST: Final = 0.3
"""The weight in BM25 of a word in a heading, title or file name, relative to one in the text."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that may answer, with the score of its words, which is BM25.

    ``likeness`` is that of its meaning and the question's, or None where it was not compared.
    """

    indexed: IndexedPassage
    score: float
    likeness: Likeness | None = None


def find_candidates(
    engine: SearchEngine, asked: ComparedQuestion | None, terms: Sequence[str], limit: int
) -> list[Candidate]:
    """The best passages by words, and those that are nearest by meaning, where that was ``asked``."""
    weighted = [(term, 1.0) for term in terms]
    hits = engine.search(weighted, _CONTEXT_BOOST, limit)
    if asked:
        found = {hit.record["digest"] for hit in hits}
        nearest = [digest for digest in asked.find_nearest(limit) if digest not in found]
        hits += engine.rate(nearest, weighted, _CONTEXT_BOOST)
    # Equal scores come as they were indexed, and a part was indexed in another order than the whole.
    hits.sort(key=lambda hit: (-hit.score, hit.record["path"], hit.record["start"]))
    passages = [(read_record(hit.record), hit.score) for hit in hits]
    likenesses = asked.compare([passage.digest for passage, _ in passages]) if asked else {}
    return [Candidate(passage, score, likenesses.get(passage.digest)) for passage, score in passages]


class FoundPassages:
    """Passages that a retriever or a vector store has found for one question, out of ``total``.

    It says of them what an :class:`~.part.IndexPart` says. Each has a likeness on the scale of
    :class:`~.CosineScale`, or None where its meaning was not compared.
    """

    are_near: Final = True
    know_meaning: Final = True

    def __init__(
        self, found: Sequence[tuple[Passage, float | None]], total: int, languages: tuple[str, ...]
    ) -> None:
        self._entries = [write_entry(passage) for passage, _ in found]
        self.words = SearchEngine(None)
        self.words.apply(self._entries)
        # A word that few of them have is rare among all passages too.
        self.total = max(total, len(self.words))
        self.languages = languages
        self.likenesses = {
            # What found them compares no single units.
            entry.record["digest"]: Likeness(likeness, (likeness,) * len(passage.units))
            for entry, (passage, likeness) in zip(self._entries, found, strict=True)
            if likeness is not None
        }

    def find(self, question: str, terms: Sequence[str], limit: int) -> list[Candidate]:  # noqa: ARG002
        """Those of the passages that have the terms, those that are most alike, then the others as found."""
        hits = find_candidates(self.words, self, terms, limit)
        known = {hit.indexed.digest for hit in hits}
        others = (one.record for one in self._entries if one.record["digest"] not in known)
        return [*hits, *(Candidate(read_record(one), 0.0) for one in others)][:limit]

    def knows_word(self, word: str) -> bool:  # noqa: ARG002
        """False, because nothing tells."""
        return False

    def find_nearest(self, limit: int) -> list[int]:
        """The digests of the ``limit`` passages of the highest likeness, the highest first."""
        return sorted(self.likenesses, key=lambda one: (-self.likenesses[one].passage, one))[:limit]

    def compare(self, passages: Sequence[int]) -> dict[int, Likeness]:
        """The likenesses of those of the passages that have one."""
        return {digest: self.likenesses[digest] for digest in passages if digest in self.likenesses}
