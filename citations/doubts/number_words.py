"""Numbers that are written in words, in each language of :mod:`..text.languages`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from ..text.languages import LANGUAGES, either, split_words
from .text_scan import TextScan

_BEFORE: Final = 12
"""Characters before a part that may count it."""
_MILLION: Final = 1_000_000
_MOST: Final = 10**18
"""More is no number, but the same word again and again."""
_STEPS: Final = {"ones": 1, "tens": 10, "hundreds": 100}


@dataclass(frozen=True, slots=True)
class NumberWords:
    """The words of numbers. ``run`` finds one, ``first`` its first word, and ``further`` each further one."""

    values: Mapping[str, int]
    multiples: Mapping[str, int]
    ordinals: Mapping[str, int]
    """The words that count a place, or a part of a whole: *fourth*, *quarter*."""
    part: re.Pattern[str]
    """One of them."""
    count: re.Pattern[str]
    """How many parts there are, before them: *two thirds*."""
    whole: re.Pattern[str]
    """What stands between a part and its unit: *a quarter of an hour*."""
    among: re.Pattern[str]
    """What stands between a part and its whole: *one in four*."""
    ambiguous: frozenset[str]
    """Words that alone may be something else, such as *once*."""
    single: frozenset[str]
    """The words that are a number, and the first ones of numbers of several words."""
    glued: tuple[str, ...]
    """The words that are written together with others: *zweihundert*."""
    run: re.Pattern[str]
    first: re.Pattern[str]
    further: re.Pattern[str]


class NumberInWords(NamedTuple):
    """``text[start:end]`` is a number in words. ``vague`` says that the words may mean something else."""

    start: int
    end: int
    value: int
    vague: bool


@cache
def number_words() -> NumberWords:
    """The words of all languages, read once."""
    listed = (*LANGUAGES.entries_of("numbers", "others"), *LANGUAGES.entries_of("numbers", "prefixes"))
    values = {word: int(number) for number, words in listed for word in words}
    for language in LANGUAGES.tables.values():
        values.update(_count(language.get("numbers", {})))
    scaled = LANGUAGES.entries_of("numbers", "multiples")
    multiples = {word: int(float(number)) for number, words in scaled for word in words}
    # Atomic: pieces of which one begins with another would be tried in all their combinations.
    piece = f"(?>{find_longest([*values, *multiples])})"
    inside, between = (
        either(LANGUAGES.words_of("numbers", "joined_by")),
        either(LANGUAGES.words_of("numbers", "and")),
    )
    # "Zwei Unterschriften" does not go on with "un".
    word = rf"{piece}(?:(?:{inside})?+{piece})*+\b"
    further = rf"(?:{inside}|[ -](?:{between}[ -])?)?+"
    among = LANGUAGES.words_of("numbers", "among")
    parts = LANGUAGES.entries_of("numbers", "parts")
    ordinals = {word: int(number) for number, words in parts for word in words}
    counts = either(word for word, value in values.items() if value < 10)
    compounds = frozenset(_compounds(values))
    joining = [one["numbers"] for one in LANGUAGES.tables.values() if "joined_by" in one.get("numbers", {})]
    glued = {word for one in joining for words in one["multiples"].values() for word in split_words(words)}
    return NumberWords(
        values=values,
        multiples=multiples,
        ordinals=ordinals,
        part=re.compile(rf"\b{find_longest(ordinals)}\b"),
        count=re.compile(rf"\b({counts})[ -]\Z"),
        whole=re.compile(rf"\s{either(LANGUAGES.words_of('numbers', 'of_a'))}(?=\s|(?<=['’]))"),
        among=re.compile(rf"\s{either(among)}\s".replace("…", r"(?:[^\W\d]++\s?){0,3}?")),
        ambiguous=frozenset(LANGUAGES.words_of("numbers", "ambiguous")),
        single=compounds.union(values, multiples),
        glued=tuple(word for word in glued if multiples[word] < _MILLION),
        run=re.compile(rf"\b{word}(?:[ -](?:{between}[ -])?{word})*+"),
        first=re.compile(piece),
        further=re.compile(f"{further}({piece})"),
    )


def find_numbers_in_words(scan: TextScan) -> Iterator[NumberInWords]:
    """The numbers in words of a text.

    >>> scan = TextScan("Zweihundertfünfzig, vingt-cinq, two hundred and six")
    >>> [one.value for one in find_numbers_in_words(scan)]
    [250, 25, 206]
    """
    known, end = number_words(), 0
    parts = [part for part in known.glued if part in scan.folded]
    glued = {word for word in scan.words for part in parts if part in word} if parts else set()
    for place, _ in sorted((*scan.find_words(known.single), *scan.find_words(glued))):
        run = known.run.match(scan.folded, place) if place >= end else None
        if not run:
            continue
        end = run.end()
        pieces = list(_split(run[0], known))
        start = run.start()
        article = len(pieces) > 1 and known.values.get(pieces[0]) == 1 and pieces[1] in known.values
        if article and run[0][len(pieces[0])] == " ":  # "un sesenta por ciento"
            start += len(pieces.pop(0)) + 1
        value = _add_up(pieces, known)
        if value > _MOST:
            continue
        alone = len(pieces) == 1 and (run[0] in known.ambiguous or run[0] in known.multiples)
        yield NumberInWords(start, end, value, alone or value == 1)


class Part(NamedTuple):
    """``text[start:end]`` is the place ``value`` of many, or ``parts`` of so many."""

    start: int
    end: int
    value: int
    parts: int


def find_parts(scan: TextScan) -> Iterator[Part]:
    """The ordinals and the parts in words of a text.

    >>> [(one.value, one.parts) for one in find_parts(TextScan("Two thirds, ein Viertel"))]
    [(3, 2), (4, 1)]
    """
    known, end = number_words(), 0
    for place, _ in scan.find_words(known.ordinals.keys()):
        match = known.part.match(scan.folded, place) if place >= end else None
        if not match:
            continue
        end = match.end()
        count = known.count.search(scan.folded, max(0, place - _BEFORE), place)
        start, parts = (count.start(), known.values[count[1]]) if count else (place, 1)
        yield Part(start, end, known.ordinals[match[0]], parts)


def _split(run: str, known: NumberWords) -> Iterator[str]:
    piece = known.first.match(run)
    while piece:
        yield piece[piece.lastindex or 0]
        piece = known.further.match(run, piece.end())


def _add_up(pieces: list[str], known: NumberWords) -> int:
    """The value of the pieces: sums of multiples."""
    total = current = 0
    for piece in pieces:
        multiple = known.multiples.get(piece)
        if multiple is None:
            current += known.values[piece]
        elif multiple <= 100:
            current = max(current, 1) * multiple
        elif total and not current:  # "mil millones" is a thousand million
            total *= multiple
        else:
            total, current = total + max(current, 1) * multiple, 0
    return total + current


def _count(numbers: Mapping[str, str | list[str]]) -> dict[str, int]:
    """The words of one language that count from one multiple of a step on."""
    found: dict[str, int] = {}
    for name, step in _STEPS.items():
        rows = numbers.get(name, "")
        for row in [rows] if isinstance(rows, str) else rows:
            found |= {word: step * number for number, word in enumerate(row.split(), 1)}
    return found


def _compounds(values: Mapping[str, int]) -> Iterator[str]:
    """The words that languages make of two: ones before tens, and prefixes before ones."""
    for one in LANGUAGES.tables.values():
        numbers = one.get("numbers", {})
        ones = [word for word, value in _count({"ones": numbers.get("ones", "")}).items() if value < 10]
        tens = [word for word, value in _count({"tens": numbers.get("tens", "")}).items() if value > 10]
        for joint in split_words(numbers.get("joined_by", "")):
            yield from (f"{first}{joint}{second}" for first in ones for second in tens)
        small = [*ones, *(word for word, value in values.items() if value < 10)]
        for prefixes in numbers.get("prefixes", {}).values():
            yield from (f"{prefix}{word}" for prefix in split_words(prefixes) for word in small)


def find_longest(words: Iterable[str]) -> str:
    """A regular expression for the longest of ``words``, which tries each letter once."""
    endings: dict[str, list[str]] = {}
    for word in words:
        endings.setdefault(word[:1], []).append(word[1:])
    optional = "?" if endings.pop("", None) else ""
    if not endings:
        return ""
    return f"(?:{'|'.join(one + find_longest(rest) for one, rest in endings.items())}){optional}"
