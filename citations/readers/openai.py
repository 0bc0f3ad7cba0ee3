"""OpenAI's answers with citations: Responses, Chat Completions with annotations, and messages of agents.

Azure AI Foundry, xAI, OpenRouter and Mistral send the same forms. They are told apart by their shape.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from ..model.answer_event import AnswerEvent
from ..model.reference import Reference
from .chat_completion import read_piece, texts_of
from .finish_reason import FinishReason
from .loose_json import Members, documents_of, inner, items, member, number, objects, text
from .numbered_chat import NumberedChat
from .open_responses import ResponseReader
from .openai_annotation import Annotation, read_annotation
from .output_text import OutputText
from .search_results import pages_found
from .shaped_events import PlaceReader, ShapedEvents, ShapeReader

_NUMBER: Final = re.compile(r"\[\d{1,3}\]")


class OpenAIEvents(ShapedEvents):
    """Reads a response of ``POST /responses`` or ``/chat/completions``, or an agent's message.

    ``data`` may also be an array of a stream's events. Each annotation becomes a span. A link or mark that
    the model wrote where it cites is replaced by the citation. Raises :class:`AnswerFormatError`.
    """

    def __init__(self) -> None:
        super().__init__("openai", _reader_of, documents=_documents)


def _documents(data: object) -> Iterator[Members]:
    """The documents in ``data``, out of the Agents SDK's envelopes (``agents.items``, ``stream_events``).

    Its events beside those of the model repeat what these said.
    """
    for one in documents_of(data):
        kind = text(one, "type")
        if kind == "raw_response_event":
            yield inner(one, "data")
        elif not kind.endswith("_stream_event"):
            yield inner(one, "raw_item") or one


def _reader_of(data: Members) -> ShapeReader:
    if "choices" in data:
        return NumberedChat(_Pages().read, "") if _numbers_pages(data) else ChatReader()
    content = next(objects(member(inner(data, "delta") or data, "content")), {})
    agents = text(data, "object", "event").startswith("thread.") or isinstance(
        data.get("data"), Mapping | list
    )
    return AgentMessageReader() if agents or inner(content, "text") else ResponseReader()


def _numbers_pages(completion: Members) -> bool:
    """Whether ``[1]`` is the first annotation's page, as Perplexity's models write it through OpenRouter.

    Their annotations have no place.
    """
    piece = read_piece(completion, FinishReason())
    found = list(_annotations(piece.message))
    if any(one.placed for one in found):
        return False
    marked = any(_NUMBER.search(said) for said in texts_of(piece.content))
    return text(completion, "provider") == "Perplexity" or bool(found and marked)


def _annotations(message: Members) -> Iterator[Annotation]:
    listed = objects(member(message, "annotations"))
    return (found for one in listed if (found := read_annotation(one, {})))


class _Pages:
    """Numbers the pages of one answer. OpenRouter's chunks have one annotation each, others all so far."""

    def __init__(self) -> None:
        self._known: list[str] = []

    def read(self, _: Members, message: Members) -> Iterator[Reference]:
        """The pages of a message, or of a piece of it."""
        found = [one.reference for one in _annotations(message)]
        ids = [one.id for one in found]
        before = 0 if ids[: len(self._known)] == self._known[: len(ids)] else len(self._known)
        self._known[before : before + len(ids)] = ids
        for position, one in enumerate(found, before + 1):
            yield replace(one, id=str(position), ordinal=True)


class ChatReader(PlaceReader):
    """One answer from a chat completion or its chunks, whose messages have annotations.

    OpenRouter's annotations come with the first chunk, and have no place. Groq's searches have pages, and
    nothing says which of them is cited.
    """

    def __init__(self) -> None:
        super().__init__()
        self._part = OutputText(self._answer)

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one completion or chunk."""
        piece = read_piece(data, self.finish)
        said = "".join(texts_of(piece.content))
        yield from self._part.complete(said) if piece.whole else self._part.add(said)
        for index, one in enumerate(objects(member(piece.message, "annotations"))):
            yield from self._part.annotate(one, {}, f"{piece.path}.annotations[{index}]")
        for tool in objects(member(piece.message, "executed_tools")):
            yield from self._answer.find(
                pages_found({"content": member(inner(tool, "search_results"), "results")})
            )
        # xAI's search has URLs beside the choices, without a place.
        for url in items(member(data, "citations")):
            yield from self._part.annotate({"type": "url_citation", "url": url}, {}, "$.citations")

    def close(self) -> Iterator[AnswerEvent]:
        """Text that was held back."""
        yield from self._part.close()
        yield from super().close()


class AgentMessageReader(PlaceReader):
    """One answer from a message of an agent, from a list of messages, or from the events of a run.

    Governing source: OpenAI API reference, "Assistants": ``content[].text`` has ``value`` and
    ``annotations``, and an annotation has the words that it replaces, such as ``【4:1†a.pdf】``.
    """

    spans_at_end = False

    def __init__(self) -> None:
        super().__init__()
        self._parts: dict[tuple[str, int], OutputText] = {}
        self._part = OutputText(self._answer)

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document."""
        # Server-sent events of some SDKs were saved as {"event": "thread.message.delta", "data": {…}}.
        data = inner(data, "data") or data
        kind = text(data, "object")
        if kind == "list" or ("content" not in data and isinstance(data.get("data"), list)):
            yield from self._newest(data)
        elif kind.startswith("thread.run") or text(data, "role") == "user":
            self.finish.note("stop" if text(data, "status") == "completed" else None)
        else:
            delta = inner(data, "delta")
            self.finish.note(None if delta or text(data, "status") == "in_progress" else "stop")
            yield from self._message(delta or data, text(data, "id"), whole=not delta)

    def close(self) -> Iterator[AnswerEvent]:
        """Text that was held back."""
        yield from self._part.close()
        yield from super().close()

    def _newest(self, data: Members) -> Iterator[AnswerEvent]:
        """Read the newest message of a list that no person wrote. Lists are sorted either way."""
        messages = [one for one in objects(member(data, "data")) if text(one, "role") != "user"]
        newest = max(messages, key=lambda one: number(one, "created_at") or 0, default=None)
        if newest:
            self.finish.note("stop")
            yield from self._message(newest, text(newest, "id"), whole=True)

    def _message(self, message: Members, name: str, *, whole: bool) -> Iterator[AnswerEvent]:
        for position, content in enumerate(objects(member(message, "content"))):
            index = number(content, "index")
            yield from self._go_to((name, position if index is None else index))
            said = inner(content, "text")
            value = text(said, "value") or text(content, "text", "refusal")
            yield from self._part.complete(value) if whole else self._part.add(value)
            for place, annotation in enumerate(objects(member(said, "annotations"))):
                path = f"$.content[{position}].text.annotations[{place}]"
                yield from self._part.annotate(annotation, {}, path)

    def _go_to(self, key: tuple[str, int]) -> Iterator[AnswerEvent]:
        if key not in self._parts:
            yield from self._part.close()
            self._answer.set_apart()
            self._part = OutputText(self._answer)
        self._part = self._parts.setdefault(key, self._part)
