"""Every sentence of the bot that a person reads: by key, in each language.

:func:`speak` chooses the language of a turn, and :func:`say` reads a sentence in it. The choice is a
context variable: it holds in the task that makes it, and in the tasks and threads which that one starts.
So no answer source, whose methods other programs implement, has to pass it on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Final

from citations import Wording

from .catalogue import Catalogue
from .de import GERMAN
from .en import ENGLISH
from .es import SPANISH
from .fr import FRENCH
from .sentence import Sentence

__all__ = [
    "CATALOGUES",
    "Catalogue",
    "Sentence",
    "find_language",
    "language",
    "language_named",
    "say",
    "speak",
    "speaking",
    "wording",
]

CATALOGUES: Final = {one.language: one for one in (ENGLISH, GERMAN, FRENCH, SPANISH)}
"""The languages by their BCP 47 tags."""
_SPOKEN: Final[ContextVar[Catalogue]] = ContextVar("spoken", default=ENGLISH)


def say(sentence: Sentence, **fields: object) -> str:
    """``sentence`` in the language of the turn; in English where that language lacks it."""
    spoken = _SPOKEN.get()
    return (spoken if sentence in spoken.sentences else ENGLISH).write(sentence, fields)


def wording() -> Wording:
    """What the library says, in the language of the turn."""
    return _SPOKEN.get().wording


def language() -> str:
    """The BCP 47 tag of the language of the turn: one of :data:`CATALOGUES`."""
    return _SPOKEN.get().language


def speak(language: str | None) -> None:
    """From here on, say everything in ``language``; in English where the bot doesn't speak that."""
    _SPOKEN.set(CATALOGUES.get(language or "", ENGLISH))


@contextlib.contextmanager
def speaking(language: str | None) -> Iterator[None]:
    """Say everything of this block in ``language``."""
    token = _SPOKEN.set(CATALOGUES.get(language or "", ENGLISH))
    try:
        yield
    finally:
        _SPOKEN.reset(token)


def find_language(tag: object) -> str | None:
    """The language of a BCP 47 tag, such as ``de`` for ``de-AT``; None where the bot doesn't speak it.

    An ``Accept-Language`` header is read up to its first language, the one that the person likes best.

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
    """The tag of the language that :mod:`bot.retrieval.language` calls ``name``."""
    return next((one.language for one in CATALOGUES.values() if one.name == name), None)
