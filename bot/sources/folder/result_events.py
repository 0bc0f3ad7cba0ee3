"""This module writes what a search found as the events of an answer, of the kind that the search decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citations import AnswerEvent, AnswerKind, Dialect, Reference, ReferencesFound, TextDelta
from citations.markers import AnswerSoFar
from citations.model import KindKnown

from ...languages import Sentence
from ...retrieval.answer import (
    Documents,
    NumberedPassage,
    SearchResult,
    describe_unquotable,
    find_nearest,
    find_others,
    number_passages,
    number_quotes,
    renumber,
    suggest_near,
    write_excerpts,
    write_quotes,
)
from ...retrieval.passages import Passage
from ..room import Room, room
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


def list_events(
    result: SearchResult, documents: Documents, suggestions: Sequence[str], notice: str = ""
) -> list[AnswerEvent]:
    """Return the events of the answer that ``result`` gives without a model.

    ``suggestions`` are questions that the documents answer. ``notice`` is a sentence above the text.
    Documents that may be named only are named below quotes, and instead of any other text.
    """
    match result.kind:
        case AnswerKind.ANSWERED:
            events = _list_quotes(result, documents)
        case _ if result.unquotable:
            events = [note_quoted(), KindKnown(AnswerKind.UNSURE), *name_unquotable(result, documents, 0)]
        case AnswerKind.UNSURE:
            events = _list_nearest(result, documents)
        case AnswerKind.NOTHING:
            events = _list_nothing(result, documents, suggestions)
    first, *others = events
    return [first, *([TextDelta(f"{notice}\n\n")] if notice else []), *others]


def _list_quotes(result: SearchResult, documents: Documents) -> list[AnswerEvent]:
    """Return the events of an answer that quotes sentences, each with its marker, and names what is near."""
    passages = number_quotes((quote.ranked.passage, quote.unit) for quote in result.quotes)
    others = _select_as_open(result, documents, passages)
    references = documents.describe_passages(result.scope.listing, (*passages, *others))
    titles = also(references[len(passages) :]) if room() is Room.PAGE else []
    return [
        note_quoted(),
        KindKnown(AnswerKind.ANSWERED),
        ReferencesFound(references, complete=True),
        TextDelta("\n\n".join((write_quotes(result.quotes, passages), *titles))),
        *name_unquotable(result, documents, len(references)),
    ]


def _select_as_open(
    result: SearchResult, documents: Documents, quoted: Sequence[NumberedPassage]
) -> tuple[NumberedPassage, ...]:
    """Return the nearest passages beside those that are quoted, of documents with no other label.

    Else a title below an answer could raise the label of all of it, and have a channel withhold it.
    """
    scope = result.scope
    labels = {_find_label(result, documents, one) for one in quoted}
    others = [
        one
        for one in find_others(result, quoted)
        if one.passage.path not in scope.withheld and _find_label(result, documents, one) in labels
    ]
    return renumber(others[:_TITLES], len(quoted))


def _find_label(result: SearchResult, documents: Documents, numbered: NumberedPassage) -> str | None:
    return documents.describe(result.scope.listing, numbered.passage.path).reference.label_name


def _list_nearest(result: SearchResult, documents: Documents) -> list[AnswerEvent]:
    references = documents.describe_passages(result.scope.listing, find_nearest(result))
    return [
        note_nearest(),
        KindKnown(AnswerKind.UNSURE),
        ReferencesFound(references, complete=True),
        TextDelta(write_nearest_passages(result, references)),
        *suggest_questions(suggest_near(result), ()),
    ]


def _list_nothing(
    result: SearchResult, documents: Documents, suggestions: Sequence[str]
) -> list[AnswerEvent]:
    open_ones = [one for one in find_nearest(result) if one.passage.path not in result.scope.withheld]
    references = documents.describe_passages(result.scope.listing, renumber(open_ones[:_TITLES]))
    return [
        note_nearest() if references else note_quoted(),
        KindKnown(AnswerKind.NOTHING),
        ReferencesFound(references, complete=True),
        TextDelta(explain_no_answer(result.unknown, references)),
        *suggest_questions(suggest_near(result), suggestions),
    ]


def describe_ranked(result: SearchResult, documents: Documents, limit: int) -> tuple[Reference, ...]:
    """Describe the best ``limit`` passages as sources; the first are those of :func:`find_nearest`."""
    passages = number_passages(((one.passage, ()) for one in result.ranked[:limit]), Passage.find_places)
    return documents.describe_passages(result.scope.listing, passages)


def write_nearest_passages(
    result: SearchResult, references: Sequence[Reference], lead: Sentence = Sentence.NOT_SURE
) -> str:
    """Write the best passages for a question without a clear answer, below the sentence ``lead``.

    ``references`` describe them.
    """
    excerpts = write_excerpts(find_nearest(result), is_brief=room() is not Room.PAGE)
    return write_nearest(references[: len(find_nearest(result))], excerpts, lead)


def name_unquotable(
    result: SearchResult, documents: Documents, before: int, so_far: AnswerSoFar | None = None
) -> list[AnswerEvent]:
    """Return the events that name the answering documents that may not be quoted.

    Their references are numbered behind the ``before`` references of the answer ``so_far``.
    """
    described = (documents.describe(result.scope.listing, path).reference for path in result.unquotable)
    references = tuple(
        describe_unquotable(index, document) for index, document in enumerate(described, before + 1)
    )
    if not references:
        return []
    text = list_unquotable(references, after=before > 0)
    found, so_far = ReferencesFound(references, complete=True), so_far or AnswerSoFar(Dialect.NUMBERED)
    so_far.note(found)
    return [found, *so_far.marked_events(f"\n\n{text}" if before else text)]
