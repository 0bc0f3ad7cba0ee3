"""This module completes an elliptic question, such as ``and in Berlin?``, by the question before it.

It needs no model. It knows how English, German, French and Spanish leave words out. A question in
another language is taken as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

from .language import detect, is_stop_word
from .smalltalk import is_smalltalk
from .words import split_words


@dataclass(frozen=True, slots=True)
class CompleteQuestion:
    """A question that can be understood alone.

    ``taken_up`` are the words of ``text``, in lower case, that only the question before has.
    """

    text: str
    taken_up: frozenset[str] = frozenset()


_LANGUAGES: Final = ("english", "german", "french", "spanish")
_LONGEST_REST: Final = 6
"""The most words that an elliptic question has behind its first words."""
_LONGEST_PHRASE: Final = 4
"""The most words of a question that is only a phrase with a preposition: ``in Berlin?``."""
_CONTENT_BESIDE_PRONOUN: Final = 2
"""A question with a pronoun and more content words than this is understood alone."""

_FEW_WORDS: Final = 4
"""A question with more words in a language that is not known here is understood alone."""
_FEW_CHARACTERS: Final = 24
"""The same in characters, for languages without spaces between words."""

_JOINT: Final = " – "
"""What stands between a question and what was added to it."""
_CONNECTIVE: Final = r"(?:and|but|or|so|und|oder|aber|et|mais|ou|y|pero|o)\b[\s,]*"
_LEAD: Final = re.compile(
    rf"""[¿¡\s]*(?:(?:{_CONNECTIVE})?(?:
        (?:what|how)\ about\b|(?:does|do)\ (?:this|that|it|the\ same)
            \ (?:also\ )?(?:apply|hold|go)\b(?:\ to\b)?
        |(?:the\ )?same\ (?:question\ )?for\b
        |was\ ist(?=\ mit\b.*\s(?-i:[A-ZÄÖÜ\d])[\w-]*\W*$)|wie\ (?:ist|sieht|steht)\ (?:es|das)\b(?:\ um\b)?
        |(?:gilt|ist)\ das\ auch\b(?:\ so\b)?
        |qu['’]en\ est-il\ (?:de\b|du\b|des\b|d['’])?
        |(?:est-ce|c['’]est)\ (?:aussi\ |également\ )?(?:le\ cas|valable)\b
        |qué\ (?:hay\ (?:de|del)\b|tal\b)|(?:vale|se\ aplica)\ también\b
    )|{_CONNECTIVE})\s*""",
    re.VERBOSE | re.IGNORECASE,
)
_PREPOSITIONS: Final = {
    "english": """in on at for to with without from per by during after before under over outside within until
        between""",
    "german": """in,im,ins an,am für bei,beim mit ohne nach vor ab seit während zu,zum,zur aus von,vom per
        unter über außerhalb bis pro zwischen""",
    "french": "en pour à,au,aux avec sans chez pendant après avant depuis par entre",
    "spanish": "en para por con sin durante después antes desde a,al hasta entre",
}
"""The prepositions of each language: a phrase replaces one that begins with the same, in any of its forms."""
_CONDITIONS: Final = frozenset("if when wenn falls si cuando".split())
"""Words that begin a condition behind a connective: ``and if I am ill?``."""
_MEASURES: Final = frozenset(
    "long often far high old big lange oft weit hoch groß teuer longtemps souvent tiempo veces".split()
)
"""Words that ask for a measure behind a question word, and name nothing."""
_ARTICLES: Final = frozenset(
    "the a an der die das den dem des ein eine einen einem einer le la les un une el los las una".split()
)
_PRONOUNS: Final = {
    "english": re.compile(
        r"\b(?:it|its|they|them|their|he|she|him|his|her|this|these|those|that(?=\W*$)|that(?=\s+(?:is|was|be)\b))\b"
    ),
    "german": re.compile(
        r"\b(?:er|es|ihn|ihm|diese[rsnm]?|davon|dafür|dazu|dort|daran|damit|darüber|dabei|das(?=\s+[^A-ZÄÖÜ]|\W*$))\b"
    ),
    "french": re.compile(r"\b(?:ça|cela|ceci|elle|elles|ils|celui-ci|celle-ci|lui|ces|cette)\b"),
    "spanish": re.compile(r"\b(?:eso|esto|ello|él|ella|ellos|ellas|allí|ese|esa|este|esta)\b"),
}
_NO_REFERENCE: Final = re.compile(
    # An "it" that stands for nothing.
    r"""\bit\b.*\bto\b|\bis\ it\ (?:possible|allowed|necessary|true)|what\ time\ is\ it|\bit\ (?:rain|snow)
    |\bgibt\ es\b|\bes\ gibt\b|\b(?:ist|wird|wie\ spät\ ist)\ es\b|\bgeht\ es\b
    |\bes\b.*\bzu\b|\bhandelt\ es\ sich\b""",
    re.VERBOSE,
)
_QUOTED: Final = re.compile(r"[\"“”„«»]")
_QUESTION_END: Final = re.compile(r"(?:(?<=\w) aus)?[\s?？.!]+$")
_NAME: Final = re.compile(r"(?<=[\w,;:)] )[^\W\d_a-z][\w’'-]*(?: [^\W\d_a-z][\w’'-]*)*")
_NUMBER: Final = re.compile(r"\b\d+(?:[.,]\d+)*\b")
_NUMBERED: Final = (
    _NUMBER,
    re.compile(r"§+\s*\d+[a-z]?\b"),
    re.compile(r"\babs(?:\.|atz)\s*\d+\b", re.IGNORECASE),
    re.compile(r"\bart(?:\.|ikel|icle|ículo)?\s*\d+[a-z]?\b", re.IGNORECASE),
    re.compile(
        r"\b(?:section|chapter|abschnitt|kapitel|chapitre|sección|capítulo)\s*[\d.]+\b", re.IGNORECASE
    ),
)
"""Numbers, and sections by their numbers: each takes the place of one of its kind."""


def complete_question(question: str, earlier: Sequence[str]) -> CompleteQuestion:
    """Return ``question`` as it is understood after the ``earlier`` ones of the same person, oldest first.

    >>> complete_question("And in Berlin?", ["What is the hotel limit in Zurich?"]).text
    'What is the hotel limit in Berlin?'
    >>> complete_question("What does E07 mean?", ["What is the hotel limit in Zurich?"]).text
    'What does E07 mean?'
    """
    before = [one for one in earlier if not is_smalltalk(one)]
    base = reduce(lambda base, one: _complete(one, base), before, "")
    text = _complete(question, base)
    if text == question:
        return CompleteQuestion(question)
    return CompleteQuestion(text, frozenset(split_words(text)) - frozenset(split_words(question)))


def may_lean(question: str) -> bool:
    """Return whether a question may lean on the one before, so that a model is worth asking.

    It has a connective, a pronoun or one content word, or is short in a language that is not known here.
    """
    words = split_words(question)
    if _QUOTED.search(question):
        return False
    language = detect(question, _LANGUAGES, quorum=0.2)
    if language is None:
        return len(words) <= _FEW_WORDS and len(question) <= _FEW_CHARACTERS
    if _LEAD.match(question) or _PRONOUNS[language].search(question):
        return True
    return sum(not is_stop_word(word, language) for word in words) <= 1


def _complete(question: str, base: str) -> str:
    """Return ``question``, or ``base`` with what ``question`` adds to it or changes in it."""
    if not base or _QUOTED.search(question):
        return question
    language = detect(f"{base} {question}", _LANGUAGES, quorum=0.2)
    if language is None:
        return question
    lead = _LEAD.match(question)
    rest = _QUESTION_END.sub("", question[lead.end() :] if lead else question).strip(" ¿¡,")
    if _is_fragment(rest, language, bool(lead)):
        rest = _begin_small(rest, language)
        if not (replaced := _replace(base, rest, language)) and _has_content(rest, language):
            base = base.partition(_JOINT)[0]  # "what about trains?" takes the place of "and by car?"
        return replaced or _add(base, rest)
    if _refers_back(question, language):
        return _add(base, _begin_small(rest, language))
    return question


def _is_fragment(rest: str, language: str, led: bool) -> bool:
    """Return whether the words behind the lead are no question of their own."""
    words = rest.split()
    if not words or len(words) > _LONGEST_REST:
        return False
    if not _has_content(rest, language):
        return True  # "why?", "and how long?"
    if words[0].lower() in _ARTICLES or _find_group(words[0], language):
        return led or len(words) <= _LONGEST_PHRASE
    first = words[0].lower()
    return led and (first in _CONDITIONS or not is_stop_word(first, language))


def _has_content(rest: str, language: str) -> bool:
    return any(not is_stop_word(word, language) and word not in _MEASURES for word in split_words(rest))


def _refers_back(question: str, language: str) -> bool:
    """Return whether a pronoun stands for what the question before names."""
    if not _PRONOUNS[language].search(question) or _NO_REFERENCE.search(question.lower()):
        return False
    words = split_words(question)
    return sum(not is_stop_word(word, language) for word in words) <= _CONTENT_BESIDE_PRONOUN


def _replace(base: str, rest: str, language: str) -> str | None:
    """Return ``base`` with ``rest`` in the place of a phrase of its kind; None if there is no such phrase.

    A phrase of the same kind begins with the same preposition, or is the only name, or only number.
    """
    if group := _find_group(rest.split(maxsplit=1)[0], language):
        for preposition in re.finditer(r"\w+", base):
            if preposition[0].lower() in group:
                end = _find_phrase_end(base, preposition.end(), language)
                if end > preposition.end():
                    return base[: preposition.start()] + rest + base[end:]
        return None
    if numbered := next((pattern for pattern in _NUMBERED if pattern.fullmatch(rest)), None):
        found = list(numbered.finditer(base))
    elif language == "german" or not _NAME.fullmatch(f"in {rest}", 3):
        return None  # German writes every noun with a capital letter
    else:
        found = [name for name in _NAME.finditer(base) if not is_stop_word(name[0].lower(), language)]
    return base[: found[0].start()] + rest + base[found[0].end() :] if len(found) == 1 else None


def _find_phrase_end(base: str, start: int, language: str) -> int:
    """Return where the phrase behind a preposition ends: before a stop word that is no article."""
    end = start
    for word in re.finditer(r"\s+(\w[\w’'-]*)", base[start:]):
        lower = word[1].lower()
        has_gap = word.start() != end - start
        if (
            has_gap
            or (is_stop_word(lower, language) and lower not in _ARTICLES)
            or _find_group(lower, language)
        ):
            break
        end = start + word.end()
    return end


def _find_group(word: str, language: str) -> list[str] | None:
    """Return the forms of a preposition; None for any other word."""
    groups = (forms.split(",") for forms in _PREPOSITIONS[language].split())
    return next((group for group in groups if word.lower() in group), None)


def _begin_small(rest: str, language: str) -> str:
    """Write the first word in lower case, unless it may be a name."""
    first, *_ = rest.split()
    is_name = not (is_stop_word(first.lower(), language) or _find_group(first, language))
    return rest if is_name else first.lower() + rest[len(first) :]


def _add(base: str, rest: str) -> str:
    mark = " ?" if base.endswith(" ?") else "?"  # French has a space before it
    return f"{_QUESTION_END.sub('', base)}{_JOINT}{rest}{mark}"
