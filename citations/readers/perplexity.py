"""Perplexity's answers: chat completions whose markers ``[1]`` number the web pages that it found.

Governing source: Perplexity API reference, "Chat Completions". ``citations`` has the URLs in the order of
the markers. ``search_results``, the newer field, also has titles and snippets. Its "Responses" have OpenAI's
annotations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..model.answer import Answer, AnswerEvent, Origin
from ..model.dialect import Dialect
from ..model.reference import Reference
from .answer_stream import AnswerStream, whole_answer
from .chat_piece import ChatPiece
from .conversion import iso_date
from .event_framing import EventsOrJson
from .finish_reason import FinishReason
from .loose_json import Members, documents_of, items, member, objects, text, title
from .numbered_chat import NumberedChat
from .open_responses import ResponseReader

_ORIGIN: Final = Origin(provider="Perplexity")


def read_perplexity(data: object) -> Answer:
    """Read a response of ``POST /chat/completions`` or ``/v1/responses``.

    The marker ``[1]`` cites the first page. Raises :class:`AnswerFormatError` with the JSON path.
    """
    events = PerplexityEvents()
    return whole_answer(events, events.read(data))


class PerplexityStream(AnswerStream):
    """The response to ``"stream": true``, as server-sent events or JSON lines: feed it bytes and close it.

    Chunks repeat the pages. Some streams have them in the last chunk only.
    """

    def __init__(self) -> None:
        super().__init__(EventsOrJson(), PerplexityEvents(), spans_at_end=True)


class PerplexityEvents:
    """One answer from a completion or its chunks, or from a response or its events."""

    def __init__(self) -> None:
        self._chat = NumberedChat(_ORIGIN, _references)
        self._responses: ResponseReader | None = None

    @property
    def dialect(self) -> Dialect | None:
        """How the answer is cited: by markers, or in a response by annotations."""
        return Dialect.NONE if self._responses else self._chat.dialect

    @property
    def finish(self) -> FinishReason:
        """Why the answer finishes."""
        return self._chat.finish

    def read(self, data: object) -> Iterator[AnswerEvent]:
        """The events of one document, or of an array of them; raises :class:`AnswerFormatError`."""
        for document in documents_of(data):
            if self._responses is None and (
                "output" in document or text(document, "type").startswith("response.")
            ):
                self._responses = ResponseReader(self.finish)
            yield from (self._responses or self._chat).read(document)

    def close(self) -> Iterator[AnswerEvent]:
        """Text that was held back."""
        yield from (self._responses or self._chat).close()


def _references(completion: Members, _: ChatPiece) -> tuple[Reference, ...]:
    """The cited pages in the order of the markers, then the other pages that were found."""
    results = list(objects(member(completion, "search_results")))
    described = {text(result, "url"): result for result in reversed(results)}
    cited = [url if isinstance(url, str) else "" for url in items(member(completion, "citations"))]
    pages = [described.get(url) or {"url": url} for url in cited]
    pages += (result for result in results if text(result, "url") not in cited)
    return tuple(_reference(number, page) for number, page in enumerate(pages, 1) if text(page, "url"))


def _reference(number: int, page: Members) -> Reference:
    return Reference(
        id=str(number),
        ordinal=True,
        url=text(page, "url"),
        name=title(page, "title"),
        text=title(page, "snippet"),
        modified=iso_date(member(page, "last_updated")) or iso_date(member(page, "date")),
    )
