"""The bytes of one response into the events of an answer, whichever form the response has."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterator, Mapping
from typing import Final, Protocol

from citations import (
    Answer,
    AnswerEvent,
    AnswerFormatError,
    Cut,
    EventStreamError,
    OriginKnown,
    ReferencesFound,
    SubqueriesKnown,
    TextCut,
    TextDelta,
    TextReplaced,
)
from citations.markers import AnswerSoFar
from citations.readers import AnswerStream

from ..messages import wording
from .errors import AnswerTooLong, CutLater, SourceBrokeOff, SourceTimedOut, cut_short
from .provider import LONGEST_ANSWER, Exchange, JsonBody
from .trimmed_text import TrimmedText

EPILOGUE: Final = 2.0
"""Seconds for what follows a finished answer: the count of tokens, and ``[DONE]``."""

Said = tuple[AnswerEvent, ...]


class ProviderReply(Protocol):
    """One answer as it arrives: feed it bytes, however they were cut, then close it.

    Both raise :class:`AnswerFormatError` or :class:`EventStreamError` behind what can be read.
    """

    @property
    def finished(self) -> bool:
        """The answer is whole, although the response may be open."""

    @property
    def complete(self) -> bool:
        """The model has written all that it will."""

    @property
    def cut(self) -> Cut | None:
        """Why the answer ends too early, once it is closed."""

    def feed(self, received: bytes) -> Iterator[Said]:
        """What these bytes complete."""
        ...

    def close(self) -> Iterator[Said]:
        """What the end of the response completes."""
        ...


class Response(Protocol):
    """A provider's response, before its body."""

    content_type: str

    async def read(self) -> bytes:
        """The next bytes; none at the end. Raises :class:`SourceBrokeOff`."""
        ...


def read_reply(
    response: Response,
    exchange: Exchange,
    read: Callable[[object], Answer],
    stream: Callable[[], AnswerStream],
    *,
    epilogue: float | None = None,
) -> AsyncGenerator[AnswerEvent, None]:
    """The events of the answer in ``response``, with no white space around the text.

    A gateway may send JSON in spite of ``stream``. The reader of a stream says of anything else what it is.
    With ``epilogue``, an answer whose model has finished waits only so many seconds for what may follow,
    such as a count of tokens, and is whole whatever becomes of that. Raises, behind all events, what
    :func:`events_at_end` raises; :class:`AnswerTooLong` for more than :data:`LONGEST_ANSWER` characters,
    and :class:`AnswerFormatError` where there is no text.
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
    """The events of ``answer``, as its response is ``read``; no bytes are its end."""
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
    """An answer that comes in one piece, as :func:`read_reply` gives the others."""
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
    """``events``, then a list of what the answer was made from, where it cites nothing of it.

    ``so_far`` notes all of them. ``names`` looks up the names of sources that have only an id. An answer
    that its model did not finish has its list, too, and its error is raised behind that.
    """
    with CutLater() as cut:
        async with contextlib.aclosing(events):
            async for event in events:
                so_far.note(event)
                yield event
    if sources := so_far.uncited_sources():
        known = await names([one.id for one in sources if not one.name]) if names else {}
        listed = TextDelta(so_far.list_sources(provider, sources, known, wording=wording()))
        so_far.note(listed)
        yield listed
    cut.raise_if_cut()


def _events_of_body(answer: Answer) -> Said:
    """The events of an answer that came in one piece."""
    return (
        OriginKnown(answer.origin),
        ReferencesFound(answer.references),
        *((SubqueriesKnown(answer.subqueries),) if answer.subqueries else ()),
        TextDelta(answer.text),
        *((TextCut(answer.cut),) if answer.cut else ()),
    )


def events_at_end(cut: Cut | None) -> Iterator[AnswerEvent]:
    """What is to be said at the end of a response: nothing, if its answer is complete.

    Raises :func:`~.errors.cut_short` for one that isn't. Its references are: the response itself was
    read to its end.
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

    def feed(self, received: bytes) -> Iterator[Said]:
        """Nothing: JSON can be read when it is whole."""
        self._body.feed(received)
        yield from ()

    def close(self) -> Iterator[Said]:
        """The whole answer."""
        answer = self._answer(self._body.decode())
        self.cut = answer.cut
        yield _events_of_body(answer)
