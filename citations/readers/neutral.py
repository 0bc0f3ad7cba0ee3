"""The neutral answer: this library's own JSON, for any program with an answer to cite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any, Final

import msgspec

from ..model.answer import Answer, AnswerKind, Dialect, Origin, SourceCode
from ..model.answer_event import (
    AnswerEvent,
    DialectKnown,
    KindKnown,
    OriginKnown,
    ProblemFound,
    QueryKnown,
    ReferencesFound,
    SpanFound,
    TextDelta,
)
from ..model.errors import AnswerFormatError
from ..model.reference import Place, PlaceKind, Reference
from ..model.sensitivity_label import SensitivityLabel
from ..text.line import clean_name
from .answer_stream import whole_answer
from .conversion import convert, none_if_blank, others
from .finish_reason import FinishReason
from .unknown_fields import Parts, UnknownFields


class _NeutralPlace(msgspec.Struct):
    kind: PlaceKind
    first: Annotated[int, msgspec.Meta(ge=1)]
    last: Annotated[int, msgspec.Meta(ge=1)] | None = None
    sheet: str | None = None


class _NeutralLabel(msgspec.Struct):
    id: str
    name: str
    priority: Annotated[int, msgspec.Meta(ge=0)] | None = None
    description: str | None = None
    color: str | None = None
    encrypted: bool = False


class _NeutralReference(msgspec.Struct):
    id: str | int
    name: str | None = None
    url: str | None = None
    text: str | None = None
    page: Annotated[int, msgspec.Meta(ge=1)] | None = None
    last_page: Annotated[int, msgspec.Meta(ge=1)] | None = None
    place: _NeutralPlace | None = None
    label: str | _NeutralLabel | None = None
    media_type: str | None = None
    modified: str | None = None
    accessed: str | None = None
    editor: str | None = None
    document_url: str | None = None
    document_name: str | None = None
    extract: bool = False
    only_named: bool = False
    complete: bool = False
    aliases: list[str] | None = None
    keywords: list[str] | None = None
    ordinal: bool = False


class _NeutralDocument(_NeutralReference, kw_only=True):
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


class _Neutral(msgspec.Struct, kw_only=True):
    dialect: Dialect | None = None
    references: list[_NeutralReference] | None = None
    spans: list[_NeutralSpan] | None = None
    origin: _NeutralOrigin | None = None
    query: _NeutralQuery | None = None
    kind: AnswerKind | None = None


class _NeutralAnswer(_Neutral):
    text: str


class _NeutralLine(_Neutral):
    delta: str | None = None
    complete: bool = False


_ANSWER_PARTS: Final[Mapping[str, type[msgspec.Struct]]] = {
    "references": _NeutralReference,
    "spans": _NeutralSpan,
    "origin": _NeutralOrigin,
    "query": _NeutralQuery,
}
_PARTS: Final[Parts] = {
    _NeutralAnswer: _ANSWER_PARTS,
    _NeutralLine: _ANSWER_PARTS,
    _NeutralReference: {"place": _NeutralPlace, "label": _NeutralLabel},
}
_LINE: Final = ("delta", "dialect", "references", "spans", "complete", "origin", "query", "kind")
"""The fields of a line, of which it has at least one."""


def read_answer(data: object) -> Answer:
    """Read ``{"text": "… [1]", "references": [{"id": "1", …}]}``.

    The text is taken as it is. A program that has it from a model removes the thoughts first
    (:func:`~citations.readers.hide_thoughts`).

    Only ``text`` and each reference's ``id`` are required; ``id`` may be a number. ``aliases`` are
    further ids and names of a reference, for label rules. ``label`` is the id of its sensitivity label, or
    all of the label (:class:`~citations.SensitivityLabel`). ``complete`` says that the answer was made with
    no more of a reference than its ``text``. ``dialect`` is ``"numbered"``,
    ``"named-link"`` or ``"none"``; without it all markers are read. ``spans`` (``{"start": 0, "end": 12,
    "ids": ["1"]}``) are words that rest on references, in code points of ``text``
    (:class:`~citations.Span`). A span with a wrong place or id is no error: :func:`~citations.cite` reports
    it. ``query`` (``{"text": "SELECT …", "language": "sparql"}``)
    is what the answer is based on. ``kind`` is ``"answered"``, ``"unsure"`` or ``"nothing"``
    (:class:`~citations.AnswerKind`). Unknown keys are ignored, and each is a problem. An empty string
    counts as absent. Raises :class:`AnswerFormatError`, whose ``path`` is such as ``$.references[1].url``.
    """
    return whole_answer(NeutralLines(), data)


def write_answer(answer: Answer) -> dict[str, object]:
    """Write what :func:`read_answer` reads; what is absent or has its default has no key.

    The neutral JSON has no subqueries, no problems, and no reason why an answer ends too early.
    """
    return {"text": answer.text} | _without_blanks(
        {
            "dialect": answer.dialect.value if answer.dialect else None,
            "references": [_write_reference(reference) for reference in answer.references],
            "spans": [asdict(span) for span in answer.spans],
            "origin": _write_origin(answer.origin),
            "query": _without_blanks(asdict(answer.query)) if answer.query else None,
            "kind": answer.kind.value if answer.kind else None,
        }
    )


def read_documents(data: object) -> tuple[Reference, ...]:
    """Read ``[{"title": "Handbook", "url": "…"}]``: the documents of a request, in order.

    Each may have the fields of a reference; ``title`` is its name. Without an ``id`` it has its number, from
    0. Raises :class:`AnswerFormatError`, whose ``path`` is such as ``$[1].url``.
    """
    documents = convert(data, list[_NeutralDocument])
    for index, one in enumerate(documents):
        one.id = index if one.id == "" else one.id
        one.name, one.title = one.name or one.title, None
    return _references(documents)


class NeutralLines:
    """The neutral answer as a stream: each line has ``delta``, ``references``, ``origin`` or the like.

    ``references`` may come before, during or after the text, in one line or in several. Those with
    ``"complete": true`` are the last. So may ``spans``, whose offsets count from the start of all text. The
    first line may have the ``dialect``.
    """

    def __init__(self) -> None:
        self.form = "answer"
        self.refuses_others = True
        self.dialect: Dialect | None = None
        self.finish = FinishReason()
        self._begun = False
        self._unknown = UnknownFields(_PARTS)

    def read(self, data: object) -> Iterator[AnswerEvent]:
        """The events of one line; raises :class:`AnswerFormatError`."""
        line = convert(data, _NeutralLine)
        _expect_line(data)
        if line.dialect and self._begun:
            raise AnswerFormatError("only the first line can have the dialect", "$.dialect")
        self.dialect = line.dialect or self.dialect
        self._begun = True
        yield from map(ProblemFound, self._unknown.find(data, _NeutralLine))
        yield from _events(line, line.delta, complete=line.complete)

    def read_whole(self, data: object) -> Iterator[AnswerEvent]:
        """The events of a whole answer; raises :class:`AnswerFormatError`."""
        answer = convert(data, _NeutralAnswer)
        self.dialect = answer.dialect
        yield from map(ProblemFound, self._unknown.find(data, _NeutralAnswer))
        yield from _events(answer, answer.text)

    def close(self) -> Iterator[AnswerEvent]:
        """No events: no text is held back."""
        yield from ()


def _events(said: _Neutral, text: str | None, *, complete: bool = False) -> Iterator[AnswerEvent]:
    if said.dialect is Dialect.NONE:
        yield DialectKnown(Dialect.NONE)
    if said.references or complete:
        yield ReferencesFound(_references(said.references), complete)
    if said.origin:
        yield OriginKnown(_origin(said.origin))
    if query := _query(said.query):
        yield QueryKnown(query)
    if said.kind:
        yield KindKnown(said.kind)
    if text:
        yield TextDelta(text)
    for span in said.spans or ():
        yield SpanFound(span.start, span.end, tuple(map(str, span.ids)), span.replaces)


def _expect_line(data: object) -> None:
    if not isinstance(data, Mapping) or data.keys().isdisjoint(_LINE):
        raise AnswerFormatError(f"expected one of {', '.join(_LINE)}")
    if "text" in data and "delta" not in data:
        raise AnswerFormatError("a line has delta; with text it is a whole answer, no stream", "$.text")


def _references(items: Sequence[_NeutralReference] | None) -> tuple[Reference, ...]:
    return tuple(_reference(item, index) for index, item in enumerate(items or ()))


def _reference(item: _NeutralReference, index: int) -> Reference:
    if (name := none_if_blank(str(item.id))) is None:
        raise AnswerFormatError("expected an id, got an empty string", f"$.references[{index}].id")
    fields = _fields(item) | {
        "id": name,
        "aliases": others(item.aliases or (), name, item.name, item.url),
        "keywords": others(item.keywords or ()),
        "place": Place(**_fields(item.place)) if item.place else None,
        "label": _label(item.label),
    }
    return Reference(**fields)


def _label(item: str | _NeutralLabel | None) -> str | SensitivityLabel | None:
    if isinstance(item, _NeutralLabel):
        name = clean_name(item.name) or clean_name(item.id)
        known = none_if_blank(item.id) or name
        return SensitivityLabel(**_fields(item) | {"id": known, "name": name}) if name else None
    return none_if_blank(item)


def _origin(item: _NeutralOrigin | None) -> Origin:
    return Origin(**_fields(item)) if item else Origin()


def _query(item: _NeutralQuery | None) -> SourceCode | None:
    return SourceCode(**_fields(item)) if item and none_if_blank(item.text) else None


def _fields(item: msgspec.Struct) -> dict[str, Any]:
    """The fields of ``item`` that are neither absent nor blank."""
    return {
        name: value
        for name, value in msgspec.structs.asdict(item).items()
        if value is not None and not (isinstance(value, str) and not value.strip())
    }


def _write_reference(reference: Reference) -> dict[str, object]:
    fields = _without_blanks(asdict(reference))
    if place := reference.place:
        fields["place"] = _without_blanks(asdict(place)) | {"kind": place.kind.value}
    if isinstance(label := reference.label, SensitivityLabel):
        ranked = {} if label.priority is None else {"priority": label.priority}
        fields["label"] = _without_blanks(asdict(label)) | ranked
    return fields


def _write_origin(origin: Origin) -> dict[str, object]:
    fields = {"slogan": origin.slogan, "url": origin.url, "generated": None if origin.generated else False}
    return {name: value for name, value in fields.items() if value is not None}


def _without_blanks(fields: dict[str, object]) -> dict[str, object]:
    """Leave out None, False, empty strings and empty lists, which are the defaults."""
    return {name: value for name, value in fields.items() if value}
