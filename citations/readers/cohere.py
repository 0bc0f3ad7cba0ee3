"""Cohere's answers: citations have the words of the answer, their offsets, and their documents.

Governing source: Cohere API reference, "Chat" version 2 and its streaming events. In the mode ``FAST`` a
citation comes behind its words, in ``ACCURATE`` behind all of the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..model.answer_event import AnswerEvent
from ..model.reference import Reference
from .conversion import iso_date
from .json_text import dumps
from .loose_json import Members, inner, items, member, members, number, objects, page_number, text, title
from .shaped_events import PlaceReader, ShapedEvents
from .source_address import describe_source
from .spanned_text import CitedRange, TextPart

_OTHER_TEXT: Final = ("THINKING_CONTENT", "PLAN")
"""Citations of a model's thoughts and plans."""


class CohereEvents(ShapedEvents):
    """Reads a response of ``POST /v2/chat``, or an array of its events. Raises :class:`AnswerFormatError`."""

    def __init__(self) -> None:
        super().__init__("cohere", lambda _: CohereReader())


class CohereReader(PlaceReader):
    """One answer from the events of its stream, or from a whole response."""

    provider = "Cohere"

    def __init__(self) -> None:
        super().__init__()
        self._parts: dict[int, TextPart] = {}
        self._answered: Members = {}
        self._waiting: list[tuple[Members, str]] = []

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document."""
        message = inner(inner(data, "delta"), "message")
        match text(data, "type", "event_type"):
            case "message-start":
                self.finish.note(None)
            case "content-start" | "content-delta":
                yield from self._content(member(message, "content"), number(data, "index") or 0)
            case "citation-start":
                yield from self._citations(member(message, "citations"), "$.delta.message.citations")
            case "message-end":
                self.finish.note(text(inner(data, "delta"), "finish_reason") or "stop")
            case _:
                yield from self._whole(data)

    def close(self) -> Iterator[AnswerEvent]:
        """Citations whose words came behind them."""
        yield from super().close()
        for citation, path in self._waiting:
            yield from self._cite(citation, path)

    def _whole(self, data: Members) -> Iterator[AnswerEvent]:
        self.finish.note(text(data, "finish_reason") or "stop")
        self._answered = members(member(data, "message")) or data
        content = member(self._answered, "content", "text")
        parts = [{"text": content}] if isinstance(content, str) else objects(content)
        for index, part in enumerate(parts):
            yield from self._content(part, index)
        yield from self._citations(member(self._answered, "citations"), "$.message.citations")

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
        return self._parts.get(number(citation, "content_index") or 0, self._answer.part)

    def _cite(self, citation: Members, path: str) -> Iterator[AnswerEvent]:
        cited = CitedRange.read(citation, "text", "start", "end")
        sources = cohere_sources(citation, self._answered)
        yield from self._answer.cite_words(self._part_of(citation), cited, sources, path)


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
    return _document(found, name, title(found, "text", "snippet", "content") or dumps(found))


def _document(document: Members, name: str, output: str | None = None) -> Reference:
    """A document, whose fields are the caller's own, or the ``output`` of a tool."""
    data = {**document, **inner(document, "data")}
    label = title(data, "title", "name", "file_name", "filename", "document_name")
    return describe_source(
        text(data, "url", "uri", "link", "source").strip(),
        label,
        key=name,
        otherwise=label or "document",
        names=(text(document, "id"),),
        text=output or title(data, "text", "snippet", "content"),
        pages=(page_number(data, "page", "page_number"), None),
        modified=iso_date(member(data, "date", "last_modified", "timestamp")),
    )
