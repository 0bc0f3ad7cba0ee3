"""Detects the language of a text by its stop words, and knows these, and messages of courtesy alone.

The languages are those that the engine can stem, and those of :mod:`bot.languages`. A text without a
winner is not stemmed. A search then misses other forms of its words, and nothing else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from citations.text.languages import either, split_words

from ...languages import LANGUAGES
from .engine import STEMMED, is_builtin_stop_word

_WORD: Final = re.compile(r"[^\W\d_]+")
_SAMPLE: Final = 20_000
"""Characters at the start of a text whose words are counted."""
_FREQUENT: Final = 100
"""This many of the most frequent words are looked up, since stop words are among them."""
_QUORUM: Final = 0.06
"""The least share of stop words; running text has 0.3 and more, a list of names none."""
_NAMES: Final = {tag: str(file.get("name", tag)) for tag, file in LANGUAGES.tables.items()}
"""The name that the engine has for a language, or its tag."""


def languages_with(table: str) -> frozenset[str]:
    """The names of the languages whose files have ``table``."""
    return frozenset(_NAMES[tag] for tag, file in LANGUAGES.tables.items() if table in file)


def words_by_language(table: str, name: str) -> dict[str, frozenset[str]]:
    """The words that each language has under ``name`` in ``table``, by the language's name."""
    files = LANGUAGES.tables.items()
    words = {_NAMES[tag]: frozenset(split_words(file.get(table, {}).get(name, ""))) for tag, file in files}
    return {language: found for language, found in words.items() if found}


_OWN: Final = words_by_language("words", "stop")
_SMALL: Final = words_by_language("words", "small")
_SCRIPTS: Final = {
    name: re.compile(f"[{''.join(characters)}]")
    for name, characters in words_by_language("words", "script").items()
}
KNOWN: Final = (*STEMMED, *sorted(_OWN.keys() - set(STEMMED)))
"""The languages that are told apart. In a tied vote the first one wins."""


@lru_cache(maxsize=200_000)
def is_stop_word(word: str, language: str) -> bool:
    """Whether a lower-case word carries no meaning of its own in that language."""
    if own := _OWN.get(language):
        return word in own
    return word in _SMALL.get(language, ()) or is_builtin_stop_word(word, language)


def detect(text: str, among: Iterable[str] = KNOWN, quorum: float = _QUORUM) -> str | None:
    """Detect the language of a text; None where no language's stop words reach the share ``quorum``."""
    words = [word.lower() for word in _WORD.findall(text[:_SAMPLE])]
    if not words:
        return None
    candidates = tuple(among)
    for language, script in _SCRIPTS.items():
        if language in candidates and sum(map(bool, map(script.match, words))) > len(words) / 2:
            return language
    votes: Counter[str] = Counter()
    for word, count in Counter(words).most_common(_FREQUENT):
        if len(word) > 1:  # single letters are words of many languages
            votes.update(dict.fromkeys(_list_languages(word), count))
    winner = max(candidates, key=lambda language: votes[language], default=None)
    return winner if winner and votes[winner] >= quorum * len(words) else None


@lru_cache(maxsize=20_000)
def _list_languages(word: str) -> tuple[str, ...]:
    """The languages in which a lower-case word carries no meaning of its own."""
    return tuple(language for language in KNOWN if is_stop_word(word, language))


_MARKS: Final = re.compile(r"[^\w\s'-]+")
_LONGEST: Final = 80
"""A longer message is no courtesy alone."""


def _only(phrases: Iterable[str]) -> re.Pattern[str]:
    """What matches messages of such phrases alone."""
    return re.compile(rf"(?:{either(phrases)}(?: |$))*+")


_PHRASES: Final = tuple(LANGUAGES.words_of("words", "thanks"))
_THANKS: Final = re.compile(rf"\b{either(_PHRASES)}(?!\w)")
_ONLY: Final = _only((*LANGUAGES.words_of("words", "smalltalk"), *_PHRASES))
_THANKS_IN: Final = words_by_language("words", "thanks")
_ONLY_IN: Final = {
    language: _only(phrases | _THANKS_IN.get(language, frozenset()))
    for language, phrases in words_by_language("words", "smalltalk").items()
}


def is_smalltalk(question: str) -> bool:
    """Whether a message is empty or consists of phrases of courtesy only."""
    return len(question) <= _LONGEST and bool(_ONLY.fullmatch(_read_words(question)))


def is_thanks(question: str) -> bool:
    """Whether a message says thanks, and asks for nothing."""
    return is_smalltalk(question) and bool(_THANKS.search(_read_words(question)))


def find_smalltalk_language(question: str) -> str | None:
    """The one language that has all phrases of such a message, by its name; None for any other message."""
    words = _read_words(question)
    found = [name for name, only in _ONLY_IN.items() if only.fullmatch(words)]
    return found[0] if is_smalltalk(question) and len(found) == 1 else None


def _read_words(question: str) -> str:
    return " ".join(_MARKS.sub(" ", question.lower().replace("’", "'")).split())
