"""Finds the unit of ranked passages that says most about a question, and those that are shown with it.

A sentence's score has three parts. The first is the weight of the question's words that it holds. The
second is half the weight of those that only its headings or the sentence before it hold. ``It takes two
days.`` is a sentence that needs them. The third is the score of its passage. The weights were fitted on
one half of COVID-QA and rounded.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..passages import Passage, Unit, find_rest, group_units, split_cells
from ..question import QuestionKind, SearchQuery
from ..words import fold_stem, is_stop_word, split_words
from .form import has_form
from .rank import RankedPassage, share_said

_OWN: Final = 3.0
_INHERITED: Final = 1.5
_MEANING: Final = 0.65
"""The weight of a sentence's meaning beside its words."""
_MEANING_OF_ROW: Final = 0.3
"""The same where the question names a row: rows are alike in meaning, and their words tell them apart."""
_SAID: Final = 0.4
"""The weight of how much of the question a sentence says, word by word, where that was compared."""
_NAMED: Final = 0.5
"""The least share of a question's weight that names a cell by its row and its column or table."""
_ALL: Final = 0.99
"""The share of a question's weight that is all of it; the rest is rounding."""
_OTHER_FORM: Final = 0.75
"""The weight of a sentence that can't be the number that is asked for, or lacks one that is named.

The same for the other rows of a table of which the question names one.
"""
_CODE: Final = re.compile(r"[^\W\d_]\d|\d[^\W\d_]")
"""A letter beside a digit."""
_BESIDE: Final = 0.4
"""What a sentence beside a chosen one gains, as a share of the range of scores in their passage.

Without it, the answer stands as often in an excerpt, which then has twice the gaps.
"""


@dataclass(frozen=True, slots=True)
class ScoredUnit:
    """A unit that may answer, with the passage that it stands in.

    ``own`` is the weight of the question's words that the unit holds. ``covered`` adds those that
    its headings and its lead hold. ``score`` adds the score of the passage. ``likeness`` is that of its
    meaning and the question's, or None without vectors. ``said`` is how much of the question it says, word by
    word, or None where that was not compared. ``terms`` are those of the unit, its headings and
    its lead. ``fits`` says whether it can be the number or date that is asked for. It or its headings must
    also have each code of the question, such as ``E07``. ``is_named`` says whether the question names the
    unit. It names a row by all words of the first cell and some of its column or table, others by their code.
    """

    ranked: RankedPassage
    unit: Unit
    own: float
    covered: float
    score: float
    likeness: float | None = None
    said: float | None = None
    terms: frozenset[int] = frozenset()
    fits: bool = True
    is_named: bool = False

    @property
    def location(self) -> tuple[str, int]:
        """The path of its file, and the offset in the file's text."""
        return self.ranked.passage.path, self.ranked.passage.start + self.unit.start

    @property
    def text(self) -> str:
        """The text as the document has it."""
        return self.ranked.passage.text[self.unit.start : self.unit.end]


class UnitScores:
    """The scored units of passages for one ``query``; each passage is scored once, when it is asked for."""

    def __init__(self, query: SearchQuery) -> None:
        self.query = query
        self._asked = query.indexes
        spellings = enumerate(term.spellings for term in query.terms)
        self._codes = {index for index, ones in spellings if any(map(_CODE.search, ones))}
        """The indexes of the terms with letters and digits, such as ``E07``."""
        self._found: dict[RankedPassage, tuple[ScoredUnit, ...]] = {}

    def of(self, passages: Iterable[RankedPassage]) -> list[ScoredUnit]:
        """The units of these passages, but for table headers, questions and echoes, which answer nothing."""
        passages = list(passages)
        self._found |= {one: tuple(self._score(one)) for one in passages if one not in self._found}
        return [one for ranked in passages for one in self._found[ranked]]

    def _score(self, ranked: RankedPassage) -> Iterator[ScoredUnit]:
        query, passage = self.query, ranked.passage
        before_table = not passage.table
        nothing = [None] * len(ranked.units)
        likenesses = ranked.likeness.units if ranked.likeness else nothing
        saids = ranked.likeness.said.units if ranked.likeness and ranked.likeness.said else nothing
        for found, likeness, said in zip(ranked.units, likenesses, saids, strict=True):
            unit = found.unit
            text = passage.text[unit.start : unit.end]
            is_header = unit.kind == "row" and before_table
            before_table = unit.kind != "row"
            is_question = text.rstrip("*_ ").endswith(("?", "？", "؟"))
            if is_header or is_question or self._is_echo(passage, unit, text):
                continue
            above = (found.lead | ranked.context) - found.terms
            own, inherited = query.weigh(found.terms), query.weigh(above)
            score = ranked.score + _OWN * own + _INHERITED * inherited
            terms = found.terms | above
            fits = terms.issuperset(self._codes) and has_form(query, text)
            covered = own + inherited
            is_enough = covered >= _NAMED * query.weight and (inherited > 0 or unit.kind != "row")
            is_named = is_enough and self.names(passage, unit, text)
            yield ScoredUnit(ranked, unit, own, covered, score, likeness, said, terms, fits, is_named)

    def names(self, passage: Passage, unit: Unit, text: str) -> bool:
        """Whether a question has all words of a row's first cell, or the code with which another unit begins.

        A question for yes or no names none.
        """
        if self.query.asks is QuestionKind.YES_NO:
            return False
        language = passage.language
        if unit.kind == "row":
            name, *_ = split_cells(text)
            words = [word for word in split_words(name) if not (language and is_stop_word(word, language))]
        else:
            words = [word for word in split_words(text)[:1] if _CODE.search(word)]
        return bool(words) and all(fold_stem(word, language) in self._asked for word in words)

    def _is_echo(self, passage: Passage, unit: Unit, text: str) -> bool:
        """Whether a unit has the words of a question and no other, which says nothing but to a yes or no."""
        may_answer = self.query.asks is QuestionKind.YES_NO or unit.kind == "row"
        if may_answer or len(text) > len(self.query.text) or find_rest(passage, unit):
            return False
        language = passage.language
        content = [word for word in split_words(text) if not (language and is_stop_word(word, language))]
        return len(content) > 1 and all(fold_stem(word, language) in self._asked for word in content)


def choose_best(scores: UnitScores, ranked: Sequence[RankedPassage]) -> ScoredUnit | None:
    """The unit that says most about a question, even where it does not answer; None if there is none.

    Below a heading that is the question stands its answer, in whatever words. A unit that the question names
    comes first, if nothing else is asked. Where units have what a follow-up adds, the others answer only the
    question before.
    """
    query = scores.query
    scored = scores.of(one for one in ranked if is_asked_above(query, one.passage)) or scores.of(ranked)
    scored = [one for one in scored if holds_addition(query, one)] or scored
    blended = list(_blend(scored))
    named = [one for one in blended if one.is_named and one.fits and one.covered >= _ALL * query.weight]
    return max(named or blended, key=lambda one: one.score, default=None)


def holds_addition(query: SearchQuery, quote: ScoredUnit) -> bool:
    """Whether a quote has most of what a follow-up adds to the question before it.

    "And by bike?" is not answered by the same sentence as that question.
    """
    return not query.added or 2 * query.weigh(query.added & quote.terms) > query.weigh(query.added)


def choose_excerpt(
    scores: UnitScores, ranked: RankedPassage, room: int, best: Unit | None, known: Container[Unit] = ()
) -> list[Unit]:
    """The units of a passage that are shown with the ``best`` one, in about ``room`` characters and in order.

    The best one is there however long it is, and of what it introduces, as much as fits. Then come the
    units beside it, of which the next often says what the best one only names, and then what matches, near a
    chosen unit rather than elsewhere. An item stands below what introduces its list: without "It is forbidden
    to:" it would say the opposite. What a reader has is ``known``, and is not there again, unless the passage
    has nothing else.
    """
    units = [found.unit for found in ranked.units]
    if not units:
        return []
    blended = {one.unit: one.score for one in _blend(scores.of([ranked]))}
    least, most = min(blended.values(), default=0.0), max(blended.values(), default=0.0)
    worths = [blended.get(unit, least) for unit in units]
    new = [place for place, unit in enumerate(units) if unit not in known] or range(len(units))
    chosen: set[int] = set()

    def needs(place: int) -> set[int]:
        lead = _find_lead(ranked.passage, units[place])
        return {place, units.index(lead)} if lead in units else {place}

    def fits(place: int) -> bool:
        return sum(units[one].end - units[one].start for one in chosen | needs(place)) <= room

    def weigh(place: int) -> float:
        is_beside = place - 1 in chosen or place + 1 in chosen
        return worths[place] + _BESIDE * (most - least) * is_beside

    first = units.index(best) if best and best not in known else max(new, key=worths.__getitem__)
    chosen |= needs(first)
    rest = len(find_rest(ranked.passage, units[first]))
    for place in range(first + 1, first + 1 + rest):
        chosen |= needs(place) if fits(place) else set()
    beside = [] if rest else [one for one in _find_beside(units, first) if one in new]
    for place in beside:
        chosen |= {place} if fits(place) else set()
    while fitting := [one for one in new if one not in chosen and fits(one) and weigh(one) > least]:
        chosen |= needs(max(fitting, key=weigh))
    return [units[place] for place in sorted(chosen)]


def _find_beside(units: Sequence[Unit], place: int) -> Iterator[int]:
    """The places beside a unit: in its paragraph or item, behind it first, then in the next paragraph."""
    behind = units[place + 1] if place + 1 < len(units) else None
    if behind and not behind.opens and behind.kind != "row":
        yield place + 1
    if not units[place].opens and units[place].kind != "row":
        yield place - 1
    if behind and behind.opens and behind.kind == units[place].kind == "sentence":
        yield place + 1


def find_named_rows(scores: UnitScores, ranked: RankedPassage) -> list[Unit]:
    """The rows of a passage of which the question has the first cell: two, where it compares them."""
    rows = (one for one in scores.of([ranked]) if one.unit.kind == "row")
    return [one.unit for one in rows if scores.names(ranked.passage, one.unit, one.text)]


def find_list(passage: Passage, room: int) -> list[Unit]:
    """The longest list or table of a passage, below what introduces it, in about ``room`` characters."""
    groups = group_units(passage.text, passage.units)
    lists = [group for group in groups if group[0].kind in ("item", "row") and len(group) > 1]
    if not lists:
        return []
    longest = max(lists, key=len)
    before = groups[: groups.index(longest)][-1:]
    lead = [group[-1] for group in before if find_rest(passage, group[-1])]
    start = longest[0].start
    return [*lead, *(unit for unit in longest if unit.end - start <= room)]


def _find_lead(passage: Passage, unit: Unit) -> Unit | None:
    """The unit that introduces the list of an item."""
    above = passage.units[: passage.units.index(unit)] if unit.kind == "item" else ()
    lead = next((one for one in reversed(above) if one.kind != "item"), None)
    return lead if lead and find_rest(passage, lead) else None


def is_asked_above(query: SearchQuery, passage: Passage) -> bool:
    """Whether the heading of a passage is the question, in other small words at most.

    "How to pay a bill" asks the same as "How do I pay my bill?". "Why pay a bill?" has another first word.
    """
    heading, asked = split_words(passage.heading or ""), split_words(query.text)
    if frozenset(heading) == query.words:
        return True
    content = _drop_small_words(heading, query.language)
    is_same = heading[:1] == asked[:1] and content == _drop_small_words(asked, query.language)
    return is_same and len(content) > 1


def _drop_small_words(words: Sequence[str], language: str | None) -> frozenset[str]:
    return frozenset(word for word in words if not (language and is_stop_word(word, language)))


def _blend(quotes: Sequence[ScoredUnit]) -> Iterator[ScoredUnit]:
    """Score quotes by words and meaning; a quote without a vector keeps its share of words."""
    best_words = max((quote.score for quote in quotes), default=0.0)
    best_likeness = max((quote.likeness or 0.0 for quote in quotes), default=0.0)
    named = {quote.ranked for quote in quotes if quote.is_named}
    meaning = _MEANING_OF_ROW if named else _MEANING
    most_said = max((quote.said or 0.0 for quote in quotes), default=0.0)
    for quote in quotes:
        score = quote.score
        if best_likeness > 0 and quote.likeness is not None:
            scale = best_words / best_likeness
            score = (1 - meaning) * score + meaning * scale * quote.likeness
        if quote.said is not None and not named:
            score = (1 - _SAID) * score + _SAID * best_words * share_said(quote.said, most_said)
        is_other = quote.unit.kind == "row" and quote.ranked in named and not quote.is_named
        score = score if quote.fits and not is_other else _OTHER_FORM * score
        yield quote if score == quote.score else replace(quote, score=score)
