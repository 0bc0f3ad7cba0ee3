"""A message that may ask for more of the last answer, in its conversation's order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ..config.timeouts import Timeouts
from ..connector import activities
from ..sources import SourceError
from .answering import Answering
from .final import send_final
from .follow_up import FollowUpReply
from .outcome import CLOSING, Outcome
from .queue import Ticket
from .turns import TurnOutput


@dataclass(slots=True, kw_only=True, eq=False)
class FollowUpTask:
    """Says more about the last answer, or answers a message that is a question after all.

    Which it is shows at its turn: two ``more`` in a row must not read the same part. ``late`` says what
    could not be delivered before, ``follow`` gives what there is to say, ``remember`` is awaited when it
    was said, and ``answer`` begins the answer to a question.
    """

    output: TurnOutput
    place: Ticket
    timeouts: Timeouts
    follow: Callable[[], Awaitable[FollowUpReply | None]]
    late: Callable[[TurnOutput], Awaitable[None]]
    remember: Callable[[FollowUpReply], Awaitable[None]]
    answer: Callable[[TurnOutput, Ticket], Answering]
    _answering: Answering | None = None
    _ending: Outcome | None = None

    def stop(self, ending: Outcome) -> None:
        """End the waiting, or the answer; a passage that is being said is said."""
        self._ending = ending
        if self._answering:
            self._answering.stop(ending)
        elif not self.place.held:
            self.place.leave()

    async def keep(self) -> None:
        """Keep an answer; a passage can be asked for again."""
        if self._answering:
            await self._answering.keep()

    async def say(self) -> None:
        """Say it to its end. Raises what the SDK raises where it could not be sent."""
        if not await self.place.wait_turn():
            await self.output.send(activities.sentence((self._ending or CLOSING).spoken))
            return
        await self.late(self.output)
        try:
            following = await self.follow()
        except SourceError as error:
            await self.output.send(activities.sentence(error.spoken))
            return
        if following is None:
            self._answering = self.answer(self.output, self.place)
            if self._ending:  # it came while that was being found out
                self._answering.stop(self._ending)
            await self._answering.say()
            return
        for message in activities.messages(following.said):
            await send_final(self.output.send, message, None, self.timeouts)
        await self.remember(following)
