"""Mistral's answers: a chunk of references stands behind the text that it is about.

Governing source: Mistral AI API reference, "Chat" (``reference`` chunks) and "Conversations"
(``tool_reference`` chunks of agents with a connector). Its Responses have OpenAI's annotations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model.answer import Answer, AnswerEvent
from ..model.dialect import Dialect
from ..model.errors import AnswerFormatError
from ..model.reference import Reference
from .anchor import TextRange, not_placed
from .answer_stream import AnswerStream, whole_answer
from .chat_piece import read_piece
from .event_framing import EventsOrJson
from .finish_reason import FinishReason
from .json_stream import error_line
from .loose_json import Members, documents_of, inner, items, member, objects, text, title
from .open_responses import ResponseReader
from .source_address import read_address
from .spanned_text import SpannedText


def read_mistral(data: object, *, documents: Sequence[Reference] = ()) -> Answer:
    """Read a chat completion, or the outputs of a conversation with an agent.

    ``documents`` are what the caller's tool gave the model. Their ids are those of the reference chunks.
    Raises :class:`AnswerFormatError`.
    """
    events = MistralEvents(documents)
    return whole_answer(events, events.read(data))


class MistralStream(AnswerStream):
    """The response to ``"stream": true``, as server-sent events or JSON lines: feed it bytes and close it."""

    def __init__(self, *, documents: Sequence[Reference] = ()) -> None:
        super().__init__(EventsOrJson(), MistralEvents(documents), spans_at_end=False)


class MistralEvents:
    """One answer from the chunks of its stream, or from a whole response."""

    def __init__(self, documents: Sequence[Reference] = ()) -> None:
        self.dialect: Dialect | None = Dialect.NONE
        self.finish = FinishReason()
        self._documents = {one.id: one for one in documents}
        self._answer = SpannedText("Mistral")
        self._responses: ResponseReader | None = None
        self._cited = 0
        """Where the text begins that no reference chunk was about yet."""
        self._held: list[Reference] = []
        self._blank = ""
        """White space at the end of the text. A badge comes before it."""

    def read(self, data: object) -> Iterator[AnswerEvent]:
        """The events of one document, or of an array of them; raises :class:`AnswerFormatError`."""
        yield from self._answer.begin()
        for document in documents_of(data):
            # A saved server-sent event may have its data one level deeper.
            yield from self._document(inner(document, "data") or document)

    def close(self) -> Iterator[AnswerEvent]:
        """The references of the last text, and text that was held back."""
        yield from self._end_run()
        yield from self._answer.add(self._blank)
        if self._responses:
            yield from self._responses.close()
        yield from self._answer.close()

    def _document(self, data: Members) -> Iterator[AnswerEvent]:
        kind = text(data, "type")
        if self._responses or kind.startswith("response.") or "output" in data:
            self._responses = self._responses or ResponseReader(self.finish)
            yield from self._responses.read(data)
        elif kind in ("conversation.response.error", "error"):
            raise AnswerFormatError(error_line(data))
        elif "choices" in data:
            piece = read_piece(data)
            if piece.chosen:
                self.finish.note(piece.finish)
            yield from self._content(piece.content)
        elif "outputs" in data:
            self.finish.note("stop")
            for entry in objects(member(data, "outputs")):
                if text(entry, "type") != "tool.execution":
                    yield from self._content(member(entry, "content"))
        elif kind == "conversation.response.done":
            self.finish.note("stop")
        elif kind not in ("conversation.response.started", "tool.execution.done"):
            self.finish.note(None if kind == "message.output.delta" else "stop")
            yield from self._content(member(data, "content"))

    def _content(self, content: object) -> Iterator[AnswerEvent]:
        """Read a text, a chunk, or an array of chunks."""
        if isinstance(content, str):
            content = {"type": "text", "text": content}
        for chunk in objects(content if isinstance(content, list | tuple) else [content]):
            # What the SDK's type has no chunk for, it keeps in "raw".
            chunk = inner(chunk, "raw") if text(chunk, "type") == "UNKNOWN" else chunk  # noqa: PLW2901
            kind = text(chunk, "type")
            if kind in ("reference", "tool_reference") or "reference_ids" in chunk or "referenceIds" in chunk:
                found = tuple(self._references(chunk))
                self._held += found
                yield from self._answer.find(found)
            elif kind != "thinking" and (said := text(chunk, "text")):
                yield from self._end_run()
                said = self._blank + said
                shown = said.rstrip()
                self._blank = said[len(shown) :]
                yield from self._answer.add(shown)

    def _end_run(self) -> Iterator[AnswerEvent]:
        """Cite the references that stand behind the text so far, as one group."""
        held, self._held = self._held, []
        if not held:
            return
        part = self._answer.part
        place = TextRange(self._cited, part.length) if part.length else None
        yield from self._answer.cite(part, place, held, missing=not_placed("$.choices[0].message.content"))
        self._cited = part.length

    def _references(self, chunk: Members) -> Iterator[Reference]:
        for one in items(member(chunk, "reference_ids")):
            if isinstance(one, int | str) and not isinstance(one, bool):
                yield self._documents.get(str(one)) or Reference(id=str(one))
        address, name = text(chunk, "url").strip(), title(chunk, "title")
        if address or name:
            where = read_address(address or name or "")
            yield Reference(
                id=where.id, url=where.url, name=name or where.name, text=title(chunk, "description")
            )
