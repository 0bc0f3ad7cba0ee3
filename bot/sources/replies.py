"""Replies about the documents, and not from them: Markdown in the language of the turn."""

from __future__ import annotations

from collections.abc import Sequence

from citations import Origin, OriginKnown, Reference
from citations.markdown import escape_text

from ..messages import Sentence, say


def quoted() -> OriginKnown:
    """The event for an answer whose text is quoted from documents."""
    return OriginKnown(Origin(slogan=say(Sentence.QUOTED), generated=False))


def explain_question(asked: str, understood: str) -> str:
    """The line that says how a question was understood; empty where it was taken as it stands."""
    if understood == asked:
        return ""
    return say(Sentence.UNDERSTOOD_AS, question=escape_text(understood))


def greet(suggestions: Sequence[str]) -> str:
    """The reply to a message without a question, such as a greeting."""
    return say(Sentence.SMALLTALK) + _hint(suggestions)


def explain_no_answer(near: Sequence[str], suggestions: Sequence[str]) -> str:
    """The reply to a question that the documents do not answer.

    ``near`` are questions about similar topics that the documents do answer. One of them may ask the
    same in other words.
    """
    hint = _list(say(Sentence.PERHAPS_YOU_MEAN), near) if near else _hint(suggestions)
    return say(Sentence.NOTHING_FOUND) + hint


def list_unquotable(references: Sequence[Reference], *, after: bool) -> str:
    """A list of references that may not be quoted, either ``after`` an answer or instead of one."""
    intro = say(Sentence.MORE_NOT_QUOTABLE if after else Sentence.NOT_QUOTABLE)
    return intro + "\n\n" + list_references(references)


def list_references(references: Sequence[Reference]) -> str:
    """A list of references, each with its marker."""
    return "\n".join(f"- {escape_text(one.name or '')} [{one.id}]" for one in references)


def _hint(suggestions: Sequence[str]) -> str:
    return _list(say(Sentence.YOU_CAN_ASK), suggestions) if suggestions else ""


def _list(title: str, questions: Sequence[str]) -> str:
    return f"\n\n{title}\n\n" + "\n".join(f"- {escape_text(one)}" for one in questions)
