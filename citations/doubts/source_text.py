"""A passage as the rules compare it with sentences; its rarer forms are made at their first use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from html import unescape
from typing import Final

from ..model.reference import Reference
from .numbers import Number, find_numbers, months_of

_WORDS: Final = re.compile(r"\w+")

MAX_TEXT: Final = 20_000
"""Characters of a source that is compared. Each sentence that cites it is searched for in all of them."""


class SourceText:
    """The text of a source, with its name and its date, which a model may have seen, too."""

    def __init__(self, parts: Sequence[Reference]) -> None:
        self.id = parts[0].id
        length = sum([len(part.text or "") for part in parts])
        self.is_read = 0 < length <= MAX_TEXT and not any(part.only_named for part in parts)
        """Whether the answer was made with a text of it that is known, and can be compared in short time."""
        self.complete = all(part.complete for part in parts)
        """Whether the answer was made with no more of the source than this."""
        self.text = _join(parts) if self.is_read else ""
        """All that is known of the source, without emphasis, escapes and entities."""
        self.folded = self.text.lower()
        """The text in lower case."""

    @cached_property
    def words(self) -> str:
        """The words of the text in lower case, with one space around each."""
        return f" {' '.join(_WORDS.findall(self.folded))} "

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """All numbers of the text."""
        return tuple(find_numbers(self.text))

    @cached_property
    def values(self) -> list[tuple[float, str]]:
        """The values of its numbers with their units (empty without one), sorted and each once."""
        return sorted({(value, number.unit or "") for number in self.numbers for value in number.values})

    @cached_property
    def digits(self) -> frozenset[tuple[str, str]]:
        """Its numbers as they are written, with their units, whatever multiplies them."""
        return frozenset((number.digits, number.unit or "") for number in self.numbers)

    @cached_property
    def months(self) -> frozenset[int]:
        """The months of the text."""
        return months_of(self.text)


def _join(parts: Sequence[Reference]) -> str:
    fields = [field for part in parts for field in (part.text, part.name, part.modified) if field]
    text = "\n".join(fields).replace("*", "").replace("\\", "")
    return unescape(text) if "&" in text else text
