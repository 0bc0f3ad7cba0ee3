"""Splits words into pieces as SentencePiece does (Kudo, 2018): into those that are likeliest together.

Pieces are known by their hashes in an array, which takes a twentieth of the memory of a dictionary with all
their beginnings. A text that is no piece has the hash of one in one of 10¹³ cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

SPACE: Final = "\u2581"
"""SentencePiece begins each word with this sign."""
_LETTERS: Final = 16
"""The longest pieces have so many letters."""
_RARE: Final = 10.0
"""What an unknown letter costs beyond the rarest piece, as in SentencePiece."""
_KEPT: Final = 4096
"""The pieces of so many words are kept: texts repeat their words."""
_LONGEST_KEPT: Final = 40
"""A longer word is a text without blanks, as in Chinese, and does not come again."""


class Unigrams:
    """The pieces of a model by their numbers, with their ``scores``: logarithms of how likely each is.

    ``unknown`` is the number of letters that no piece has.
    """

    def __init__(self, pieces: Iterable[str], scores: Sequence[float], unknown: int) -> None:
        hashes = np.fromiter((hash(one.encode()) for one in pieces), np.int64, len(scores))
        self._numbers = np.argsort(hashes, kind="stable").astype(np.int32)
        self._hashes = hashes[self._numbers]
        self._scores = np.array(scores, np.float32)
        self._worst = float(self._scores.min()) - _RARE
        self._unknown = unknown
        self._keep = lru_cache(_KEPT)(self._split)

    def split(self, word: str) -> tuple[int, ...]:
        """The numbers of the pieces of a word."""
        return self._keep(word) if len(word) <= _LONGEST_KEPT else self._split(word)

    def weigh(self, word: str) -> float:
        """How likely the pieces of a word are: the sum of their scores."""
        return float(sum(self._scores[number] for number in self.split(word)))

    def _split(self, word: str) -> tuple[int, ...]:
        letters = SPACE + word
        spans = [
            (start, end)
            for start in range(len(letters))
            for end in range(start + 1, min(len(letters), start + _LETTERS) + 1)
        ]
        # The hash of a string is that of its bytes in memory, so that せ and [0 have the same one.
        asked = np.array([hash(letters[start:end].encode()) for start, end in spans], np.int64)
        places = np.minimum(np.searchsorted(self._hashes, asked), len(self._hashes) - 1)
        numbers = np.where(self._hashes[places] == asked, self._numbers[places], -1).tolist()
        best = [(0.0, 0, self._unknown), *[(-np.inf, 0, self._unknown)] * len(letters)]
        for (start, end), number in zip(spans, numbers, strict=True):
            if number < 0 and end > start + 1:
                continue
            score = best[start][0] + (float(self._scores[number]) if number >= 0 else self._worst)
            if score > best[end][0]:
                best[end] = score, start, number if number >= 0 else self._unknown
        found: list[int] = []
        end = len(letters)
        while end:
            _, end, number = best[end]
            found.append(number)
        return tuple(found[::-1])
