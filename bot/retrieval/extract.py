"""This module picks the sentences of ranked passages that answer a question: up to three, or none.

A sentence's score has three parts. The first is the weight of the question's words that it holds. The
second is half the weight of those that only its headings or the sentence before it hold. ``It takes two
days.`` is a sentence that needs them. The third is the score of its passage. The weights were fitted on
one half of COVID-QA and rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from .passage import Passage
from .query import SearchQuery
from .rank import RankedPassage, measure_coverage
from .sentences import Unit

SENTENCES: Final = 3
"""An answer quotes at most this many units."""
ENOUGH: Final = 0.46
"""Below this coverage of a question, the documents do not answer it."""
_OWN: Final = 3.0
_INHERITED: Final = 1.5
_MEANING: Final = 0.3
"""The weight of a sentence's meaning beside its words."""
_ALIKE: Final = 0.8
"""A further row or item must hold this share of the weight that the best one holds."""
_RELEVANT: Final = 0.6
"""A further sentence of the same passage must have this share of the best one's score."""
_RELEVANT_ELSEWHERE: Final = 0.8
"""The same for a sentence of another passage."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A unit that may answer, with the passage that it stands in.

    ``own`` is the weight of the question's words that the unit holds. ``covered`` adds those that
    its headings and its lead hold. ``score`` adds the score of the passage.
    """

    ranked: RankedPassage
    unit: Unit
    own: float
    covered: float
    score: float
    cosine: float | None = None

    @property
    def location(self) -> tuple[str, int]:
        """The path of its file, and the offset in the file's text."""
        return self.ranked.passage.path, self.ranked.passage.start + self.unit.start

    @property
    def text(self) -> str:
        """The text as the document has it."""
        return self.ranked.passage.text[self.unit.start : self.unit.end]


def extract(query: SearchQuery, ranked: list[RankedPassage]) -> tuple[Quote, ...]:
    """Return the quotes that answer, in reading order, the best one's document first; or none."""
    if measure_coverage(query, ranked) < ENOUGH:
        return ()
    chosen = choose_quotes(query, ranked)
    documents = list(dict.fromkeys(quote.location[0] for quote in chosen))
    return tuple(sorted(chosen, key=lambda quote: (documents.index(quote.location[0]), quote.location[1])))


def choose_quotes(query: SearchQuery, ranked: list[RankedPassage]) -> list[Quote]:
    """Return the quotes worth showing, the best first, even where they do not answer."""
    quotes = _drop_repeats(_blend(list(_build_quotes(query, ranked))))
    best = list(islice(quotes, SENTENCES))
    return [quote for quote in best if _belongs_beside(quote, best[0])]


def _blend(quotes: list[Quote]) -> list[Quote]:
    """Rank quotes by words and meaning, the best first; a quote without a vector keeps its share of words."""
    best_words = max((quote.score for quote in quotes), default=0.0)
    best_cosine = max((quote.cosine for quote in quotes if quote.cosine is not None), default=0.0)
    if best_cosine > 0:
        scale = best_words / best_cosine
        quotes = [
            replace(quote, score=(1 - _MEANING) * quote.score + _MEANING * scale * quote.cosine)
            if quote.cosine is not None
            else quote
            for quote in quotes
        ]
    return sorted(quotes, key=lambda quote: -quote.score)


def _belongs_beside(quote: Quote, best: Quote) -> bool:
    """Return whether a quote belongs in an answer beside the best one.

    Sentences explain each other. A row or an item is a record of its own, and must hold
    nearly as much of the question.
    """
    share = _RELEVANT if quote.ranked is best.ranked else _RELEVANT_ELSEWHERE
    if quote.score < share * best.score:
        return False
    if quote.unit.kind == best.unit.kind == "sentence":
        return True
    return quote.own >= _ALIKE * best.own and quote.covered >= _ALIKE * best.covered


def _build_quotes(query: SearchQuery, passages: Iterable[RankedPassage]) -> Iterator[Quote]:
    """Score every unit but table headers and questions, which answer nothing."""
    for ranked in passages:
        before_table = not ranked.passage.table
        for found in ranked.units:
            unit = found.unit
            is_header = unit.kind == "row" and before_table
            before_table = unit.kind != "row"
            if is_header or _is_question(ranked.passage, unit):
                continue
            own = query.weigh(found.terms)
            inherited = query.weigh((found.lead | ranked.context) - found.terms)
            score = ranked.score + _OWN * own + _INHERITED * inherited
            yield Quote(ranked, unit, own, own + inherited, score, found.cosine)


def _is_question(passage: Passage, unit: Unit) -> bool:
    return passage.text[unit.start : unit.end].rstrip("*_ ").endswith(("?", "？", "؟"))


def _drop_repeats(quotes: Iterable[Quote]) -> Iterator[Quote]:
    """Keep the first of equal quotes, since passages overlap and documents repeat each other."""
    locations: set[tuple[str, int]] = set()
    texts: set[str] = set()
    for quote in quotes:
        text = " ".join(quote.text.split()).casefold()
        if quote.location not in locations and text not in texts:
            locations.add(quote.location)
            texts.add(text)
            yield quote
