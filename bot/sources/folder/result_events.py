"""This module writes what a search found as the events of an answer, of the kind that the search decided."""

from __future__ import annotations

from collections.abc import Sequence

from citations import AnswerEvent, AnswerKind, Dialect, Reference, ReferencesFound, TextDelta
from citations.markers import AnswerSoFar
from citations.model import KindKnown

from ...messages import Sentence
from ...retrieval.composition import describe_unquotable, number_passages, number_quotes, write_quotes
from ...retrieval.nearest_passages import find_nearest
from ...retrieval.passage import Passage
from ...retrieval.quote import write_passage
from ...retrieval.search import Documents, SearchResult, suggest_near
from ...retrieval.searched import describe_searched
from ..replies import (
    explain_no_answer,
    list_unquotable,
    nearest,
    quoted,
    show_nearest,
    suggest_questions,
)


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
            events = [quoted(), KindKnown(AnswerKind.UNSURE), *name_unquotable(result, documents, 0)]
        case AnswerKind.UNSURE:
            events = _list_nearest(result, documents)
        case AnswerKind.NOTHING:
            events = _list_nothing(result, suggestions)
    first, *others = events
    return [first, *([TextDelta(f"{notice}\n\n")] if notice else []), *others]


def _list_quotes(result: SearchResult, documents: Documents) -> list[AnswerEvent]:
    """Return the events of an answer that quotes sentences, each with its marker."""
    passages = number_quotes((quote.ranked.passage, quote.unit) for quote in result.quotes)
    return [
        quoted(),
        KindKnown(AnswerKind.ANSWERED),
        ReferencesFound(documents.describe_passages(result.scope.part, passages), complete=True),
        TextDelta(write_quotes(result.quotes, passages)),
        *name_unquotable(result, documents, len(passages)),
    ]


def _list_nearest(result: SearchResult, documents: Documents) -> list[AnswerEvent]:
    references = documents.describe_passages(result.scope.part, find_nearest(result))
    return [
        nearest(),
        KindKnown(AnswerKind.UNSURE),
        ReferencesFound(references, complete=True),
        TextDelta(write_nearest_passages(result, references)),
        *suggest_questions(suggest_near(result), ()),
    ]


def _list_nothing(result: SearchResult, suggestions: Sequence[str]) -> list[AnswerEvent]:
    searched = describe_searched(result.query, result.scope)
    return [
        quoted(),
        KindKnown(AnswerKind.NOTHING),
        TextDelta(explain_no_answer(searched.words, searched.count, searched.titles)),
        *suggest_questions(suggest_near(result), suggestions),
    ]


def describe_ranked(result: SearchResult, documents: Documents, limit: int) -> tuple[Reference, ...]:
    """Describe the best ``limit`` passages as sources; the first are those of :func:`find_nearest`."""
    passages = number_passages(((one.passage, ()) for one in result.ranked[:limit]), Passage.find_places)
    return documents.describe_passages(result.scope.part, passages)


def write_nearest_passages(
    result: SearchResult, references: Sequence[Reference], lead: Sentence = Sentence.NOT_SURE
) -> str:
    """Write the best passages for a question without a clear answer, below the sentence ``lead``.

    ``references`` describe them.
    """
    passages = (
        "\n\n".join(write_passage(one.passage, one.units) for one in found.quoted)
        for found in find_nearest(result)
    )
    return show_nearest(zip(references, passages, strict=False), lead)


def name_unquotable(
    result: SearchResult, documents: Documents, before: int, so_far: AnswerSoFar | None = None
) -> list[AnswerEvent]:
    """Return the events that name the answering documents that may not be quoted.

    Their references are numbered behind the ``before`` references of the answer ``so_far``.
    """
    described = (documents.describe(result.scope.part, path).reference for path in result.unquotable)
    references = tuple(
        describe_unquotable(index, document) for index, document in enumerate(described, before + 1)
    )
    if not references:
        return []
    text = list_unquotable(references, after=before > 0)
    found, so_far = ReferencesFound(references, complete=True), so_far or AnswerSoFar(Dialect.NUMBERED)
    so_far.note(found)
    return [found, *so_far.marked_events(f"\n\n{text}" if before else text)]
