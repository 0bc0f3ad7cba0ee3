"""The language of a turn: the person's, else the question's, else English."""

from __future__ import annotations

from typing import Any

from ..messages import find_language, language_named
from ..retrieval.language import detect
from .question import extract_question

_QUORUM = 0.2
"""The share of a question's words that have to be stop words of its language: it has few words."""


def language_of(activity: Any) -> str | None:
    """The tag of the language to answer ``activity`` in; None where nothing tells it.

    Bot Framework -- Activity: ``locale`` is "the preferred locale that a bot should use" for its text, by
    BCP 47. Where the bot does not speak that one, or none is given, the words of the question tell.
    """
    return find_language(activity.locale) or language_named(
        detect(extract_question(activity), quorum=_QUORUM)
    )
