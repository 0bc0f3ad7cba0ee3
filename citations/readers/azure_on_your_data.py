"""Azure OpenAI On Your Data: chat completions whose markers ``[doc1]`` number the citations of the context.

Microsoft has deprecated it. Governing source: Microsoft Learn, "Azure OpenAI On Your Data", ``context``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model.answer import Dialect
from ..model.reference import Reference
from .loose_json import Members, inner, member, objects, text, title
from .numbered_chat import NumberedChat
from .shaped_events import ShapedEvents
from .source_address import describe_source


class AzureOnYourDataEvents(ShapedEvents):
    """Reads a chat completion: ``[doc1]`` cites the first of ``context.citations``."""

    def __init__(self) -> None:
        super().__init__("azure-on-your-data", _reader_of, dialect=Dialect.NUMBERED)


def _reader_of(_: Members) -> NumberedChat:
    return NumberedChat(_references, "Azure OpenAI")


def _references(_: Members, message: Members) -> Iterator[Reference]:
    cited = objects(member(inner(message, "context"), "citations"))
    return (_reference(number, one) for number, one in enumerate(cited, 1))


def _reference(number: int, citation: Members) -> Reference:
    return describe_source(
        text(citation, "url", "filepath").strip(),
        title(citation, "title"),
        key=str(number),
        ordinal=True,
        names=(text(citation, "filepath"), text(citation, "chunk_id")),
        text=title(citation, "content"),
    )
