"""Compares a question with passages and their sentences by their vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np

from .codes import Codes
from .embedder import Vectors
from .embedding import PassageEmbedding
from .likeness import CosineScale
from .vectors import VectorsError, VectorStore
from .word_codes import AskedWords, SaidWords, compare_words

_EXACT: Final = 300
"""This many passages with the nearest codes are compared exactly."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike a question and a passage are, the question and each of its units in order, and its headings.

    ``heading`` is None for a passage without headings, or where they have no vector of their own. ``said`` is
    how much of the question is said, word by word, and None where the model can't tell.
    """

    passage: float
    units: tuple[float, ...]
    heading: float | None = None
    said: SaidWords | None = None

    @property
    def mean(self) -> float:
        """The mean of the passage's likeness and its best unit's, or its headings' if they are more alike."""
        best = max(self.units)
        return (self.passage + (best if self.heading is None else max(best, self.heading))) / 2


class ComparedQuestion(Protocol):
    """A question whose meaning was compared with that of passages, which are named by their digests."""

    def find_nearest(self, limit: int) -> list[int]:
        """The digests of the ``limit`` passages of the highest cosine, the highest first."""
        ...

    def compare(self, passages: Sequence[int]) -> dict[int, Likeness]:
        """Compare the question with those of the passages that have vectors."""
        ...


@dataclass(slots=True, eq=False)
class PartMeaning:
    """The vectors of the passages that one person may see; of no others, so that those have no effect."""

    embedding: PassageEmbedding
    digests: frozenset[int]
    _selected: tuple[Codes, Codes] | None = field(default=None, init=False)
    """The codes of all passages, and those among them that are this part's."""

    @property
    def codes(self) -> Codes:
        """The codes of the passages that are embedded so far."""
        everything = self.embedding.codes
        if self._selected is None or self._selected[0] is not everything:
            among = np.fromiter(self.digests, np.int64, len(self.digests))
            self._selected = (everything, everything.keep_only(among))
        return self._selected[1]

    @property
    def progress(self) -> str:
        """How many of the passages have vectors, such as ``312 of 900``."""
        return f"{self.codes.digests.size} of {len(self.digests)}"

    @property
    def is_complete(self) -> bool:
        """Whether all passages have vectors, and the embedder is loaded."""
        return self.codes.digests.size == len(self.digests) and self.embedding.is_ready

    def ask(self, question: str) -> QuestionMeaning | None:
        """The meaning of a question; None where nothing is embedded yet, or the embedder fails."""
        self.embedding.wait_until_loaded()
        codes, store = self.codes, self.embedding.store
        if not codes.digests.size or store is None:
            return None
        vector = self.embedding.embed_question(question)
        scale = self.embedding.scale
        if vector is None:
            return None
        return QuestionMeaning(vector, codes, store, scale, self.embedding.code_question(question))


@dataclass(frozen=True, slots=True, eq=False)
class QuestionMeaning:
    """A question's vector, and the passages that it is compared with."""

    vector: Vectors
    codes: Codes
    store: VectorStore
    scale: CosineScale
    asked: AskedWords | None = None

    def find_nearest(self, limit: int) -> list[int]:
        """The digests of the ``limit`` passages that are most alike, the most alike first."""
        try:
            nearest = self.codes.find_nearest(self.scale.center(self.vector), _EXACT)
            alike = self._compare(self.store.read_passages(nearest))
        except VectorsError:
            return []
        return sorted(alike, key=alike.__getitem__, reverse=True)[:limit]

    def compare(self, passages: Sequence[int]) -> dict[int, Likeness]:
        """Compare the question with those of the passages that have vectors."""
        try:
            units = self.store.read_units(passages)
            alike = self._compare(self.store.read_passages(units))
            texts = {one for of_one, above in units.values() for one in (*of_one, above) if one is not None}
            each = self._compare(self.store.read_texts(texts))
            said = compare_words(self.asked, self.store.read_words(passages)) if self.asked else {}
        except VectorsError:
            return {}
        return {
            digest: Likeness(
                alike[digest],
                tuple(each[one] for one in of_one),
                None if heading is None else each.get(heading),
                said.get(digest),
            )
            for digest, (of_one, heading) in units.items()
            if digest in alike and of_one and all(one in each for one in of_one)
        }

    def _compare(self, vectors: Mapping[int, Vectors]) -> dict[int, float]:
        """How alike the question and each vector are, by the keys of ``vectors``."""
        if not vectors:
            return {}
        likenesses = self.scale.compare(np.array([*vectors.values()]), self.vector)
        return dict(zip(vectors, likenesses.tolist(), strict=True))
