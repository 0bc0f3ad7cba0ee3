"""The reader of one answer: it asks the answer source and turns its events into renderings."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from structlog.stdlib import BoundLogger

from citations import (
    AnswerEvent,
    AnswerFormatError,
    CitedAnswer,
    EventStreamError,
    Problem,
    ReferencesFound,
    Rendering,
    RenderingStream,
    TextDelta,
    TextReplaced,
)
from citations.doubts import Doubt, find_doubts
from citations.streaming import KEPT, Remark

from ..config.timeouts import Timeouts
from ..languages import Sentence, say
from ..resilience.clock import now
from ..resilience.steps import Breath, run_step, weigh
from ..sources import SourceError
from ..sources.room import Room, replying_in
from ..sources.step import listening, report_event
from ..telemetry import Ask, Cite, Cited, Doubted, FirstText, emit, is_observed, span
from ..telemetry.log import cause
from .doubt_marks import choose_shown, judge_support, write_remarks
from .doubt_options import DoubtOptions
from .outcome import CRASHED, TOO_SLOW, UNREADABLE, Outcome, find_outcome

_Stepped = TypeVar("_Stepped")


@dataclass(slots=True, kw_only=True, eq=False)
class AnswerReader:
    """Reads the events of one answer as fast as they come.

    ``answer`` asks the source for a reply to ``question`` in this ``room``, and ``stream`` renders what it
    says. ``doubts`` says who judges a complete answer, and whether its doubts are shown. The reader never
    raises: ``outcome`` says why the answer ended early. It is None for one that is complete or still being
    written.
    """

    question: str
    answer: Callable[[], AsyncGenerator[AnswerEvent, None]]
    room: Room
    open_stream: Callable[[], RenderingStream]
    doubts: DoubtOptions
    timeouts: Timeouts
    log: BoundLogger
    note_end: Callable[[], None]
    """Called when no more of the answer is read, so that another one may be."""
    stream: RenderingStream = field(init=False)
    """The stream of the answer, from when its source is asked: only then is its language known."""
    outcome: Outcome | None = field(default=None, init=False)
    cited: CitedAnswer | None = field(default=None, init=False)
    """What the answer cites, once it is closed."""
    problems: tuple[Problem, ...] = field(default=(), init=False)
    """The problems of the answer, once it is closed."""
    has_text: bool = field(default=False, init=False)
    step: str = field(default="", init=False)
    """What the source is doing, as a sentence; empty as long as it has not said so."""
    ended: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set when no more of the answer is read: it is complete, it failed, or it was stopped."""
    news: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set by an event or a step since the last :meth:`interim`, and when the answer has ended."""
    _doubts: tuple[Doubt, ...] | None = field(default=None, init=False)
    """The doubts about the answer, once they were looked for."""
    _shown: tuple[Doubt, ...] = field(default=(), init=False)
    """The doubts that the final shows."""
    _keeps_shown: bool = field(default=False, init=False)
    """Whether the final has what was shown, although the finished answer reads otherwise."""
    _is_judged: bool = field(default=False, init=False)
    """Whether the answer is complete, and the channel has its text, so that it may be judged."""
    _task: asyncio.Task[None] | None = field(default=None, init=False)
    _weight: int = field(default=0, init=False)
    """Characters of the text and of the passages so far."""
    _unread: int = field(default=0, init=False)
    """Characters that were fed since the stream has read its text."""
    _stepping: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """Held while a step, perhaps in a thread, uses the stream."""

    def start(self, turn: Callable[[], Awaitable[bool]]) -> None:
        """Read in a task of asyncio's, which asks the source when ``turn`` returns true."""
        self._task = asyncio.create_task(self._read(turn))

    def stop(self, outcome: Outcome) -> None:
        """End the answer with this outcome, unless it has ended: no later event is read."""
        if not self.ended.is_set():
            self._end(outcome)
            if self._task:
                self._task.cancel()

    async def interim(self) -> Rendering | None:
        """What may be shown now; None if that is no more than the last interim."""
        if not self.ended.is_set():
            self.news.clear()
        return await self._step(self.stream.interim) if self.has_text else None

    async def close(self) -> Rendering | None:
        """The whole answer, with a sentence below it where it broke off; None where there is no text."""
        return await self._step(self._close) if self.has_text else None

    def _close(self) -> Rendering:
        with span(Cite()):
            outcome = self.outcome
            # The last sentence of an answer that broke off may have half of a number.
            shows = outcome is None and self.doubts.marks is not False
            closed = (
                self.stream.close(self._remark if shows else None)
                if outcome is None
                else self.stream.interrupt(say(outcome.suffix))
            )
            self.cited = cited = self.stream.cited
            emit(Cited(len(cited.citations), len(cited.references)))
        if not closed.is_withheld and is_observed():
            self._doubts = find_doubts(cited, self.question) if self._doubts is None else self._doubts
        self._is_judged = outcome is None and not closed.is_withheld
        self._keeps_shown = outcome is None and any(one.code in KEPT for one in closed.problems)
        self.problems = (*closed.problems, *(doubt.problem for doubt in self._doubts or ()))
        for doubt in self._doubts or ():
            emit(Doubted(doubt.code.value))
        return closed

    async def rewrite(self) -> Rendering | None:
        """The finished answer, where the final had to keep what was shown and reads otherwise; else None."""
        return await self._step(self._rewrite) if self._keeps_shown else None

    def _rewrite(self) -> Rendering:
        rewritten = self.stream.rewrite(self._remark if self.doubts.marks is not False else None)
        self.cited, self.problems = self.stream.cited, rewritten.problems
        return rewritten

    async def judge(self) -> tuple[Doubt, ...]:
        """What the judge doubts of the closed answer, and people may see and do not see yet."""
        judge, cited = self.doubts.judge, self.cited
        if judge is None or cited is None or not self._is_judged:
            return ()
        doubts = await judge_support(judge, cited, self.log)
        for doubt in doubts:
            emit(Doubted(doubt.code.value))
        self.log.info("support judged", doubts=len(doubts))
        marked = {one.place for one in self._shown}
        return tuple(one for one in doubts if self.doubts.marks is not False and one.place not in marked)

    async def annotate(self, doubts: Sequence[Doubt]) -> tuple[Rendering, Rendering]:
        """The closed answer with these ``doubts``, too, and a message with them alone."""
        return await self._step(lambda: self._annotate(doubts))

    def _annotate(self, doubts: Sequence[Doubt]) -> tuple[Rendering, Rendering]:
        stream = self.stream
        alone = write_remarks(doubts, stream.cited, say(Sentence.OF_LAST_ANSWER))
        remarks = write_remarks((*self._shown, *doubts), stream.cited)
        return stream.annotate(remarks), stream.annotate(alone, alone=True)

    def _remark(self, cited: CitedAnswer) -> tuple[Remark, ...]:
        """What is said of doubts in the final."""
        if self.doubts.marks is None and not cited.origin.generated:
            return ()  # what a folder quotes needs no second look
        self._doubts = find_doubts(cited, self.question)
        self._shown = choose_shown(self._doubts, self.doubts.marks)
        return write_remarks(self._shown, cited)

    async def _read(self, turn: Callable[[], Awaitable[bool]]) -> None:
        try:
            if not await turn():
                return
            self.stream = self.open_stream()
            with span(Ask()), listening(self._note_step), replying_in(self.room):
                await self._read_events()
        except SourceError as error:
            self.log.warning("source failed", cause=cause(error))
            self._end(find_outcome(error))
        except (AnswerFormatError, EventStreamError) as error:
            # The path says where to look; the fault itself may quote what was sent.
            path = getattr(error, "path", "")
            self.log.warning("answer unreadable", cause=cause(error), path=path)
            self._end(UNREADABLE)
        except TimeoutError:
            self._end(TOO_SLOW)
        except Exception as error:  # noqa: BLE001 - a person is waiting for a word
            self.log.error("answer failed", cause=cause(error))
            self._end(CRASHED)
        finally:
            self._end(None)

    async def _read_events(self) -> None:
        begun, breath = now(), Breath()
        latest = begun + self.timeouts.longest
        async with (
            contextlib.aclosing(self.answer()) as events,
            asyncio.timeout(self.timeouts.patience) as limit,
        ):
            async for event in events:
                if self.ended.is_set():  # a source may go on although its task was cancelled
                    return
                await self._feed(event)
                if not self.has_text:
                    report_event(event)
                if not self.has_text and _has_text(event):
                    self.has_text = True
                    emit(FirstText(now() - begun))
                self.news.set()
                limit.reschedule(min(now() + self.timeouts.patience, latest))
                await breath.take()

    async def _feed(self, event: AnswerEvent) -> None:
        """Give the stream an event: one that is no piece of text has it read the text so far."""
        weight = _weigh(event)
        self._weight += weight
        self._unread += weight
        async with self._stepping:
            await run_step(lambda: self.stream.feed(event), self._unread)
        if not isinstance(event, TextDelta):
            self._unread = 0

    async def _step(self, step: Callable[[], _Stepped]) -> _Stepped:
        """What ``step`` makes of the whole stream."""
        async with self._stepping:
            self._unread = 0
            return await run_step(step, self._weight)

    def _note_step(self, step: str) -> None:
        self.step = step
        self.news.set()

    def _end(self, outcome: Outcome | None) -> None:
        """The first outcome counts: a source that is cancelled may fail because of that."""
        if not self.ended.is_set():
            self.outcome = outcome
            self.ended.set()
            self.news.set()
            self.note_end()


def _weigh(event: AnswerEvent) -> int:
    """The characters of an event that take time."""
    match event:
        case TextDelta(text) | TextReplaced(text):
            return weigh(text, ())
        case ReferencesFound(references):
            return weigh("", references)
        case _:
            return 0


def _has_text(event: AnswerEvent) -> bool:
    return isinstance(event, TextDelta | TextReplaced) and bool(event.text.strip())
