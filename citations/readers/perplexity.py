"""Perplexity's answers: chat completions whose markers ``[1]`` number the web pages that it found.

Governing source: Perplexity API reference, "Chat Completions". ``citations`` has the URLs in the order of
the markers. ``search_results``, the newer field, also has titles and snippets.
"""

from __future__ import annotations

from typing import Final

import msgspec

from ..model.answer import Answer, Origin
from ..model.reference import Reference
from .answer_stream import AnswerStream, whole_answer
from .chat_completion import ChatCompletion, ChatCompletionEvents, ChatMessage
from .conversion import iso_date, none_if_blank
from .json_stream import JsonEvents


class _SearchResult(msgspec.Struct):
    url: str | None = None
    title: str | None = None
    snippet: str | None = None
    date: str | None = None
    last_updated: str | None = None


class _PerplexityCompletion(ChatCompletion[ChatMessage]):
    citations: list[str | None] | None = None
    search_results: list[_SearchResult | None] | None = None


_ORIGIN: Final = Origin(provider="Perplexity")


def read_perplexity(data: object) -> Answer:
    """Read a response of ``POST /chat/completions``.

    The marker ``[1]`` cites the first page. Raises :class:`AnswerFormatError` with the JSON path.
    """
    events = _events()
    return whole_answer(events, events.read(data))


class PerplexityStream(AnswerStream):
    """The response to ``"stream": true``, as server-sent events: feed it bytes and close it.

    Chunks repeat the pages. Some streams have them in the last chunk only.
    """

    def __init__(self) -> None:
        super().__init__(JsonEvents(), _events())


def _events() -> ChatCompletionEvents[_PerplexityCompletion]:
    return ChatCompletionEvents(_PerplexityCompletion, _references, origin=_ORIGIN)


def _references(completion: _PerplexityCompletion) -> tuple[Reference, ...]:
    """The cited pages in the order of the markers, then the other pages that were found."""
    results = [result or _SearchResult() for result in completion.search_results or ()]
    described = {result.url: result for result in reversed(results)}
    cited = completion.citations or ()
    pages = [described.get(url) or _SearchResult(url=url) for url in cited]
    pages += (result for result in results if result.url not in cited)
    return tuple(_reference(number, page) for number, page in enumerate(pages, 1) if page.url)


def _reference(number: int, page: _SearchResult) -> Reference:
    return Reference(
        id=str(number),
        ordinal=True,
        url=page.url,
        name=none_if_blank(page.title),
        text=none_if_blank(page.snippet),
        modified=iso_date(page.last_updated) or iso_date(page.date),
    )
