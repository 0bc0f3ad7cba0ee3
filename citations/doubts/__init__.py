"""Doubts about an answer: numbers, quotations and sources that do not fit what is cited.

A doubt is found by comparing words and numbers, without a model. It is a reason to look. An answer without a
doubt is not supported by that: most unsupported sentences have none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import islice
from typing import Final

from ..model.citation import CitedAnswer
from ..model.reference import Reference
from .claims import Statement, find_statements
from .dates import Date
from .doubt import Doubt, DoubtCode
from .number_rule import Figure, find_figures
from .opposites import find_opposites, telling_of_opposites
from .quotation_rule import find_doubtful_quotations
from .sentence_text import SentenceText, split_words
from .source_rule import find_better_source, has_share, stems_of
from .source_text import SourceText
from .written_number import telling_of_numbers

__all__ = ["Doubt", "DoubtCode", "Statement", "find_doubts", "find_statements"]


MAX_SENTENCES: Final = 100
"""Sentences that are compared; a longer answer is compared up to there."""
_SIGNS: Final = re.compile(r"[0-9\"]")
_ANY_SIGNS: Final = re.compile(r"[\d“„\"«»‹]")
MAX_UNCITED: Final = 20
"""Sources without a marker that a sentence may come from."""


def find_doubts(cited: CitedAnswer, question: str | None = None) -> tuple[Doubt, ...]:
    """The doubts about ``cited``, each once, in the order of its sentences.

    A number or a quotation is compared only with complete texts (:attr:`~citations.Reference.complete`).
    A reference that is only named is compared with nothing. Nor is a text above
    :data:`~.source_text.MAX_TEXT`. A number may come from the ``question``, too. Only where that is known
    are the numbers of sentences that cite nothing compared.
    """
    sources = _Sources(cited, question)
    if not any(one.is_read for one in sources.cited.values()):
        return ()
    doubts: dict[Doubt, None] = {}
    for statement in islice(find_statements(cited, _may_be_doubtful), MAX_SENTENCES):
        own = sources.find(statement.positions)
        if not own and (statement.positions or not sources.complete):
            continue
        sentence = SentenceText(statement.text, _telling())
        if own:
            found = _doubts_about(statement, sentence, own, sources)
        else:
            found = _doubts_anywhere(statement, sentence, sources)
        if found:
            doubts.update(dict.fromkeys(found))
    return tuple(doubts)


@cache
def _telling() -> frozenset[str]:
    return frozenset((*telling_of_numbers(), *telling_of_opposites()))


def _may_be_doubtful(text: str) -> bool:
    """Whether a text without a marker has a digit, a quotation mark, or a word of a number."""
    signs = _SIGNS if text.isascii() else _ANY_SIGNS
    return bool(signs.search(text)) or not _telling().isdisjoint(split_words(text.lower()))


class _Sources:
    """What an answer is compared with."""

    def __init__(self, cited: CitedAnswer, question: str | None) -> None:
        self.cited = {one.position: SourceText(one.parts or (one.reference,)) for one in cited.citations}
        self._answer, self._question = cited, question
        self._found: dict[tuple[int, ...], tuple[SourceText, ...]] = {}

    def find(self, positions: tuple[int, ...]) -> tuple[SourceText, ...]:
        """The sources that are cited so; none unless all can be compared."""
        found = self._found.get(positions)
        if found is None:
            found = tuple(self.cited[one] for one in positions if one in self.cited)
            self._found[positions] = found = found if all(one.is_read for one in found) else ()
        return found

    @cached_property
    def every(self) -> tuple[SourceText, ...]:
        """The cited sources, then those that no marker names."""
        unused = (SourceText((one,)) for one in islice(self._unused(), MAX_UNCITED))
        return (*self.cited.values(), *unused)

    def _unused(self) -> Iterator[Reference]:
        used = {id(part) for one in self._answer.citations for part in (one.reference, *one.parts)}
        return (one for one in self._answer.references if id(one) not in used)

    @cached_property
    def asked(self) -> tuple[SourceText, ...]:
        """The question."""
        return (SourceText((Reference(id="", text=self._question),)),) if self._question else ()

    @cached_property
    def complete(self) -> bool:
        """Whether all that the answer was made with is known, the question, too."""
        if self._question is None or not self._answer.complete:
            return False
        is_every = not any(True for _ in islice(self._unused(), MAX_UNCITED, None))
        return is_every and all(one.is_read and one.complete for one in self.every)


def _doubts_anywhere(statement: Statement, sentence: SentenceText, sources: _Sources) -> Iterable[Doubt]:
    """The doubts about a sentence that cites nothing."""
    figures = find_figures(sentence, sources.every)
    for figure in figures:
        known = figure.is_small or figure.is_in((*sources.every, *sources.asked))
        if not known and figure.find_rivals(sources.every, figures):
            yield Doubt(DoubtCode.ANYWHERE, figure.words, place=statement.place)


def _doubts_about(
    statement: Statement, sentence: SentenceText, own: Sequence[SourceText], sources: _Sources
) -> Iterable[Doubt]:
    """The doubts about a sentence that cites its ``own`` sources."""
    text, positions, words = statement.text, statement.positions, sentence.split
    if len(words) == 2 and words[1] == str(positions[0]):
        # "Document 1" is the name of a source without one, in the list below an answer that cites nothing.
        return ()
    found = []
    if statement.marked and (better := find_better_source(words, own, lambda: sources.every)):
        found.append(Doubt(DoubtCode.SOURCE, text, positions, better.id, place=statement.place))
    if all(one.complete for one in own):
        if figures := find_figures(sentence, own):
            found += _doubts_about_numbers(statement, figures, words, own, sources)
        for said, instead in find_opposites(sentence, own):
            found.append(Doubt(DoubtCode.NUMBER, said, positions, instead=instead, place=statement.place))
        for quotation in find_doubtful_quotations(text, own):
            found.append(Doubt(DoubtCode.QUOTATION, quotation, positions, place=statement.place))
    return found


def _doubts_about_numbers(
    statement: Statement,
    figures: Sequence[Figure],
    words: Sequence[str],
    own: Sequence[SourceText],
    sources: _Sources,
) -> Iterator[Doubt]:
    positions, place = statement.positions, statement.place
    for figure in figures:
        if figure.is_in(own) or figure.is_in(sources.asked):
            continue
        if better := _find_source_of(figure, words, sources.every):
            # A sentence without a marker of its own may come from any source.
            if statement.marked:
                yield Doubt(DoubtCode.NUMBER, figure.words, positions, better.id, place=place)
        elif rivals := figure.find_rivals(own, figures):
            # What it says instead is clear where there is one amount or date that it could be.
            measured = isinstance(figure.read, Date) or figure.read.unit
            instead = rivals[0] if measured and len(rivals) == 1 else ""
            yield Doubt(DoubtCode.NUMBER, figure.words, positions, instead=instead, place=place)


def _find_source_of(figure: Figure, words: Sequence[str], sources: Sequence[SourceText]) -> SourceText | None:
    """The complete source that has the number, and half of the longer words of its sentence."""
    stems = stems_of(words)
    able = (one for one in sources if one.is_read and one.complete and has_share(one, stems))
    return next((one for one in able if figure.is_in([one])), None)
