"""Names texts by short digests."""

from __future__ import annotations

import hashlib


def compute_digest(*parts: str) -> int:
    """A digest of texts, as a signed integer of 64 bits."""
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(joined, digest_size=8).digest(), "big", signed=True)
