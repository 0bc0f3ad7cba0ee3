"""Answers of Amazon Bedrock and Q Business, whole or as the events that boto3 yields.

They are those of RetrieveAndGenerate, Converse, InvokeAgent and ChatSync, told apart by their shape.

Governing source: botocore's service models ``bedrock-agent-runtime``, ``bedrock-runtime`` and ``qbusiness``.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterator

from ..model.answer import Answer, AnswerEvent
from ..model.errors import AnswerFormatError
from ..model.reference import Reference
from .anchor import TextRange, not_placed
from .answer_stream import AnswerStream, whole_answer
from .converse import ConverseReader
from .event_framing import EventsOrJson
from .finish_reason import FinishReason
from .knowledge_base import retrieved_source
from .loose_json import Members, documents_of, inner, member, number, objects, text
from .q_business import QBusinessReader
from .shaped_events import ShapedEvents, ShapeReader
from .spanned_text import SpannedText, place_of


def read_bedrock(data: object) -> Answer:
    """Read a response, or an array of the events of its stream. Raises :class:`AnswerFormatError`."""
    events = _events()
    return whole_answer(events, events.read(data))


class BedrockStream(AnswerStream):
    """The events of a stream, as boto3 yields them, one JSON document each: feed it bytes and close it."""

    def __init__(self) -> None:
        super().__init__(EventsOrJson(), _events(), spans_at_end=True)


def _events() -> ShapedEvents:
    return ShapedEvents(_documents, _reader_of)


def _documents(data: object) -> Iterator[Members]:
    for document in documents_of(data):
        # What boto3 returns has the stream's events under one of these names.
        events = [*objects(member(document, "stream", "output_stream", "completion"))]
        for event in events:
            yield from _documents(event)
        if events:
            continue
        # "throttlingException", "modelStreamErrorException", …: an exception is an event.
        if fault := next((one for one in document if one.endswith("Exception")), None):
            message = text(inner(document, fault), "message")
            raise AnswerFormatError(
                f"the provider reported an error: {fault} {message}".strip(), f"$.{fault}"
            )
        yield document


def _reader_of(data: Members) -> Callable[[FinishReason], ShapeReader]:
    names = {name[:1].lower() + name[1:] for name in data}
    if names & {"systemMessage", "sourceAttributions", "textEvent", "metadataEvent", "system_message"}:
        return QBusinessReader
    converse = {
        "messageStart",
        "contentBlockStart",
        "contentBlockDelta",
        "messageStop",
        "stopReason",
        "message",
    }
    if names & converse or inner(inner(data, "output"), "message") or isinstance(data.get("content"), list):
        return ConverseReader
    return KnowledgeBaseReader


class KnowledgeBaseReader:
    """One answer of RetrieveAndGenerate, or of an agent. Each citation has its words and their offsets."""

    def __init__(self, finish: FinishReason) -> None:
        self._finish = finish
        self._answer = SpannedText("Amazon Bedrock")
        self._citations: list[tuple[Members, str]] = []

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document."""
        yield from self._answer.begin()
        # The streams have no event at their end.
        self._finish.note("guardrail_intervened" if _intervened(data) else "stop")
        chunk = inner(data, "chunk")
        output = member(data, "output")
        said = text(output, "text") or text(data, "output", "completion") or _decoded(member(chunk, "bytes"))
        yield from self._answer.add(said)
        named = inner(data, "citation")
        found = [
            *objects(member(data, "citations")),
            *objects(member(inner(chunk, "attribution"), "citations")),
            *([inner(named, "citation") or named] if named else []),
        ]
        for citation in found:
            self._citations.append((citation, f"$.citations[{len(self._citations)}]"))
            yield from self._answer.find(_sources(citation))

    def close(self) -> Iterator[AnswerEvent]:
        """The citations. An empty list of references is text that rests on nothing."""
        yield from self._answer.close()
        part = self._answer.part
        for citation, path in self._citations:
            response = inner(inner(citation, "generated_response_part"), "text_response_part")
            span = inner(response, "span")
            words = text(response, "text")
            start, end = number(span, "start"), number(span, "end")
            # The end is inclusive.
            place = place_of(part, words, start, None if end is None else end + (not words))
            if place is None and end is not None and not words:
                place = TextRange(min(start or 0, part.length), part.length)
            yield from self._answer.cite(part, place, _sources(citation), missing=not_placed(path, words))


def _sources(citation: Members) -> Iterator[Reference]:
    found = map(retrieved_source, objects(member(citation, "retrieved_references")))
    return (one for one in found if one)


def _intervened(data: Members) -> bool:
    action = text(data, "guardrail_action") or text(inner(data, "guardrail"), "action")
    return action == "INTERVENED"


def _decoded(data: object) -> str:
    """The text of an agent's chunk: bytes, or their Base64 in JSON. Some programs save the text itself."""
    if isinstance(data, bytes):
        return data.decode("utf-8", "replace")
    if not isinstance(data, str):
        return ""
    try:
        return base64.b64decode(data, validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return data
