"""Doubts about an answer: numbers, quotations and sources that do not fit what is cited.

A doubt is found by comparing words and numbers, without a model. It is a reason to look. An answer without a
doubt is not supported by that: most unsupported sentences have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import islice
from typing import Final

from ..markdown import TextPlace
from ..model.citation import CitedAnswer
from ..model.errors import Problem
from ..model.reference import Reference
from .dates import Date
from .number_rule import Figure, find_figures
from .opposites import find_opposites
from .source_text import SourceText
from .statements import Statement, find_statements
from .wording_rules import find_better_source, find_doubtful_quotations, has_share, stems_of
from .written_number import SentenceText, may_be_doubtful

__all__ = ["Doubt", "DoubtCode", "Statement", "find_doubts", "find_statements"]

MAX_SENTENCES: Final = 100
"""Sentences that are compared; a longer answer is compared up to there."""
_MOST_READ: Final = 3
"""Other sources with a sentence's words in which its number is looked for in other forms."""
MAX_UNCITED: Final = 20
"""Sources without a marker that a sentence may come from."""


class DoubtCode(StrEnum):
    """The kinds of doubts. Their values are the codes of the problems."""

    SOURCE = "source-doubtful"
    """Another source of the answer has far more of the sentence's words than the cited one."""
    NUMBER = "number-not-in-source"
    """No cited passage has the number or the date."""
    ANYWHERE = "number-in-no-source"
    """A sentence that cites nothing has a number that neither a source nor the question has."""
    QUOTATION = "quotation-not-in-source"
    """No cited passage has the quotation."""
    SUPPORT = "support-doubtful"
    """A model that judges support, which a program asks itself, doubts the sentence."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A finding about a sentence that cites ``positions``: a reason to look, and no verdict.

    ``words`` are the answer's: a number with its unit, a quotation, or the whole sentence. ``better`` is the
    id of the reference that has them, or fits better, if there is one. ``instead`` is what the cited source
    has in the place of a number, where that is clear.
    """

    code: DoubtCode
    words: str
    positions: tuple[int, ...] = ()
    better: str = ""
    instead: str = ""
    place: TextPlace = field(default=TextPlace(0, 0), compare=False)

    @property
    def problem(self) -> Problem:
        """The problem to report for it."""
        cited = ", ".join(f"[{position}]" for position in self.positions)
        match self.code:
            case DoubtCode.SUPPORT:
                fault = f"a model doubts that {cited} supports {self.words!r}"
            case DoubtCode.SOURCE:
                fault = f"reference {self.better!r} has far more of the words of {self.words!r} than {cited}"
            case DoubtCode.ANYWHERE:
                fault = f"{self.words!r} is in no source and not in the question"
            case _:
                fault = f"{self.words!r} is not in the text of {cited}"
                if self.better:
                    fault += f", but in that of reference {self.better!r}"
        return Problem(self.code.value, "$.text", f"{fault}: compare the answer with its sources")


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
    for statement in islice(find_statements(cited, may_be_doubtful), MAX_SENTENCES):
        own = sources.find(statement.positions)
        if not own and (statement.positions or not sources.complete):
            continue
        sentence = SentenceText(statement.text)
        find = _doubts_about if own else _doubts_anywhere
        for doubt in find(statement, sentence, own, sources):
            doubts[doubt] = None
    return tuple(doubts)


class _Sources:
    """What an answer is compared with."""

    def __init__(self, cited: CitedAnswer, question: str | None) -> None:
        self.cited = {one.position: SourceText(one.parts or (one.reference,)) for one in cited.citations}
        self._answer, self._question = cited, question

    def find(self, positions: Sequence[int]) -> list[SourceText]:
        """The sources that are cited so; none unless all can be compared."""
        found = []
        for one in positions:
            if source := self.cited.get(one):
                if not source.is_read:
                    return []
                found.append(source)
        return found

    def find_like(self, words: Sequence[str], own: Sequence[SourceText]) -> list[SourceText]:
        """The complete sources but the ``own`` ones that have half of the longer ``words`` of a sentence."""
        stems = stems_of(words)
        able = (one for one in self.every if one.is_read and one.complete and one not in own)
        return [one for one in able if has_share(one, stems)]

    @cached_property
    def every(self) -> tuple[SourceText, ...]:
        """The cited sources, then those that no marker names."""
        used = {id(part) for one in self._answer.citations for part in (one.reference, *one.parts)}
        unused = (SourceText((one,)) for one in self._answer.references if id(one) not in used)
        return (*self.cited.values(), *islice(unused, MAX_UNCITED + 1))

    @cached_property
    def asked(self) -> tuple[SourceText, ...]:
        """The question."""
        return (SourceText((Reference(id="", text=self._question),)),) if self._question else ()

    @cached_property
    def complete(self) -> bool:
        """Whether all that the answer was made with is known, the question, too."""
        if self._question is None or not self._answer.complete:
            return False
        is_every = len(self.every) <= len(self.cited) + MAX_UNCITED
        return is_every and all(one.is_read and one.complete for one in self.every)


def _doubts_anywhere(
    statement: Statement, sentence: SentenceText, _: Sequence[SourceText], sources: _Sources
) -> Iterable[Doubt]:
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
    if words == SentenceText(own[0].title).split or (len(words) == 2 and words[1] == str(positions[0])):
        # The name of a source, in the list below an answer that cites nothing. "Document 1" has none.
        return ()
    found = []
    if statement.marked and (better := find_better_source(words, own, lambda: sources.every)):
        found.append(Doubt(DoubtCode.SOURCE, text, positions, better.id, place=statement.place))
    if all(one.complete for one in own):
        if figures := find_figures(sentence, own):
            found += _doubts_about_numbers(statement, sentence, figures, own, sources)
        for said, instead in find_opposites(sentence, own):
            found.append(Doubt(DoubtCode.NUMBER, said, positions, instead=instead, place=statement.place))
        for quotation in find_doubtful_quotations(text, own):
            found.append(Doubt(DoubtCode.QUOTATION, quotation, positions, place=statement.place))
    return found


def _doubts_about_numbers(
    statement: Statement,
    sentence: SentenceText,
    figures: Sequence[Figure],
    own: Sequence[SourceText],
    sources: _Sources,
) -> Iterator[Doubt]:
    positions, place = statement.positions, statement.place
    for figure in figures:
        if figure.is_in(own) or figure.is_in(sources.asked):
            continue
        others = sources.find_like(sentence.split, own)
        others.sort(key=figure.is_written_in, reverse=True)
        # A source from which it can be computed does not say it.
        saying = (one for one in others[:_MOST_READ] if figure.is_said_in([one]))
        if statement.marked and (better := next(saying, None)):
            yield Doubt(DoubtCode.NUMBER, figure.words, positions, better.id, place=place)
        # A sentence without a marker of its own may come from any source.
        elif (rivals := figure.find_rivals(own, figures)) and (statement.marked or not figure.is_in(others)):
            # What it says instead is clear where there is one amount or date that it could be.
            measured = isinstance(figure.read, Date) or figure.read.unit
            instead = rivals[0] if measured and len(rivals) == 1 else ""
            yield Doubt(DoubtCode.NUMBER, figure.words, positions, instead=instead, place=place)
