"""The reader of one answer: it asks the answer source and turns its events into renderings."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final

from structlog.stdlib import BoundLogger

from citations import (
    AnswerEvent,
    AnswerFormatError,
    CitedAnswer,
    EventStreamError,
    Problem,
    Rendering,
    RenderingStream,
    TextDelta,
    TextReplaced,
)
from citations.doubts import Doubt, DoubtCode, find_doubts

from ..config.timeouts import Timeouts
from ..messages import say
from ..resilience.clock import now
from ..sources import SourceError
from ..sources.step import listening, report_event
from ..telemetry import Ask, Cite, Cited, Doubted, FirstText, emit, span
from ..telemetry.log import cause
from .doubt_marks import judge_support, write_marks
from .doubt_options import DoubtOptions
from .outcome import CRASHED, TOO_SLOW, UNREADABLE, Outcome, find_outcome

_DOUBTS: Final = frozenset(code.value for code in DoubtCode)


class AnswerReader:
    """Reads the events of one answer as fast as they come.

    ``answer`` asks the source, and ``stream`` renders what it says. ``doubts`` says who judges a complete
    answer, and whether its doubts are shown below it. The reader never raises: ``outcome`` says why the
    answer ended early. It is None for an answer that is complete or still being written.
    """

    def __init__(
        self,
        answer: Callable[[], AsyncGenerator[AnswerEvent, None]],
        stream: RenderingStream,
        *,
        doubts: DoubtOptions | None = None,
        timeouts: Timeouts,
        log: BoundLogger,
    ) -> None:
        self.outcome: Outcome | None = None
        self.cited: CitedAnswer | None = None
        """What the answer cites, once it is closed."""
        self.problems: tuple[Problem, ...] = ()
        """The problems of the answer, once it is closed."""
        self.has_text = False
        self.step = ""
        """What the source is doing, as a sentence; empty as long as it has not said so."""
        self.ended = asyncio.Event()
        """Set when no more of the answer is read: it is complete, it failed, or it was stopped."""
        self.news = asyncio.Event()
        """Set when an event or a step has come since the last :meth:`interim`, and when the answer has
        ended."""
        self._answer = answer
        self._stream = stream
        self._doubts = doubts or DoubtOptions()
        self._judged: tuple[Doubt, ...] = ()
        """The doubts of the model that judges support."""
        self._timeouts = timeouts
        self._log = log
        self._task: asyncio.Task[None] | None = None

    def start(self, turn: Callable[[], Awaitable[bool]]) -> None:
        """Read in a task of asyncio's, which asks the source when ``turn`` returns true."""
        self._task = asyncio.create_task(self._read(turn))

    def stop(self, outcome: Outcome) -> None:
        """End the answer with this outcome, unless it has ended: no later event is read."""
        if not self.ended.is_set():
            self._end(outcome)
            if self._task:
                self._task.cancel()

    def interim(self) -> Rendering | None:
        """What may be shown now; None if that is no more than the last interim."""
        if not self.ended.is_set():
            self.news.clear()
        return self._stream.interim()

    def close(self) -> Rendering | None:
        """The whole answer, with a sentence below it where it broke off; None where there is no text."""
        if not self.has_text:
            return None
        with span(Cite()):
            outcome = self.outcome
            # The last sentence of an answer that broke off may have half of a number.
            if self._doubts.marks and outcome is None and (marks := self._write_marks()):
                self._stream.append(marks)
            closed = self._stream.close() if outcome is None else self._stream.interrupt(say(outcome.suffix))
            self.cited = cited = self._stream.cited
            emit(Cited(len(cited.citations), len(cited.references)))
        self.problems = (*closed.problems, *(doubt.problem for doubt in self._judged))
        for problem in self.problems:
            if problem.code in _DOUBTS:
                emit(Doubted(problem.code))
        return closed

    def _write_marks(self) -> str:
        draft = self._stream.draft()
        return write_marks((*find_doubts(draft), *self._judged)) if draft else ""

    def final_graph(self) -> tuple[dict[str, object], ...]:
        """The graph that the answer would have if it ended here, with its sensitivity labels."""
        return self._stream.final_graph()

    async def _read(self, turn: Callable[[], Awaitable[bool]]) -> None:
        try:
            if not await turn():
                return
            with span(Ask()), listening(self._note_step):
                await self._read_events()
            await self._judge()
        except SourceError as error:
            self._log.warning("source failed", cause=cause(error))
            self._end(find_outcome(error))
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
        begun = now()
        latest = begun + self._timeouts.longest
        async with (
            contextlib.aclosing(self._answer()) as events,
            asyncio.timeout(self._timeouts.patience) as limit,
        ):
            async for event in events:
                if self.ended.is_set():  # a source may go on although its task was cancelled
                    return
                self._stream.feed(event)
                if not self.has_text:
                    report_event(event)
                if not self.has_text and _has_text(event):
                    self.has_text = True
                    emit(FirstText(now() - begun))
                self.news.set()
                limit.reschedule(min(now() + self._timeouts.patience, latest))

    async def _judge(self) -> None:
        """Have the complete answer judged, where a model does."""
        judge = self._doubts.judge
        if judge and self.has_text and not self.ended.is_set() and (draft := self._stream.draft()):
            self._judged = await judge_support(judge, draft, self._log)

    def _note_step(self, step: str) -> None:
        self.step = step
        self.news.set()

    def _end(self, outcome: Outcome | None) -> None:
        """The first outcome counts: a source that is cancelled may fail because of that."""
        if not self.ended.is_set():
            self.outcome = outcome
            self.ended.set()
            self.news.set()


def _has_text(event: AnswerEvent) -> bool:
    return isinstance(event, TextDelta | TextReplaced) and bool(event.text.strip())
