"""What is looked for in a text first: where digits begin, and which words it has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

_WORDS: Final = re.compile(r"[^\W\d_]+")
_CLAUSE: Final = re.compile(r"[^.;:,!?\d\n]*")
_DIGITS: Final = re.compile(r"\d+")


class TextScan:
    """A text that numbers and dates are read from. What it cannot have is not looked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        folded = text.lower()
        if len(folded) != len(text):  # "İ" has two characters in lower case
            folded = "".join([one if len(one.lower()) > 1 else one.lower() for one in text])
        self.folded = folded
        """The text in lower case, with the same offsets."""

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words in lower case."""
        pieces = frozenset(self.folded.split())
        mixed = [one for one in pieces if not one.isalpha()]
        return pieces.union(_WORDS.findall(" ".join(mixed)))

    @cached_property
    def digits(self) -> list[int]:
        """The offsets at which digits begin."""
        return [one.start() for one in _DIGITS.finditer(self.text)]

    def words_before(self, offset: int, reach: int) -> list[str]:
        """The words within ``reach`` characters before an offset, of which the first may be cut."""
        return _WORDS.findall(self.folded, max(0, offset - reach), offset)

    def words_behind(self, offset: int, reach: int) -> list[str]:
        """The words within ``reach`` characters behind an offset, as far as its clause."""
        clause = _CLAUSE.match(self.folded, offset, offset + reach)
        return _WORDS.findall(self.folded, offset, clause.end() if clause else offset)

    def find_words(self, wanted: Iterable[str]) -> list[tuple[int, str]]:
        """The offsets of the ``wanted`` words and the words, in order."""
        found = [(start, word) for word in self.words.intersection(wanted) for start in self._find(word)]
        return sorted(found)

    def _find(self, word: str) -> Iterator[int]:
        start = self.folded.find(word)
        while start >= 0:
            end = start + len(word)
            inside = self.folded[end : end + 1].isalpha() or (start and self.folded[start - 1].isalpha())
            if not inside:
                yield start
            start = self.folded.find(word, end)
