"""Completes an elliptic question, such as ``and in Berlin?``, by the question before it.

It needs no model. :mod:`bot.languages` knows how a language leaves words out. A question in another
language is taken as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from citations.text.languages import either

from ...languages import LANGUAGES
from ..words import KNOWN, detect, is_stop_word, languages_with, split_words, words_by_language
from ..words.language import is_smalltalk


@dataclass(frozen=True, slots=True)
class CompleteQuestion:
    """A question that can be understood alone.

    ``taken_up`` are the words of ``text``, in lower case, that this question does not ask about. They are
    those of the question before, and those that only lead to what is asked: *what about*.
    """

    text: str
    taken_up: frozenset[str] = frozenset()


_LANGUAGES: Final = tuple(one for one in KNOWN if one in languages_with("follow_ups"))
_LONGEST_REST: Final = 4
"""The most words of a question behind those that lead to them: ``And if I am ill?``"""
_LONGEST_PHRASE: Final = 3
"""The most words of a question that is only a phrase: ``in Berlin?``, ``How long?``"""
_CONTENT_BESIDE_PRONOUN: Final = 2
"""A question with a pronoun and more content words than this is understood alone."""

_FEW_WORDS: Final = 4
"""A question with more words in a language that is not known here is understood alone."""
_FEW_CHARACTERS: Final = 24
"""The same in characters, for languages without spaces between words."""

_THANKS, _SMALLTALK = (either(LANGUAGES.words_of("words", name)) for name in ("thanks", "smalltalk"))
_COURTESY: Final = rf"(?:{_THANKS}\b[\s,.!]*|{_SMALLTALK}\b\s*[,.!][\s,.!]*)++"
"""What may stand before the words that lead: ``Thanks and in Berlin?``, but not ``Help and support``."""
_CONNECTIVE: Final = rf"{either(LANGUAGES.words_of('follow_ups', 'connectives'))}\b[\s,]*"
_LEADS: Final = "|".join(LANGUAGES.words_of("follow_ups", "leads"))
_LEAD: Final = re.compile(
    rf"(?:[¿¡\s]*{_COURTESY})?(?P<led>[¿¡\s]*(?:(?:{_CONNECTIVE})?(?:{_LEADS})|{_CONNECTIVE})\s*)",
    re.IGNORECASE,
)
_PRONOUNS: Final = {
    language: re.compile(rf"\b(?:{'|'.join(found)})")
    for language, found in words_by_language("follow_ups", "pronouns").items()
}
_NO_REFERENCE: Final = re.compile(rf"\b(?:{'|'.join(LANGUAGES.words_of('follow_ups', 'empty'))})")
"""An "it" that stands for nothing."""
_QUOTED: Final = re.compile(r"[\"“”„«»]")
_QUESTION_END: Final = re.compile(r"(?:(?<=\w) aus)?(?<![\s?？.!])[\s?？.!]+\Z")


def complete_question(question: str, earlier: Sequence[str]) -> CompleteQuestion:
    """``question`` as it is understood after the ``earlier`` ones of the same person, oldest first.

    One that leans on them stands behind them.

    >>> complete_question("And in Berlin?", ["What is the hotel limit in Zurich?"]).text
    'What is the hotel limit in Zurich? And in Berlin?'
    >>> complete_question("What does E07 mean?", ["What is the hotel limit in Zurich?"]).text
    'What does E07 mean?'
    """
    text = ""
    for one in (*(one for one in earlier if not is_smalltalk(one)), question):
        leans = text and _leans(one, text)
        text = f"{_skip_courtesy(text)} {_skip_courtesy(one)}" if leans else one
    if text == question:
        return CompleteQuestion(question)
    rest, _ = _split_lead(question)
    return CompleteQuestion(text, frozenset(split_words(text)) - frozenset(split_words(rest)))


def may_lean(question: str) -> bool:
    """Whether a question may lean on the one before, so that a model is worth asking.

    It has a connective, a pronoun or one content word, or is short in a language that is not known here.
    """
    words = split_words(question)
    if _QUOTED.search(question):
        return False
    language = detect(question, _LANGUAGES, quorum=0.2)
    if language is None:
        return len(words) <= _FEW_WORDS and len(question) <= _FEW_CHARACTERS
    return names_nothing(question) or sum(not is_stop_word(word, language) for word in words) <= 1


def names_nothing(question: str) -> bool:
    """Whether a connective or a pronoun of a question stands for what only the text above it names.

    >>> names_nothing("Is it open?"), names_nothing("Is the library open?")
    (True, False)
    """
    language = detect(question, _LANGUAGES, quorum=0.2)
    return language is not None and bool(_LEAD.match(question) or _PRONOUNS[language].search(question))


def _leans(question: str, before: str) -> bool:
    """Whether ``question`` leaves something out, or refers to something, that those before it name."""
    language = detect(f"{before} {question}", _LANGUAGES, quorum=0.2)
    if language is None or _QUOTED.search(question):
        return False
    rest, is_led = _split_lead(question)
    words = split_words(rest)
    if not words:
        return False
    content = [word for word in split_words(question) if not is_stop_word(word, language)]
    refers = _PRONOUNS[language].search(question) and not _NO_REFERENCE.search(question.lower())
    is_phrase = len(words) <= _LONGEST_PHRASE and len(content) <= 1 and is_stop_word(words[0], language)
    is_rest = is_led and len(words) <= _LONGEST_REST
    return is_rest or is_phrase or bool(refers and len(content) <= _CONTENT_BESIDE_PRONOUN)


def _skip_courtesy(question: str) -> str:
    """``question`` without what is said before the words that lead: *thanks*."""
    lead = _LEAD.match(question)
    return question[lead.start("led") :] if lead else question


def _split_lead(question: str) -> tuple[str, bool]:
    """The words behind those that lead to them (*and*, *what about*), and whether there are such."""
    lead = _LEAD.match(question)
    return _QUESTION_END.sub("", question[lead.end() :] if lead else question).strip(" ¿¡,"), bool(lead)
