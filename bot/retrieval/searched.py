"""This module says what was searched for a question: its words, and the documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from .language import detect, is_stop_word
from .query import SearchQuery
from .search import Scope
from .words import find_words

_TITLES: Final = 3
"""At most this many documents are named."""
_WORDS: Final = 12
"""At most this many words are named."""


@dataclass(frozen=True, slots=True)
class Searched:
    """The words of a question without its stop words, the number of documents, and some of their titles."""

    words: tuple[str, ...]
    count: int
    titles: tuple[str, ...]


def describe_searched(query: SearchQuery, scope: Scope) -> Searched:
    """Describe what was searched. The titles are those of the longest documents that may be quoted."""
    files = [file for file in scope.part.known.values() if file.reason is None]
    longest = sorted(files, key=lambda file: (-file.passages, file.path))
    paths = [file.path for file in longest if file.path not in scope.unquotable][:_TITLES]
    titles = tuple(scope.part.names.get(path, path) for path in paths)
    words = dict.fromkeys(_iter_content_words(query))
    return Searched(tuple(words)[:_WORDS], len(files), titles)


def _iter_content_words(query: SearchQuery) -> Iterator[str]:
    """Yield the words of the question as they were typed, without the stop words of its language."""
    # The question may be in a language that no document has.
    languages = {query.language, detect(query.text, quorum=0.2)} - {None}
    for word in find_words(query.text):
        if not any(is_stop_word(word.lower(), language) for language in languages if language):
            yield word
