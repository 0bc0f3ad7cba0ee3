"""The tasks under way: each runs within the time of its request, and after it in a proactive turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from botbuilder.core import TurnContext

from ..config.timeouts import Timeouts
from ..http.arrival import time_left
from ..telemetry.log import cause, logger
from .activity_log import LEASE_KEY
from .answer_task import AnswerTask
from .outcome import CLOSING, STOPPED, STOPPED_TOO, TOO_SLOW

log = logger(__name__)


@dataclass(slots=True, eq=False)
class Turns:
    """The tasks under way, each within its request's budget or, past it, proactively.

    ``app_id`` is the bot's, empty without credentials.
    """

    timeouts: Timeouts
    app_id: str = ""
    _under_way: dict[asyncio.Task[None], AnswerTask] = field(default_factory=dict, init=False)
    _following: dict[asyncio.Task[None], AnswerTask] = field(default_factory=dict, init=False)
    _judging: dict[asyncio.Task[None], AnswerTask] = field(default_factory=dict, init=False)
    """What asks judges about answers that people have."""

    def __iter__(self) -> Iterator[AnswerTask]:
        return iter(list(self._under_way.values()))

    async def run(self, task: AnswerTask) -> None:
        """Let ``task`` reply within the budget; what the budget has no time for follows proactively.

        Raises what ``task`` raises within the budget.
        """
        running = asyncio.create_task(task.say())
        self._under_way[running] = task
        running.add_done_callback(self._end)
        try:
            # Teams waits for the response to an invoke, which is none of the answer.
            budget = 0.0 if task.turn.activity.type == "invoke" else self.timeouts.budget
            done, _ = await asyncio.wait({running}, timeout=time_left(budget))
            if not done and task.turn.activity.delivery_mode == "expectReplies":
                # The caller reads the replies from this response and nowhere else.
                task.stop(TOO_SLOW)
            elif not done:
                self._follow(task, running)
                return
            await running
        except asyncio.CancelledError:
            running.cancel()
            raise

    def stop(self, is_meant: Callable[[AnswerTask], bool]) -> bool:
        """Stop the tasks that are meant; whether there are any.

        They say so in their order, and the same sentence once.
        """
        before: asyncio.Task[None] | None = None
        outcome = STOPPED
        for running, task in list(self._under_way.items()):
            if is_meant(task):
                task.stop(outcome, before)
                before = running
                if task.reader.outcome is STOPPED and not task.reader.has_text:
                    outcome = STOPPED_TOO
        return before is not None

    async def end(self, is_meant: Callable[[AnswerTask], bool]) -> None:
        """Stop the tasks that are meant, with their judges; nothing of them is remembered or told later.

        They have the time of a farewell to say that they were stopped.
        """

        def find(*kinds: dict[asyncio.Task[None], AnswerTask]) -> set[asyncio.Task[None]]:
            return {running for kind in kinds for running, task in kind.items() if is_meant(task)}

        self.stop(is_meant)
        if stopped := find(self._under_way, self._following):
            await asyncio.wait(stopped, timeout=self.timeouts.farewell)
        if left := find(self._under_way, self._following, self._judging):
            for running in left:
                running.cancel()
            await asyncio.wait(left)

    async def drain(self, limit: float) -> None:
        """Let the tasks finish within ``limit`` seconds, and interrupt those that do not.

        An interrupted answer ends with a sentence that says so. The last of the seconds are kept for it.
        No judge of an answer is waited for.
        """
        waiting = max(0.0, limit - self.timeouts.farewell)
        for task in self:
            if not task.turn.ticket.granted:
                task.stop(CLOSING)  # the process that comes next can answer it from the beginning
        if not await self._wait_for_all(waiting):
            log.warning("answers interrupted", count=len(self._under_way))
            for task in self:
                task.stop(CLOSING)
            await self._wait_for_all(limit - waiting)
        for running in (*self._tasks(), *self._judging):
            running.cancel()
        await self._wait_for_all(self.timeouts.farewell)

    async def _wait_for_all(self, limit: float) -> bool:
        tasks = self._tasks()
        return not tasks or not (await asyncio.wait(tasks, timeout=limit))[1]

    def _tasks(self) -> set[asyncio.Task[None]]:
        return {*self._under_way, *self._following}

    def _end(self, running: asyncio.Task[None]) -> None:
        task = self._under_way.pop(running)
        task.turn.ticket.release()
        if task.reader.doubts.judge and not running.cancelled() and not running.exception():
            judging = asyncio.create_task(self._judge(task))
            self._judging[judging] = task
            judging.add_done_callback(self._judging.pop)

    async def _judge(self, task: AnswerTask) -> None:
        """Have the answer judged that the person has, and tell what is doubtful in a proactive turn."""
        output = task.turn.output
        before = output.context
        try:
            doubts = await task.judge()
            if not doubts:
                return

            async def tell(context: TurnContext) -> None:
                output.context = context
                try:
                    await task.tell(doubts)
                except Exception as error:  # noqa: BLE001 - the adapter would excuse itself for a good answer
                    task.turn.log.error("doubts not told", cause=cause(error))

            reference = TurnContext.get_conversation_reference(before.activity)
            await before.adapter.continue_conversation(reference, tell, self.app_id)
        except Exception as error:  # noqa: BLE001 - the person has the answer
            task.turn.log.error("doubts not told", cause=cause(error))

    def _follow(self, task: AnswerTask, running: asyncio.Task[None]) -> None:
        following = asyncio.create_task(self._go_on(task, running))
        self._following[following] = task
        following.add_done_callback(self._following.pop)
        lease = task.turn.output.context.turn_state.get(LEASE_KEY)
        if lease is not None:
            lease.retain()
            following.add_done_callback(lambda _: lease.release())

    async def _go_on(self, task: AnswerTask, running: asyncio.Task[None]) -> None:
        """Go on in a proactive turn: the same answer, and the same stream."""
        output = task.turn.output
        before = output.context
        reference = TurnContext.get_conversation_reference(before.activity)

        async def continue_in(context: TurnContext) -> None:
            context.turn_state[LEASE_KEY] = before.turn_state.get(LEASE_KEY)
            output.context = context
            await running

        try:
            await before.adapter.continue_conversation(reference, continue_in, self.app_id)
        except Exception as error:  # noqa: BLE001 - no caller is above this task to hear of it
            log.error("follow-up failed", channel=reference.channel_id, cause=cause(error))
            # Where no turn could be opened, the answer is still being sent in the one before.
            await asyncio.wait({running})
            await task.keep()
