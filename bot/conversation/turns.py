"""What is being said in turns: within the time of a request, and after it in a turn of our own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from botbuilder.core import TurnContext

from ..config.timeouts import Timeouts
from ..http.arrival import time_left
from ..telemetry.log import cause, logger
from .activity_log import TAKEN
from .outcome import CLOSING, TOO_SLOW, Outcome
from .queue import Ticket

log = logger(__name__)


@dataclass(slots=True, eq=False)
class TurnOutput:
    """Where something is said: ``context`` is another turn's once the first one's request is over."""

    context: TurnContext

    async def send(self, activity: Any) -> Any:
        """Say ``activity``; what the channel answered."""
        return await self.context.send_activity(activity)

    async def ours(self) -> bool:
        """Whether no other replica has taken over what is said here."""
        taken = self.context.turn_state.get(TAKEN)
        return taken is None or await taken.ours()


class TurnTask(Protocol):
    """Something that is said in a turn, and may go on after it."""

    output: TurnOutput
    place: Ticket

    async def say(self) -> None:
        """Say it to its end."""

    def stop(self, ending: Outcome) -> None:
        """Come to an end now, and say why."""

    async def keep(self) -> None:
        """Keep what could not be said, and of which nobody could be told."""


@dataclass(slots=True, eq=False)
class Turns:
    """What is under way, each within its request's budget or, past it, proactively."""

    timeouts: Timeouts
    app_id: str = ""
    _under_way: dict[asyncio.Task[None], tuple[TurnTask, Any]] = field(default_factory=dict, init=False)
    """What is being said or waits for its turn, with the activities that asked for it."""
    _following: set[asyncio.Task[None]] = field(default_factory=set, init=False)

    def __iter__(self) -> Iterator[tuple[TurnTask, Any]]:
        return iter(list(self._under_way.values()))

    async def take(self, saying: TurnTask, asked: Any) -> None:
        """Say ``saying``, which ``asked`` asked for; what the budget has no time for follows.

        Raises what ``saying`` raises within the budget.
        """
        task = asyncio.create_task(self._say(saying))
        self._under_way[task] = (saying, asked)
        task.add_done_callback(self._over)
        try:
            done, _ = await asyncio.wait({task}, timeout=time_left(self.timeouts.budget))
            if not done and asked.delivery_mode == "expectReplies":
                # The caller reads the replies from this response and nowhere else.
                saying.stop(TOO_SLOW)
            elif not done:
                self._follow(saying, task)
                return
            await task
        except asyncio.CancelledError:
            task.cancel()
            raise

    async def drain(self, limit: float) -> None:
        """Let what is under way be finished within ``limit`` seconds, and interrupt what is not.

        It ends with a line that says so, for which the last of the seconds are kept.
        """
        waiting = max(0.0, limit - self.timeouts.farewell)
        for saying, _ in self:
            if not saying.place.held:
                saying.stop(CLOSING)  # what has not been begun is better asked of whoever comes after us
        if not await self._wait_for_all(waiting):
            log.warning("answers interrupted", count=len(self._under_way))
            for saying, _ in self:
                saying.stop(CLOSING)
            await self._wait_for_all(limit - waiting)
        for task in self._tasks():
            task.cancel()
        await self._wait_for_all(self.timeouts.farewell)

    async def _wait_for_all(self, limit: float) -> bool:
        tasks = self._tasks()
        return not tasks or not (await asyncio.wait(tasks, timeout=limit))[1]

    def _tasks(self) -> set[asyncio.Task[None]]:
        return {*self._under_way, *self._following}

    async def _say(self, saying: TurnTask) -> None:
        waited = asyncio.get_running_loop().call_later(self.timeouts.longest, _too_long, saying)
        try:
            await saying.say()
        finally:
            waited.cancel()

    def _over(self, task: asyncio.Task[None]) -> None:
        saying, _ = self._under_way.pop(task)
        saying.place.leave()

    def _follow(self, saying: TurnTask, task: asyncio.Task[None]) -> None:
        following = asyncio.create_task(self._say_later(saying, task))
        self._following.add(following)
        following.add_done_callback(self._following.discard)
        taken = saying.output.context.turn_state.get(TAKEN)
        if taken is not None:
            taken.hold()
            following.add_done_callback(lambda _: taken.let_go())

    async def _say_later(self, saying: TurnTask, task: asyncio.Task[None]) -> None:
        """Go on proactively: the same answer, and the same stream, in a turn of our own."""
        before = saying.output.context
        reference = TurnContext.get_conversation_reference(before.activity)

        async def go_on(context: TurnContext) -> None:
            context.turn_state[TAKEN] = before.turn_state.get(TAKEN)
            saying.output.context = context
            await task

        try:
            await before.adapter.continue_conversation(reference, go_on, self.app_id)
        except Exception as error:  # noqa: BLE001 - nobody is above this task to hear of it
            log.error("follow-up failed", channel=reference.channel_id, cause=cause(error))
            # Where no turn could be opened, the answer is still being said in the one before.
            await asyncio.wait({task})
            await saying.keep()


def _too_long(saying: TurnTask) -> None:
    """What has waited for its turn as long as an answer may take is not waited for any more."""
    if not saying.place.held:
        saying.stop(TOO_SLOW)
