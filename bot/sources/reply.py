"""The bytes of one response into the events of an answer, whichever form the response has."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from typing import Final, Protocol

from citations import (
    Answer,
    AnswerEvent,
    AnswerFormatError,
    Cut,
    OriginKnown,
    ReferencesFound,
    SubqueriesKnown,
    TextCut,
    TextDelta,
)
from citations.readers import AnswerStream

from .errors import AnswerTooLong, cut_short
from .provider import Exchange

_LARGEST: Final = 4_000_000
"""Bytes of an answer that comes as one JSON body."""

Said = tuple[AnswerEvent, ...]


class ProviderReply(Protocol):
    """One answer as it arrives: feed it bytes, however they were cut, then close it.

    Both raise :class:`AnswerFormatError` or :class:`EventStreamError` behind what can be read.
    """

    @property
    def finished(self) -> bool:
        """The answer is whole, although the response may be open."""

    @property
    def cut(self) -> Cut | None:
        """Why the answer ends too early, once it is closed."""

    def feed(self, received: bytes) -> Iterator[Said]:
        """What these bytes complete."""
        ...

    def close(self) -> Iterator[Said]:
        """What the end of the response completes."""
        ...


def reply(
    content_type: str, read: Callable[[object], Answer], stream: Callable[[], AnswerStream]
) -> ProviderReply:
    """What reads a response of this media type; a gateway may send JSON in spite of ``stream``.

    A stream's reader says of anything else what it is.
    """
    return WholeReply(read) if content_type == "application/json" else stream()


async def events_of(
    answer: ProviderReply, exchange: Exchange, read: Callable[[], Awaitable[bytes]]
) -> AsyncGenerator[AnswerEvent, None]:
    """The events of ``answer``, as its response is ``read``; no bytes are its end.

    Raises what :func:`events_at_end` raises, behind them all.
    """
    while not answer.finished and (received := await exchange.next(read())):
        for events in answer.feed(received):
            for event in events:
                yield event
    for events in answer.close():
        for event in events:
            yield event
    for event in events_at_end(answer.cut):
        yield event


def events_of_body(answer: Answer) -> Said:
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

    def __init__(self, read: Callable[[object], Answer]) -> None:
        self.cut: Cut | None = None
        self._answer = read
        self._received = bytearray()

    def feed(self, received: bytes) -> Iterator[Said]:
        """Nothing: JSON can be read when it is whole."""
        self._received += received
        if len(self._received) > _LARGEST:
            raise AnswerTooLong("the answer has no end")
        yield from ()

    def close(self) -> Iterator[Said]:
        """The whole answer."""
        try:
            data = json.loads(self._received)
        except (ValueError, RecursionError):
            raise AnswerFormatError("not JSON") from None
        answer = self._answer(data)
        self.cut = answer.cut
        yield events_of_body(answer)
