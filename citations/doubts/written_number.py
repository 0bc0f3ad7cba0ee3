"""The numbers of a sentence as it writes them: where its passages write them so, nobody has to read them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from ..text.languages import LANGUAGES, either
from .dates import month_names
from .number_words import find_longest, number_words
from .sentence_text import SentenceText
from .source_text import SourceText
from .units import CURRENCIES, measures

_DIGIT: Final = re.compile(r"\d")
_TRIES: Final = 20
"""Places in a passage at which a number is looked for."""


def telling_of_numbers() -> frozenset[str]:
    """The words of which one stands in a number in words, or belongs to one in digits."""
    return _forms().telling | _forms().leading


def is_to_be_read(sentence: SentenceText, passages: Sequence[SourceText]) -> bool:
    """Whether ``sentence`` has a number that no passage writes so."""
    known, folded, telling = _forms(), sentence.folded, sentence.telling
    found = (known.led if telling and not known.leading.isdisjoint(telling) else known.digits).findall(folded)
    if telling and not known.telling.isdisjoint(telling):
        found += known.run.findall(folded)
    elif found and not _DIGIT.search(folded):
        return False
    for written in found:
        for passage in passages:
            if stands_in(written, passage.folded):
                break
        else:
            return True
    return False


class WrittenForms(NamedTuple):
    """What finds numbers in ``digits``, the same ``led`` by the words before them, and a ``run`` of words."""

    telling: frozenset[str]
    """The words of which one stands in a number in words; "one" is mostly an article."""
    leading: frozenset[str]
    """The words before a number that belong to it: "May 2024", "EUR 20"."""
    digits: re.Pattern[str]
    led: re.Pattern[str]
    run: re.Pattern[str]


@cache
def _forms() -> WrittenForms:
    leading = frozenset((*month_names(), *filter(str.isalpha, CURRENCIES.lower().split("|"))))
    words, of = number_words(), LANGUAGES.words_of("dates", "of")
    between = either((*LANGUAGES.words_of("dates", "kinds"), *of))
    per = either(LANGUAGES.words_of("sentences", "per"))
    unit = rf"\.?[ \u00a0\u202f-]?(?:{between}[ ])?(?:[^\W\d_]+|[%€$£¥])"
    behind = rf"(?:{unit})?(?:\s{per}\s(?:\w+\s)?{measures().times}\b)?"
    # A set of signs is found faster than an expression that begins with what may be missing.
    digits = rf"[\d€$£¥](?:\s?[\d.,:/'’–-]*\d)?{behind}"
    year = either((*of, *LANGUAGES.words_of("dates", "year")))
    before = rf"(?:\b{find_longest(leading)}\.?\s(?:{year}\s)?)?"
    return WrittenForms(
        frozenset(word for word in words.single.union(words.ordinals) if words.values.get(word) != 1),
        leading,
        re.compile(digits),
        re.compile(before + digits),
        re.compile(f"(?:{words.run.pattern}|{words.part.pattern}){behind}"),
    )


def stands_in(written: str, folded: str) -> bool:
    """Whether the words stand in the text, and not as a part of a longer number."""
    place = -1
    for _ in range(_TRIES):
        place = folded.find(written, place + 1)
        if place < 0:
            return False
        end = place + len(written)
        if folded[place - 1 : place] == " " == folded[end : end + 1]:
            return True
        before, behind = folded[max(0, place - 2) : place], folded[end : end + 2]
        if (
            not before[-1:].isalnum()
            and not (before[:1].isdigit() and before[1:] in (".", ","))
            and not (behind[:1].isalnum() or (behind[:1] in (".", ",") and behind[1:].isdigit()))
        ):
            return True
    return False
