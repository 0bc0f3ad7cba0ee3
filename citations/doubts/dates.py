"""The dates of a text, in digits and with the names of months."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from ..text.languages import LANGUAGES, either, split_words
from .number_words import find_longest, number_words
from .text_scan import TextScan

_IN_DIGITS: Final = re.compile(
    r"""(?<![\w.,/-])(?:
        (?P<y1>\d{4})(?P<s1>[./-])(?P<a1>\d\d?)(?P=s1)(?P<b1>\d\d?)
        |(?P<a2>\d\d?)(?P<s2>[./-])(?P<b2>\d\d?)(?P=s2)(?P<y2>\d{4}|\d\d)
        |(?P<m3>\d\d?)[./](?P<y3>(?:19|20)\d\d)
        |(?P<y4>(?:19|20)\d\d)-(?P<m4>[01]\d)
        |(?P<a5>\d\d?)(?:/(?P<b5>\d\d?)|[.][ ]?(?P<c5>\d\d?)[.])
    )(?![\w/-]|[.,]\d)""",
    re.VERBOSE,
)
_BEFORE: Final = 50
"""Characters before a month that may have its days."""
_LAST_DAY: Final = 31
_MONTHS: Final = 12


class Date(NamedTuple):
    """``text[start:end]`` is a date. ``readings`` are its day and its month.

    A date in digits may have two readings. The day, or the year, is None where it is not said.
    """

    start: int
    end: int
    year: int | None
    readings: tuple[tuple[int | None, int], ...]

    @property
    def has_day(self) -> bool:
        """Whether it says the day, and not only the month."""
        return self.readings[0][0] is not None

    def agrees(self, other: Date) -> bool:
        """Whether both may be the same day of a year, or one is the month of the other."""
        return any(
            month == its_month and (day is None or its_day is None or day == its_day)
            for day, month in self.readings
            for its_day, its_month in other.readings
        )


@cache
def month_names() -> Mapping[str, int]:
    """The numbers of months by their names, in lower case."""
    return {
        name: number
        for language in LANGUAGES.tables.values()
        for number, names in enumerate(language.get("dates", {}).get("months", ()), 1)
        for name in split_words(names)
    }


@cache
def _days() -> Mapping[str, int]:
    """The days of a month, in words."""
    known = number_words()
    # The first that counts a place is the third: "half of April" is no day.
    places = {word: value for word, value in known.ordinals.items() if value > 2}
    return {word: value for word, value in {**places, **known.values}.items() if 1 <= value <= _LAST_DAY}


@cache
def _day() -> re.Pattern[str]:
    ordinal = either(LANGUAGES.words_of("dates", "ordinals"))
    return re.compile(rf"(?<![\w.,])(?:\d{{1,2}}(?:{ordinal})?|{find_longest(_days())})")


@cache
def _beside() -> tuple[re.Pattern[str], re.Pattern[str], frozenset[str]]:
    """The day before the name of a month, the day or the year behind it, and names that are other words."""
    ordinal, of = either(LANGUAGES.words_of("dates", "ordinals")), either(LANGUAGES.words_of("dates", "of"))
    year = either(LANGUAGES.words_of("dates", "year"))
    day = _day().pattern
    before = rf"""(?<![-–/])(?P<from>(?:{day}(?:\s?[-–/,]\s?|\s\w{{1,3}}\s(?:\w{{1,3}}\s)?)){{0,6}})
        (?P<day>{day})[ \u00a0](?:{of}[ ])?\Z"""
    behind = rf"""(?:\.(?=[ ,]))?(?:[ \u00a0](?P<behind>\d{{1,2}})(?:{ordinal})?(?!\w|\.\d|:))?
        (?:,?[ \u00a0](?:{year}[ ])?(?P<year>\d{{4}})\b)?"""
    ambiguous = frozenset(LANGUAGES.words_of("dates", "ambiguous"))
    return re.compile(before, re.VERBOSE), re.compile(behind, re.VERBOSE | re.IGNORECASE), ambiguous


def find_dates(scan: TextScan) -> Iterator[Date]:
    """The dates of a text; a month alone is one without a day.

    >>> scan = TextScan("2024-05-03, 3. Mai, the fifteenth of June")
    >>> [(one.year, one.readings) for one in find_dates(scan)]
    [(2024, ((3, 5), (5, 3))), (None, ((3, 5),)), (None, ((15, 6),))]
    """
    end = 0
    for start in scan.digits:
        if start >= end and (match := _IN_DIGITS.match(scan.text, start)):
            end = match.end()
            yield from _read_digits(match)
    names, end = month_names(), 0
    for start, name in scan.find_words(names.keys()):
        # The days before another month are no days of this one: "from 3 May to 5 June".
        yield from _read_names(scan, start, name, names[name], after=end)
        end = start + len(name)


def _read_digits(match: re.Match[str]) -> Iterator[Date]:
    start, end = match.span()
    found = {name[0]: int(one) for name, one in match.groupdict().items() if one and name[0] != "s"}
    if "m" in found:
        if 1 <= found["m"] <= _MONTHS:
            yield Date(start, end, found["y"], ((None, found["m"]),))
        return
    first, second = found["a"], found.get("b", found.get("c", 0))
    pairs = [(first, second), (second, first)]
    if match["y1"]:
        pairs.reverse()
    days = dict.fromkeys(one for one in pairs if 1 <= one[0] <= _LAST_DAY and 1 <= one[1] <= _MONTHS)
    if days:
        yield Date(start, end, _full_year(found.get("y")), tuple(days))


def _full_year(year: int | None) -> int | None:
    """The year in four digits: 24 is 2024, and 85 is 1985."""
    if year is None or year >= 100:
        return year
    return year + (2000 if year < 70 else 1900)


def _read_names(scan: TextScan, start: int, name: str, month: int, *, after: int) -> Iterator[Date]:
    text, end = scan.text, start + len(name)
    before, behind, ambiguous = _beside()
    first = before.search(scan.folded, max(after, start - _BEFORE), start)
    last = behind.match(text, end)
    listed = _day().findall(first["from"]) if first else ()
    found = (*listed, first and first["day"], last and last["behind"])
    days = tuple(_read_days(found))
    year = int(last["year"]) if last and last["year"] else None
    if not days and year is None and name in ambiguous:
        # "You may", "tres meses ago": a word that is a month and something else.
        above = text[max(0, start - _BEFORE) : start].rstrip()
        if text[start].islower() or not above or above[-1] in ".!?:\n":
            return
    start, end = first.start() if first else start, last.end() if last else end
    for day in days or (None,):
        yield Date(start, end, year, ((day, month),))


def _read_days(written: Iterable[str | None]) -> Iterator[int]:
    for one in filter(None, written):
        digits = re.match(r"\d+", one)
        yield int(digits[0]) if digits else _days()[one.lower()]
