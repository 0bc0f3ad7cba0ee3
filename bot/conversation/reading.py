"""A source's answer while it is being written, read into a stream of renderings."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable

from structlog.stdlib import BoundLogger

from citations import (
    AnswerEvent,
    AnswerFormatError,
    CitedAnswer,
    EventStreamError,
    Rendering,
    RenderingStream,
    TextDelta,
    TextReplaced,
)

from ..config.timeouts import Timeouts
from ..sources import SourceError
from ..telemetry import Ask, Cite, Cited, FirstText, emit, span
from ..telemetry.log import cause
from .outcome import CRASHED, TOO_SLOW, UNREADABLE, Outcome, outcome_of_error


class Reading:
    """Reads the events of one answer, as fast as they come and whatever becomes of them.

    The source is asked when ``turn`` comes. ``ending`` says why it ended early; None for an answer that
    is complete or still being written.
    """

    def __init__(
        self,
        answer: Callable[[], AsyncGenerator[AnswerEvent, None]],
        stream: Callable[[], RenderingStream],
        *,
        turn: Callable[[], Awaitable[object]],
        timeouts: Timeouts,
        log: BoundLogger,
    ) -> None:
        self.ending: Outcome | None = None
        self.cited: CitedAnswer | None = None
        """What the answer cites, once it is closed."""
        self.has_text = False
        self.ended = asyncio.Event()
        self.news = asyncio.Event()
        """Set when something came since the last :meth:`interim`, and when the answer has ended."""
        self._answer = answer
        self._new_stream = stream
        self._stream = stream()
        self._come: list[AnswerEvent] = []
        self._turn = turn
        self._timeouts = timeouts
        self._log = log
        self._task = asyncio.create_task(self._read())

    def stop(self, ending: Outcome) -> None:
        """End the answer here, unless it has ended: what comes from now on is not read."""
        if not self.ended.is_set():
            self._end(ending)
            self._task.cancel()

    def interim(self) -> Rendering | None:
        """What may be shown now, if that is more than was given before."""
        if not self.ended.is_set():
            self.news.clear()
        return self._stream.interim()

    def close(self) -> Rendering | None:
        """All that came, with a line below it where the answer broke off; None where there is no text."""
        if not self.has_text:
            return None
        with span(Cite()):
            ending = self.ending
            closed = self._stream.close() if ending is None else self._stream.interrupt(ending.notice)
            self.cited = cited = self._stream.cited
            emit(Cited(len(cited.citations), len(cited.references)))
        return closed

    def graph(self) -> tuple[dict[str, object], ...]:
        """The graph of what has come, with the labels that belong to a final and that no interim has."""
        stream = self._new_stream()
        for event in self._come:
            stream.feed(event)
        return stream.close().entities

    async def _read(self) -> None:
        try:
            await self._read_events()
        except SourceError as error:
            self._log.warning("source failed", cause=cause(error))
            self._end(outcome_of_error(error))
        except (AnswerFormatError, EventStreamError) as error:
            # The path says where to look; the fault itself may quote what was sent.
            path = getattr(error, "path", "")
            self._log.warning("answer unreadable", cause=cause(error), path=path)
            self._end(UNREADABLE)
        except TimeoutError:
            self._end(TOO_SLOW)
        except Exception as error:  # noqa: BLE001 - a person is waiting for a word
            self._log.error("answer failed", cause=cause(error))
            self._end(CRASHED)
        finally:
            self._end(None)

    async def _read_events(self) -> None:
        await self._turn()
        with span(Ask()):
            await self._read_answer()

    async def _read_answer(self) -> None:
        clock = asyncio.get_running_loop()
        begun = clock.time()
        latest = begun + self._timeouts.longest
        async with (
            contextlib.aclosing(self._answer()) as events,
            asyncio.timeout(self._timeouts.patience) as limit,
        ):
            async for event in events:
                if self.ended.is_set():  # stopped, and the source goes on in spite of being cancelled
                    return
                self._stream.feed(event)
                self._come.append(event)
                if not self.has_text and _has_text(event):
                    self.has_text = True
                    emit(FirstText(clock.time() - begun))
                self.news.set()
                limit.reschedule(min(clock.time() + self._timeouts.patience, latest))

    def _end(self, ending: Outcome | None) -> None:
        """The first reason counts: a source that is cancelled may fail over it."""
        if not self.ended.is_set():
            self.ending = ending
            self.ended.set()
            self.news.set()


def _has_text(event: AnswerEvent) -> bool:
    return isinstance(event, TextDelta | TextReplaced) and bool(event.text.strip())
