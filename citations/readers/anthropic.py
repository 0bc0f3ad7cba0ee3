"""Anthropic's Messages: blocks of text, each with the passages that it rests on, whole or streamed.

Governing source: Anthropic API reference, "Messages", "Citations" and "Streaming messages".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from ..model.answer import Answer, AnswerEvent
from ..model.dialect import Dialect
from ..model.errors import AnswerFormatError
from ..model.reference import Reference
from .answer_stream import AnswerStream, whole_answer
from .cited_blocks import CitedBlocks
from .conversion import others
from .event_framing import EventsOrJson
from .finish_reason import FinishReason
from .json_stream import error_line
from .loose_json import Members, documents_of, inner, member, number, objects, page_number, text, title
from .search_results import pages_found
from .source_address import read_address
from .spanned_text import SpannedText
from .stop_reason import finish_reason

_PLACE: Final = """
    start_char_index end_char_index start_page_number end_page_number start_block_index end_block_index
""".split()
"""The fields that say where a passage stands in its document."""
_THOUGHTS: Final = ("thinking", "redacted_thinking", "thinking_delta", "signature_delta")


def read_anthropic(data: object, *, documents: Sequence[Reference] = ()) -> Answer:
    """Read a response of ``POST /v1/messages``, or an array of responses or events that continue each other.

    ``documents`` are the document blocks of the request, in order. They name what a citation only numbers.
    Each block of text with citations becomes a span. Raises :class:`AnswerFormatError`.
    """
    events = AnthropicEvents(documents)
    return whole_answer(events, events.read(data))


class AnthropicStream(AnswerStream):
    """The response to ``"stream": true``, as server-sent events or JSON lines: feed it bytes and close it."""

    def __init__(self, *, documents: Sequence[Reference] = ()) -> None:
        super().__init__(EventsOrJson(), AnthropicEvents(documents), spans_at_end=False)


class AnthropicEvents:
    """One answer from the events of its stream, or from whole messages.

    After ``pause_turn`` the next message continues the text. A paragraph begins where a tool was used
    between two blocks.
    """

    def __init__(self, documents: Sequence[Reference] = ()) -> None:
        self.dialect: Dialect | None = Dialect.NONE
        self.finish = FinishReason()
        self._answer = SpannedText("Anthropic")
        self._blocks = CitedBlocks(self._answer)
        self._passages = Passages(documents)
        self._apart = False
        """Whether something other than text stands before the next block."""
        self._message = 0

    def read(self, data: object) -> Iterator[AnswerEvent]:
        """The events of one document, or of an array of them; raises :class:`AnswerFormatError`."""
        yield from self._answer.begin()
        for document in documents_of(data):
            # The SDK's helper repeats each delta in an event of its own, which has a snapshot.
            if "snapshot" not in document:
                yield from self._document(document)

    def close(self) -> Iterator[AnswerEvent]:
        """The span of the last block, if the stream broke off in it."""
        yield from self._blocks.end()
        yield from self._answer.close()

    def _document(self, data: Members) -> Iterator[AnswerEvent]:
        match text(data, "type"):
            case "error":
                raise AnswerFormatError(error_line(member(data, "error") or data), "$.error")
            case "message_start":
                self._message += 1
                self._note(inner(data, "message"))
            case "message_delta":
                self._note(inner(data, "delta"))
            case "message_stop":
                self.finish.note(None if self.finish.known else "stop")
            case "content_block_stop":
                yield from self._blocks.end()
            case "ping":
                pass
            case _:
                yield from self._content(data)

    def _content(self, data: Members) -> Iterator[AnswerEvent]:
        """Read the beginning of a block, a piece of it, or what is whole."""
        key = (self._message, number(data, "index"))
        if delta := inner(data, "delta"):
            yield from self._delta(delta, key)
        elif block := inner(data, "content_block"):
            yield from self._block(block, key)
        else:
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
            yield from self._blocks.begin((self._message, None))
            yield from self._blocks.add(content)
        is_block = text(message, "type") in ("text", "web_search_tool_result") or content is None
        for index, block in enumerate([message] if is_block else objects(content)):
            yield from self._block(block, (self._message, index))
            yield from self._blocks.end()

    def _note(self, message: Members) -> None:
        reason = text(message, "stop_reason")
        # A message without a reason has not ended, unless it is whole.
        self.finish.note(finish_reason(reason) if reason else "stop" if message.get("content") else None)

    def _block(self, block: Members, key: object) -> Iterator[AnswerEvent]:
        said = text(block, "text")
        citations = member(block, "citations")
        if text(block, "type") in ("text", "") or said or citations:
            yield from self._blocks.begin(key, apart=self._apart)
            self._apart = False
            yield from self._blocks.add(said)
            for citation in objects(citations):
                yield from self._blocks.cite(self._passages.read(citation))
        elif text(block, "type") not in _THOUGHTS:
            self._apart = True
            yield from self._answer.find(pages_found(block))

    def _delta(self, delta: Members, key: object) -> Iterator[AnswerEvent]:
        if text(delta, "type") in _THOUGHTS:
            return
        if said := text(delta, "text"):
            yield from self._blocks.begin(key, apart=self._apart)
            self._apart = False
            yield from self._blocks.add(said)
        if citation := inner(delta, "citation"):
            yield from self._blocks.begin(key, apart=self._apart)
            yield from self._blocks.cite(self._passages.read(citation))


class Passages:
    """The passages that citations name, with the names and the addresses of the request's documents."""

    def __init__(self, documents: Sequence[Reference] = ()) -> None:
        self._documents = documents
        self._ids: dict[object, str] = {}

    def read(self, citation: Members) -> tuple[Reference, ...]:
        """The reference of a citation; none if it names nothing."""
        name = title(citation, "document_title", "title")
        passage = title(citation, "cited_text")
        address = text(citation, "url", "source").strip()
        index = number(citation, "document_index")
        document = self._document(index)
        if address and index is None:
            found = read_address(address)
            return (Reference(id=found.id, url=found.url, name=name or found.name, text=passage),)
        if index is None and name is None and passage is None and not text(citation, "file_id"):
            return ()
        return (self._passage(citation, document, name, passage),)

    def _passage(
        self, citation: Members, document: Reference | None, name: str | None, passage: str | None
    ) -> Reference:
        """A passage of a document. Two passages of one document are two sources."""
        place = tuple(number(citation, field) for field in _PLACE)
        numbers = (number(citation, "document_index"), number(citation, "search_result_index"))
        placed = any(one is not None for one in place)
        key = (*numbers, name, place, None if placed else passage)
        first, behind = page_number(citation, "start_page_number"), page_number(citation, "end_page_number")
        known = document or Reference(id="")
        return replace(
            known,
            id=self._ids.setdefault(key, str(len(self._ids) + 1)),
            ordinal=True,
            name=known.name or name,
            text=passage,
            page=first,
            # "end_page_number" is exclusive.
            last_page=behind - 1 if first and behind and behind - 1 > first else None,
            aliases=others((text(citation, "file_id"), known.id, *known.aliases, name), known.name or name),
        )

    def _document(self, index: int | None) -> Reference | None:
        known = index is not None and 0 <= index < len(self._documents)
        return self._documents[index] if known and index is not None else None
