"""OpenAI's answers with citations: Responses, Chat Completions with annotations, and messages of agents.

Azure AI Foundry, xAI, OpenRouter and Mistral send the same forms. They are told apart by their shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from ..model.answer import Answer, AnswerEvent
from ..model.dialect import Dialect
from ..model.errors import AnswerFormatError
from .agent_message import AgentMessageReader
from .annotated_chat import ChatReader
from .answer_stream import AnswerStream, whole_answer
from .event_framing import EventsOrJson
from .finish_reason import FinishReason
from .json_stream import error_line
from .loose_json import Members, documents_of, inner, member, objects, text
from .open_responses import ResponseReader


class _Reader(Protocol):
    def read(self, data: Members) -> Iterator[AnswerEvent]: ...

    def close(self) -> Iterator[AnswerEvent]: ...


def read_openai(data: object) -> Answer:
    """Read a response of ``POST /responses`` or ``/chat/completions``, or an agent's message.

    ``data`` may also be an array of a stream's events. Each annotation becomes a span. A link or mark that
    the model wrote where it cites is replaced by the citation. Raises :class:`AnswerFormatError`.
    """
    events = OpenAIEvents()
    return whole_answer(events, events.read(data))


class OpenAIStream(AnswerStream):
    """The response to ``"stream": true``, as server-sent events or JSON lines: feed it bytes and close it."""

    def __init__(self) -> None:
        super().__init__(EventsOrJson(), OpenAIEvents(), spans_at_end=False)


class OpenAIEvents:
    """One answer from the events of its stream, or from a whole response.

    A link is held back until its annotation comes, or until 64 more characters have come.
    """

    def __init__(self) -> None:
        self.dialect: Dialect | None = Dialect.NONE
        self.finish = FinishReason()
        self._reader: _Reader | None = None

    def read(self, data: object) -> Iterator[AnswerEvent]:
        """The events of one document, or of an array of them; raises :class:`AnswerFormatError`."""
        for document in documents_of(data):
            if text(document, "type") == "error":
                raise AnswerFormatError(error_line(member(document, "error") or document))
            if self._reader is None:
                self._reader = _reader_of(document, self.finish)
            yield from self._reader.read(document)

    def close(self) -> Iterator[AnswerEvent]:
        """Text that was held back."""
        if self._reader:
            yield from self._reader.close()


def _reader_of(data: Members, finish: FinishReason) -> _Reader:
    if "choices" in data:
        return ChatReader(finish)
    content = next(objects(member(inner(data, "delta") or data, "content")), {})
    agents = text(data, "object", "event").startswith("thread.") or isinstance(
        data.get("data"), Mapping | list
    )
    return AgentMessageReader(finish) if agents or inner(content, "text") else ResponseReader(finish)
