"""The task of a message that may ask for more of the last answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from ..connector import activities
from ..messages import find_language, say, speak
from ..sources import SourceError
from ..sources.permission import Permission
from .answer_task import AnswerTask
from .final_message import send_final
from .follow_up import FollowUpReply, FollowUps
from .follow_up_request import FollowUpRequest
from .last_answer import AnswerMemory
from .last_answer_access import restrict_answer
from .outbox import Outbox
from .outcome import CLOSING, Outcome
from .turns import QuestionTurn


@dataclass(slots=True, kw_only=True, eq=False)
class FollowUpTask:
    """Says more about the last answer, or answers a message that is a question after all.

    Which of the two it is shows when the message has its turn: two ``more`` in a row must not read the
    same part. ``permission`` says what the person may read, and ``answer`` makes the task of a question.
    """

    turn: QuestionTurn
    followup: FollowUpRequest
    follow_ups: Callable[[], FollowUps]
    memory: AnswerMemory
    outbox: Outbox
    permission: Callable[[], Awaitable[Permission]]
    answer: Callable[[QuestionTurn], AnswerTask]
    _answering: AnswerTask | None = field(default=None, init=False)
    _outcome: Outcome | None = field(default=None, init=False)

    def stop(self, outcome: Outcome) -> None:
        """End the waiting, or the answer; a passage that is being sent is sent."""
        self._outcome = outcome
        if self._answering:
            self._answering.stop(outcome)
        elif not self.turn.ticket.granted:
            self.turn.ticket.release()

    async def keep(self) -> None:
        """Keep an answer that did not arrive; a passage can be asked for again."""
        if self._answering:
            await self._answering.keep()

    async def say(self) -> None:
        """Reply. Raises what the SDK raises where the reply could not be sent."""
        turn = self.turn
        if not await turn.ticket.wait_turn():
            await turn.output.send(activities.sentence(say((self._outcome or CLOSING).message)))
            return
        await self.outbox.deliver(turn.conversation, turn.output.send, turn.log)
        try:
            reply = await self._reply()
        except SourceError as error:
            await turn.output.send(activities.sentence(say(error.message)))
            return
        if reply is None:
            await self._answer()
            return
        for message in activities.messages(reply.rendering):
            await send_final(turn.output.send, message, None, turn.timeouts)
        await self.memory.remember(turn.conversation, reply.answer)
        turn.log.info("followed up", asked=type(self.followup).__name__)

    async def _reply(self) -> FollowUpReply | None:
        """What there is to say of the last answer; None where there is none that could be meant."""
        last = await self.memory.recall(self.turn.conversation)
        if last is None:
            return None
        if not find_language(self.turn.activity.locale):
            # A number is of no language.
            speak(last.language)
        permitted = restrict_answer(last, self.followup, await self.permission())
        return self.follow_ups().follow(self.followup, permitted)

    async def _answer(self) -> None:
        self._answering = self.answer(self.turn)
        if self._outcome:  # it came while the last answer was looked up
            self._answering.stop(self._outcome)
        await self._answering.say()
