"""Reads what the words of a message tell, whichever source answers it."""

from __future__ import annotations

from typing import Final

from ..languages import language_named
from ..retrieval.words import detect, find_smalltalk_language, is_smalltalk
from . import MessageTraits

_QUORUM: Final = 0.2
"""The share of a question's words that have to be stop words of its language: it has few words."""


def read_traits(message: str) -> MessageTraits:
    """Read what the words of a message tell: its language, and whether it is small talk."""
    language = language_named(find_smalltalk_language(message) or detect(message, quorum=_QUORUM))
    return MessageTraits(language, is_smalltalk(message))
