"""The answer to one message: read from a source, shown while it is written, and sent once.

Theory of operation
===================

A message becomes an :class:`AnswerTask` when the queue (:mod:`.queue`) has given it a ticket. The task
stands between two collaborators that do not know each other:

- the *reader* (:class:`~.answer_reader.AnswerReader`) talks to the answer source. It runs in an asyncio
  task of its own, feeds each event into a :class:`~citations.RenderingStream`, and never raises;
- the *presenter* (:class:`~.answer_presenter.AnswerPresenter`) talks to the channel. It sends typing
  signs, interims and the final, one activity at a time, so that none overtakes another.

:meth:`AnswerTask.say` runs once, in the asyncio task that :mod:`.turns` made for it. It goes on in a
proactive turn when the time of the request is over: only ``turn.output.context`` changes.

States
------

The answer is in one of five states, and only moves down this list::

    WAITING   the ticket is not held yet       other answers of the conversation come first
    READING   the ticket is held               the source is asked; interims go to the channel
    SENDING   ``reader.ended`` is set          the text is final; its messages are on their way
    SILENCED  ``presenter.silenced`` is set    the person pressed the channel's own Stop
    SENT      :meth:`AnswerTask.say` returned  the ticket is given back, the next question begins

Who may change them:

- WAITING to READING: the queue alone, by giving the ticket its turn. First the reader's turn delivers
  what could not be delivered before (:mod:`.outbox`), then it asks the source.
- WAITING to SENDING: the reader, where the message asks for more of the last answer. Two ``more`` in a row
  must not get the same part, so that shows only now.
- READING to SENDING: the reader, when its source is done, fails, or takes too long; or :meth:`stop`,
  which the person, a shutdown, and a request without a later turn call. The first outcome counts.
- any state to SILENCED: the presenter, when the channel says that the person stopped the stream. The
  task then stops the reader. Nothing more is said, but a label that only a final could have carried.
- to SENT: the task, when each message has arrived, may have arrived, or is known to be lost.

Where a judge is asked (:mod:`.doubt_options`), that comes after SENT: the person does not wait for it. What
it doubts becomes an update of the message, or is told before the next answer.

Teams ends a stream after two minutes. Then the task ends the stream with what the person has read
(:mod:`.continuation`) and stays in READING. The whole answer takes the place of that message. Where it
can't, as in Copilot, the rest is a second message.

What the person has is remembered *before* the messages are sent, so that a quick "more" finds it. Messages
that did not arrive are kept by :meth:`AnswerTask.keep` for the next turn, where no caller is left to be told.
An exception of :meth:`AnswerTask.say` means that nothing of the final has arrived: the adapter then tells
the person, and the activity may be taken up again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from citations import CitedAnswer, Reference, Rendering
from citations.doubts import Doubt

from ..connector import MaybeSent, activities
from ..languages import Sentence, find_language, say, speak
from ..resilience.clock import now, wait_until_set
from ..telemetry import Answered, emit
from ..telemetry.log import cause
from .answer_presenter import AnswerPresenter
from .answer_reader import AnswerReader
from .continuation import cut_first_part, cut_rest
from .final_message import send_each, send_final
from .follow_up import FollowUpReply
from .last_answer import AnswerMemory, RememberedAnswer, remember
from .outbox import MayRead, Outbox
from .outcome import CLOSING, CRASHED, STOPPED, Outcome
from .question_turn import QuestionTurn


@dataclass(slots=True, kw_only=True, eq=False)
class AnswerTask:
    """One answer on its way from ``reader`` to ``presenter``; the module's docstring has its states.

    ``memory`` gets what the person has of the answer, and ``outbox`` what no channel took. ``note`` gets
    the answer for the questions that may lean on it. ``may_read`` decides whether what the outbox has may be
    read now. ``at_once`` is the number of messages that the channel gets of one answer; the others are for
    a later "more". ``follow_up`` says more of the last answer, where the message may ask for that. A message
    that ``is_smalltalk`` asks for nothing.
    """

    turn: QuestionTurn
    reader: AnswerReader
    presenter: AnswerPresenter
    memory: AnswerMemory
    note: Callable[[CitedAnswer], Awaitable[None]]
    outbox: Outbox
    may_read: MayRead
    at_once: int | None
    follow_up: Callable[[RememberedAnswer], Awaitable[FollowUpReply | None]] | None
    is_smalltalk: Callable[[], bool]
    _begun: float = field(default_factory=now, init=False)
    _first_part: str = field(default="", init=False)
    """The text of a stream that was over before the answer was."""
    _undelivered: tuple[list[Any], bool] = field(default=([], False), init=False)
    """The messages that did not arrive, and whether one of them may have."""
    _remembered: RememberedAnswer | None = field(default=None, init=False)
    """What was remembered of this answer."""
    _before: asyncio.Task[None] | None = field(default=None, init=False)
    """Another answer that was stopped with this one, to an earlier question."""
    _last: RememberedAnswer | None = field(default=None, init=False)
    """The answer before this one, where the message may ask for more of it."""
    _sign: asyncio.Task[None] | None = field(default=None, init=False)
    """The last sign of typing; its response may come later than the answer."""
    _reply: FollowUpReply | None = field(default=None, init=False)
    """What the message has asked for of the last answer, if it did."""

    def __post_init__(self) -> None:
        self.reader.start(self._wait_turn)

    def stop(self, outcome: Outcome, before: asyncio.Task[None] | None = None) -> None:
        """End the answer here: what came of it is sent, with the sentence of ``outcome`` below.

        What ``before`` says is sent first.
        """
        self._before = before
        self.reader.stop(outcome)

    async def keep(self) -> None:
        """Keep the messages that did not arrive, where no caller is left who could be told."""
        messages, unsure = self._undelivered
        if not messages:
            return
        try:
            await self.outbox.store(self.turn.conversation, messages, self._sources, unsure=unsure)
        except Exception as error:  # noqa: BLE001 - no caller is left to hear of it
            self.turn.log.error("answer lost", cause=cause(error))
        else:
            self.turn.log.warning("answer kept for the next turn", unsure=unsure)

    async def say(self) -> None:
        """Take the answer to its end. Raises :class:`ConnectorError` where the final could not be sent."""
        try:
            await self._say()
        finally:
            if self._sign:
                self._sign.cancel()

    async def _say(self) -> None:
        try:
            while not self.reader.ended.is_set():
                await self._show()
        except asyncio.CancelledError:
            self.reader.stop(CLOSING)
            await self._close()
            await self._conclude(self._shown, CLOSING)
            raise
        except Exception:
            self.reader.stop(CRASHED)
            raise
        self._speak_as_before()
        if self._reply:
            await self._send_reply(self._reply)
        else:
            await self._finish()

    async def judge(self) -> Sequence[Doubt]:
        """What a judge doubts of the answer that the person has; nothing where some of it did not arrive."""
        arrived = self.presenter.sent and not self.presenter.silenced and not self._undelivered[0]
        return await self.reader.judge() if arrived else ()

    async def tell(self, doubts: Sequence[Doubt]) -> None:
        """Show ``doubts`` in the message of the answer, or else before the next answer.

        Of an answer that was forgotten nothing is shown. Of one before the last nothing is told.
        """
        annotated, alone = await self.reader.annotate(doubts)
        if await self.presenter.update(annotated):
            return
        if await self._is_last():
            await self.outbox.add(self.turn.conversation, activities.messages(alone), self._sources)
            self.turn.log.info("doubts kept for the next turn")
        else:
            self.turn.log.info("doubts dropped")

    async def _is_last(self) -> bool:
        """Whether the person's next answer will come right behind this one."""
        conversation, kept = self.turn.conversation, self._remembered
        return bool(
            kept and not self.turn.ticket.is_followed and await self.memory.has(conversation, kept.text)
        )

    async def _wait_turn(self) -> bool:
        """WAITING to READING; False where the message is no question."""
        turn = self.turn
        if not turn.ticket.granted:
            # A message waits for its turn no longer than an answer may take.
            async with asyncio.timeout(turn.timeouts.longest):
                await turn.ticket.wait_turn()
            self.presenter.live.delay()
        await self.outbox.deliver(turn.conversation, turn.output.send, self.may_read, turn.log)
        self._last = await self.memory.recall(turn.conversation) if self.follow_up else None
        if self._last and self.follow_up:
            self._speak_as_before()
            self._reply = await self.follow_up(self._last)
        return self._reply is None

    def _speak_as_before(self) -> None:
        """Speak the language of the last answer to a message that is a number, which is of no language."""
        if self._last and not find_language(self.turn.activity.locale):
            speak(self._last.language)

    async def _show(self) -> None:
        """READING: show what may be shown now, or wait until something may be."""
        presenter = self.presenter
        presenter.change_sign(self.reader.step)
        if now() >= presenter.live.deadline:
            await self._end_stream()
        elif presenter.live.takes_interim and (rendering := await self._interim()):
            await self._unless_ended(presenter.send_interim(rendering), presenter.live.needs_dots)
        elif presenter.live.is_idle:
            await presenter.send_again()
        elif presenter.sign_is_due:
            await self._unless_ended(presenter.send_sign(), presenter.live.shows_dots)
        else:
            # The time goes on between the two: an interim that is due meanwhile must not wait for the end.
            due = presenter.next_due
            event = self.reader.news if presenter.live.takes_interim else self.reader.ended
            await wait_until_set(event, due - now())
        if presenter.silenced:
            self.reader.stop(STOPPED)

    async def _unless_ended(self, sending: Coroutine[Any, Any, None], is_sign: bool) -> None:
        """Await ``sending``; an answer that is ready does not wait for the response to a mere sign."""
        if not is_sign:
            await sending
            return
        self._sign = asyncio.create_task(sending)
        ended = asyncio.create_task(self.reader.ended.wait())
        try:
            await asyncio.wait({self._sign, ended}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended.cancel()

    async def _interim(self) -> Rendering | None:
        """What the person may read now; None where that is no more than was shown."""
        await self.turn.ticks.next()
        if self.reader.ended.is_set():
            return None  # the final has it
        try:
            return await self.reader.interim() or self.presenter.live.unsent
        except Exception as error:  # noqa: BLE001 - the final does not depend on it
            self.turn.log.error("interim failed", cause=cause(error))
            self.presenter.live.muted = True
            return None

    async def _end_stream(self) -> None:
        """End the stream before its channel does, with what the person has read of the answer."""
        newest = await self._interim() or self.presenter.live.shown
        if newest is None:
            await self.presenter.send_final(activities.sentence(say(Sentence.COMES_LATER)))
        else:
            labelled = replace(newest, entities=self.reader.stream.final_graph())
            part, self._first_part = cut_first_part(labelled, self.presenter.live.shown)
            await self.presenter.send_final(activities.answer(part))
        if not self.presenter.silenced:
            self.presenter.end_stream()

    async def _send_reply(self, reply: FollowUpReply) -> None:
        """SENDING to SENT. What does not arrive can be asked for again."""
        for message in activities.messages(reply.rendering):
            await send_final(self.turn.output.send, message, self.presenter.live, self.turn.timeouts)
        await self.memory.remember(self.turn.conversation, reply.answer)
        self.turn.log.info("followed up")

    async def _finish(self) -> None:
        """SENDING to SENT."""
        if self._before:
            await asyncio.wait({self._before})
        await self.turn.ticks.next()
        rendering, outcome = await self._close()
        if not await self.turn.output.is_valid():
            return  # another replica has taken the question over, and remembers its own answer
        if not self.presenter.silenced:
            messages = self._messages(rendering, outcome)
            rest = rendering.parts[len(messages) :] if rendering else ()
            await self._conclude(rendering.text if rendering else self._shown, outcome, rest)
            await self._send_messages(messages, rendering, outcome)
            await self._rewrite()
        else:
            await self._conclude(self._shown, STOPPED)
        if self.presenter.silenced and rendering:
            await self.presenter.send_label(say(STOPPED.suffix), rendering)

    async def _rewrite(self) -> None:
        """Put the finished answer in the place of a final that had to keep what was shown."""
        if self.presenter.silenced or not self.presenter.live.replaceable_id:
            return
        rewritten = await self.reader.rewrite()
        if rewritten and await self.presenter.update(rewritten):
            await self._remember(rewritten.text, None)
            self.turn.log.info("final rewritten")

    async def _close(self) -> tuple[Rendering | None, Outcome | None]:
        """The text of the answer, and why there is not more."""
        try:
            rendering = await self.reader.close()
        except Exception as error:  # noqa: BLE001 - a person is waiting for a word
            self.turn.log.error("answer failed", cause=cause(error))
            return None, CRASHED
        return rendering if rendering and rendering.text.strip() else None, self.reader.outcome

    def _messages(self, rendering: Rendering | None, outcome: Outcome | None) -> list[Any]:
        if rendering is None:
            outcome = outcome or CRASHED
            return [] if outcome.is_said else [activities.sentence(say(outcome.message))]
        if self._first_part:
            self.presenter.rest = activities.answer(cut_rest(rendering, self._first_part))
        return activities.messages(rendering)[: self.at_once]

    async def _send_messages(
        self, messages: list[Any], whole: Rendering | None, outcome: Outcome | None
    ) -> None:
        """Send ``messages``. Raises what went wrong with the first, and :class:`MaybeSent`.

        A later one that fails does not bring the question back: what was sent would come twice.
        """
        try:
            sent, error = await send_each(self.presenter.send_final, messages)
        except asyncio.CancelledError:  # the end of the process, which waited as long as it could
            self._undelivered = (messages, True)
            await self.keep()
            raise
        if self.presenter.silenced and self._shown:
            await self._remember(self._shown, STOPPED)
        if error:
            self.turn.log.error("message not sent", cause=cause(error), sent=sent, of=len(messages))
            self._undelivered = (messages[sent:] or messages, isinstance(error, MaybeSent))
        if error and not sent:
            raise error
        if whole and sent < len(messages):
            await self._remember(whole.text, outcome, whole.parts[sent:])
        if isinstance(error, MaybeSent):
            raise error

    @property
    def _sources(self) -> tuple[Reference, ...]:
        """What the answer was made with."""
        return self.reader.cited.sources if self.reader.cited else ()

    @property
    def _shown(self) -> str:
        shown = self.presenter.live.shown
        return shown.text if shown else self._first_part

    async def _conclude(self, text: str, outcome: Outcome | None, rest: tuple[str, ...] = ()) -> None:
        """Remember ``text``, which the person has or gets now, and log how it came about."""
        cited = self.reader.cited
        seconds, how = round(now() - self._begun, 3), outcome.name if outcome else "complete"
        emit(Answered(self.turn.activity.channel_id, how, seconds))
        if not text or cited is None:
            self.turn.log.warning("not answered", seconds=seconds, ending=how)
            return
        self.turn.log.info(
            "answered",
            seconds=seconds,
            characters=len(text),
            citations=len(cited.citations),
            references=len(cited.references),
            problems=sorted({problem.code for problem in self.reader.problems}),
            ending=how,
            kind=cited.kind.value if cited.kind else None,
        )
        if not cited.references and self.is_smalltalk():
            return  # behind "thanks", "2" and "more" still mean the answer before
        await self._remember(text, outcome, rest)
        await self._try_to_remember(self.note(cited))

    async def _remember(self, text: str, outcome: Outcome | None, rest: tuple[str, ...] = ()) -> None:
        """Remember what the person has, and which of its messages were not sent."""
        if cited := self.reader.cited:
            answer = replace(remember(text, cited, interrupted=outcome is not None), rest=rest)
            self._remembered = answer
            await self._try_to_remember(self.memory.remember(self.turn.conversation, answer))

    async def _try_to_remember(self, remembering: Awaitable[None]) -> None:
        try:
            await remembering
        except Exception as error:  # noqa: BLE001 - an answer that can't be remembered can be sent
            self.turn.log.error("answer not remembered", cause=cause(error))
