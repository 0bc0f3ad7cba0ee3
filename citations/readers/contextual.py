"""Contextual AI's answers: ranges of the message rest on retrieved contents.

Governing source: ``contextual-client``, ``types/agents/query_response.py``. What its stream sends is not
documented; only whole responses are read.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model.answer import Answer, AnswerEvent
from ..model.reference import Reference
from .loose_json import Members, inner, items, member, objects, page_number, text, title
from .shaped_events import PlaceReader, ShapedStream
from .source_address import describe_source
from .spanned_text import CitedRange


def read_contextual(data: object) -> Answer:
    """Read a response of ``POST /agents/{id}/query``. Raises :class:`AnswerFormatError`."""
    return ContextualStream().answer(data)


class ContextualStream(ShapedStream):
    """A whole response, fed as bytes."""

    def __init__(self) -> None:
        super().__init__("contextual", lambda _: _QueryResponse())


class _QueryResponse(PlaceReader):
    provider = "Contextual AI"

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one response."""
        self.finish.note("stop")
        found = {
            text(one, "content_id"): _reference(one) for one in objects(member(data, "retrieval_contents"))
        }
        yield from self._answer.find(found.values())
        yield from self._answer.add(text(inner(data, "message"), "content"))
        for number, one in enumerate(objects(member(data, "attributions"))):
            cited = [found[key] for key in items(member(one, "content_ids")) if key in found]
            place = CitedRange.read(one, "text", "start_idx", "end_idx")
            yield from self._answer.cite_words(self._answer.part, place, cited, f"$.attributions[{number}]")


def _reference(content: Members) -> Reference:
    about = inner(content, "ctxl_metadata")
    return describe_source(
        (text(content, "url") or text(inner(content, "custom_metadata"), "url")).strip(),
        title(content, "doc_name") or title(about, "document_title", "file_name"),
        key=text(content, "content_id"),
        names=(text(content, "doc_id"),),
        pages=(page_number(content, "page") or page_number(about, "page"), None),
        text=title(content, "content_text"),
    )
