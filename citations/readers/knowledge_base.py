"""Answers of Bedrock's knowledge bases and agents: words, and the passages that were retrieved for them.

Governing source: botocore's service model ``bedrock-agent-runtime``.
"""

from __future__ import annotations

import base64
import binascii
import codecs
from collections.abc import Iterator
from typing import Final

from ..model.answer_event import AnswerEvent
from ..model.reference import Reference
from .anchor import TextRange, not_placed
from .loose_json import Members, first_inner, inner, member, number, objects, page_number, text, title
from .shaped_events import PlaceReader
from .source_address import describe_source
from .spanned_text import CitedRange, place_of

_ADDRESS: Final = ("uri", "url", "id", "source_uri")
_URI_KEYS: Final = ("x-amz-bedrock-kb-source-uri", "source_uri", "url", "uri", "source")
_PAGE_KEYS: Final = ("x-amz-bedrock-kb-document-page-number", "page_number", "page")
_LONGEST_ID: Final = 500
"""Characters of an id that is made from a passage or a query."""
_NAME_KEYS: Final = ("title", "x-amz-bedrock-kb-title", "file_name", "filename", "name")


class KnowledgeBaseReader(PlaceReader):
    """One answer of RetrieveAndGenerate, or of an agent. Each citation has its words and their offsets."""

    provider = "Amazon Bedrock"

    def __init__(self) -> None:
        super().__init__()
        self._citations: list[Members] = []
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        """Joins a character of which two chunks have the bytes."""

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document."""
        # The streams have no event at their end.
        self.finish.note("guardrail_intervened" if _intervened(data) else "stop")
        chunk = inner(data, "chunk")
        said = text(member(data, "output"), "text") or text(data, "output", "completion")
        yield from self._answer.add(said or self._decode(member(chunk, "bytes")))
        named = inner(data, "citation")
        found = [
            *objects(member(data, "citations")),
            *objects(member(inner(chunk, "attribution"), "citations")),
            *([inner(named, "citation") or named] if named else []),
        ]
        self._citations += found
        for citation in found:
            yield from self._answer.find(_sources(citation))

    def close(self) -> Iterator[AnswerEvent]:
        """The citations. An empty list of references is text that rests on nothing."""
        yield from self._answer.add(self._decoder.decode(b"", final=True))
        yield from super().close()
        part = self._answer.part
        for index, citation in enumerate(self._citations):
            response = inner(inner(citation, "generated_response_part"), "text_response_part")
            span, words = inner(response, "span"), text(response, "text")
            start, end = number(span, "start"), number(span, "end")
            # The end is inclusive.
            place = place_of(part, CitedRange(words, start, None if end is None else end + (not words)))
            if place is None and end is not None and not words:
                place = TextRange(min(start or 0, part.length), part.length)
            missing = not_placed(f"$.citations[{index}]", words)
            yield from self._answer.cite(part, place, _sources(citation), missing=missing)

    def _decode(self, data: object) -> str:
        """The text of a chunk: bytes, or their Base64 in JSON. Some programs save the text itself."""
        if isinstance(data, bytes):
            return self._decoder.decode(data)
        if not isinstance(data, str):
            return ""
        try:
            return base64.b64decode(data, validate=True).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError, ValueError):
            return data


def _sources(citation: Members) -> Iterator[Reference]:
    return filter(None, map(_source, objects(member(citation, "retrieved_references"))))


def _intervened(data: Members) -> bool:
    action = text(data, "guardrail_action") or text(inner(data, "guardrail"), "action")
    return action == "INTERVENED"


def _source(retrieved: Members) -> Reference | None:
    """The reference of a ``retrievedReference``; None if it names nothing."""
    metadata, location = inner(retrieved, "metadata"), inner(retrieved, "location")
    # Each kind of location has a member of its own: s3Location, webLocation, sharePointLocation, …
    kind = first_inner(location)
    address = text(kind, *_ADDRESS).strip() or text(metadata, *_URI_KEYS).strip()
    query = text(kind, "query")
    passage = _passage(inner(retrieved, "content")) or title(retrieved, "content")
    name = title(metadata, *_NAME_KEYS)
    if not (address or name or passage or query):
        return None
    return describe_source(
        address,
        name,
        otherwise=(name or query or passage or "")[:_LONGEST_ID],
        names=(text(metadata, *_URI_KEYS),),
        pages=(page_number(metadata, *_PAGE_KEYS), None),
        ordinal=not (address or name),
        text=passage,
    )


def _passage(content: Members) -> str | None:
    """The text of a passage, or the cells of a row."""
    cells = (
        f"{text(cell, 'column_name')}: {text(cell, 'column_value')}"
        for cell in objects(member(content, "row"))
    )
    spoken = title(inner(content, "audio"), "transcription") or title(inner(content, "video"), "summary")
    return title(content, "text") or "\n\n".join(cells) or spoken
