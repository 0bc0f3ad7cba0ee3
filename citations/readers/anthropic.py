"""Anthropic's Messages: blocks of text, each with the passages that it rests on, whole or streamed.

Governing source: Anthropic API reference, "Messages", "Citations" and "Streaming messages".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from ..model.answer_event import AnswerEvent
from ..model.reference import Reference
from ..model.typed import expect_items
from .cited_blocks import CitedBlockReader
from .conversion import others
from .loose_json import Members, inner, items, member, number, objects, pages, text, title
from .search_results import pages_found
from .shaped_events import ShapedEvents
from .source_address import describe_source

_PLACE: Final = """
    start_char_index end_char_index start_page_number end_page_number start_block_index end_block_index
""".split()
"""The fields that say where a passage stands in its document."""
_THOUGHTS: Final = ("thinking", "redacted_thinking", "thinking_delta", "signature_delta")


class AnthropicEvents(ShapedEvents):
    """Reads a response of ``POST /v1/messages``, or an array of responses or events that continue each other.

    ``documents`` are the document blocks of the request, in order. They name what a citation only numbers.
    Each block of text with citations becomes a span. Raises :class:`AnswerFormatError`.
    """

    def __init__(self, *, documents: Sequence[Reference] = ()) -> None:
        super().__init__("anthropic", lambda _: MessageReader(documents))


class MessageReader(CitedBlockReader):
    """One answer from the events of its stream, or from whole messages.

    After ``pause_turn`` the next message continues the text. A paragraph begins where a tool was used
    between two blocks.
    """

    provider = "Anthropic"

    def __init__(self, documents: Sequence[Reference]) -> None:
        super().__init__()
        self._passages = Passages(documents)
        self._message = 0

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document."""
        piece = inner(data, "delta", "content_block")
        match text(data, "type"):
            case _ if "snapshot" in data:
                # The SDK's helper repeats each delta in an event of its own, which has a snapshot.
                pass
            case "message_start":
                self._message += 1
                self._note(inner(data, "message"))
            case "message_delta":
                self._note(piece)
            case "message_stop":
                self.finish.note(None if self.finish.known else "stop")
            case "content_block_stop":
                yield from self._blocks.end()
            case _ if piece:
                yield from self._add(piece, (self._message, number(data, "index")))
            case _:
                yield from self._whole(data)

    def _whole(self, data: Members) -> Iterator[AnswerEvent]:
        """Read a message, the message of a batch's result, or a block by itself."""
        message = inner(inner(data, "result"), "message") or inner(data, "message") or data
        if text(message, "role") == "user":
            return
        self._note(message)
        content = member(message, "content")
        self._message += 1
        if isinstance(content, str):
            content = [{"text": content}]
        is_block = text(message, "type") in ("text", "web_search_tool_result") or content is None
        for index, block in enumerate([message] if is_block else objects(content)):
            yield from self._add(block, (self._message, index))
            yield from self._blocks.end()

    def _note(self, message: Members) -> None:
        # A message without a reason has not ended, unless it is whole.
        self.finish.note(text(message, "stop_reason") or ("stop" if message.get("content") else None))

    def _add(self, piece: Members, key: object) -> Iterator[AnswerEvent]:
        """Read a block, or a piece of one."""
        kind, said = text(piece, "type"), text(piece, "text")
        if kind in _THOUGHTS:
            return
        cited = objects([member(piece, "citation"), *items(member(piece, "citations"))])
        found = [one for citation in cited for one in self._passages.read(citation)]
        if said or found:
            yield from self._blocks.add(key, said, found)
        elif kind not in ("", "text") and not kind.endswith("_delta"):
            self._answer.set_apart()
            yield from self._answer.find(pages_found(piece))


class Passages:
    """The passages that citations name, with the names and the addresses of the request's documents."""

    def __init__(self, documents: Sequence[Reference]) -> None:
        self._documents = expect_items(documents, Reference, "documents")
        self._ids: dict[object, str] = {}

    def read(self, citation: Members) -> tuple[Reference, ...]:
        """The reference of a citation; none if it names nothing."""
        name = title(citation, "document_title", "title")
        passage = title(citation, "cited_text")
        index = number(citation, "document_index")
        if index is None:
            if address := text(citation, "url", "source").strip():
                return (describe_source(address, name, text=passage),)
            if not (name or passage or text(citation, "file_id")):
                return ()
        return (self._passage(citation, index, name, passage),)

    def _passage(
        self, citation: Members, index: int | None, name: str | None, passage: str | None
    ) -> Reference:
        """A passage of a document. Two passages of one document are two sources."""
        place = tuple(number(citation, field) for field in _PLACE)
        placed = any(one is not None for one in place)
        key = (index, number(citation, "search_result_index"), name, place, None if placed else passage)
        first, last = pages(citation, "start_page_number", "end_page_number")
        known = Reference(id="")
        if index is not None and 0 <= index < len(self._documents):
            known = self._documents[index]
        return replace(
            known,
            id=self._ids.setdefault(key, str(len(self._ids) + 1)),
            ordinal=True,
            name=known.name or name,
            text=passage,
            page=first,
            last_page=last if first and last and last > first else None,
            aliases=others((text(citation, "file_id"), known.id, *known.aliases, name), known.name or name),
        )
