"""Tells the language of a message, and messages of courtesy alone, whichever source answers."""

from __future__ import annotations

from typing import Final

from ..languages import language_named
from ..retrieval.words.language import detect, find_smalltalk_language, is_smalltalk

__all__ = ["is_smalltalk", "tell_language"]

_QUORUM: Final = 0.2
"""The share of a question's words that have to be stop words of its language: it has few words."""


def tell_language(message: str) -> str | None:
    """The BCP 47 tag of a message's language; None where its words tell none that the bot speaks."""
    return language_named(find_smalltalk_language(message) or detect(message, quorum=_QUORUM))
