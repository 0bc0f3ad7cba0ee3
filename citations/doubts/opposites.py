"""Words beside a number that are the opposite of those beside the same number of a passage."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from operator import attrgetter
from typing import Final, NamedTuple

from ..text.languages import LANGUAGES, either
from .arithmetic import MOST_EQUAL
from .numbers import Number
from .source_text import SourceText
from .written_number import MAX_NUMBERS, SentenceText, stands_in, written_forms

_WORDS: Final = re.compile(r"[^\W\d_]+")
_BEFORE: Final = 30
"""Characters before a number that may say that it is a least or a most."""
_NEGATED: Final = 60
"""Characters before that in which a negation turns it around."""
_OPPOSITES: Final = {"least": "most", "more": "less", "gross": "net"}
_OPPOSITE_OF: Final = _OPPOSITES | {other: one for one, other in _OPPOSITES.items()}


class _Forms(NamedTuple):
    """What finds phrases before a number and behind it, by their keys."""

    before: re.Pattern[str]
    behind: re.Pattern[str]
    negations: frozenset[str]


@cache
def _forms() -> _Forms:
    before, behind = (_read(name) for name in ("before", "behind"))
    return _Forms(
        re.compile(rf"\b(?:{before})\s(?:\w+\s)?[€$£]?\Z"),
        re.compile(rf"[^.;:,\d]{{0,25}}?\b(?:{behind})\b"),
        frozenset(LANGUAGES.words_of("opposites", "not")),
    )


def _read(name: str) -> str:
    """An expression for the phrases under ``name``, in a group for each key."""
    found: dict[str, set[str]] = {}
    for key, phrases in LANGUAGES.entries_of("opposites", name):
        found.setdefault(key, set()).update(phrases)
    return "|".join(f"(?P<{key}>{either(phrases)})" for key, phrases in found.items())


class Beside(NamedTuple):
    """A number with what is said beside it. ``words`` has both."""

    number: Number
    said: frozenset[str]
    words: str


def _find_beside(scan: SentenceText | SourceText, numbers: Iterable[Number]) -> Iterator[Beside]:
    known = _forms()
    for one in numbers:
        before = known.before.search(scan.folded, max(0, one.start - _BEFORE), one.start)
        behind = known.behind.match(scan.folded, one.end)
        if behind and _is_of_next(scan, one, behind):
            behind = None
        start, end = before.start() if before else one.start, behind.end() if behind else one.end
        said = frozenset(match.lastgroup for match in (before, behind) if match and match.lastgroup)
        if said and not known.negations.isdisjoint(
            _WORDS.findall(scan.folded, max(0, start - _NEGATED), start)
        ):
            said = frozenset()
        yield Beside(one, said, scan.words_between(start, end))


def _is_of_next(scan: SentenceText | SourceText, one: Number, behind: re.Match[str]) -> bool:
    """Whether a phrase behind a number is said of the next one: "three judges read at least five"."""
    place = bisect_left(scan.numbers, one.end, key=attrgetter("start"))
    for other in scan.numbers[place : place + 1]:
        before = _forms().before.search(scan.folded, max(0, other.start - _BEFORE), other.start)
        return (before.start() if before else other.start) < behind.end()
    return False


def find_opposites(sentence: SentenceText, passages: Sequence[SourceText]) -> Iterator[tuple[str, str]]:
    """What ``sentence`` says beside a number of which ``passages`` say the opposite, and what they say."""
    if written_forms().opposites.isdisjoint(sentence.telling):
        return
    for one in _find_beside(sentence, sentence.numbers[:MAX_NUMBERS]):
        if not one.said or any(stands_in(one.words.lower(), passage.folded) for passage in passages):
            continue
        equal = (
            other
            for passage in passages
            for other in _find_beside(passage, filter(one.number.equals, passage.undated))
        )
        same = list(islice(equal, MOST_EQUAL))
        opposite = {_OPPOSITE_OF[key] for key in one.said}
        if same and all(other.said & opposite and not other.said & one.said for other in same):
            yield one.words, same[0].words
