"""This module detects the language of a text by its stop words, and knows the stop words.

The languages are those that the engine can stem. A text without a winner is not stemmed. A search
then misses other forms of its words, and nothing else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from .engine import STEMMED, is_builtin_stop_word

_WORD: Final = re.compile(r"[^\W\d_]+")
_SAMPLE: Final = 20_000
"""Characters at the start of a text whose words are counted."""
_FREQUENT: Final = 100
"""This many of the most frequent words are looked up, since stop words are among them."""
_QUORUM: Final = 0.06
"""The least share of stop words; running text has 0.3 and more, a list of names none."""


def _split(prose: str) -> frozenset[str]:
    return frozenset(prose.split())


_OWN: Final[dict[str, frozenset[str]]] = {
    # Lucene's English list has 33 words, and no question words.
    "english": _split(
        """a about above after again against all also am an and any are aren as at be because been before
        being below between both but by can cannot could couldn d did didn do does doesn doing don down
        during each else ever few for from further had hadn has hasn have haven having he her here hers
        herself him himself his how however i if in into is isn it its itself just ll let m many may me
        might more most much must my myself no nor not now of off on once one only or other ought our ours
        ourselves out over own please re s same shall shan she should shouldn so some such t tell than that
        the their theirs them themselves then there these they this those through to too under until up upon
        us ve very was wasn we were weren what when where whether which while who whom whose why will with
        won would wouldn you your yours yourself yourselves"""
    ),
    # tantivy has no list for these languages.
    "romanian": _split(
        """și în la cu de pe un o care este sunt din pentru ce nu mai sau prin dar că al ale a fi fost lui ei
        acest această după fără cum unde când cine câte ai am au cel cea"""
    ),
    "turkish": _split(
        """ve bir bu da de için ile olarak olan çok daha gibi kadar en ne mi mı ama veya ya şu o ki her sonra
        önce göre ise nasıl neden kim hangi nerede değil var yok tarafından"""
    ),
}
_QUESTION_WORDS: Final[dict[str, frozenset[str]]] = {
    # Question words that Snowball's lists lack.
    "german": _split(
        "wann wer wen wem wessen warum wieso wofür woher wohin welcher welches viele gibt bitte darf"
    ),
    "french": _split("comment combien quand où pourquoi quel quelle quels quelles lequel laquelle y"),
    "spanish": _split("qué cuál cuáles cuándo cuánto cuántos cuánta cuántas quién quiénes cómo dónde"),
    "italian": _split("cosa quando quanto quanti quanta quante quale quali come dove chi perché"),
    "portuguese": _split("quando quanto quantos quais qual onde quem porquê"),
    "dutch": _split("wanneer wie welke welk hoe hoeveel waar waarom"),
    "russian": _split("какой какая какое какие каком какую каких сколько почему зачем кто чей"),
}
_SCRIPTS: Final = (
    ("greek", re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]")),
    ("arabic", re.compile(r"[\u0600-\u06ff]")),
    ("tamil", re.compile(r"[\u0b80-\u0bff]")),
    ("russian", re.compile(r"[\u0400-\u04ff]")),
)


@lru_cache(maxsize=200_000)
def is_stop_word(word: str, language: str) -> bool:
    """Return whether a lower-case word carries no meaning of its own in that language."""
    if own := _OWN.get(language):
        return word in own
    return word in _QUESTION_WORDS.get(language, ()) or is_builtin_stop_word(word, language)


def detect(text: str, among: Iterable[str] = STEMMED, quorum: float = _QUORUM) -> str | None:
    """Detect the language of a text; None where no language's stop words reach the share ``quorum``."""
    words = [word.lower() for word in _WORD.findall(text[:_SAMPLE])]
    if not words:
        return None
    candidates = tuple(among)
    for language, script in _SCRIPTS:
        if language in candidates and sum(map(bool, map(script.match, words))) > len(words) / 2:
            return language
    votes = _count_votes(Counter(words), candidates)
    winner = max(candidates, key=lambda language: votes[language], default=None)
    return winner if winner and votes[winner] >= quorum * len(words) else None


def _count_votes(words: Counter[str], languages: tuple[str, ...]) -> Counter[str]:
    """Count each language's stop words, without single letters, which are words of many languages."""
    votes: Counter[str] = Counter()
    for word, count in words.most_common(_FREQUENT):
        if len(word) > 1:
            votes.update({language: count for language in languages if is_stop_word(word, language)})
    return votes
