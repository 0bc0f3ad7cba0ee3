"""The neutral answer: this library's own JSON, for any program with an answer to cite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated

import msgspec

from ..model.answer import (
    Answer,
    AnswerEvent,
    AnswerKind,
    KindKnown,
    Origin,
    OriginKnown,
    QueryKnown,
    ReferencesFound,
    SourceCode,
    Span,
    SpanFound,
    TextDelta,
)
from ..model.dialect import Dialect
from ..model.errors import AnswerFormatError
from ..model.place import Place, PlaceKind
from ..model.reference import Reference
from .conversion import convert, none_if_blank, others
from .finish_reason import FinishReason


class _NeutralPlace(msgspec.Struct):
    kind: PlaceKind
    first: Annotated[int, msgspec.Meta(ge=1)]
    last: Annotated[int, msgspec.Meta(ge=1)] | None = None
    sheet: str | None = None


class _NeutralReference(msgspec.Struct):
    id: str | int
    name: str | None = None
    url: str | None = None
    text: str | None = None
    page: Annotated[int, msgspec.Meta(ge=1)] | None = None
    last_page: Annotated[int, msgspec.Meta(ge=1)] | None = None
    place: _NeutralPlace | None = None
    label: str | None = None
    media_type: str | None = None
    modified: str | None = None
    editor: str | None = None
    document_url: str | None = None
    extract: bool = False
    only_named: bool = False
    complete: bool = False
    aliases: list[str] | None = None


class _Document(_NeutralReference, kw_only=True):
    id: str | int = ""
    title: str | None = None


class _NeutralSpan(msgspec.Struct):
    start: int
    end: int
    ids: list[str | int]
    replaces: bool = False


class _NeutralOrigin(msgspec.Struct):
    slogan: str | None = None
    url: str | None = None
    generated: bool = True


class _NeutralQuery(msgspec.Struct):
    text: str
    language: str | None = None


class _NeutralAnswer(msgspec.Struct):
    text: str
    dialect: Dialect | None = None
    references: list[_NeutralReference] | None = None
    spans: list[_NeutralSpan] | None = None
    origin: _NeutralOrigin | None = None
    query: _NeutralQuery | None = None
    kind: AnswerKind | None = None


class _NeutralLine(msgspec.Struct):
    delta: str | None = None
    dialect: Dialect | None = None
    references: list[_NeutralReference] | None = None
    spans: list[_NeutralSpan] | None = None
    complete: bool = False
    origin: _NeutralOrigin | None = None
    query: _NeutralQuery | None = None
    kind: AnswerKind | None = None


def read_answer(data: object) -> Answer:
    """Read ``{"text": "… [1]", "references": [{"id": "1", …}]}``.

    The text is taken as it is. A program that has it from a model removes the thoughts first
    (:func:`~citations.readers.hide_thoughts`).

    Only ``text`` and each reference's ``id`` are required; ``id`` may be a number. ``aliases`` are
    further ids and names of a reference, for label rules. ``complete`` says that the answer was made with
    no more of a reference than its ``text``. ``dialect`` is ``"numbered"``,
    ``"named-link"`` or ``"none"``; without it all markers are read. ``spans`` (``{"start": 0, "end": 12,
    "ids": ["1"]}``) are words that rest on references, in code points of ``text``
    (:class:`~citations.Span`). A span with a wrong place or id is no error: :func:`~citations.cite` reports
    it. ``query`` (``{"text": "SELECT …", "language": "sparql"}``)
    is what the answer is based on. ``kind`` is ``"answered"``, ``"unsure"`` or ``"nothing"``
    (:class:`~citations.AnswerKind`). Unknown keys are ignored, and an empty string counts as absent. Raises
    :class:`AnswerFormatError`, whose ``path`` is such as ``$.references[1].url``.
    """
    answer = convert(data, _NeutralAnswer)
    return Answer(
        text=answer.text,
        references=_references(answer.references),
        dialect=answer.dialect,
        spans=tuple(_spans(answer.spans)),
        origin=_origin(answer.origin),
        query=_query(answer.query),
        kind=answer.kind,
    )


def read_documents(data: object) -> tuple[Reference, ...]:
    """Read ``[{"title": "Handbook", "url": "…"}]``: the documents of a request, in order.

    Each may have the fields of a reference; ``title`` is its name. Without an ``id`` it has its number, from
    0. Raises :class:`AnswerFormatError`, whose ``path`` is such as ``$[1].url``.
    """
    documents = convert(data, list[_Document])
    return tuple(
        replace(
            _reference(msgspec.structs.replace(one, id=str(index) if one.id == "" else one.id), index),
            name=none_if_blank(one.name or one.title),
        )
        for index, one in enumerate(documents)
    )


class NeutralLines:
    """The neutral answer as a stream: each line has ``delta``, ``references``, ``origin`` or the like.

    ``references`` may come before, during or after the text, in one line or in several. Those with
    ``"complete": true`` are the last. So may ``spans``, whose offsets count from the start of all text. The
    first line may have the ``dialect``.
    """

    def __init__(self) -> None:
        self.dialect: Dialect | None = None
        self.finish = FinishReason()
        self._begun = False

    def read(self, data: object) -> Iterator[AnswerEvent]:
        """The events of one line; raises :class:`AnswerFormatError`."""
        line = convert(data, _NeutralLine)
        if not isinstance(data, Mapping) or data.keys().isdisjoint(_NeutralLine.__struct_fields__):
            raise AnswerFormatError(f"expected one of {', '.join(_NeutralLine.__struct_fields__)}")
        if line.dialect and self._begun:
            raise AnswerFormatError("only the first line can have the dialect", "$.dialect")
        self.dialect = line.dialect or self.dialect
        self._begun = True
        if line.references or line.complete:
            yield ReferencesFound(_references(line.references), line.complete)
        if line.origin:
            yield OriginKnown(_origin(line.origin))
        if query := _query(line.query):
            yield QueryKnown(query)
        if line.kind:
            yield KindKnown(line.kind)
        if line.delta:
            yield TextDelta(line.delta)
        for span in _spans(line.spans):
            yield SpanFound(span.start, span.end, span.ids, span.replaces)

    def close(self) -> Iterator[AnswerEvent]:
        """No events: no text is held back."""
        yield from ()


def _references(items: list[_NeutralReference] | None) -> tuple[Reference, ...]:
    return tuple(_reference(item, index) for index, item in enumerate(items or ()))


def _reference(item: _NeutralReference, index: int) -> Reference:
    if (name := none_if_blank(str(item.id))) is None:
        raise AnswerFormatError("expected an id, got an empty string", f"$.references[{index}].id")
    return Reference(
        id=name,
        aliases=others(item.aliases or (), name, item.name, item.url),
        name=none_if_blank(item.name),
        url=none_if_blank(item.url),
        text=none_if_blank(item.text),
        page=item.page,
        last_page=item.last_page,
        place=_place(item.place),
        label=none_if_blank(item.label),
        media_type=none_if_blank(item.media_type),
        modified=none_if_blank(item.modified),
        editor=none_if_blank(item.editor),
        document_url=none_if_blank(item.document_url),
        extract=item.extract,
        only_named=item.only_named,
        complete=item.complete,
    )


def _spans(items: list[_NeutralSpan] | None) -> Iterator[Span]:
    for item in items or ():
        yield Span(item.start, item.end, tuple(map(str, item.ids)), item.replaces)


def _place(item: _NeutralPlace | None) -> Place | None:
    if item is None:
        return None
    return Place(kind=item.kind, first=item.first, last=item.last, sheet=none_if_blank(item.sheet))


def _origin(item: _NeutralOrigin | None) -> Origin:
    if item is None:
        return Origin()
    return Origin(
        slogan=none_if_blank(item.slogan),
        url=none_if_blank(item.url),
        generated=item.generated,
    )


def _query(item: _NeutralQuery | None) -> SourceCode | None:
    text = none_if_blank(item.text) if item else None
    return SourceCode(text, none_if_blank(item.language)) if item and text else None
