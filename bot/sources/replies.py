"""Replies about the documents, and not from them: Markdown in the language of the turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from citations import Origin, OriginKnown, Reference
from citations.markdown import escape_text
from citations.model import QuestionsSuggested

from ..messages import Sentence, say
from ..retrieval.query import Replacement


def quoted() -> OriginKnown:
    """The event for an answer whose text is quoted from documents."""
    return OriginKnown(Origin(slogan=say(Sentence.QUOTED), generated=False))


def explain_search(
    asked: str,
    understood: str,
    replaced: Sequence[Replacement] = (),
    missing: str = "",
    *,
    is_reading: bool = False,
) -> str:
    """Say how a question was understood, which words were replaced, and which section is missing.

    ``is_reading`` says that there are documents that are not read yet. Empty where the question was
    searched as it stands, in all documents.
    """
    lines = [say(Sentence.UNDERSTOOD_AS, question=escape_text(understood))] if understood != asked else []
    for one in replaced:
        fields = {"asked": escape_text(one.asked), "shown": escape_text(one.shown)}
        lines.append(say(Sentence.WORD_REPLACED, **fields))
    if missing:
        lines.append(say(Sentence.NO_SUCH_SECTION, section=escape_text(missing)))
    if is_reading:
        lines.append(say(Sentence.STILL_READING))
    return "\n\n".join(lines)


def nearest() -> OriginKnown:
    """The event for a text that shows passages and does not say that they answer."""
    return OriginKnown(Origin(slogan=say(Sentence.NEAREST), generated=False))


def show_nearest(passages: Iterable[tuple[Reference, str]], lead: Sentence = Sentence.NOT_SURE) -> str:
    """The reply to a question without a clear answer: the sentence ``lead``, and the passages.

    ``passages`` are pairs of a reference and its passage, or a part of it, in Markdown. Each is shown
    below its title and its marker, as a block quote.
    """
    blocks = [f"{_name(reference)}\n\n{_quote(text)}" for reference, text in passages]
    return "\n\n".join((say(lead), *blocks))


def explain_no_answer(words: Sequence[str], count: int, titles: Sequence[str]) -> str:
    """The reply to a question that the documents do not answer.

    ``words`` of the question were searched in ``count`` documents. ``titles`` name some of these.
    """
    nothing = say(Sentence.NOTHING_FOUND)
    if not count:
        return nothing
    named = _list_quoted(titles)
    if titles and (others := count - len(titles)):
        named = say(Sentence.AND_MORE, titles=named, count=others)
    if not words:
        return f"{nothing}\n\n{say(Sentence.LOOKED_IN, count=count, titles=named)}"
    looked = say(Sentence.LOOKED_FOR, words=_list_quoted(words), count=count, titles=named)
    return f"{nothing}\n\n{looked}"


def suggest_questions(near: Sequence[str], others: Sequence[str]) -> Iterator[QuestionsSuggested]:
    """Yield the event that suggests questions, if there are any.

    ``near`` are questions about similar topics that the documents answer. One of them may ask the same
    in other words. Without any, ``others`` are suggested.
    """
    if near:
        yield QuestionsSuggested(say(Sentence.PERHAPS_YOU_MEAN), tuple(near))
    elif others:
        yield QuestionsSuggested(say(Sentence.YOU_CAN_ASK), tuple(others))


def list_unquotable(references: Sequence[Reference], *, after: bool) -> str:
    """A list of references that may not be quoted, either ``after`` an answer or instead of one."""
    intro = say(Sentence.MORE_NOT_QUOTABLE if after else Sentence.NOT_QUOTABLE)
    return intro + "\n\n" + "\n".join(f"- {_name(one)}" for one in references)


def _list_quoted(texts: Sequence[str]) -> str:
    return ", ".join(say(Sentence.IN_QUOTES, text=escape_text(text)) for text in texts)


def _name(reference: Reference) -> str:
    return f"{escape_text(reference.name or '')} [{reference.id}]"


def _quote(markdown: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in markdown.split("\n"))
