"""The subqueries into which Writer divided a question, as a list below the answer."""

from __future__ import annotations

from collections.abc import Sequence

from citations.markdown import escape_text
from citations.model import Subquery

from ...messages import Sentence, say


def steps(subqueries: Sequence[Subquery]) -> str:
    """Markdown with one line for each subquery and its answer, whose markers are not changed."""
    return "\n".join((f"**{say(Sentence.STEPS)}**\n", *map(_step, subqueries)))


def _step(subquery: Subquery) -> str:
    # The line has no line breaks, so that no block of an answer leaves its list item.
    question, answer = (" ".join(text.split()) for text in (subquery.question, subquery.answer))
    return f"- {escape_text(question)} {answer}".rstrip()
