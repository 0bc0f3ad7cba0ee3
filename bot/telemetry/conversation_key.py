"""Pseudonyms of conversations and items, for stores and logs: hashes that don't reveal their ids."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Final, NamedTuple

_ORDINARY: Final = 300
"""Characters of the ids that are cached. Teams' are about half as long; a sender may choose longer ones."""


class ConversationKey(NamedTuple):
    """A conversation. Its id is unique within its channel only."""

    channel_id: str
    conversation_id: str


def name_of(conversation: ConversationKey) -> str:
    """A conversation's pseudonym: its id may be a phone number, or may permit to write into it."""
    return _digest(*conversation).hex()


def short(conversation: ConversationKey) -> str:
    """The beginning of a conversation's pseudonym, as the log has it."""
    return name_of(conversation)[:8]


def item_name(item: str) -> str:
    """An item's pseudonym: an activity's id may contain the conversation's. Empty for the empty item."""
    return _digest(item).hex() if item else ""


def digest_of(conversation: ConversationKey, item: str) -> bytes:
    """Both pseudonyms as bytes: 16 of the conversation, then 16 of the item, or none for the empty item."""
    return _digest(*conversation) + (_digest(item) if item else b"")


def _digest(*parts: str) -> bytes:
    """The pseudonym of a conversation or an item, cached since a turn uses it several times."""
    return _cached_digest(*parts) if sum(map(len, parts)) <= _ORDINARY else _hash(*parts)


@lru_cache(maxsize=128)
def _cached_digest(*parts: str) -> bytes:
    return _hash(*parts)


def _hash(*parts: str) -> bytes:
    """128 bits of SHA-256 over ``parts``, each with its length in front, so that the list is unambiguous."""
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    framed = b"".join(len(part).to_bytes(8, "big") + part for part in encoded)
    return hashlib.sha256(framed).digest()[:16]
