"""Answers of Vertex AI Search, summaries of its results, and its check of what an answer's claims rest on.

Governing source: google-cloud-discoveryengine's types ``Answer`` and ``CheckGroundingResponse``. Offsets are
bytes of UTF-8, written as strings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model.answer import AnswerEvent
from ..model.reference import Reference
from .anchor import OffsetUnit, not_placed
from .finish_reason import FinishReason
from .google_sources import reference_number, search_source
from .loose_json import Members, inner, member, number, objects, text, title, whole_numbers
from .source_address import read_address
from .spanned_text import SpannedText, place_of


class VertexSearchReader:
    """One answer from a response, or from the responses of ``streamAnswer``."""

    def __init__(self, finish: FinishReason) -> None:
        self._finish = finish
        self._answer = SpannedText("Vertex AI Search")
        self._last: Members = {}

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document."""
        yield from self._answer.begin()
        if "claims" in data:
            yield from self._claims(data)
            return
        summary = inner(inner(data, "summary"), "summary_with_metadata")
        answer = inner(data, "answer") or {**summary, **inner(summary, "citation_metadata")} or data
        said = text(answer, "answer_text", "summary") or text(inner(data, "summary"), "summary_text")
        if text(data, "answer"):
            said = text(data, "answer")
        self._finish.note(None if text(answer, "state") in ("STREAMING", "IN_PROGRESS") else "stop")
        so_far = self._answer.part.text
        # A stream's responses have the next piece, and the last one has all of the text.
        yield from self._answer.add(said.removeprefix(so_far) if so_far and said.startswith(so_far) else said)
        if member(answer, "references", "citations", "grounding_supports"):
            self._last = answer
            yield from self._answer.find(_known(_references(answer)))

    def close(self) -> Iterator[AnswerEvent]:
        """The citations, which come with the last response."""
        yield from self._answer.close()
        sources = _references(self._last)
        part = self._answer.part
        for field in ("citations", "grounding_supports"):
            for index, citation in enumerate(objects(member(self._last, field))):
                named = [reference_number(one) for one in objects(member(citation, "sources"))]
                cited = [sources[one] for one in named if one is not None and 0 <= one < len(sources)]
                start, end = number(citation, "start_index"), number(citation, "end_index")
                place = place_of(part, "", start, end, OffsetUnit.UTF_8)
                yield from self._answer.cite(
                    part, place, _known(cited), missing=not_placed(f"$.answer.{field}[{index}]")
                )

    def _claims(self, data: Members) -> Iterator[AnswerEvent]:
        """Read a check of grounding. Its claims, one behind the other, are the answer."""
        self._finish.note("stop")
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
            named = whole_numbers(member(claim, "citation_indices"))
            cited = [chunks[one] for one in named if 0 <= one < len(chunks)]
            place = place_of(self._answer.part, words, before, None)
            yield from self._answer.cite(
                self._answer.part, place, cited, missing=not_placed(f"$.claims[{index}]", words)
            )


def _references(answer: Members) -> list[Reference | None]:
    return [search_source(one) for one in objects(member(answer, "references"))]


def _known(references: Sequence[Reference | None]) -> list[Reference]:
    return [one for one in references if one]


def _chunk(chunk: Members) -> Reference:
    """A cited chunk. ``source`` is the id of the fact in the request."""
    address = text(chunk, "uri").strip()
    where = read_address(address) if address else None
    return Reference(
        id=where.id if where else text(chunk, "source") or title(chunk, "title") or "0",
        url=where.url if where else None,
        name=title(chunk, "title", "domain") or (where.name if where else None),
        text=title(chunk, "chunk_text"),
    )
