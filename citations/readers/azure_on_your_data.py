"""Azure OpenAI On Your Data: chat completions whose markers ``[doc1]`` number the citations of the context.

Microsoft has deprecated it. Governing source: Microsoft Learn, "Azure OpenAI On Your Data", ``context``.
"""

from __future__ import annotations

from typing import Final

from ..model.answer import Answer, Origin
from ..model.reference import Reference
from .answer_stream import AnswerStream, whole_answer
from .chat_piece import ChatPiece
from .conversion import others
from .event_framing import EventsOrJson
from .loose_json import Members, inner, member, objects, text, title
from .numbered_chat import NumberedChat
from .source_address import read_address

_ORIGIN: Final = Origin(provider="Azure OpenAI")


def read_azure_on_your_data(data: object) -> Answer:
    """Read a chat completion: ``[doc1]`` cites the first of ``context.citations``."""
    events = NumberedChat(_ORIGIN, _references)
    return whole_answer(events, events.read(data))


class AzureOnYourDataStream(AnswerStream):
    """The response to ``"stream": true``, whose first chunk has the context: feed it bytes and close it."""

    def __init__(self) -> None:
        super().__init__(EventsOrJson(), NumberedChat(_ORIGIN, _references))


def _references(_: Members, piece: ChatPiece) -> tuple[Reference, ...]:
    cited = objects(member(inner(piece.message, "context"), "citations"))
    return tuple(_reference(number, one) for number, one in enumerate(cited, 1))


def _reference(number: int, citation: Members) -> Reference:
    address = text(citation, "url", "filepath").strip()
    where = read_address(address) if address else None
    name = title(citation, "title") or (where.name if where else None)
    url = where.url if where else None
    return Reference(
        id=str(number),
        ordinal=True,
        url=url,
        name=name,
        text=title(citation, "content"),
        aliases=others((text(citation, "filepath"), text(citation, "chunk_id"), address), name, url),
    )
