"""What is looked for in a text first: where digits begin, and which words it has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

_WORDS: Final = re.compile(r"[^\W\d_]+")
_CLAUSE: Final = re.compile(r"[^.;:,!?\d\n]*")
_DIGITS: Final = re.compile(r"[0-9]\d*")
_ANY_DIGITS: Final = re.compile(r"\d+")
_MANY: Final = 50
"""Words of which each takes longer to find alone than all of them together."""
_BLANKED: Final = bytes(one if one > 127 or _WORDS.match(chr(one)) else 32 for one in range(256))
"""A blank in place of each sign and digit of ASCII."""


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
    def _pieces(self) -> tuple[frozenset[str], str]:
        """What stands between blanks and the signs of ASCII, and that of it which is no word alone."""
        pieces = frozenset(self.folded.encode(errors="replace").translate(_BLANKED).decode().split())
        others = () if self.folded.isascii() else (one for one in pieces if not one.isalpha())
        return pieces, " ".join(others)

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words in lower case."""
        pieces, others = self._pieces
        return pieces.union(_WORDS.findall(others)) if others else pieces

    @cached_property
    def digits(self) -> list[int]:
        """The offsets at which digits begin."""
        # Those of ASCII are found in half the time.
        plain = self.text.isascii() or not _ANY_DIGITS.search(self._pieces[1])
        return [one.start() for one in (_DIGITS if plain else _ANY_DIGITS).finditer(self.text)]

    def words_before(self, offset: int, reach: int) -> list[str]:
        """The words within ``reach`` characters before an offset, of which the first may be cut."""
        return _WORDS.findall(self.folded, max(0, offset - reach), offset)

    def words_behind(self, offset: int, reach: int) -> list[str]:
        """The words within ``reach`` characters behind an offset, as far as its clause."""
        clause = _CLAUSE.match(self.folded, offset, offset + reach)
        return _WORDS.findall(self.folded, offset, clause.end() if clause else offset)

    def find_words(self, wanted: frozenset[str]) -> list[tuple[int, str]]:
        """The offsets of the ``wanted`` words and the words, in order."""
        present = self.words & wanted
        if len(present) > _MANY:
            return [(one.start(), one[0]) for one in _WORDS.finditer(self.folded) if one[0] in present]
        return sorted((start, word) for word in present for start in self._find(word))

    def _find(self, word: str) -> Iterator[int]:
        start = self.folded.find(word)
        while start >= 0:
            end = start + len(word)
            inside = self.folded[end : end + 1].isalpha() or (start and self.folded[start - 1].isalpha())
            if not inside:
                yield start
            start = self.folded.find(word, end)
