"""What the bot says and understands in each language: one TOML file for each, named by its BCP 47 tag.

:func:`speak` chooses the language of a turn, and :func:`say` reads a sentence in it. The choice is a
context variable. It holds in the task that makes it, and in the tasks and threads which that one starts.
So no answer source has to pass it on. Other programs may implement answer sources, too.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from citations import Wording
from citations.text.languages import LanguageFiles

from .catalogue import Catalogue, read_catalogue
from .sentence import Sentence

__all__ = [
    "CATALOGUES",
    "LANGUAGES",
    "Catalogue",
    "Sentence",
    "find_language",
    "language",
    "language_named",
    "say",
    "say_all",
    "say_in",
    "say_key",
    "speak",
    "speaking",
    "wording",
]

LANGUAGES: Final = LanguageFiles(Path(__file__).parent)
CATALOGUES: Final = {
    tag: read_catalogue(tag, file) for tag, file in LANGUAGES.tables.items() if "sentences" in file
}
"""The languages that the bot speaks, by their BCP 47 tags."""
_FALLBACK: Final = CATALOGUES["en"]
_SPOKEN: Final[ContextVar[Catalogue]] = ContextVar("spoken", default=_FALLBACK)


def say(sentence: Sentence, **fields: object) -> str:
    """``sentence`` in the language of the turn, with English as the fallback."""
    return say_key(sentence, **fields)


def say_in(language: str, sentence: Sentence) -> str:
    """``sentence``, which has no fields, in the language with this tag, with English as the fallback."""
    with speaking(language):
        return say(sentence)


def say_all(beginning: str, /, **fields: object) -> dict[str, str]:
    """All sentences whose keys begin so, with ``fields`` filled in."""
    return {key: say_key(key, **fields) for key in _FALLBACK.sentences if key.startswith(beginning)}


def say_key(key: str, /, **fields: object) -> str:
    """The sentence of a key that stands in data, as :func:`say` says it. Raises ``KeyError`` without one."""
    chosen = _SPOKEN.get()
    return (chosen if key in chosen.sentences else _FALLBACK).write(key, fields)


def wording() -> Wording:
    """The sentences of the library, in the language of the turn."""
    return _SPOKEN.get().wording


def language() -> str:
    """The BCP 47 tag of the language of the turn: one of :data:`CATALOGUES`."""
    return _SPOKEN.get().language


def speak(language: str | None) -> None:
    """Choose ``language`` for the turn, with English as the fallback."""
    _SPOKEN.set(CATALOGUES.get(language or "", _FALLBACK))


@contextlib.contextmanager
def speaking(language: str | None) -> Iterator[None]:
    """Choose ``language`` for this block, with English as the fallback."""
    token = _SPOKEN.set(CATALOGUES.get(language or "", _FALLBACK))
    try:
        yield
    finally:
        _SPOKEN.reset(token)


def find_language(tag: object) -> str | None:
    """The language of a BCP 47 tag, such as ``de`` for ``de-AT``; None if the bot doesn't speak it.

    Of an ``Accept-Language`` header only the first language counts, which is the preferred one.

    >>> find_language("de-AT"), find_language("fr_CA"), find_language("it-IT"), find_language(None)
    ('de', 'fr', None, None)
    >>> find_language("de-CH,fr;q=0.9")
    'de'
    """
    if not isinstance(tag, str):
        return None
    first = tag.partition(",")[0].partition(";")[0].strip().casefold()
    primary = first.replace("_", "-").partition("-")[0]
    return primary if primary in CATALOGUES else None


def language_named(name: str | None) -> str | None:
    """The tag of the language that :mod:`bot.retrieval.words.language` calls ``name``."""
    return next((one.language for one in CATALOGUES.values() if one.name == name), None)
