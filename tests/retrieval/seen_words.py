"""The words that a person sees in a document, as lists that compare what two programs read of it."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable

from bot.retrieval.document import SourceDocument

_HYPHENATED = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010]\s*\n\s*(?=[^\W\d_])")
_WORD = re.compile(r"[^\W_]+")
_LONE = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+"
)
"""Scripts that set no space between words."""
_SHORTEST = 3
"""The fewest letters of a word that is looked for within others."""


def fold(text: str) -> str:
    """A text in NFKC, without case, accents and hyphens at the ends of lines."""
    text = _HYPHENATED.sub("", text)
    letters = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
    return "".join(
        one for one in letters if not unicodedata.combining(one) and unicodedata.category(one) != "Cf"
    )


def list_words(text: str) -> set[str]:
    """The distinct words of a text; of scripts without spaces, pairs of neighbours."""
    words = set()
    for word in _WORD.findall(fold(text)):
        rest = _LONE.sub(" ", word).split()
        words.update(rest)
        for run in _LONE.findall(word):
            words.update(run[at : at + 2] for at in range(max(1, len(run) - 1)))
    return words


def squash(text: str) -> str:
    """A folded text without anything between its letters."""
    return "".join(_WORD.findall(fold(text)))


def tell(document: SourceDocument) -> str:
    """All that the index has of a document: its sections, their headings, and the title."""
    words = [document.text[one.start : one.end] for one in document.sections]
    headings = dict.fromkeys(heading for one in document.sections for heading in one.headings)
    return "\n".join((document.title or "", *headings, *words))


def find_lost(seen: Iterable[str], read: str) -> list[str]:
    """The words that are seen, and that a reader does not have; one that it only cuts or joins is none."""
    squashed = squash(read)
    return [
        word for word in sorted(set(seen) - list_words(read)) if len(word) < _SHORTEST or word not in squashed
    ]


def hash_word(word: str) -> str:
    """What is kept of a word of a foreign document: its length, and a part of its digest."""
    return f"{len(word)}:{hashlib.sha256(word.encode()).hexdigest()[:8]}"


def find_lost_hashes(seen: Iterable[str], read: str) -> list[str]:
    """As :func:`find_lost`, for hashes of words."""
    lost = set(seen) - {hash_word(word) for word in list_words(read)}
    squashed = squash(read)
    for length in {int(one.partition(":")[0]) for one in lost}:
        if length >= _SHORTEST:
            windows = {squashed[at : at + length] for at in range(len(squashed) - length + 1)}
            lost -= {hash_word(window) for window in windows}
    return sorted(lost)
