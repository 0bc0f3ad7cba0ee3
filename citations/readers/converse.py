"""Bedrock's Converse: blocks of text with citations, whole or streamed.

Governing source: botocore's ``bedrock-runtime``, ``CitationsContentBlock`` and ``ContentBlockDelta``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model.answer import AnswerEvent, DialectKnown
from ..model.dialect import Dialect
from ..model.reference import Reference
from .cited_blocks import CitedBlocks
from .finish_reason import FinishReason
from .loose_json import Members, inner, member, members, number, objects, page_number, text, title
from .source_address import read_address
from .spanned_text import SpannedText
from .stop_reason import finish_reason


class ConverseReader:
    """One answer from a response, or from the events of its stream."""

    def __init__(self, finish: FinishReason) -> None:
        self._finish = finish
        self._answer = SpannedText("Amazon Bedrock")
        self._blocks = CitedBlocks(self._answer)
        self._ids: dict[object, str] = {}
        self._apart = False
        self._begun = False

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document."""
        if not self._begun:
            self._begun = True
            yield from self._answer.begin()
            # The citations of a block come with it.
            yield DialectKnown(Dialect.NONE, spans_at_end=False)
        if stop := inner(data, "message_stop"):
            self._finish.note(finish_reason(text(stop, "stop_reason")))
        elif delta := inner(data, "content_block_delta"):
            yield from self._delta(delta)
        elif inner(data, "content_block_stop"):
            yield from self._blocks.end()
        elif inner(data, "message_start") or inner(data, "content_block_start"):
            self._finish.note(None)
            self._apart = self._apart or bool(inner(inner(data, "content_block_start"), "start"))
        else:
            yield from self._whole(data)

    def close(self) -> Iterator[AnswerEvent]:
        """The span of the last block, if the stream broke off in it."""
        yield from self._blocks.end()
        yield from self._answer.close()

    def _delta(self, event: Members) -> Iterator[AnswerEvent]:
        delta = inner(event, "delta")
        said, citation = text(delta, "text"), inner(delta, "citation")
        # LiteLLM passes on whole blocks under this name.
        block = inner(delta, "citations_content")
        if said or citation or block:
            yield from self._blocks.begin(number(event, "content_block_index"), apart=self._apart)
            self._apart = False
            yield from self._blocks.add(said)
            for one in (citation, *objects(member(block, "citations"))):
                yield from self._blocks.cite(converse_sources(one, self._ids))

    def _whole(self, data: Members) -> Iterator[AnswerEvent]:
        message = inner(inner(data, "output"), "message") or inner(data, "message") or data
        if reason := text(data, "stop_reason"):
            self._finish.note(finish_reason(reason))
        elif member(message, "content"):
            self._finish.note("stop")
        for index, block in enumerate(objects(member(message, "content"))):
            cited = inner(block, "citations_content")
            texts = [text(block, "text"), *(text(one, "text") for one in objects(member(cited, "content")))]
            if not cited and not texts[0]:
                self._apart = not inner(block, "reasoning_content")
                continue
            yield from self._blocks.begin(index, apart=self._apart)
            self._apart = False
            yield from self._blocks.add("".join(texts))
            for citation in objects(member(cited, "citations")):
                yield from self._blocks.cite(converse_sources(citation, self._ids))
            yield from self._blocks.end()


def converse_sources(citation: Members, ids: dict[object, str]) -> Sequence[Reference]:
    """The source of a citation; none if it names nothing. ``ids`` are those given so far."""
    location = inner(citation, "location")
    kind = next((members(one) for one in location.values() if members(one)), location)
    passages = (text(one, "text") for one in objects(member(citation, "source_content")))
    passage = "\n\n".join(filter(None, passages)) or title(citation, "cited_text")
    name = title(citation, "title") or title(kind, "title")
    address = text(kind, "url").strip() or text(citation, "source").strip()
    if address:
        where = read_address(address)
        return (Reference(id=where.id, url=where.url, name=name or where.name, text=passage),)
    if not (name or passage or location):
        return ()
    pages = inner(location, "document_page")
    first, last = page_number(pages, "start"), page_number(pages, "end")
    key = (name, repr(sorted(kind.items(), key=repr)) if location else passage)
    return (
        Reference(
            id=ids.setdefault(key, str(len(ids) + 1)),
            ordinal=True,
            name=name,
            text=passage,
            page=first,
            last_page=last if first and last and last > first else None,
        ),
    )
