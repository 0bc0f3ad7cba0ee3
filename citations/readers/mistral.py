"""Mistral's answers: a chunk of references stands behind the text that it is about.

Governing source: Mistral AI API reference, "Chat" (``reference`` chunks) and "Conversations"
(``tool_reference`` chunks of agents with a connector). Its Responses have OpenAI's annotations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model.answer_event import AnswerEvent
from ..model.reference import Reference
from ..model.typed import expect_items
from .anchor import TextRange, not_placed
from .chat_completion import read_piece
from .loose_json import Members, documents_of, inner, items, member, objects, text, title
from .open_responses import ResponseReader, is_response
from .shaped_events import PlaceReader, ShapedEvents, ShapeReader
from .source_address import describe_source


class MistralEvents(ShapedEvents):
    """Reads a chat completion, or the outputs of a conversation with an agent.

    ``documents`` are what the caller's tool gave the model. Their ids are those of the reference chunks.
    Raises :class:`AnswerFormatError`.
    """

    def __init__(self, *, documents: Sequence[Reference] = ()) -> None:
        def choose(data: Members) -> ShapeReader:
            return _MistralResponse() if is_response(data) else ReferenceChunks(documents)

        super().__init__("mistral", choose, documents=_documents)


def _documents(data: object) -> Iterator[Members]:
    # A saved server-sent event may have its data one level deeper.
    return (inner(one, "data") or one for one in documents_of(data))


class _MistralResponse(ResponseReader):
    provider = "Mistral"


class ReferenceChunks(PlaceReader):
    """One answer from the chunks of its stream, or from a whole response."""

    provider = "Mistral"
    spans_at_end = False

    def __init__(self, documents: Sequence[Reference]) -> None:
        super().__init__()
        self._documents = {one.id: one for one in expect_items(documents, Reference, "documents")}
        self._cited = 0
        """Where the text begins that no reference chunk was about yet."""
        self._held: list[Reference] = []
        self._blank = ""
        """White space at the end of the text. A badge comes before it."""

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document."""
        kind = text(data, "type")
        if "choices" in data:
            yield from self._content(read_piece(data, self.finish).content)
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

    def close(self) -> Iterator[AnswerEvent]:
        """The references of the last text, and text that was held back."""
        yield from self._end_run()
        yield from self._answer.add(self._blank)
        yield from super().close()

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
        if held:
            part = self._answer.part
            place = TextRange(self._cited, part.length) if part.length else None
            missing = not_placed("$.choices[0].message.content")
            yield from self._answer.cite(part, place, held, missing=missing)
            self._cited = part.length

    def _references(self, chunk: Members) -> Iterator[Reference]:
        for one in items(member(chunk, "reference_ids")):
            if isinstance(one, int | str) and not isinstance(one, bool):
                yield self._documents.get(str(one)) or Reference(id=str(one))
        name = title(chunk, "title")
        if address := text(chunk, "url").strip() or name:
            yield describe_source(address, name, text=title(chunk, "description"))
