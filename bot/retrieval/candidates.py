"""This module searches passages that another index has found, as if they were a folder's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from citations import AnswerKind

from .elliptic import CompleteQuestion
from .engine import SearchEngine
from .meaning import Likeness
from .passage import Passage
from .rank import measure_coverage
from .record import compute_passage_digest, write_entry
from .search import Scope, SearchResult, search

_NEAR_ALIKE: Final = 0.14
"""The least likeness of a passage that is near; it is less than that of the passage's best sentence."""
_NEAR_TOGETHER: Final = 0.42
"""The least sum of this likeness and the coverage of the question's words."""


class CandidateEngine(SearchEngine):
    """An index in memory of the candidates for one question, out of ``total`` passages.

    A word that few candidates have is rare among all passages too. So its weight counts from all of them.
    """

    def __init__(self, passages: Iterable[Passage], total: int) -> None:
        super().__init__(None)
        self._total = total
        self.apply(map(write_entry, passages))

    def __len__(self) -> int:
        return max(self._total, super().__len__())


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that another index has found.

    ``likeness`` is on the scale of :class:`~.likeness.CosineScale`, or None where only words were compared.
    """

    passage: Passage
    likeness: float | None = None


@dataclass(frozen=True, slots=True)
class CandidateLikeness:
    """The likeness of a question and candidates by their digests; the other index knows no units."""

    likenesses: Mapping[int, Likeness]

    def find_nearest(self, limit: int) -> list[int]:
        """Return the digests of the ``limit`` passages of the highest likeness, the highest first."""
        return sorted(self.likenesses, key=lambda digest: -self.likenesses[digest].passage)[:limit]

    def compare(self, passages: Sequence[int]) -> dict[int, Likeness]:
        """Compare the question with those of the passages that have a likeness."""
        return {digest: self.likenesses[digest] for digest in passages if digest in self.likenesses}


def search_candidates(
    complete: CompleteQuestion, scope: Scope, candidates: Sequence[Candidate]
) -> SearchResult:
    """Search the candidates; ``scope`` has the records of all documents that may be seen, without passages.

    Candidates that are near the question in words or meaning are shown as the nearest, and claim nothing.
    """
    total = scope.part.report().passages
    engine = CandidateEngine((one.passage for one in candidates), total)
    compared = CandidateLikeness(
        {
            compute_passage_digest(one.passage): Likeness(
                one.likeness, (one.likeness,) * len(one.passage.units)
            )
            for one in candidates
            if one.likeness is not None
        }
    )
    result = search(
        complete.text,
        Scope(replace(scope.part, engine=engine), scope.unquotable),
        taken_up=complete.taken_up,
        compared=compared,
    )
    if result.kind is AnswerKind.NOTHING and not result.unquotable and _is_near(result, candidates):
        return replace(result, kind=AnswerKind.UNSURE)
    return result


def _is_near(result: SearchResult, candidates: Sequence[Candidate]) -> bool:
    """Return whether a passage comes near the question. Without vectors, those that were found do."""
    likenesses = [one.likeness for one in candidates if one.likeness is not None]
    if not result.ranked or not likenesses:
        return bool(result.ranked)
    likeness = max(likenesses)
    together = measure_coverage(result.query, result.ranked) + likeness
    return likeness >= _NEAR_ALIKE and together >= _NEAR_TOGETHER
