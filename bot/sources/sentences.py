"""Replies about the documents, and lines before an answer: Markdown in the language of the turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from citations import AnswerEvent, Origin, OriginKnown, Reference, SpanFound, TextDelta, TextReplaced
from citations.markdown import escape_text
from citations.model import QuestionsSuggested, end_of_title

from ..languages import Sentence, say, wording
from .room import Room, is_brief, room


def note_quoted() -> OriginKnown:
    """The event for an answer whose text is quoted from documents."""
    return OriginKnown(Origin(slogan=say(Sentence.QUOTED), generated=False))


def explain_search(
    asked: str,
    understood: str,
    replaced: Sequence[tuple[str, str]] = (),
) -> str:
    """Say how a question was understood, and which words were replaced.

    ``replaced`` are pairs of a word of the question and the one that was searched instead. Empty where the
    question was searched as it stands.
    """
    lines = [say(Sentence.UNDERSTOOD_AS, question=escape_text(understood))] if understood != asked else []
    for word, shown in replaced:
        lines.append(say(Sentence.WORD_REPLACED, asked=escape_text(word), shown=escape_text(shown)))
    return "\n\n".join(lines)


def write_answer(references: Sequence[Reference], excerpt: str) -> str:
    """The reply to a question that is answered: the first of the references, and the names of the others.

    ``excerpt`` is that of the first one, in Markdown. In a short message, the list of sources names it.
    """
    if is_brief():
        # Behind a table, or a block of code, a marker would be a part of it.
        gap = "\n\n" if excerpt.endswith(("|", "`")) else " "
        return f"{excerpt}{gap}[{references[0].id}]"
    return "\n\n".join((*_write_passages(references, [excerpt]), *also(references[1:])))


def write_nearest(
    references: Sequence[Reference], excerpts: Sequence[str], lead: Sentence = Sentence.NEAREST
) -> str:
    """The reply to a question without a clear answer: the sentence ``lead``, and the passages.

    ``excerpts`` are those of the first ``references``, in Markdown. Each is shown below its title and its
    marker, as a block quote. The others are markers on one line. A short message leaves the others to
    "more", and titles to the list of its sources.
    """
    others = references[len(excerpts) :]
    if not is_brief():
        more = [say(Sentence.ALSO_TITLES, titles=_join_markers(others))] if others else []
        return "\n\n".join((say(lead), *_write_passages(references, excerpts), *more))
    short = Sentence.NEAREST_IN_SHORT if lead is Sentence.NEAREST else lead
    return "\n\n".join((f"{say(short)} [{references[0].id}]", *map(_quote, excerpts), *also(others)))


def write_headings(references: Sequence[Reference]) -> str:
    """The headings of one document as a list, each with its marker, below the document's name."""
    document = references[0].document_name or ""
    headings = [(one.name or "").removeprefix(document).removeprefix(" › ") or document for one in references]
    items = (f"- {escape_text(name)} [{one.id}]" for name, one in zip(headings, references, strict=True))
    return f"*{escape_text(document)}*\n\n" + "\n".join(items)


def _write_passages(references: Sequence[Reference], excerpts: Sequence[str]) -> Iterator[str]:
    """Each excerpt as a block quote, below its title on a line of its own; equal titles have their places."""
    names = Counter(one.name for one, _ in zip(references, excerpts, strict=False))
    for reference, excerpt in zip(references, excerpts, strict=False):
        is_alone = names[reference.name] == 1 or not reference.name
        name = (reference.name or "") + ("" if is_alone else end_of_title(reference, wording()))
        yield f"*{escape_text(name)}* [{reference.id}]" if name else f"[{reference.id}]"
        if excerpt:
            yield _quote(excerpt)


def also(references: Sequence[Reference]) -> list[str]:
    """The line below an answer that names what comes near, too, or how to get it; empty without any."""
    if not references:
        return []
    if not is_brief():
        return [say(Sentence.ALSO_TITLES, titles=_join_names(references))]
    return [say(Sentence.SAY_MORE) if room() is Room.VOICE else wording().more]


def explain_no_answer(unknown: Sequence[str], references: Sequence[Reference], *, has_unread: bool) -> str:
    """The reply to a question that the documents do not answer.

    ``unknown`` are words of the question that no document has. Where a document ``has_unread`` parts, it may
    have them all the same. ``references`` come nearest.
    """
    nothing = say(Sentence.NOTHING_FOUND)
    if unknown:
        nothing += " " + say(Sentence.IN_NO_DOCUMENT, words=_list_quoted(unknown))
        nothing += f" {say(Sentence.NOT_ALL_READ)}" if has_unread else ""
    if not references:
        return nothing
    # A page lists up to three sources below the text, with their titles.
    names = _join_names(references) if room() is Room.VOICE else _join_markers(references)
    return f"{nothing}\n\n{say(Sentence.NEAREST_TITLES, titles=names)}"


def suggest_questions(questions: Sequence[str]) -> Iterator[QuestionsSuggested]:
    """Yield the event that suggests questions, if there are any."""
    if questions:
        yield QuestionsSuggested(say(Sentence.YOU_CAN_ASK), tuple(questions))


def list_unquotable(references: Sequence[Reference], *, after: bool) -> str:
    """A list of references that may not be quoted, either ``after`` an answer or instead of one."""
    intro = say(Sentence.MORE_NOT_QUOTABLE if after else Sentence.NOT_QUOTABLE)
    return intro + "\n\n" + "\n".join(f"- {_name(one)}" for one in references)


def _list_quoted(texts: Sequence[str]) -> str:
    return ", ".join(say(Sentence.IN_QUOTES, text=escape_text(text)) for text in texts)


def _join_names(references: Sequence[Reference]) -> str:
    """The names of references, each with its marker, which is enough above a list of them.

    By voice there are no markers: a source that is cited is named once more at the end.
    """
    match room():
        case Room.PAGE:
            return " · ".join(map(_name, references))
        case Room.ABOVE_LIST | Room.MESSAGE:
            return _join_markers(references)
        case Room.VOICE:
            return "; ".join(escape_text(one.name or "") for one in references)


def _join_markers(references: Sequence[Reference]) -> str:
    return " ".join(f"[{one.id}]" for one in references)


def _name(reference: Reference) -> str:
    return f"{escape_text(reference.name or '')} [{reference.id}]"


def _quote(markdown: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in markdown.split("\n"))


@dataclass(slots=True)
class Notice:
    """A Markdown paragraph above the first text of one answer. An answer without a text gets none.

    Neither does any answer if ``text`` is empty.
    """

    text: str
    _begun: bool = field(default=False, init=False)

    def put_above(self, event: AnswerEvent) -> AnswerEvent:
        """The next event of the answer, with the notice above the text."""
        above = f"{self.text}\n\n" if self.text else ""
        match event:
            case TextReplaced(text):
                self._begun = bool(text)
                return TextReplaced(f"{above}{text}" if text else "")
            case TextDelta(text) if text and not self._begun:
                self._begun = True
                return TextDelta(f"{above}{text}")
            case SpanFound(start, end):
                return replace(event, start=start + len(above), end=end + len(above))
        return event
