"""What is looked for in a text first: where digits begin, and which words it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from functools import cached_property
from typing import Final

_WORDS: Final = re.compile(r"[^\W\d_]+")
_DIGITS: Final = re.compile(r"[0-9]\d*")
_ANY_DIGITS: Final = re.compile(r"\d+")
_STOPPED: Final = re.compile(r"(?<![^\W\d_]\.)(?<![^\W\d_])[^\W\d_]+\.\Z")
_MANY: Final = 50
"""Words of which each takes longer to find alone than all of them together."""
_BLANKED: Final = bytes(one if one > 127 or _WORDS.match(chr(one)) else 32 for one in range(256))
"""A blank in place of each sign and digit of ASCII."""


def lower_in_place(text: str) -> str:
    """The text in lower case, with the same offsets."""
    folded = text.lower()
    if len(folded) == len(text):
        return folded
    # "İ" has two characters in lower case.
    return "".join([one if len(one.lower()) > 1 else one.lower() for one in text])


class TextScan:
    """A text that numbers and dates are read from. What it cannot have is not looked for."""

    def __init__(self, text: str) -> None:
        self.text, self.folded = text, lower_in_place(text)

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words in lower case."""
        pieces = frozenset(self.folded.encode(errors="replace").translate(_BLANKED).decode().split())
        if self.folded.isascii():
            return pieces
        return pieces.union(_WORDS.findall(" ".join([one for one in pieces if not one.isalpha()])))

    @cached_property
    def digits(self) -> list[int]:
        """The offsets at which digits begin."""
        form = _DIGITS if self.text.isascii() else _ANY_DIGITS  # the first takes half the time
        return [one.start() for one in form.finditer(self.text)]

    def words_between(self, start: int, end: int) -> str:
        """What stands there, for people: without a full stop that ends a word, and may end the sentence."""
        words = self.text[start:end].strip()
        return words[:-1] if _STOPPED.search(words) else words

    def find_words(self, wanted: Set[str]) -> list[tuple[int, str]]:
        """The offsets of the ``wanted`` words and the words, in order."""
        present = wanted & self.words
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
