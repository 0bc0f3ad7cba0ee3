"""A sentence of an answer as the rules compare it with sources."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from .numbers import Number, find_numbers
from .text_scan import TextScan

_ITEM: Final = re.compile(r"\A\W*(?:\d{1,3}[.)]|[^\W\d]+\s\d{1,3}\s?[:–])(?=\s|\Z)")
"""The number of an item, which a source may leave out: "3.", "Step 3:"."""
MAX_NUMBERS: Final = 20
"""Numbers of a sentence that are compared."""


class SentenceText(TextScan):
    """A sentence, its words without most signs, and those of them that are ``telling``."""

    def __init__(self, text: str, telling: frozenset[str]) -> None:
        super().__init__(text)
        self.split = split_words(self.folded)
        self.telling = telling.intersection(self.split)

    @cached_property
    def unnumbered(self) -> TextScan:
        """The sentence with blanks in place of an item's number."""
        item = _ITEM.match(self.text)
        return TextScan(" " * item.end() + self.text[item.end() :]) if item else self

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """The numbers of the sentence, without an item's."""
        return find_numbers(self.unnumbered)


def split_words(folded: str) -> list[str]:
    """The words of a text, without most signs."""
    return folded.replace("-", " ").replace(",", " ").replace(".", " ").split()
