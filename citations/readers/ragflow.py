"""RAGFlow's answers: markers ``[ID:20]`` name the chunks that it found.

Governing source: RAGFlow's HTTP API reference, "Create chat completion" and "Converse with chat assistant".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..model.answer import Dialect
from ..model.answer_event import AnswerEvent, ReferencesFound
from ..model.errors import AnswerFormatError
from ..model.reference import Reference
from .chat_completion import ChatText
from .conversion import new_references
from .loose_json import Members, inner, items, member, number, text, title
from .numbered_chat import NumberedChat
from .shaped_events import ShapedEvents, ShapeReader
from .source_address import describe_source


class RagflowEvents(ShapedEvents):
    """Reads a chat completion of its OpenAI-compatible API, or its own response.

    ``[ID:20]`` cites the chunk that the response has under ``20``, or as its twenty-first. Raises
    :class:`AnswerFormatError`.
    """

    def __init__(self) -> None:
        super().__init__("ragflow", _reader_of, dialect=Dialect.NUMBERED)


def _reader_of(data: Members) -> ShapeReader:
    if "choices" in data:
        return NumberedChat(lambda _, message: _references(member(message, "reference")), "RAGFlow")
    return _OwnEvents()


class _OwnEvents(ShapeReader):
    """RAGFlow's own response, or its events: ``answer`` is a piece or, in the older form, all so far."""

    provider = "RAGFlow"
    dialect = Dialect.NUMBERED

    def __init__(self) -> None:
        super().__init__()
        self._text = ChatText()
        self._all = ""
        self._thinks = False
        self._found: set[Reference] = set()

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document, which reports a fault by its ``code``."""
        if number(data, "code"):
            raise AnswerFormatError(f"the provider reported an error: {text(data, 'message')}", "$.message")
        told = member(data, "data")
        if not isinstance(told, Mapping):
            self.finish.note("stop")
            return
        self._thinks = (self._thinks or member(told, "start_to_think") is True) and not member(
            told, "end_to_think"
        )
        if new := new_references(_references(member(told, "reference")), self._found):
            yield ReferencesFound(new)
        answer = text(told, "answer")
        if not answer or self._thinks:
            return
        if self._all and (answer.startswith(self._all) or member(told, "final") is True):
            self._all = answer
            yield from self._text.replace(answer)
        else:
            self._all += answer
            yield from self._text.add(answer)

    def close(self) -> Iterator[AnswerEvent]:
        """The text that was held back, because it might have become a thought."""
        yield from self._text.close()


def _references(found: object) -> Iterator[Reference]:
    """The chunks: an object by the markers' numbers, or an array of which the first is 0."""
    chunks = member(found, "chunks")
    listed = chunks.items() if isinstance(chunks, Mapping) else enumerate(items(chunks))
    return (_reference(str(name), one) for name, one in listed if isinstance(one, Mapping))


def _reference(name: str, chunk: Members) -> Reference:
    document = title(chunk, "document_name", "docnm_kwd")
    about = inner(chunk, "document_metadata")
    # Where there are no pages, the positions repeat the number of the chunk.
    is_paged = (document or "").lower().endswith(".pdf")
    positions = [items(one) for one in items(member(chunk, "positions"))] if is_paged else []
    first = [one[0] for one in positions if one and isinstance(one[0], int) and one[0] > 0]
    return describe_source(
        (text(chunk, "url") or text(about, "url", "source_url")).strip(),
        document,
        key=name,
        ordinal=True,
        names=(text(chunk, "document_id", "doc_id"), text(chunk, "id", "chunk_id")),
        pages=(min(first), max(first)) if first else (None, None),
        text=title(chunk, "content", "content_with_weight"),
    )
