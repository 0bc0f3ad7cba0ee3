"""Doubts about an answer: numbers, quotations and sources that do not fit what is cited.

A doubt is found by comparing words and numbers, without a model. It is a reason to look. An answer without a
doubt is not supported by that: most unsupported sentences have none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from ..model.citation import CitedAnswer
from .claims import CitingSentence, find_citing_sentences
from .doubt import Doubt, DoubtCode
from .number_rule import find_doubtful_numbers, stand_in, write_numbers
from .quotation_rule import find_doubtful_quotations
from .source_rule import find_better_source
from .source_text import SourceText

__all__ = ["CitingSentence", "Doubt", "DoubtCode", "find_citing_sentences", "find_doubts"]


MAX_SENTENCES: Final = 100
"""Sentences that are compared; a longer answer is compared up to there."""
MAX_UNCITED: Final = 20
"""Sources without a marker that a sentence may come from."""


def find_doubts(cited: CitedAnswer) -> tuple[Doubt, ...]:
    """The doubts about ``cited``, each once, in the order of its sentences.

    A number or a quotation is compared only with complete texts (:attr:`~citations.Reference.complete`).
    A reference that is only named is compared with nothing. Nor is a text above
    :data:`~.source_text.MAX_TEXT`.
    """
    passages = {one.position: SourceText(one.parts or (one.reference,)) for one in cited.citations}
    if not any(one.is_read for one in passages.values()):
        return ()

    known: list[SourceText] = []

    def all_sources() -> Sequence[SourceText]:
        if not known:
            known.extend((*passages.values(), *_uncited(cited)))
        return known

    doubts: dict[Doubt, None] = {}
    for sentence in islice(find_citing_sentences(cited), MAX_SENTENCES):
        own = [passages[position] for position in sentence.positions if position in passages]
        if own and all(one.is_read for one in own):
            doubts.update(dict.fromkeys(_doubts_about(sentence, own, all_sources)))
    return tuple(doubts)


def _uncited(cited: CitedAnswer) -> tuple[SourceText, ...]:
    """The passages of references that no marker names."""
    used = {id(part) for one in cited.citations for part in (one.reference, *one.parts)}
    unused = (SourceText((one,)) for one in cited.references if id(one) not in used)
    return tuple(islice(unused, MAX_UNCITED))


def _doubts_about(
    sentence: CitingSentence, passages: Sequence[SourceText], all_sources: Callable[[], Sequence[SourceText]]
) -> Iterator[Doubt]:
    text, positions = sentence
    folded = text.lower()
    words = folded.replace("-", " ").replace(",", " ").replace(".", " ").split()
    if len(words) == 2 and words[1] == str(positions[0]):
        # "Document 1" is the name of a source without one, in the list below an answer that cites nothing.
        return
    if better := find_better_source(words, passages, all_sources):
        yield Doubt(DoubtCode.SOURCE, text, positions, better.id)
    if not all(one.complete for one in passages):
        return
    # Most answers write a number as its source does.
    if not stand_in(write_numbers(folded, words), passages):
        for number in find_doubtful_numbers(text, passages):
            yield Doubt(DoubtCode.NUMBER, number, positions)
    for quotation in find_doubtful_quotations(text, passages):
        yield Doubt(DoubtCode.QUOTATION, quotation, positions)
