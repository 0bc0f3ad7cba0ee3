"""A passage as the rules compare it with sentences; its rarer forms are made at their first use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from html import unescape
from operator import itemgetter
from typing import Final

from ..model.reference import Reference
from .dates import Date, find_dates
from .numbers import Number, find_numbers

_WORDS: Final = re.compile(r"\w+")

MAX_TEXT: Final = 20_000
"""Characters of a source that is compared. Each sentence that cites it is searched for in all of them."""


Amount = tuple[float, Number]
"""What a number may be worth, in its unit or in the base of that."""


class SourceText:
    """The text of a source. Its title counts as words, not as numbers that its text says."""

    def __init__(self, parts: Sequence[Reference]) -> None:
        self.id = parts[0].id
        self.name = parts[0].name or ""
        length = sum([len(part.text or "") for part in parts])
        self.is_read = 0 < length <= MAX_TEXT and not any(part.only_named for part in parts)
        """Whether the answer was made with a text of it that is known, and can be compared in short time."""
        self.complete = all(part.complete for part in parts)
        """Whether the answer was made with no more of the source than this."""
        self.text = _join([part.text for part in parts]) if self.is_read else ""
        """The text, without emphasis, escapes and entities."""
        self.folded = self.text.lower()
        """The text in lower case."""
        self.title = _join([part.name for part in parts]).lower() if self.is_read else ""
        """The names in lower case."""
        self.known = f"{self.folded}\n{self.title}"
        """All that is known of the source, in lower case."""

    @cached_property
    def words(self) -> str:
        """The words of the text and the names in lower case, with one space around each."""
        return f" {' '.join([*_WORDS.findall(self.folded), *_WORDS.findall(self.title)])} "

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """The numbers of the text."""
        return find_numbers(self.text)

    @cached_property
    def dates(self) -> tuple[Date, ...]:
        """The dates of the text."""
        return tuple(find_dates(self.text))

    @cached_property
    def undated(self) -> tuple[Number, ...]:
        """The numbers that are no part of a date."""
        dated = {offset for one in self.dates for offset in range(one.start, one.end)}
        return tuple(one for one in self.numbers if one.start not in dated)

    @cached_property
    def amounts(self) -> list[Amount]:
        """The numbers without their units, sorted by their values."""
        return _sort((value, one) for one in self.undated for value in {*one.values, *one.amounts})

    @cached_property
    def measured(self) -> list[Amount]:
        """The numbers in the bases of their units, sorted by their values."""
        return _sort((value, one) for one in self.undated for value in one.measured)


def _sort(amounts: Iterable[Amount]) -> list[Amount]:
    return sorted(amounts, key=itemgetter(0))


def _join(fields: Sequence[str | None]) -> str:
    text = "\n".join([field for field in fields if field]).replace("*", "").replace("\\", "")
    return unescape(text) if "&" in text else text
