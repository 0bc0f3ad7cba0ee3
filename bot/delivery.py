"""One answer into one turn: typing meanwhile, in time or as a follow-up, and never nothing."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

from botbuilder.core import TurnContext

from citations import CitationStream, CitedAnswer, LabelRanking, channel, render

from . import activities
from .log import cause, logger
from .sources import AnswerSource, SourceError

GENERAL_EXCUSE: Final = "Something went wrong while I was answering. Please try again."
TOO_SLOW: Final = "That took longer than I can wait. Please try again, or ask for something narrower."

_TYPING_CHANNELS: Final = frozenset({"webchat", "directline", "emulator", "msteams"})
"""Elsewhere a typing activity is shown as nothing, or sent as an empty message (SMS)."""

log = logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How long things may take, in seconds."""

    budget: float = 12.0
    """Within the request. Channels give up after 15 s, and Teams then sends the activity again."""
    patience: float = 120.0
    """For the whole answer, follow-up included."""
    typing_after: float = 0.4
    """A quicker answer comes without dots."""
    typing_every: float = 3.0
    """Web Chat takes the dots away after 5 s."""
    farewell: float = 2.0
    """For a typing activity that is on its way when the answer is ready, so that it can't come after."""


class Delivery:
    """Asks a source and says its answer in the turn, or after it where the turn's budget is spent.

    ``live_hosts`` may keep their links in an answer; ``app_id`` is the bot's, empty without
    credentials.
    """

    def __init__(
        self,
        source: AnswerSource,
        *,
        live_hosts: frozenset[str] = frozenset(),
        ranking: LabelRanking | None = None,
        app_id: str = "",
        pace: Pace | None = None,
    ) -> None:
        self._source = source
        self._live_hosts = live_hosts
        self._ranking = ranking
        self._app_id = app_id
        self._pace = pace or Pace()
        self._following: set[asyncio.Task[None]] = set()

    async def deliver(self, context: TurnContext, question: str) -> None:
        """Answer ``question`` with exactly one message, whatever fails."""
        answering = asyncio.create_task(self._answer(question, context.activity))
        try:
            if await self._done(context, answering, self._pace.budget):
                await context.send_activity(answering.result())
            elif context.activity.delivery_mode == "expectReplies":
                # The caller reads the replies from this response and nowhere else.
                answering.cancel()
                await context.send_activity(activities.sentence(TOO_SLOW))
            else:
                self._follow(context, answering)
        except BaseException:
            answering.cancel()
            raise

    async def drain(self, limit: float) -> None:
        """Let the follow-ups that are under way finish for up to ``limit`` seconds, then cancel them."""
        if not self._following:
            return
        _, late = await asyncio.wait(self._following, timeout=limit)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        if late:
            log.warning("follow-ups cancelled", count=len(late))

    def _follow(self, context: TurnContext, answering: asyncio.Task[Any]) -> None:
        reference = TurnContext.get_conversation_reference(context.activity)
        task = asyncio.create_task(self._say_later(context.adapter, reference, answering))
        self._following.add(task)
        task.add_done_callback(self._following.discard)

    async def _say_later(self, adapter: Any, reference: Any, answering: asyncio.Task[Any]) -> None:
        """Answer proactively: a turn of our own, opened now so that the typing goes on."""

        async def say(context: TurnContext) -> None:
            await self._done(context, answering, None)
            await context.send_activity(await answering)

        try:
            await adapter.continue_conversation(reference, say, self._app_id)
        except Exception as error:  # noqa: BLE001 - nobody is above this task to hear of it
            log.error("follow-up lost", channel=reference.channel_id, cause=cause(error))
        finally:
            answering.cancel()

    async def _done(self, context: TurnContext, answering: asyncio.Task[Any], limit: float | None) -> bool:
        async with typing(context, self._pace):
            done, _ = await asyncio.wait({answering}, timeout=limit)
        return bool(done)

    async def _answer(self, question: str, asked: Any) -> Any:
        """The activity to say; an error becomes one sentence to the person and one event in the log."""
        event = log.bind(channel=asked.channel_id, conversation=short(asked.conversation.id))
        started = time.monotonic()
        try:
            async with asyncio.timeout(self._pace.patience):
                cited = await self._ask(question)
            rendering = render(
                cited, channel(asked.channel_id), ranking=self._ranking, live_hosts=self._live_hosts
            )
        except SourceError as error:
            event.warning("source failed", cause=cause(error), seconds=_since(started))
            return activities.sentence(error.spoken)
        except TimeoutError:
            event.warning("source too slow", seconds=_since(started))
            return activities.sentence(TOO_SLOW)
        except Exception as error:  # noqa: BLE001 - a person is waiting for a word
            event.error("answer failed", cause=cause(error), seconds=_since(started))
            return activities.sentence(GENERAL_EXCUSE)
        event.info(
            "answered",
            seconds=_since(started),
            characters=len(rendering.text),
            citations=len(cited.citations),
            references=len(cited.references),
            problems=sorted({problem.code for problem in rendering.problems}),
        )
        return activities.answer(rendering)

    async def _ask(self, question: str) -> CitedAnswer:
        stream = CitationStream()
        async for event in self._source.answer(question):
            stream.feed(event)
        return stream.close()


@contextlib.asynccontextmanager
async def typing(context: TurnContext, pace: Pace) -> AsyncIterator[None]:
    """Show typing while the block runs, on channels that show it; none is sent after the block."""
    shows = (
        context.activity.channel_id in _TYPING_CHANNELS and context.activity.delivery_mode != "expectReplies"
    )
    stop = asyncio.Event()
    task = asyncio.create_task(_type_until(stop, context, pace)) if shows else None
    try:
        yield
    finally:
        stop.set()
        if task is not None:
            await asyncio.wait({task}, timeout=pace.farewell)
            task.cancel()


async def _type_until(stop: asyncio.Event, context: TurnContext, pace: Pace) -> None:
    pause = pace.typing_after
    while not await _set_within(stop, pause):
        try:
            await context.send_activity(activities.typing())
        except Exception as error:  # noqa: BLE001 - the dots are a courtesy; the answer reports what is broken
            log.warning("typing not sent", channel=context.activity.channel_id, cause=cause(error))
            return
        pause = pace.typing_every


async def _set_within(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False


def short(conversation_id: str) -> str:
    """Enough of a conversation's id to find its events in the log, too little to post into it."""
    return conversation_id[:8]


def _since(started: float) -> float:
    return round(time.monotonic() - started, 3)
