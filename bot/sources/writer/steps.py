"""The questions into which Writer broke one down, with their answers, for below its answer."""

from __future__ import annotations

from collections.abc import Sequence

from citations import Subquery
from citations.markdown import escape_text

from ...messages import Sentence, say


def steps(subqueries: Sequence[Subquery]) -> str:
    """Markdown with one line for each; the markers of the answers are those of the answer's dialect."""
    return "\n".join((f"**{say(Sentence.STEPS)}**\n", *map(_step, subqueries)))


def _step(subquery: Subquery) -> str:
    # On one line, so that no block of an answer goes beyond its item.
    question, answer = (" ".join(text.split()) for text in (subquery.question, subquery.answer))
    return f"- {escape_text(question)} {answer}".rstrip()
