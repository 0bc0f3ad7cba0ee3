"""Finds the passages whose vectors are nearest to a question's.

The signs of a vector's numbers are a code of one bit each. Codes of all passages are in memory, 64 bytes
for a passage with 512 numbers. Those with the smallest share of different bits are then compared exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .embedder import Vectors
from .vectors import Digests

_WORD: Final = 64
"""Bits of a code's words."""
_PARTS: Final = 1000
"""A share is counted in so many parts of a word."""


@dataclass(frozen=True, slots=True)
class Codes:
    """The codes of passages: a row of ``bits`` for each of the ``digests``, which ascend."""

    digests: Digests
    bits: NDArray[np.uint64]

    def add(self, digests: Digests, vectors: Vectors) -> Codes:
        """These codes with those of further passages, which replace those of equal digests."""
        if not digests.size:
            return self
        stays = ~np.isin(self.digests, digests)
        bits = _encode(vectors)
        old = self.bits[stays] if self.bits.size else bits[:0]
        joined = np.concatenate([self.digests[stays], digests])
        order = np.argsort(joined)
        return Codes(joined[order], np.concatenate([old, bits])[order])

    def keep_only(self, digests: Digests) -> Codes:
        """The codes of these passages only."""
        stays = np.isin(self.digests, digests)
        return self if stays.all() else Codes(self.digests[stays], self.bits[stays])

    def find_nearest(self, vector: Vectors, limit: int) -> list[int]:
        """The digests of the ``limit`` passages of whose bits the smallest share differs from the vector's.

        Words without any bit have only zeros, of a model that does not know the text's language.
        """
        if not self.digests.size:
            return []
        code = _encode(vector[None, :])
        known = (self.bits != 0) & (code != 0)
        different = (np.bitwise_count(self.bits ^ code) * known).sum(axis=1, dtype=np.uint32)
        shares = (different * _PARTS // np.maximum(known.sum(axis=1), 1)).astype(np.uint16)
        nearest = np.argsort(shares, kind="stable")[:limit]  # numbers of 16 bits take linear time
        found: list[int] = self.digests[nearest].tolist()
        return found


NO_CODES: Final = Codes(np.zeros(0, np.int64), np.zeros((0, 0), np.uint64))


def _encode(vectors: Vectors) -> NDArray[np.uint64]:
    """The signs of each row's numbers as bits, padded to whole words."""
    rows, numbers = vectors.shape
    padded = np.zeros((rows, -(-numbers // _WORD) * _WORD), bool)
    padded[:, :numbers] = vectors > 0
    return np.packbits(padded, axis=1).view(np.uint64)
