"""Quotes passages without a model: of each, the sentence with most of the question's words.

Headings, questions and lines that end in a colon are quoted only if a passage has nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

from citations import Reference
from citations.markdown import escape_text

from ...messages import Sentence, say
from ...retrieval.sentences import split_units
from ...retrieval.words import split_words

_SHOWN = 3


def pair_nearest(question: str, references: Sequence[Reference]) -> list[tuple[Reference, str]]:
    """Pair the first ``references`` with the sentence of each that has most of the question's words."""
    asked = set(split_words(question))
    return [(one, escape_text(_best(asked, one.text or ""))) for one in references[:_SHOWN]]


def quote_passages(question: str, references: Sequence[Reference]) -> str:
    """Markdown that quotes the first ``references``, each with its marker."""
    asked = set(split_words(question))
    quotes = [f"- {escape_text(_best(asked, one.text or ''))} [{one.id}]" for one in references[:_SHOWN]]
    return f"{say(Sentence.BEST_SENTENCES)}\n\n" + "\n".join(quotes)


def _best(asked: set[str], text: str) -> str:
    sentences = [" ".join(text[unit.start : unit.end].split()) for unit in split_units(text)]
    statements = [one for one in sentences if not one.startswith("#") and not one.endswith(("?", "？", ":"))]
    return max(statements or sentences, key=lambda one: len(asked.intersection(split_words(one))), default="")
