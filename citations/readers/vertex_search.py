"""Answers of Vertex AI Search, summaries of its results, and its check of what an answer's claims rest on.

Governing source: google-cloud-discoveryengine's types ``Answer`` and ``CheckGroundingResponse``. Offsets are
bytes of UTF-8, written as strings.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model.answer_event import AnswerEvent
from ..model.reference import Reference
from .anchor import OffsetUnit
from .loose_json import Members, inner, member, number, objects, page_number, pick, text, title
from .shaped_events import PlaceReader
from .source_address import describe_source
from .spanned_text import CitedRange


class VertexSearchReader(PlaceReader):
    """One answer from a response, or from the responses of ``streamAnswer``."""

    provider = "Vertex AI Search"

    def __init__(self) -> None:
        super().__init__()
        self._last: Members = {}

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document."""
        if "claims" in data:
            yield from self._claims(data)
            return
        summary = inner(inner(data, "summary"), "summary_with_metadata")
        answer = inner(data, "answer") or {**summary, **inner(summary, "citation_metadata")} or data
        said = text(data, "answer") or text(answer, "answer_text", "summary")
        said = said or text(inner(data, "summary"), "summary_text")
        self.finish.note(None if text(answer, "state") in ("STREAMING", "IN_PROGRESS") else "stop")
        so_far = self._answer.part.text
        # A stream's responses have the next piece, and the last one has all of the text.
        yield from self._answer.add(said.removeprefix(so_far) if so_far and said.startswith(so_far) else said)
        if member(answer, "references", "citations", "grounding_supports"):
            self._last = answer
            yield from self._answer.find(filter(None, _references(answer)))

    def close(self) -> Iterator[AnswerEvent]:
        """The citations, which come with the last response."""
        yield from super().close()
        sources = _references(self._last)
        for field in ("citations", "grounding_supports"):
            for index, citation in enumerate(objects(member(self._last, field))):
                cited = pick(sources, [_index(one) for one in objects(member(citation, "sources"))])
                words = CitedRange.read(citation, "", "start_index", "end_index", OffsetUnit.UTF_8)
                path = f"$.answer.{field}[{index}]"
                yield from self._answer.cite_words(self._answer.part, words, filter(None, cited), path)

    def _claims(self, data: Members) -> Iterator[AnswerEvent]:
        """Read a check of grounding. Its claims, one behind the other, are the answer."""
        self.finish.note("stop")
        chunks = [_chunk(one) for one in objects(member(data, "cited_chunks"))]
        end: int | None = None
        for index, claim in enumerate(objects(member(data, "claims"))):
            words, start = text(claim, "claim_text"), number(claim, "start_pos")
            # What stands between two claims is not sent.
            if index and (start is None or start != end):
                yield from self._answer.add(" ")
            end = number(claim, "end_pos")
            before = self._answer.part.length
            yield from self._answer.add(words)
            cited = pick(chunks, member(claim, "citation_indices"))
            yield from self._answer.cite_words(
                self._answer.part, CitedRange(words, before, None), cited, f"$.claims[{index}]"
            )


def _references(answer: Members) -> list[Reference | None]:
    return [_source(one) for one in objects(member(answer, "references"))]


def _chunk(chunk: Members) -> Reference:
    """A cited chunk. ``source`` is the id of the fact in the request."""
    return describe_source(
        text(chunk, "uri").strip(),
        title(chunk, "title", "domain"),
        otherwise=text(chunk, "source") or title(chunk, "title") or "0",
        text=title(chunk, "chunk_text"),
    )


def _source(reference: Members) -> Reference | None:
    """A reference of an answer of Vertex AI Search: a chunk, a document with chunks, or a record."""
    chunk = inner(reference, "chunk_info")
    document = (
        inner(chunk, "document_metadata")
        or inner(reference, "unstructured_document_info")
        or inner(reference, "structured_document_info")
        or reference
    )
    contents = list(objects(member(document, "chunk_contents")))
    passages = [text(chunk, "content"), *(text(one, "content") for one in contents)]
    pages = (page_number(one, "page_identifier") for one in (document, *contents))
    passage = "\n\n".join(one for one in passages if one.strip()) or title(document, "chunk_text", "text")
    record = inner(document, "struct_data")
    name = title(document, "title") or title(record, "title", "name")
    address = text(document, "uri", "url").strip() or text(record, "uri", "url").strip()
    identifier = text(document, "document") or text(chunk, "chunk")
    if not (address or name or passage or identifier):
        return None
    return describe_source(
        address or identifier or name or "source",
        name,
        names=(text(document, "document"), text(chunk, "chunk")),
        text=passage,
        pages=(next(filter(None, pages), None), None),
    )


def _index(data: Members) -> int | None:
    """The index in ``references``, which is a string, counted from 0. Protocol Buffers leave out zeros."""
    found = number(data, "reference_id", "reference_index")
    return 0 if found is None and not text(data, "reference_id") else found
