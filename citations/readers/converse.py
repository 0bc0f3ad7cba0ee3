"""Bedrock's Converse: blocks of text with citations, whole or streamed.

Governing source: botocore's ``bedrock-runtime``, ``CitationsContentBlock`` and ``ContentBlockDelta``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model.answer_event import AnswerEvent
from ..model.reference import Reference
from .cited_blocks import CitedBlockReader
from .loose_json import Members, first_inner, inner, items, member, number, objects, pages, text, title
from .source_address import describe_source


class ConverseReader(CitedBlockReader):
    """One answer from a response, or from the events of its stream."""

    provider = "Amazon Bedrock"

    def __init__(self) -> None:
        super().__init__()
        self._ids: dict[object, str] = {}

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document."""
        if stop := inner(data, "message_stop"):
            self.finish.note(text(stop, "stop_reason") or "stop")
        elif event := inner(data, "content_block_delta"):
            yield from self._add(inner(event, "delta"), number(event, "content_block_index"))
        elif inner(data, "content_block_stop"):
            yield from self._blocks.end()
        elif inner(data, "message_start") or inner(data, "content_block_start"):
            self.finish.note(None)
            if inner(inner(data, "content_block_start"), "start"):
                self._answer.set_apart()
        else:
            yield from self._whole(data)

    def _whole(self, data: Members) -> Iterator[AnswerEvent]:
        message = inner(inner(data, "output"), "message") or inner(data, "message") or data
        content = member(message, "content")
        if reason := text(data, "stop_reason") or ("stop" if content else ""):
            self.finish.note(reason)
        for index, block in enumerate(objects(content)):
            other = first_inner(block) is not block
            if other and not (text(block, "text") or inner(block, "citations_content", "reasoning_content")):
                self._answer.set_apart()
            yield from self._add(block, index)
            yield from self._blocks.end()

    def _add(self, piece: Members, key: object) -> Iterator[AnswerEvent]:
        """Read a block, or a piece of one. LiteLLM passes on whole blocks as pieces."""
        block = inner(piece, "citations_content")
        said = "".join(text(one, "text") for one in (piece, *objects(member(block, "content"))))
        cited = objects([member(piece, "citation"), *items(member(block, "citations"))])
        found = [one for citation in cited for one in converse_sources(citation, self._ids)]
        if said or found:
            yield from self._blocks.add(key, said, found)


def converse_sources(citation: Members, ids: dict[object, str]) -> tuple[Reference, ...]:
    """The source of a citation; none if it names nothing. ``ids`` are those given so far."""
    location = inner(citation, "location")
    kind = first_inner(location)
    passages = (text(one, "text") for one in objects(member(citation, "source_content")))
    passage = "\n\n".join(filter(None, passages)) or title(citation, "cited_text")
    name = title(citation, "title") or title(kind, "title")
    address = text(kind, "url").strip() or text(citation, "source").strip()
    if not (address or name or passage or location):
        return ()
    key = (name, repr(sorted(kind.items(), key=repr)) if location else passage)
    return (
        describe_source(
            address,
            name,
            otherwise="" if address else ids.setdefault(key, str(len(ids) + 1)),
            ordinal=not address,
            text=passage,
            pages=pages(inner(location, "document_page"), "start", "end"),
        ),
    )
