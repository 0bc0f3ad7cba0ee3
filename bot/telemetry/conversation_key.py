"""By which names a store knows conversations and items: none that tells who they are."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Final, NamedTuple

_ORDINARY: Final = 300
"""Characters of an id; Teams' are about half as long. Whoever sends an activity may choose a longer one."""


class ConversationKey(NamedTuple):
    """A conversation: its id is unique in its channel only."""

    channel_id: str
    conversation_id: str


def name_of(conversation: ConversationKey) -> str:
    """A conversation's name: the id of one is a phone number, or lets its holder write into it."""
    return _digest_of(conversation).hex()


def short(conversation: ConversationKey) -> str:
    """Enough of a conversation's name to find its events in the log by."""
    return name_of(conversation)[:8]


def item_name(item: str) -> str:
    """An item's name; an activity's id may have the conversation's in it. The empty item has none."""
    return _digest(item).hex() if item else ""


def place_of(conversation: ConversationKey, item: str) -> bytes:
    """The names of both in a row, as bytes: the item's behind the conversation's, which is 16 long."""
    return _digest_of(conversation) + (_digest(item) if item else b"")


def _digest_of(conversation: ConversationKey) -> bytes:
    """The name as bytes, which is asked for some times in each turn."""
    ordinary = sum(map(len, conversation)) <= _ORDINARY
    return _cached_digest(conversation) if ordinary else _digest(*conversation)


@lru_cache(maxsize=64)
def _cached_digest(conversation: ConversationKey) -> bytes:
    return _digest(*conversation)


def _digest(*parts: str) -> bytes:
    """128 bits of SHA-256 over ``parts``, each preceded by its length, so that no two lists read alike."""
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    framed = b"".join(len(part).to_bytes(8, "big") + part for part in encoded)
    return hashlib.sha256(framed).digest()[:16]
