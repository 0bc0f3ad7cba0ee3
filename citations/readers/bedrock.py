"""Answers of Amazon Bedrock, whole or as the events that boto3 yields.

They are those of RetrieveAndGenerate, Converse and InvokeAgent, told apart by their shape.

Governing source: botocore's service models ``bedrock-agent-runtime`` and ``bedrock-runtime``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ..model.errors import AnswerFormatError
from .converse import ConverseReader
from .knowledge_base import KnowledgeBaseReader
from .loose_json import Members, documents_of, inner, member, text
from .shaped_events import ShapedEvents, ShapeReader

_CONVERSE: Final = """
    messageStart contentBlockStart contentBlockDelta messageStop stopReason message
""".split()


class BedrockEvents(ShapedEvents):
    """Reads a response, or an array of the events of its stream. Raises :class:`AnswerFormatError`."""

    def __init__(self) -> None:
        super().__init__("bedrock", _reader_of, documents=_documents)


def _documents(data: object) -> Iterator[Members]:
    for document in documents_of(data):
        # What boto3 returns has the stream's events under one of these names. Its EventStream is no list.
        found = member(document, "stream", "output_stream", "completion")
        events = found if isinstance(found, Iterable) and not isinstance(found, str | Mapping) else ()
        streamed = [one for one in events if isinstance(one, Mapping)]
        for event in streamed:
            yield from _documents(event)
        if streamed:
            continue
        # "throttlingException", "modelStreamErrorException", …: an exception is an event.
        if fault := next((one for one in document if one.endswith("Exception")), None):
            message = text(inner(document, fault), "message")
            raise AnswerFormatError(
                f"the provider reported an error: {fault} {message}".strip(), f"$.{fault}"
            )
        yield document


def _reader_of(data: Members) -> ShapeReader:
    names = {name[:1].lower() + name[1:] for name in data}
    content = inner(inner(data, "output"), "message") or isinstance(data.get("content"), list)
    return ConverseReader() if content or not names.isdisjoint(_CONVERSE) else KnowledgeBaseReader()
