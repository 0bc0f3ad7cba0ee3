"""Knows two shapes of text: a field, which answers a question by its name, and what says nothing.

A field is a cell of a table, which a row and a column name, or a value behind its label. A question that
names all of that asks for the value.
"""

from __future__ import annotations

import re
from typing import Final

from ..passages import find_rest
from ..question import QuestionKind, SearchQuery
from ..words import is_stop_word, split_words
from .quotes import QuotedUnit

_LABEL: Final = re.compile(r"[\W_]*(?P<label>[^\W\d_][^:：.!?\n]{1,60}?)[*_\s]*[:：][*_]*\s*\S")
"""A label and its value: ``**Chair**: Scott Dyer``."""
_INTRODUCES: Final = re.compile(r"[:：][*_\s]*\Z")
_SENTENCE: Final = re.compile(r"[.!…。！।۔][\W_]*\Z")
_SHORT: Final = 60
"""A label and a value of fewer characters have no sentence between them."""
_COVERED: Final = 0.99
"""The share of a question's weight that names a field; the rest is rounding."""


def is_field(query: SearchQuery, quote: QuotedUnit) -> bool:
    """Whether a question names a field in all its words, and a quote is that field."""
    if query.asks is QuestionKind.YES_NO or quote.covered < _COVERED * query.weight or not quote.own:
        return False
    if quote.unit.kind == "row":
        return quote.own < quote.covered  # the column, or the table, is named too
    label = _LABEL.match(quote.text)
    return bool(label) and not query.words.isdisjoint(split_words(label["label"] if label else ""))


def says_nothing(query: SearchQuery, quote: QuotedUnit) -> bool:
    """Whether a quote answers no question as it stands, or not this one.

    A line that introduces a list says nothing without it, and an echo no more than the question. A row or a
    value behind its label has no yes or no.
    """
    if query.asks is QuestionKind.YES_NO and (quote.unit.kind == "row" or _is_short_field(quote.text)):
        return True
    if _INTRODUCES.search(quote.text):
        return not find_rest(quote.ranked.passage, quote.unit)
    return _echoes(query, quote)


def _is_short_field(text: str) -> bool:
    return len(text) < _SHORT and bool(_LABEL.match(text))


def _echoes(query: SearchQuery, quote: QuotedUnit) -> bool:
    """Whether a text that is no sentence has only words of the question. A sentence says: it is so."""
    if _SENTENCE.search(quote.text):
        return False
    language = quote.ranked.passage.language
    words = (word for word in split_words(quote.text) if not (language and is_stop_word(word, language)))
    return query.words.issuperset(words)
