"""This module asks the questions of public sets, and counts what was found."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bot.retrieval.nearest_passages import find_nearest
from bot.retrieval.part import IndexPart
from bot.retrieval.passage import Passage
from bot.retrieval.search import Scope, search
from citations import AnswerKind

from .public_set import SetQuestion, Span, overlap


@dataclass(frozen=True, slots=True)
class FoundSpans:
    """What a search found for one question."""

    passages: Sequence[Span]
    """The best first."""
    sentences: Sequence[Span]
    """The sentences that are quoted where the search answers."""
    kind: str
    """``answered``, ``unsure`` or ``nothing``."""
    nearest: Sequence[Span] = ()
    """The passages that are shown where the search is not sure."""


Search = Callable[[str], FoundSpans]


@dataclass(frozen=True, slots=True)
class PresentShares:
    """Shares of the questions that the articles answer, in per cent, and the median time in milliseconds."""

    first: float
    among_five: float
    answered: float
    right: float
    """A quoted sentence overlaps the gold answer."""
    shown: float
    """A person gets the gold answer: it is right, or it stands in a passage that is shown as near."""
    unsure: float
    milliseconds: float


@dataclass(frozen=True, slots=True)
class AbsentShares:
    """Shares of the questions that the articles do not answer, in per cent."""

    asked: int
    answered: float
    unsure: float


def search_part(part: IndexPart) -> Search:
    """Return the folder's search over a part of an index."""
    scope = Scope(part)

    def ask(question: str) -> FoundSpans:
        result = search(question, scope)
        passages = [_locate(one.passage) for one in result.ranked]
        sentences = [(*quote.location, quote.location[1] + len(quote.text)) for quote in result.quotes]
        is_unsure = result.kind is AnswerKind.UNSURE
        sources = find_nearest(result) if is_unsure else ()
        nearest = [_locate(quoted.passage) for source in sources for quoted in source.quoted]
        return FoundSpans(passages, sentences, result.kind, nearest)

    return ask


def _locate(passage: Passage) -> Span:
    return passage.path, passage.start, passage.end


def measure_present(ask: Search, questions: Iterable[SetQuestion]) -> PresentShares:
    """Ask the questions that have a gold answer."""
    marks: list[tuple[bool, ...]] = []
    seconds: list[float] = []
    for question in questions:
        if question.gold is None:
            continue
        started = time.perf_counter()
        found = ask(question.text)
        seconds.append(time.perf_counter() - started)
        hits = [overlap(span, question.gold) for span in found.passages[:5]]
        is_answer = found.kind == "answered"
        is_right = is_answer and any(overlap(span, question.gold) for span in found.sentences)
        is_shown = is_right or any(overlap(span, question.gold) for span in found.nearest)
        marks.append((any(hits[:1]), any(hits), is_answer, is_right, is_shown, found.kind == "unsure"))
    first, among_five, answered, right, shown, unsure = map(_share, zip(*marks, strict=True))
    median = 1000 * statistics.median(seconds)
    return PresentShares(first, among_five, answered, right, shown, unsure, median)


def measure_absent(ask: Search, questions: Iterable[str]) -> AbsentShares:
    """Ask questions that have no answer."""
    kinds = [ask(question).kind for question in questions]
    return AbsentShares(
        len(kinds), _share(one == "answered" for one in kinds), _share(one == "unsure" for one in kinds)
    )


def _share(marks: Iterable[bool]) -> float:
    counted = list(marks)
    return 100 * sum(counted) / len(counted) if counted else math.nan
