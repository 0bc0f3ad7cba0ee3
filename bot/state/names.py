"""By which names a store knows conversations and items: none that tells who they are."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from . import ConversationKey


def name_of(conversation: ConversationKey) -> str:
    """A conversation's name: the id of one is a phone number, or lets its holder write into it."""
    return _conversation(conversation).hex()


def short(conversation: ConversationKey) -> str:
    """Enough of a conversation's name to find its events in the log by."""
    return name_of(conversation)[:8]


def item_name(item: str) -> str:
    """An item's name; an activity's id may have the conversation's in it. The empty item has none."""
    return _digest(item).hex() if item else ""


def place_of(conversation: ConversationKey, item: str) -> bytes:
    """The names of both in a row, as bytes: the item's behind the conversation's, which is 16 long."""
    return _conversation(conversation) + (_digest(item) if item else b"")


@lru_cache(maxsize=64)
def _conversation(conversation: ConversationKey) -> bytes:
    """Asked for some times in each turn."""
    return _digest(*conversation)


def _digest(*parts: str) -> bytes:
    """128 bits of SHA-256 over ``parts``, each preceded by its length, so that no two lists read alike."""
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    framed = b"".join(len(part).to_bytes(8, "big") + part for part in encoded)
    return hashlib.sha256(framed).digest()[:16]
