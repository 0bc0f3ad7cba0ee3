"""Reads the bytes of one response, a stream or one JSON body, as the events of an answer."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterator, Mapping
from typing import Final, Protocol

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
from citations.readers import AnswerStream

from ..messages import wording
from .errors import AnswerTooLong, CutLater, SourceBrokeOff, SourceTimedOut, cut_short
from .provider import LONGEST_ANSWER, Exchange, JsonBody
from .trimmed_text import TrimmedText

EPILOGUE: Final = 2.0
"""The timeout in seconds for what follows a finished answer: the count of tokens, and ``[DONE]``."""

AnswerEvents = tuple[AnswerEvent, ...]


class ProviderReply(Protocol):
    """One answer as it arrives: feed it bytes in chunks of any size, then close it.

    Both methods raise :class:`AnswerFormatError` or :class:`EventStreamError`, after the events of what
    can be read.
    """

    @property
    def finished(self) -> bool:
        """Whether the answer is whole, although the response may still be open."""

    @property
    def complete(self) -> bool:
        """Whether the model has written its last text."""

    @property
    def cut(self) -> Cut | None:
        """Why the answer ends too early, if it does; known after :meth:`close`."""

    def feed(self, received: bytes) -> Iterator[AnswerEvents]:
        """The events that these bytes complete."""
        ...

    def close(self) -> Iterator[AnswerEvents]:
        """The events that the end of the response completes."""
        ...


class Response(Protocol):
    """A provider's response, whose body is not read yet."""

    content_type: str

    async def read(self) -> bytes:
        """The next bytes; empty at the end. Raises :class:`SourceBrokeOff`."""
        ...


def read_reply(
    response: Response,
    exchange: Exchange,
    read: Callable[[object], Answer],
    stream: Callable[[], AnswerStream],
    *,
    epilogue: float | None = None,
) -> AsyncGenerator[AnswerEvent, None]:
    """The events of the answer in ``response``, without white space around the text.

    A gateway may send one JSON body although a stream was requested; ``read`` reads that. The reader
    that ``stream`` makes reads every other response, and its errors say what is wrong with it.
    ``epilogue`` is the timeout in seconds for what may follow a finished answer, such as a count of
    tokens. The answer is whole even if that part fails. Raises :class:`AnswerTooLong` for more
    than :data:`LONGEST_ANSWER` characters, and :class:`AnswerFormatError` where there is no text. Raises
    what :func:`events_at_end` raises, after all events.
    """
    answer = WholeReply(read) if response.content_type == "application/json" else stream()
    return _trim(_events_of(answer, exchange, response.read, epilogue=epilogue))


async def _events_of(
    answer: ProviderReply,
    exchange: Exchange,
    read: Callable[[], Awaitable[bytes]],
    *,
    epilogue: float | None,
) -> AsyncGenerator[AnswerEvent, None]:
    """The events of ``answer``; ``read`` gives the next bytes of its response, and none at its end."""
    while not answer.finished and (received := await _receive(answer, exchange, read, epilogue)):
        for events in answer.feed(received):
            for event in events:
                yield event
    try:
        for events in answer.close():
            for event in events:
                yield event
    except (AnswerFormatError, EventStreamError):
        if epilogue is None or not answer.complete:
            raise
    for event in events_at_end(answer.cut):
        yield event


async def _receive(
    answer: ProviderReply,
    exchange: Exchange,
    read: Callable[[], Awaitable[bytes]],
    epilogue: float | None,
) -> bytes:
    if epilogue is None or not answer.complete:
        return await exchange.next(read())
    exchange.shorten(epilogue)
    try:
        return await exchange.next(read())
    except (SourceBrokeOff, SourceTimedOut):
        return b""


def read_whole(coming: Awaitable[Answer]) -> AsyncGenerator[AnswerEvent, None]:
    """The events of an answer that comes in one piece, in the form that :func:`read_reply` gives."""
    return _trim(_events_of_whole(coming))


async def _events_of_whole(coming: Awaitable[Answer]) -> AsyncGenerator[AnswerEvent, None]:
    answer = await coming
    for event in _events_of_body(answer):
        yield event
    for event in events_at_end(answer.cut):
        yield event


async def _trim(events: AsyncGenerator[AnswerEvent, None]) -> AsyncGenerator[AnswerEvent, None]:
    trimmed, length = TrimmedText(), 0
    async with contextlib.aclosing(events):
        async for event in events:
            if isinstance(event, SpanFound):
                yield trimmed.move(event)
                continue
            if not isinstance(event, TextDelta | TextReplaced):
                yield event
                continue
            length += len(event.text)
            if length > LONGEST_ANSWER:
                raise AnswerTooLong("the answer has no end")
            if isinstance(event, TextReplaced):
                trimmed = TrimmedText()
                yield TextReplaced(trimmed.feed(event.text))
            elif text := trimmed.feed(event.text):
                yield TextDelta(text)
    if text := trimmed.close():
        yield TextDelta(text)
    if not trimmed.begun:
        raise AnswerFormatError("expected text, got none")


async def list_uncited_sources(
    events: AsyncGenerator[AnswerEvent, None],
    so_far: AnswerSoFar,
    provider: str,
    names: Callable[[Collection[str]], Awaitable[Mapping[str, str]]] | None = None,
) -> AsyncGenerator[AnswerEvent, None]:
    """``events``, then a list of the sources that the answer was made from, if it cites none of them.

    ``so_far`` notes all events. ``names`` looks up the names of sources that have only an id. An answer
    that its model did not finish has this list, too; its error is raised after the list.
    """
    with CutLater() as cut:
        async with contextlib.aclosing(events):
            async for event in events:
                so_far.note(event)
                yield event
    if sources := so_far.uncited_sources():
        known = await names([one.id for one in sources if not one.name]) if names else {}
        for event in so_far.list_events(provider, sources, known, wording=wording()):
            so_far.note(event)
            yield event
    cut.raise_if_cut()


def _events_of_body(answer: Answer) -> AnswerEvents:
    """The events of an answer that came in one piece."""
    return (
        OriginKnown(answer.origin),
        ReferencesFound(answer.references),
        *((SubqueriesKnown(answer.subqueries),) if answer.subqueries else ()),
        *((DialectKnown(answer.dialect),) if answer.dialect is Dialect.NONE else ()),
        *map(ProblemFound, answer.problems),
        TextDelta(answer.text),
        *(SpanFound(span.start, span.end, span.ids, span.replaces) for span in answer.spans),
        *((TextCut(answer.cut),) if answer.cut else ()),
    )


def events_at_end(cut: Cut | None) -> Iterator[AnswerEvent]:
    """The events at the end of a response: none, if its answer is complete.

    Raises the error of :func:`~.errors.cut_short` for an incomplete answer. Its references are complete,
    because the response itself was read to its end.
    """
    if cut:
        yield ReferencesFound((), complete=True)
        raise cut_short(cut)


class WholeReply:
    """An answer that comes as one JSON body."""

    finished: Final = False
    complete: Final = False

    def __init__(self, read: Callable[[object], Answer]) -> None:
        self.cut: Cut | None = None
        self._answer = read
        self._body = JsonBody()

    def feed(self, received: bytes) -> Iterator[AnswerEvents]:
        """No events yet, because JSON is decoded as a whole."""
        self._body.feed(received)
        yield from ()

    def close(self) -> Iterator[AnswerEvents]:
        """The events of the whole answer."""
        answer = self._answer(self._body.decode())
        self.cut = answer.cut
        yield _events_of_body(answer)
