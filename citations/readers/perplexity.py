"""Perplexity's answers: chat completions whose markers ``[1]`` number the web pages that it found.

Governing source: Perplexity API reference, "Chat Completions". ``citations`` has the URLs in the order of
the markers. ``search_results``, the newer field, also has titles and snippets. Its "Responses" have OpenAI's
annotations.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model.answer import Dialect
from ..model.reference import Reference
from .conversion import iso_date
from .loose_json import Members, items, member, objects, text, title
from .numbered_chat import NumberedChat
from .open_responses import ResponseReader, is_response
from .shaped_events import ShapedEvents, ShapeReader


class PerplexityEvents(ShapedEvents):
    """Reads a response of ``POST /chat/completions`` or ``/v1/responses``.

    The marker ``[1]`` cites the first page. Raises :class:`AnswerFormatError` with the JSON path.

    Chunks repeat the pages. Some streams have them in the last chunk only.
    """

    def __init__(self) -> None:
        super().__init__("perplexity", _reader_of, dialect=Dialect.NUMBERED)


def _reader_of(data: Members) -> ShapeReader:
    return _PerplexityResponse() if is_response(data) else NumberedChat(_references, "Perplexity")


class _PerplexityResponse(ResponseReader):
    provider = "Perplexity"
    spans_at_end = True


def _references(completion: Members, _: Members) -> Iterator[Reference]:
    """The cited pages in the order of the markers, then the other pages that were found."""
    results = list(objects(member(completion, "search_results")))
    described = {text(result, "url"): result for result in reversed(results)}
    cited = [url if isinstance(url, str) else "" for url in items(member(completion, "citations"))]
    pages = [described.get(url) or {"url": url} for url in cited]
    pages += (result for result in results if text(result, "url") not in cited)
    return (_reference(number, page) for number, page in enumerate(pages, 1) if text(page, "url"))


def _reference(number: int, page: Members) -> Reference:
    return Reference(
        id=str(number),
        ordinal=True,
        url=text(page, "url"),
        name=title(page, "title"),
        text=title(page, "snippet"),
        modified=iso_date(member(page, "last_updated")) or iso_date(member(page, "date")),
    )
