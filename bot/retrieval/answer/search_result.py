"""Searches the part of a folder that one person may see.

A search returns the passages that may be quoted, the best unit of them, and the documents that may be named
only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from typing import Final

from citations import AnswerKind

from ..index import Candidates
from ..passages import write_context
from ..question import SearchQuery, Task, find_task, names_nothing, read_question
from ..words import is_stop_word, is_unsegmented, split_words, stem_words
from .decision import are_near, decide
from .rank import RankedPassage, drop_twins, prefer_languages, rank
from .scope import Scope
from .units import ScoredUnit, UnitScores, choose_best, find_named_rows, is_asked_above

_CANDIDATES: Final = 30
"""At most this many passages are ranked."""
PASSAGES: Final = 8
"""The best unit comes from this many passages at most."""
_SUGGESTIONS: Final = 4


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result for one question.

    ``ranked`` has the best passages that may be quoted, and ``best`` is their unit that says most. ``kind``
    says how far it answers; where it does, its passage is the first. ``unquotable`` has the paths of
    answering documents that may be named only.
    """

    candidates: Candidates
    scope: Scope
    query: SearchQuery
    scores: UnitScores
    ranked: list[RankedPassage]
    best: ScoredUnit | None
    unquotable: tuple[str, ...]
    kind: AnswerKind
    task: Task | None = None
    """What the message wants done, where it is no question; of a summary, ``ranked`` has the document."""

    @property
    def replaced(self) -> tuple[tuple[str, str], ...]:
        """The words that were replaced, each with the other word, as far as what is shown has that.

        A word that only documents in :attr:`Scope.withheld` have is not said: no citation stands beside it.
        """
        if self.kind is AnswerKind.NOTHING:
            return ()
        withheld = self.scope.withheld
        answers = self.best is not None and self.kind is AnswerKind.ANSWERED
        ranked = self.ranked[:1] if answers else self.ranked
        shown = [one for one in ranked if one.passage.path not in withheld]
        terms = frozenset[int]().union(*(one.terms for one in shown))
        read = [one.passage for one in shown if withheld]
        texts = [f"{one.text} {write_context(one)}".lower() for one in read]
        replaced = (one for one in self.query.replaced if one.term in terms)
        return tuple(
            (one.asked, one.shown)
            for one in replaced
            if not withheld or any(one.shown.lower() in text for text in texts)
        )

    @property
    def unknown(self) -> tuple[str, ...]:
        """The words of the question that no document has.

        It is empty where there are none, where not all were searched, or some are in :attr:`Scope.withheld`,
        and where the best passage is in another language, which has other words.
        """
        is_all = not (self.candidates.are_near or self.scope.withheld or self.scope.is_of_chosen)
        is_known = self.candidates.total and is_all
        is_translated = bool(self.ranked) and _is_translated(self.query, self.ranked[0])
        return self.query.unknown if is_known and not is_translated else ()


def _is_translated(query: SearchQuery, ranked: RankedPassage) -> bool:
    """Whether a passage that is alike is in another language than the question."""
    language = ranked.passage.language
    return ranked.likeness is not None and None is not language != query.language


def search(
    question: str, candidates: Candidates, scope: Scope, *, taken_up: frozenset[str] = frozenset()
) -> SearchResult:
    """Search ``candidates``, which are passages of the documents in ``scope``.

    ``taken_up`` are the words of ``question`` that only the question before it has. Raises
    :class:`EngineError` where the index can't be read.
    """
    query = read_question(question, candidates, taken_up)
    found = candidates.find(question, list(query.indexes), _CANDIDATES)
    if not query.terms:  # small words alone may be a heading
        having = candidates.find(question, stem_words(query.text, query.language), _CANDIDATES)
        found = [one for one in having if is_asked_above(query, one.indexed.passage)] or found
    ranked = rank(query, found)[:_CANDIDATES]
    readable = (one for one in ranked if one.passage.path not in scope.unquotable)
    distinct = drop_twins(readable, scope.withheld)
    quotable = distinct[:PASSAGES]
    scores = UnitScores(query)
    unquotable = _find_answering(scores, ranked[:PASSAGES], scope.unquotable)
    best = choose_best(scores, quotable)
    kind = decide(query, quotable, best)
    languages = frozenset(filter(None, (query.language, *candidates.languages[:1])))
    nearest = prefer_languages(distinct, languages)[:PASSAGES]
    if kind is AnswerKind.NOTHING and not unquotable and candidates.are_near:
        kind = AnswerKind.UNSURE if are_near(query, nearest, found) else kind
    if kind is AnswerKind.NOTHING and not unquotable and nearest and _is_translated(query, nearest[0]):
        kind = AnswerKind.UNSURE  # its words say nothing about a text in another language
    task = find_task(question)
    if task is Task.SUMMARY:
        if document := _find_document(query, ranked, scope):
            return SearchResult(candidates, scope, query, scores, document, None, (), AnswerKind.UNSURE, task)
        task = Task.TEXT  # headings of several documents are no summary of anything
    is_half = task is Task.COMPARISON and (not best or len(find_named_rows(scores, best.ranked)) < 2)
    if task and nearest and (kind is AnswerKind.NOTHING or task is Task.TEXT or is_half):
        kind = AnswerKind.UNSURE  # what it is about is shown, in the words of the documents
    if best and kind is AnswerKind.ANSWERED:
        nearest = [best.ranked, *(one for one in nearest if one is not best.ranked)]
    return SearchResult(
        candidates, scope, query, scores, nearest, best, tuple(sorted(unquotable)), kind, task
    )


def _find_document(query: SearchQuery, ranked: Sequence[RankedPassage], scope: Scope) -> list[RankedPassage]:
    """The passages of the document that a message names by its title or its file's name, in its order.

    Where a heading has more of the message, as of *the parental leave policy*, it means that section.
    """
    quotable = [one for one in ranked if one.passage.path not in scope.unquotable]
    named: dict[str, frozenset[int]] = {}
    for one in quotable:
        named[one.passage.path] = named.get(one.passage.path, one.context) & one.context
    path = max(named, key=lambda path: query.weigh(named[path]), default="")
    least = max((query.weigh(one.context) for one in quotable), default=0.0)
    if not path or not named[path] or query.weigh(named[path]) < least:
        return []
    return sorted((one for one in quotable if one.passage.path == path), key=lambda one: one.passage.start)


def _find_answering(
    scores: UnitScores, ranked: Sequence[RankedPassage], paths: frozenset[str]
) -> frozenset[str]:
    """Those of the documents at ``paths`` that answer."""
    best = (choose_best(scores, [one]) for one in ranked if one.passage.path in paths)
    answering = (one for one in best if one and decide(scores.query, ranked, one) is AnswerKind.ANSWERED)
    return frozenset(one.location[0] for one in answering)


def suggest(scope: Scope, language: str | None = None) -> tuple[str, ...]:
    """Suggest questions that headings of several documents ask, those in ``language`` first."""
    known = scope.listing.known
    asked = [
        (known[path].language != language, question)
        for path, question in scope.listing.questions
        if path not in scope.withheld and _is_sentence(question, known[path].language)
    ]
    # Sorting is stable, so the order within each half stays.
    ordered = (question for _, question in sorted(asked, key=itemgetter(0)))
    return tuple(islice(dict.fromkeys(ordered), _SUGGESTIONS))


def _is_sentence(question: str, language: str | None) -> bool:
    """Whether a question is one by itself: it has small words, and leans on nothing before it.

    ``Free software?`` asks for nothing, and ``Is it well?`` below its heading asks for what stands above.
    """
    small = (word for word in split_words(question) if language and is_stop_word(word, language))
    return is_unsegmented(question) or (any(small) and not names_nothing(question))
