"""A sentence, and its numbers as it writes them: where passages write them so, they need no reading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import Final, NamedTuple

from ..text.languages import LANGUAGES, either
from .dates import month_names
from .number_words import find_longest, number_words
from .numbers import Number, find_numbers
from .source_text import SourceText
from .text_scan import TextScan, lower_in_place
from .units import CURRENCIES, measures

_DIGIT: Final = re.compile(r"\d")
_SIGNS: Final = re.compile(r"[0-9\"]")
_ANY_SIGNS: Final = re.compile(r"[\d“„\"«»‹]")
_ITEM: Final = re.compile(r"\A\W*(?:\d{1,3}[.)]|[^\W\d]+\s\d{1,3}\s?[:–])(?=\s|\Z)")
"""The number of an item, which a source may leave out: "3.", "Step 3:"."""
_MARKER: Final = re.compile(r"\[\d{1,3}(?:[\s,;–-]+\d{1,3})*\]")
"""What was to be a marker, and names no reference."""
MAX_NUMBERS: Final = 20
"""Numbers of a sentence that are compared."""
_TRIES: Final = 20
"""Places in a passage at which a number is looked for."""


class SentenceText(TextScan):
    """A sentence of an answer."""

    def __init__(self, text: str) -> None:
        self.text, self.folded = text, lower_in_place(text)
        self.split = _split(self.folded)
        """Its words, without most signs."""
        self.telling = written_forms().telling.intersection(self.split)

    @cached_property
    def unnumbered(self) -> TextScan:
        """The sentence with blanks in place of an item's number, and of markers without a reference."""
        item, text = _ITEM.match(self.text), self.text
        if item:
            text = " " * item.end() + text[item.end() :]
        if "[" in text:
            text = _MARKER.sub(lambda found: " " * len(found[0]), text)
        return self if text == self.text else TextScan(text)

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """The numbers of the sentence, without an item's."""
        return find_numbers(self.unnumbered)


def may_be_doubtful(text: str) -> bool:
    """Whether a text without a marker has a digit, a quotation mark, or a word of a number."""
    signs = _SIGNS if text.isascii() else _ANY_SIGNS
    return bool(signs.search(text)) or not written_forms().telling.isdisjoint(_split(text.lower()))


def _split(folded: str) -> list[str]:
    return folded.replace("-", " ").replace(",", " ").replace(".", " ").split()


def is_to_be_read(sentence: SentenceText, passages: Sequence[SourceText]) -> bool:
    """Whether ``sentence`` has a number that no passage writes so."""
    known, folded, telling = written_forms(), sentence.folded, sentence.telling
    forms = [known.led if telling and not known.leading.isdisjoint(telling) else known.digits]
    if telling and not known.counting.isdisjoint(telling):
        forms.append(known.run)
    elif not _DIGIT.search(folded):
        return False
    tail = _find_tail(sentence.split)
    found = [
        written
        for form in forms
        for written in (_find_longer(form, tail, folded) if tail else form.findall(folded))
    ]
    for written in found:
        for passage in passages:
            if stands_in(written, passage.folded):
                break
        else:
            return True
    return False


def _find_tail(split: Sequence[str]) -> re.Pattern[str] | None:
    """What may follow the numbers of these words and their units: a time that they are for, or a currency."""
    known = written_forms()
    if not known.often.isdisjoint(split):
        return measures().rate
    for time in known.times.intersection(split):
        place = split.index(time)
        if split.count(time) > 1 or not known.per.isdisjoint(split[max(0, place - 2) : place]):
            return measures().rate
    return None if known.scales.isdisjoint(split) else known.money


def _find_longer(form: re.Pattern[str], tail: re.Pattern[str], folded: str) -> Iterator[str]:
    """The numbers with what follows: who has 25 days of leave per year has no 25 days of leave a month."""
    for match in form.finditer(folded):
        end = tail.match(folded, match.end())
        yield folded[match.start() : end.end()] if end else match[0]


class WrittenForms(NamedTuple):
    """What finds numbers in ``digits``, the same ``led`` by the words before them, and a ``run`` of words."""

    telling: frozenset[str]
    """All of the words below."""
    counting: frozenset[str]
    """The words of which one stands in a number in words; "one" is mostly an article."""
    opposites: frozenset[str]
    """The words of which one stands in *at least* and the like."""
    leading: frozenset[str]
    """The words before a number that belong to it: "May 2024", "EUR 20"."""
    times: frozenset[str]
    """The words for a unit of time."""
    per: frozenset[str]
    """The first words before it in a rate."""
    often: frozenset[str]
    """What says both: "monthly"."""
    scales: frozenset[str]
    """What multiplies a number: "mio", "m€"."""
    money: re.Pattern[str]
    """A currency behind that."""
    digits: re.Pattern[str]
    led: re.Pattern[str]
    run: re.Pattern[str]


@cache
def written_forms() -> WrittenForms:
    """The forms of all languages, read once."""
    leading = frozenset((*month_names(), *filter(str.isalpha, CURRENCIES.lower().split("|"))))
    words, of = number_words(), LANGUAGES.words_of("dates", "of")
    between = either((*LANGUAGES.words_of("dates", "kinds"), *of))
    unit = rf"\.?[ \u00a0\u202f-]?(?:{between}[ ])?(?:[^\W\d_]+|[%€$£¥])"
    # A set of signs is found faster than an expression that begins with what may be missing.
    digits = rf"[\d€$£¥](?:\s?[\d.,:/'’–-]*\d)?(?:{unit})?"
    year = either((*of, *LANGUAGES.words_of("dates", "year")))
    before = rf"(?:\b{find_longest(leading)}\.?\s(?:{year}\s)?)?"
    counting = frozenset(word for word in (*words.single, *words.ordinals) if words.values.get(word) != 1)
    phrases = [*LANGUAGES.entries_of("opposites", "before"), *LANGUAGES.entries_of("opposites", "behind")]
    opposites = frozenset(max(re.findall(r"\w+", one), key=len) for _, all_ in phrases for one in all_)
    return WrittenForms(
        counting | opposites | leading,
        counting,
        opposites,
        leading,
        frozenset(measures().timings),
        frozenset(one.split()[0] for one in LANGUAGES.words_of("sentences", "per")),
        frozenset(measures().often),
        frozenset((*measures().scales, *(one + sign for one in measures().short_scales for sign in "€$£¥"))),
        re.compile(rf"{measures().joint.pattern}\s?{measures().money}(?!\w)"),
        re.compile(digits),
        re.compile(before + digits),
        re.compile(f"(?:{words.run.pattern}|{words.part.pattern})(?:{unit})?"),
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
