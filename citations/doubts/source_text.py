"""A passage as the rules compare it with sentences; its rarer forms are made at their first use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from html import unescape
from typing import Final

from ..model.reference import Reference
from .arithmetic import Amounts
from .dates import Date, find_dates
from .numbers import Number, find_numbers
from .text_scan import TextScan, lower_in_place

_WORDS: Final = re.compile(r"\w+")
MAX_TEXT: Final = 20_000
"""Characters of a source that is compared. Each sentence that cites it is searched for in all of them."""


class SourceText(TextScan):
    """The text of a source, without emphasis, escapes and entities.

    Its title counts as words, not as numbers that its text says.
    """

    def __init__(self, parts: Sequence[Reference]) -> None:
        self.id = parts[0].id
        texts = [part.text for part in parts if part.text]
        self.is_read = bool(texts) and sum(map(len, texts)) <= MAX_TEXT
        """Whether the answer was made with a text of it that is known, and can be compared in short time."""
        self.complete = True
        """Whether the answer was made with no more of the source than this."""
        for part in parts:
            self.is_read = self.is_read and not part.only_named
            self.complete = self.complete and part.complete
        super().__init__(_join(texts) if self.is_read else "")
        self.title = lower_in_place(_join([part.name for part in parts if part.name]))
        """The names in lower case."""
        self.known = f"{self.folded}\n{self.title}"
        """All that is known of the source, in lower case."""

    @cached_property
    def spaced(self) -> str:
        """The words of the text and the names in lower case, with one space around each."""
        return f" {' '.join([*_WORDS.findall(self.folded), *_WORDS.findall(self.title)])} "

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """The numbers of the text."""
        return find_numbers(self)

    @cached_property
    def dates(self) -> tuple[Date, ...]:
        """The dates of the text."""
        return tuple(find_dates(self))

    @cached_property
    def undated(self) -> tuple[Number, ...]:
        """The numbers that are no part of a date."""
        dated = {offset for one in self.dates for offset in range(one.start, one.end)}
        return tuple([one for one in self.numbers if one.start not in dated]) if dated else self.numbers

    @cached_property
    def distinct(self) -> tuple[tuple[str, Number | Date], ...]:
        """The words of each date and each other number, with one that is written so."""
        found: dict[tuple[object, ...], tuple[str, Number | Date]] = {}
        known: tuple[Number | Date, ...] = (*self.dates, *self.undated)
        for one in known:
            words = self.words_between(one.start, one.end)
            found.setdefault((words, *one[2:6]), (words, one))
        return tuple(found.values())

    @cached_property
    def amounts(self) -> Amounts:
        """The numbers without their units, sorted by their values."""
        return Amounts((value, one) for one in self.undated for value in {*one.values, *one.amounts})

    @cached_property
    def measured(self) -> Amounts:
        """The numbers in the bases of their units, sorted by their values."""
        return Amounts((value, one) for one in self.undated for value in one.measured)


def _join(texts: Sequence[str]) -> str:
    text = "\n".join(texts).replace("*", "").replace("\\", "")
    return unescape(text) if "&" in text else text
