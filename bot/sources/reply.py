"""Reads the bytes of one response, a stream or one JSON body, as the events of an answer."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Final

from citations import (
    Answer,
    AnswerEvent,
    AnswerFormatError,
    Cut,
    Dialect,
    EventStreamError,
    OriginKnown,
    ReferencesFound,
    SpanFound,
    TextCut,
    TextDelta,
    TextReplaced,
)
from citations.markers import AnswerSoFar
from citations.model import DialectKnown, ProblemFound, SubqueriesKnown
from citations.readers import AnswerStream, ProviderFormat, SurrogatePairs

from ..languages import wording
from ..resilience.steps import iterate, run_step, weigh
from .errors import AnswerEmpty, AnswerTooLong, CutLater, SourceBrokeOff, SourceTimedOut, cut_short
from .provider import LONGEST_ANSWER, Exchange, Provider, ProviderResponse, read_json


class TrimmedText:
    """Trims a text that comes in deltas. White space is held back until other text follows it."""

    def __init__(self) -> None:
        self.begun = False
        """Whether there was any text to show."""
        self._pairs = SurrogatePairs()
        self._spaces: list[str] = []
        self._before = 0
        """The characters of white space that were left out before the text."""
        self._shown = 0
        """The characters that are shown so far."""

    def feed(self, delta: str) -> str:
        """The text that is shown for this delta; it may be empty."""
        return self._trim(self._pairs.feed(delta))

    def close(self) -> str:
        """The text that is shown at the end; it may be empty."""
        return self._trim(self._pairs.close())

    def _trim(self, text: str) -> str:
        # Half of a surrogate pair is no character, so U+FFFD replaces it.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        if not self.begun:
            self._before += len(text) - len(text.lstrip())
            text = text.lstrip()
        shown = text.rstrip()
        spaces = text[len(shown) :]
        if shown:
            self.begun = True
            shown = "".join([*self._spaces, shown])
            self._spaces.clear()
        if spaces:
            self._spaces.append(spaces)
        self._shown += len(shown)
        return shown

    def move(self, span: SpanFound) -> SpanFound:
        """``span``, whose offsets count from the start of the deltas, with those of the shown text."""
        start, end = (max(0, offset - self._before) for offset in (span.start, span.end))
        if end <= self._shown + sum(map(len, self._spaces)):
            # Nothing but white space stands behind what is shown.
            start, end = min(start, self._shown), min(end, self._shown)
        return replace(span, start=start, end=end)


EPILOGUE: Final = 2.0
"""The timeout in seconds for what follows a finished answer: the count of tokens, and ``[DONE]``."""


async def read_reply(
    response: ProviderResponse, exchange: Exchange, form: ProviderFormat, *, epilogue: float | None = None
) -> AsyncGenerator[AnswerEvent, None]:
    """The events of the answer in ``response``, with its text as :class:`TrimmedEvents` gives it.

    A gateway may send one JSON body although a stream was requested. Every other response is read as a
    stream, and its errors say what is wrong with it. ``epilogue`` is the timeout in seconds for what may
    follow a finished answer, such as a count of tokens. The answer is whole even if that part fails.
    Raises what :func:`events_at_end` raises, after all events.
    """
    if response.content_type == "application/json":
        for event in trimmed_events(await read_json(lambda: exchange.next(response.read()), form.read)):
            yield event
        return
    answer, trimmed = form.stream(), TrimmedEvents()
    while not answer.finished and (received := await _receive(response, exchange, answer, epilogue)):
        events = trimmed.feed(chain.from_iterable(answer.feed(received)))
        async for event in iterate(events, len(received)):
            yield event
    try:
        for event in trimmed.feed(chain.from_iterable(answer.close())):
            yield event
    except (AnswerFormatError, EventStreamError):
        if epilogue is None or not answer.complete:
            raise
    for event in trimmed.feed(events_at_end(answer.cut)):
        yield event
    for event in trimmed.close():
        yield event


async def ask_provider(
    provider: Provider,
    request: Callable[[contextlib.AsyncExitStack], Awaitable[ProviderResponse]],
    form: ProviderFormat,
    *,
    epilogue: float | None = None,
) -> AsyncGenerator[AnswerEvent, None]:
    """The events of :func:`read_reply` for one request in an exchange of its own."""
    async with provider.exchange() as exchange:
        response = await exchange.open(lambda: request(exchange.stack))
        async with contextlib.aclosing(read_reply(response, exchange, form, epilogue=epilogue)) as events:
            async for event in events:
                yield event


async def _receive(
    response: ProviderResponse, exchange: Exchange, answer: AnswerStream, epilogue: float | None
) -> bytes:
    if epilogue is None or not answer.complete:
        return await exchange.next(response.read())
    exchange.shorten(epilogue)
    try:
        return await exchange.next(response.read())
    except (SourceBrokeOff, SourceTimedOut):
        return b""


def trimmed_events(answer: Answer) -> Iterator[AnswerEvent]:
    """The events of an answer that came in one piece, in the form that :func:`read_reply` gives."""
    trimmed = TrimmedEvents()
    yield from trimmed.feed(_list_events(answer))
    yield from trimmed.close()


def _list_events(answer: Answer) -> Iterator[AnswerEvent]:
    yield OriginKnown(answer.origin)
    yield ReferencesFound(answer.references)
    if answer.subqueries:
        yield SubqueriesKnown(answer.subqueries)
    if answer.dialect is Dialect.NONE:
        yield DialectKnown(answer.dialect)
    for problem in answer.problems:
        yield ProblemFound(problem)
    yield TextDelta(answer.text)
    for span in answer.spans:
        yield SpanFound(span.start, span.end, span.ids, span.replaces)
    if answer.cut:
        yield TextCut(answer.cut)
    yield from events_at_end(answer.cut)


class TrimmedEvents:
    """The events of an answer without white space around its text."""

    def __init__(self) -> None:
        self._text, self._length = TrimmedText(), 0

    def feed(self, events: Iterable[AnswerEvent]) -> Iterator[AnswerEvent]:
        """The next events. Raises :class:`AnswerTooLong` behind :data:`LONGEST_ANSWER` characters."""
        for event in events:
            match event:
                case SpanFound():
                    yield self._text.move(event)
                case TextReplaced(text):
                    self._count(text)
                    self._text = TrimmedText()
                    yield TextReplaced(self._text.feed(text))
                case TextDelta(text):
                    self._count(text)
                    if shown := self._text.feed(text):
                        yield TextDelta(shown)
                case _:
                    yield event

    def close(self) -> Iterator[AnswerEvent]:
        """The end of the text. Raises :class:`AnswerEmpty` where there is no text."""
        if text := self._text.close():
            yield TextDelta(text)
        if not self._text.begun:
            raise AnswerEmpty("the answer has no words")

    def _count(self, text: str) -> None:
        self._length += len(text)
        if self._length > LONGEST_ANSWER:
            raise AnswerTooLong("the answer has no end")


async def list_uncited_sources(
    events: AsyncGenerator[AnswerEvent, None],
    so_far: AnswerSoFar,
    provider: str,
    names: Callable[[Collection[str]], Awaitable[Mapping[str, str]]] | None = None,
    *,
    searched: bool = False,
) -> AsyncGenerator[AnswerEvent, None]:
    """``events``, then a list of the sources that the answer was made from, if it cites none of them.

    ``so_far`` notes all events. ``names`` looks up the names of sources that have only an id. ``searched``
    says that the provider found the sources and may have used none. An answer that its model did not finish
    has this list, too; its error is raised after the list.
    """
    with CutLater() as cut:
        async with contextlib.aclosing(events):
            async for event in events:
                so_far.note(event)
                yield event
    size = weigh(so_far.text, so_far.references)
    if sources := await run_step(so_far.uncited_sources, size):
        known = await names([one.id for one in sources if not one.name]) if names else {}
        for event in so_far.list_events(provider, sources, known, searched=searched, wording=wording()):
            so_far.note(event)
            yield event
    cut.raise_if_cut()


def events_at_end(cut: Cut | None) -> Iterator[AnswerEvent]:
    """The events at the end of a response: none, if its answer is complete.

    Raises the error of :func:`~.errors.cut_short` for an incomplete answer. Its references are complete,
    because the response itself was read to its end.
    """
    if cut:
        yield ReferencesFound((), complete=True)
        raise cut_short(cut)
