"""OpenAI's answers with citations: Responses, Chat Completions with annotations, and messages of agents.

Azure AI Foundry, xAI, OpenRouter and Mistral send the same forms. They are told apart by their shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..model.answer import Answer
from ..model.errors import AnswerFormatError
from .agent_message import AgentMessageReader
from .annotated_chat import ChatReader
from .answer_stream import AnswerStream, whole_answer
from .event_framing import EventsOrJson
from .finish_reason import FinishReason
from .json_stream import error_line
from .loose_json import Members, documents_of, inner, member, objects, text
from .open_responses import ResponseReader
from .shaped_events import ShapedEvents, ShapeReader


def read_openai(data: object) -> Answer:
    """Read a response of ``POST /responses`` or ``/chat/completions``, or an agent's message.

    ``data`` may also be an array of a stream's events. Each annotation becomes a span. A link or mark that
    the model wrote where it cites is replaced by the citation. Raises :class:`AnswerFormatError`.
    """
    events = _events()
    return whole_answer(events, events.read(data))


class OpenAIStream(AnswerStream):
    """The response to ``"stream": true``, as server-sent events or JSON lines: feed it bytes and close it."""

    def __init__(self) -> None:
        super().__init__(EventsOrJson(), _events(), spans_at_end=False)


def _events() -> ShapedEvents:
    return ShapedEvents(_documents, _reader_of)


def _documents(data: object) -> Iterator[Members]:
    for document in documents_of(data):
        if text(document, "type") == "error":
            raise AnswerFormatError(error_line(member(document, "error") or document))
        yield document


def _reader_of(data: Members) -> Callable[[FinishReason], ShapeReader]:
    if "choices" in data:
        return ChatReader
    content = next(objects(member(inner(data, "delta") or data, "content")), {})
    agents = text(data, "object", "event").startswith("thread.") or isinstance(
        data.get("data"), Mapping | list
    )
    return AgentMessageReader if agents or inner(content, "text") else ResponseReader
