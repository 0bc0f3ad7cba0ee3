"""Writes what a search found as the events of an answer, of the kind that the search decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citations import AnswerEvent, AnswerKind, Dialect, Reference, ReferencesFound, TextDelta
from citations.markers import AnswerSoFar
from citations.model import KindKnown

from ...languages import Sentence, say
from ...retrieval import Found
from ...retrieval.answer import NumberedPassage
from ...retrieval.question import Task
from ...retrieval.words.language import is_smalltalk, is_thanks
from ..room import is_brief
from ..sentences import (
    explain_no_answer,
    list_unquotable,
    note_quoted,
    suggest_questions,
    write_answer,
    write_headings,
    write_nearest,
)

_TITLES: Final = 3
"""At most this many titles are named below an answer, and where the documents do not answer."""
_FEW_TITLES: Final = 2
"""The same in a short message and by voice."""


def reply_to_smalltalk(question: str) -> tuple[AnswerEvent, ...]:
    """The events of the reply to a greeting or thanks, which no passage answers; none for a question."""
    if not is_smalltalk(question):
        return ()
    sentence = Sentence.THANKS if is_thanks(question) else Sentence.SMALLTALK
    return note_quoted(), TextDelta(say(sentence))


def reply_without_documents() -> tuple[AnswerEvent, ...]:
    """The events of the reply where there is nothing to search."""
    return note_quoted(), KindKnown(AnswerKind.NOTHING), TextDelta(say(Sentence.NO_DOCUMENTS))


def compose_reply(found: Found, suggestions: Sequence[str], notice: str = "") -> list[AnswerEvent]:
    """The events of the answer that was ``found`` without a model.

    ``suggestions`` are questions that the documents answer. ``notice`` is a sentence above the text.
    Documents that may be named only are named below what is shown. Where they answer, or nothing else was
    found, they are named instead of any other text.
    """
    if found.kind is AnswerKind.ANSWERED:
        events = _list_answer(found)
    elif found.result.unquotable or (not found.result.ranked and found.describe_unquotable(0)):
        events = [KindKnown(AnswerKind.UNSURE), *name_unquotable(found, 0)]
    elif found.kind is AnswerKind.UNSURE:
        events = _list_nearest(found)
    else:
        events = _list_nothing(found, suggestions)
    above = [TextDelta(f"{notice}\n\n")] if notice else []
    # Where a model has failed, there is one.
    below = [TextDelta(f"\n\n{say(Sentence.NEEDS_MODEL)}")] if found.result.task and not notice else []
    return [note_quoted(), *above, *events, *below]


def _list_answer(found: Found) -> list[AnswerEvent]:
    """The events of an answer: what answers, with what stands around it, and the titles of what is near."""
    sources = found.find_answering(_TITLES)
    references = found.describe(sources)
    text = write_answer(references, found.write_excerpts(sources, is_brief=is_brief())[0])
    return _show(found, AnswerKind.ANSWERED, references, text)


def _list_nearest(found: Found) -> list[AnswerEvent]:
    sources = found.find_shown()
    references = found.describe(sources)
    if found.result.task is Task.SUMMARY:
        shown = references[:_TITLES] if is_brief() else references
        return _show(found, AnswerKind.UNSURE, shown, write_headings(shown))
    return _show(found, AnswerKind.UNSURE, references, write_nearest_passages(found, sources, references))


def _show(found: Found, kind: AnswerKind, references: tuple[Reference, ...], text: str) -> list[AnswerEvent]:
    listed = ReferencesFound(references, complete=True)
    return [KindKnown(kind), listed, TextDelta(text), *name_unquotable(found, len(references))]


def _list_nothing(found: Found, suggestions: Sequence[str]) -> list[AnswerEvent]:
    references = found.describe(found.find_open(_FEW_TITLES if is_brief() else _TITLES))
    return [
        KindKnown(AnswerKind.NOTHING),
        ReferencesFound(references, complete=True),
        TextDelta(
            explain_no_answer(found.result.unknown, references, has_unread=found.result.scope.has_unread)
        ),
        # Below titles, they would fill a short message of their own.
        *suggest_questions(() if references and is_brief() else suggestions),
    ]


def write_nearest_passages(
    found: Found,
    sources: Sequence[NumberedPassage],
    references: Sequence[Reference],
    lead: Sentence = Sentence.NEAREST,
) -> str:
    """Write the nearest passages for a question without a clear answer, below the sentence ``lead``.

    ``sources`` are those that are shown. ``references`` describe them, and may describe more.
    """
    excerpts = found.write_excerpts(sources, is_brief=is_brief())
    return write_nearest(references[: len(sources)], excerpts, lead)


def name_unquotable(found: Found, before: int, so_far: AnswerSoFar | None = None) -> list[AnswerEvent]:
    """The events that name the answering documents that may not be quoted.

    Their references are numbered behind the ``before`` references of the answer ``so_far``.
    """
    references = found.describe_unquotable(before)
    if not references:
        return []
    text = list_unquotable(references, after=before > 0)
    event, so_far = ReferencesFound(references, complete=True), so_far or AnswerSoFar(Dialect.NUMBERED)
    so_far.note(event)
    return [event, *so_far.marked_events(f"\n\n{text}" if before else text)]
