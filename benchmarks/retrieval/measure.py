"""This module asks the questions of public sets, and counts what was found."""

from __future__ import annotations

import math
import statistics
import time
from collections import defaultdict
from collections.abc import Iterable

from bot.retrieval.answer.excerpts import find_sources
from bot.retrieval.answer.scope import Scope
from bot.retrieval.answer.search_result import SearchResult, search
from bot.retrieval.index.part import IndexPart
from bot.retrieval.passages.passage import Passage
from citations import AnswerKind

from .public_set import SetQuestion, Span, overlap


def measure_present(part: IndexPart, questions: Iterable[SetQuestion]) -> dict[str, float]:
    """Ask the questions that have a gold answer.

    Return shares in per cent by the names of their columns, and the median time in milliseconds.
    """
    scope = Scope(part.listing)
    marks: dict[str, list[bool]] = defaultdict(list)
    seconds: list[float] = []
    for question in questions:
        if question.gold is None:
            continue
        started = time.perf_counter()
        result = search(question.text, part, scope)
        seconds.append(time.perf_counter() - started)
        for name, mark in _mark(result, question.gold).items():
            marks[name].append(mark)
    return {name: _share(given) for name, given in marks.items()} | {"ms": 1000 * statistics.median(seconds)}


def _mark(result: SearchResult, gold: Span) -> dict[str, bool]:
    """Return what is true of one result, by the names of the columns."""
    hits = [overlap(_locate(one.passage), gold) for one in result.ranked[:5]]
    answers, is_unsure = (result.kind is kind for kind in (AnswerKind.ANSWERED, AnswerKind.UNSURE))
    best = result.best
    is_right = bool(answers and best and overlap((*best.location, best.location[1] + len(best.text)), gold))
    sources = find_sources(result) if is_unsure else ()
    nearest = [_locate(passage) for source in sources for passage in source.passages]
    return {
        "@1": any(hits[:1]),
        "@5": any(hits),
        "answered": answers,
        "right": is_right,
        "shown": is_right or any(overlap(span, gold) for span in nearest),
        "unsure": is_unsure,
    }


def measure_absent(part: IndexPart, questions: Iterable[str]) -> tuple[float, float]:
    """Ask questions that have no answer; return the shares of *answered* and of *unsure* in per cent."""
    kinds = [search(question, part, Scope(part.listing)).kind for question in questions]
    return (
        _share(kind is AnswerKind.ANSWERED for kind in kinds),
        _share(kind is AnswerKind.UNSURE for kind in kinds),
    )


def _locate(passage: Passage) -> Span:
    return passage.path, passage.start, passage.end


def _share(marks: Iterable[bool]) -> float:
    counted = list(marks)
    return 100 * sum(counted) / len(counted) if counted else math.nan
