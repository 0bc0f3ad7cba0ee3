"""Ranked passages into the two or three sentences that answer, or none.

A sentence is worth the words of the question that it holds, half as much for those that the sentence
before it or its headings hold instead (``It takes two days.``), and its passage's score. The weights
were fitted on one half of COVID-QA and rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from .passage import Passage
from .query import SearchQuery
from .rank import RankedPassage, measure_coverage
from .sentences import Unit

SENTENCES: Final = 3
"""The most that an answer quotes."""
ENOUGH: Final = 0.46
"""The coverage of a question below which the documents do not answer it."""
_OWN: Final = 3.0
_INHERITED: Final = 1.5
_ALIKE: Final = 0.8
"""A further row or item must hold this share of what the best one holds."""
_RELEVANT: Final = 0.6
"""A further sentence of the same passage must be worth this share of the best one."""
_RELEVANT_ELSEWHERE: Final = 0.8


@dataclass(frozen=True, slots=True)
class Quote:
    """A unit that answers, in its passage.

    ``own`` is what the words of the question that it holds are worth, ``covered`` what they are with
    those of its headings and of what leads to it, ``worth`` all that counts.
    """

    found: RankedPassage
    unit: Unit
    own: float
    covered: float
    worth: float

    @property
    def location(self) -> tuple[str, int]:
        """Where it stands: a file, and an offset in its text."""
        return self.found.passage.path, self.found.passage.start + self.unit.start

    @property
    def text(self) -> str:
        """As it is written in the document."""
        return self.found.passage.text[self.unit.start : self.unit.end]


def extract(query: SearchQuery, ranked: list[RankedPassage]) -> tuple[Quote, ...]:
    """The quotes that answer, in reading order, the best one's document first; empty: nothing does."""
    if measure_coverage(query, ranked) < ENOUGH:
        return ()
    kept = choose_quotes(query, ranked)
    documents = list(dict.fromkeys(quote.location[0] for quote in kept))
    return tuple(sorted(kept, key=lambda quote: (documents.index(quote.location[0]), quote.location[1])))


def choose_quotes(query: SearchQuery, ranked: list[RankedPassage]) -> list[Quote]:
    """The quotes worth showing, the best first, whether or not they answer."""
    quotes = sorted(_distinct(_quotes(query, ranked)), key=lambda quote: -quote.worth)
    return [quote for quote in quotes[:SENTENCES] if _adds(quote, quotes[0])]


def _adds(quote: Quote, best: Quote) -> bool:
    """Whether it belongs into an answer beside the best one.

    Sentences explain each other; rows and items are records of their own, and must hold as much of
    the question themselves.
    """
    share = _RELEVANT if quote.found is best.found else _RELEVANT_ELSEWHERE
    if quote.worth < share * best.worth:
        return False
    if quote.unit.kind == best.unit.kind == "sentence":
        return True
    return quote.own >= _ALIKE * best.own and quote.covered >= _ALIKE * best.covered


def _quotes(query: SearchQuery, ranked: Iterable[RankedPassage]) -> Iterator[Quote]:
    for found in ranked:
        header = not found.passage.table
        for unit in found.units:
            is_header = unit.unit.kind == "row" and header
            header = unit.unit.kind != "row"
            if is_header or _asks(found.passage, unit.unit):
                continue
            own = query.weigh(unit.terms)
            inherited = query.weigh((unit.lead | found.context) - unit.terms)
            worth = found.score + _OWN * own + _INHERITED * inherited
            yield Quote(found, unit.unit, own, own + inherited, worth)


def _asks(passage: Passage, unit: Unit) -> bool:
    """A question answers nothing."""
    return passage.text[unit.start : unit.end].rstrip("*_ ").endswith(("?", "？", "؟"))


def _distinct(quotes: Iterable[Quote]) -> Iterator[Quote]:
    """Passages overlap, and documents repeat each other: the first of equal sentences stays."""
    places: set[tuple[str, int]] = set()
    texts: set[str] = set()
    for quote in quotes:
        text = " ".join(quote.text.split()).casefold()
        if quote.location not in places and text not in texts:
            places.add(quote.location)
            texts.add(text)
            yield quote
