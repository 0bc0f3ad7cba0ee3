"""Cohere's answers: citations have the words of the answer, their offsets, and their documents.

Governing source: Cohere API reference, "Chat" version 2 and its streaming events. In the mode ``FAST`` a
citation comes behind its words, in ``ACCURATE`` behind all of the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..model.answer import Answer, AnswerEvent
from ..model.dialect import Dialect
from ..model.errors import AnswerFormatError
from ..model.reference import Reference
from .anchor import not_placed
from .answer_stream import AnswerStream, whole_answer
from .conversion import iso_date, others
from .event_framing import EventsOrJson
from .finish_reason import FinishReason
from .json_stream import error_line
from .json_text import dumps
from .loose_json import (
    Members,
    documents_of,
    inner,
    items,
    member,
    members,
    number,
    objects,
    page_number,
    text,
    title,
)
from .source_address import read_address
from .spanned_text import SpannedText, TextPart, place_of
from .stop_reason import finish_reason

_OTHER_TEXT: Final = ("THINKING_CONTENT", "PLAN")
"""Citations of a model's thoughts and plans."""


def read_cohere(data: object) -> Answer:
    """Read a response of ``POST /v2/chat``, or an array of its events. Raises :class:`AnswerFormatError`."""
    events = CohereEvents()
    return whole_answer(events, events.read(data))


class CohereStream(AnswerStream):
    """The response to ``"stream": true``, as server-sent events or JSON lines: feed it bytes and close it."""

    def __init__(self) -> None:
        super().__init__(EventsOrJson(), CohereEvents(), spans_at_end=True)


class CohereEvents:
    """One answer from the events of its stream, or from a whole response."""

    def __init__(self) -> None:
        self.dialect: Dialect | None = Dialect.NONE
        self.finish = FinishReason()
        self._answer = SpannedText("Cohere")
        self._parts: dict[int, TextPart] = {}
        self._answered: Members = {}
        self._waiting: list[tuple[Members, str]] = []

    def read(self, data: object) -> Iterator[AnswerEvent]:
        """The events of one document, or of an array of them; raises :class:`AnswerFormatError`."""
        yield from self._answer.begin()
        for document in documents_of(data):
            message = inner(inner(document, "delta"), "message")
            match text(document, "type", "event_type"):
                case "error" | "stream-error":
                    raise AnswerFormatError(error_line(document))
                case "message-start":
                    self.finish.note(None)
                case "content-start" | "content-delta":
                    yield from self._content(member(message, "content"), number(document, "index") or 0)
                case "citation-start":
                    yield from self._citations(member(message, "citations"), "$.delta.message.citations")
                case "message-end":
                    self._note(inner(document, "delta"))
                case _:
                    yield from self._whole(document)

    def close(self) -> Iterator[AnswerEvent]:
        """Citations whose words came behind them."""
        yield from self._answer.close()
        for citation, path in self._waiting:
            yield from self._cite(citation, path)

    def _whole(self, data: Members) -> Iterator[AnswerEvent]:
        self._note(data)
        message = member(data, "message")
        fields = members(message) or data
        self._answered = fields
        content = member(fields, "content") or member(fields, "text")
        for index, part in enumerate(objects(content)):
            yield from self._content(part, index)
        if isinstance(content, str):
            yield from self._content({"text": content}, 0)
        yield from self._citations(member(fields, "citations"), "$.message.citations")

    def _note(self, data: Members) -> None:
        self.finish.note(finish_reason(text(data, "finish_reason") or "stop"))

    def _content(self, content: object, index: int) -> Iterator[AnswerEvent]:
        for part in objects(content if isinstance(content, list) else [content]):
            if text(part, "type") == "thinking":
                continue
            if index not in self._parts:
                self._parts[index] = self._answer.begin_part()
            yield from self._answer.add(text(part, "text"))

    def _citations(self, citations: object, path: str) -> Iterator[AnswerEvent]:
        """Read citations. A stream sends one object at a time, a whole response has an array."""
        listed = isinstance(citations, list | tuple)
        for index, citation in enumerate(objects(citations if listed else [citations])):
            if text(citation, "type").upper() not in _OTHER_TEXT:
                place = f"{path}[{index}]" if listed else path
                if (number(citation, "end") or 0) > self._part_of(citation).length:
                    self._waiting.append((citation, place))
                else:
                    yield from self._cite(citation, place)

    def _part_of(self, citation: Members) -> TextPart:
        index = number(citation, "content_index") or 0
        only = next(iter(self._parts.values()), self._answer.part) if len(self._parts) < 2 else None
        return self._parts.get(index) or only or self._answer.part

    def _cite(self, citation: Members, path: str) -> Iterator[AnswerEvent]:
        part = self._part_of(citation)
        words = text(citation, "text")
        place = place_of(part, words, number(citation, "start"), number(citation, "end"))
        sources = cohere_sources(citation, self._answered)
        yield from self._answer.cite(part, place, sources, missing=not_placed(path, words))


def cohere_sources(citation: Members, answered: Members) -> list[Reference]:
    """The sources of a citation. Version 1 has their ids, and the documents beside the answer."""
    documents = {text(one, "id"): one for one in objects(member(answered, "documents"))}
    sources = [_source(one) for one in objects(member(citation, "sources"))]
    named = (one for one in items(member(citation, "document_ids")) if isinstance(one, str))
    return [one for one in sources if one] + [_document(documents.get(one, {}), one) for one in named]


def _source(source: Members) -> Reference | None:
    """A document of the request, or the output of a tool."""
    document = inner(source, "document")
    found = document or inner(source, "tool_output")
    name = text(source, "id") or text(found, "id")
    if not name and not found:
        return None
    if document or not found:
        return _document(document, name)
    return _document(found, name, text=title(found, "text", "snippet", "content") or dumps(found))


def _document(document: Members, name: str, **known: str | None) -> Reference:
    """A document, whose fields are the caller's own."""
    data = {**document, **inner(document, "data")}
    address = text(data, "url", "uri", "link", "source").strip()
    where = read_address(address) if address else None
    label = title(data, "title", "name", "file_name", "filename", "document_name")
    identifier = name or (where.id if where else "") or label or "document"
    return Reference(
        id=identifier,
        url=where.url if where else None,
        name=label or (where.name if where else None),
        text=known.get("text") or title(data, "text", "snippet", "content"),
        page=page_number(data, "page", "page_number"),
        modified=iso_date(member(data, "date", "last_modified", "timestamp")),
        aliases=others((address, text(document, "id")), identifier, label, where.url if where else None),
    )
