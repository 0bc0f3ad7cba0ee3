"""Compares a question with passages word by word, by the codes of their word pieces.

Each word piece has a vector for what it means where it stands. A passage says as much of a question as its
pieces are like those of the question. Each of these counts, by its weight, as alike as the piece that is most
like it. This is the late interaction of ColBERT (Khattab and Zaharia, 2020). The signs of a vector's numbers
are enough for it, one bit each. So a passage's pieces are stored when it is embedded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.uint64]
_WORD: Final = 64
"""Bits of a code's words."""


@dataclass(frozen=True, slots=True, eq=False)
class AskedWords:
    """A row of ``bits`` for each word piece of a question, and their weights, which together are 1."""

    bits: Bits
    weights: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class WordCodes:
    """A row of ``bits`` for each word piece of a passage.

    ``counts`` has the number of pieces of its headings, and then of each unit.
    """

    bits: Bits
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SaidWords:
    """How much of a question a passage says, from 0 to about 1, and how much each of its units in order."""

    passage: float
    units: tuple[float, ...]


def encode_signs(rows: NDArray[np.float32]) -> Bits:
    """The signs of each row's numbers as bits; there are a multiple of 64 numbers."""
    bits: Bits = np.packbits(rows > 0, axis=1).view(np.uint64)
    return bits


def compare_words(asked: AskedWords, passages: Mapping[int, WordCodes]) -> dict[int, SaidWords]:
    """How much of a question each passage says, by the keys of ``passages``.

    Codes of another length are another model's, and are not compared.
    """
    length = asked.bits.shape[1]
    filled = {
        key: words for key, words in passages.items() if len(words.bits) and words.bits.shape[1] == length
    }
    if not filled:
        return {}
    bits = np.concatenate([words.bits for words in filled.values()])
    counts = np.array([count for words in filled.values() for count in words.counts])
    different = np.zeros((len(asked.bits), len(bits)), np.uint16)
    for asked_word, said_word in zip(asked.bits.T, np.ascontiguousarray(bits.T), strict=True):
        different += np.bitwise_count(asked_word[:, None] ^ said_word)
    # A text without any piece has no place of its own: it would have that of the next one.
    starts = (np.cumsum(counts) - counts)[counts > 0]
    least = np.full((len(asked.bits), len(counts)), bits.shape[1] * _WORD // 2, np.uint16)
    least[:, counts > 0] = np.minimum.reduceat(different, starts, axis=1)
    alike = (1 - least / np.float32(bits.shape[1] * _WORD / 2)).astype(np.float32)
    units = asked.weights @ alike
    found: dict[int, SaidWords] = {}
    start = 0
    for key, words in filled.items():
        end = start + len(words.counts)
        whole = float(asked.weights @ alike[:, start:end].max(axis=1))
        found[key] = SaidWords(whole, tuple(units[start + 1 : end].tolist()))
        start = end
    return found
