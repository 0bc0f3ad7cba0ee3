"""Searches a section by its number, in headings first, then in the texts that carry it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import Final

from ..index import Candidate
from ..passages import read_record
from ..question import SearchQuery, SectionNumber, Term, begins_section
from ..words import SearchEngine, split_words
from .quotes import SENTENCES, QuotedUnit, choose_quotes, order_quotes
from .rank import RankedPassage, rank

_CANDIDATES: Final = 300
"""At most this many passages that have the number are looked at."""
_COMPOUND: Final = 10
"""The least letters of a compound that may name a law by the words of its title."""
_BEGINNING: Final = 5
"""The least letters of a word that begins one of a title, and of the root of one."""
_PART_LETTERS: Final = 4
"""The least letters of such a word's stem."""
_NAMED: Final = 0.75
"""The share of the compound's letters that the words have to have."""
_PART: Final = re.compile(r"[*_ ]*\(?(\d+)[.)]")
"""The number of a paragraph at its beginning: ``(2)``."""


@dataclass(frozen=True, slots=True)
class FoundSection:
    """The passages of a section, the best first, and the quotes from it that answer.

    Without quotes the passages only mention the section, or they have none of the question's words.
    """

    ranked: list[RankedPassage]
    quotes: tuple[QuotedUnit, ...]


def search_section(section: SectionNumber, query: SearchQuery, words: SearchEngine) -> FoundSection | None:
    """What the documents have of a section; None where they don't have it.

    ``query`` has the words that the question asks about the section, if there are any.
    """
    tokens = [(token,) for token in split_words(section.number)]

    def find(fields: Sequence[str], has: Callable[[RankedPassage], bool]) -> list[RankedPassage]:
        hits = words.find_entries_with(tokens, _CANDIDATES, fields)
        candidates = [Candidate(read_record(hit.record), hit.score) for hit in hits]
        return [passage for passage in rank(query, candidates) if has(passage)]

    passages = (
        find(("context",), lambda one: any(map(section.begins, one.passage.headings)))
        or find(("body",), lambda one: _find_start(section, one) is not None)
        or find(("context",), lambda one: any(map(section.begins_without_sign, one.passage.headings)))
    )
    if not passages:
        mentions = find(("body",), lambda one: section.is_mentioned_in(one.passage.text))
        return FoundSection(mentions, ()) if mentions else None
    passages, asked = _select_documents(query, passages)
    in_order = sorted(passages, key=lambda one: (one.passage.path, one.passage.start))
    if section.part:
        quotes = _quote_part(section.part, in_order)
        return FoundSection(in_order, quotes) if quotes else None
    if not asked:
        return FoundSection(in_order, _quote_beginnings(section, in_order))
    covered = any(asked & passage.terms for passage in passages)
    return FoundSection(passages, order_quotes(choose_quotes(query, passages)) if covered else ())


def _select_documents(
    query: SearchQuery, passages: list[RankedPassage]
) -> tuple[list[RankedPassage], frozenset[int]]:
    """The passages of the document that the question names, and the terms that do not name it.

    A document is named by words of its title, its file name or the section's heading: ``§ 3 MuSchG``.
    Where none is named, these are all passages and all terms.
    """
    naming = [
        (one, frozenset(i for i, term in enumerate(query.terms) if _names(term, one.indexed.context)))
        for one in passages
    ]
    best = max(query.weigh(terms) for _, terms in naming)
    named = [(one, terms) for one, terms in naming if query.weigh(terms) == best]
    return [one for one, _ in named], frozenset(range(len(query.terms))) - named[0][1]


def _names(term: Term, context: frozenset[str]) -> bool:
    """Whether a term, or most of the letters of a compound, stand in a title."""
    if not context.isdisjoint(term.spellings):
        return True
    word = max(term.spellings, key=len)
    if len(word) >= _BEGINNING and any(stem.startswith(word) for stem in context):
        return True  # "Teilzeit" for "Teilzeitarbeit"
    roots = {stem[: max(_BEGINNING, len(stem) - 2)] for stem in context if len(stem) >= _PART_LETTERS}
    parts = [root for root in roots if root in word]
    return len(word) >= _COMPOUND and sum(map(len, parts)) >= _NAMED * len(word)


def _find_start(section: SectionNumber, ranked: RankedPassage) -> int | None:
    """The index of the unit with which the section begins in a text without headings."""
    return next((index for index, text in enumerate(_iter_texts(ranked)) if section.begins(text)), None)


def _iter_texts(ranked: RankedPassage) -> Iterator[str]:
    return (ranked.passage.text[found.unit.start : found.unit.end] for found in ranked.units)


def _quote_beginnings(section: SectionNumber, passages: Sequence[RankedPassage]) -> tuple[QuotedUnit, ...]:
    """Quote the first sentences of the section; of several documents the first of each."""
    firsts = [next(group) for _, group in groupby(passages, lambda one: one.passage.path)]
    most = SENTENCES if len(firsts) == 1 else 1
    return tuple(
        quote
        for ranked in firsts[:SENTENCES]
        for quote in _quote_units(ranked, _find_start(section, ranked) or 0, most, begins_section)
    )


def _quote_part(part: str, passages: Sequence[RankedPassage]) -> tuple[QuotedUnit, ...]:
    """Quote a numbered paragraph of the section."""
    for ranked in passages:
        for index, text in enumerate(_iter_texts(ranked)):
            if (number := _PART.match(text)) and number[1] == part:
                return tuple(_quote_units(ranked, index, SENTENCES, lambda text: bool(_PART.match(text))))
    return ()


def _quote_units(
    ranked: RankedPassage, start: int, most: int, ends_before: Callable[[str], bool]
) -> Iterator[QuotedUnit]:
    """Quote up to ``most`` units from ``start`` on, before the next one where ``ends_before`` is true."""
    following = list(_iter_texts(ranked))[start + 1 : start + most]
    end = start + 1 + len(list(takewhile(lambda text: not ends_before(text), following)))
    return (QuotedUnit(ranked, found.unit, 0.0, 0.0, ranked.score) for found in ranked.units[start:end])
