"""Writes what a search found as the events of an answer, of the kind that the search decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citations import AnswerEvent, AnswerKind, Dialect, Reference, ReferencesFound, TextDelta
from citations.markers import AnswerSoFar
from citations.model import KindKnown

from ...languages import Sentence, say
from ...retrieval import Found
from ...retrieval.question import is_smalltalk, is_thanks
from ..room import is_brief
from ..sentences import (
    also,
    explain_no_answer,
    list_unquotable,
    note_nearest,
    note_quoted,
    suggest_questions,
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


def list_events(found: Found, suggestions: Sequence[str], notice: str = "") -> list[AnswerEvent]:
    """The events of the answer that was ``found`` without a model.

    ``suggestions`` are questions that the documents answer. ``notice`` is a sentence above the text.
    Documents that may be named only are named below quotes, and instead of any other text.
    """
    match found.kind:
        case AnswerKind.ANSWERED:
            events = _list_quotes(found)
        case _ if found.result.unquotable:
            events = [note_nearest(), KindKnown(AnswerKind.UNSURE), *name_unquotable(found, 0)]
        case AnswerKind.UNSURE:
            events = _list_nearest(found)
        case AnswerKind.NOTHING:
            events = _list_nothing(found, suggestions)
    first, *others = events
    return [first, *([TextDelta(f"{notice}\n\n")] if notice else []), *others]


def _list_quotes(found: Found) -> list[AnswerEvent]:
    """The events of an answer that quotes sentences, each with its marker, and names what is near."""
    quotation = found.quote(_TITLES)
    titles = [] if is_brief() else also(quotation.others)
    return [
        note_quoted(),
        KindKnown(AnswerKind.ANSWERED),
        ReferencesFound(quotation.references, complete=True),
        TextDelta("\n\n".join((quotation.text, *titles))),
        *name_unquotable(found, len(quotation.references)),
    ]


def _list_nearest(found: Found) -> list[AnswerEvent]:
    references = found.describe_nearest()
    return [
        note_nearest(),
        KindKnown(AnswerKind.UNSURE),
        ReferencesFound(references, complete=True),
        TextDelta(write_nearest_passages(found, references)),
        *suggest_questions(found.suggest_near(), ()),
    ]


def _list_nothing(found: Found, suggestions: Sequence[str]) -> list[AnswerEvent]:
    references = found.describe_open(_FEW_TITLES if is_brief() else _TITLES)
    return [
        note_nearest() if references else note_quoted(),
        KindKnown(AnswerKind.NOTHING),
        ReferencesFound(references, complete=True),
        TextDelta(explain_no_answer(found.result.unknown, references)),
        # Below titles, they would fill a short message of their own.
        *suggest_questions(found.suggest_near(), () if references and is_brief() else suggestions),
    ]


def write_nearest_passages(
    found: Found, references: Sequence[Reference], lead: Sentence = Sentence.NOT_SURE
) -> str:
    """Write the nearest passages for a question without a clear answer, below the sentence ``lead``.

    ``references`` describe them, and may describe more.
    """
    excerpts = found.write_excerpts(is_brief=is_brief())
    return write_nearest(references[: found.count_nearest()], excerpts, lead)


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
