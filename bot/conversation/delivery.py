"""One answer into one turn: signs of life, then the text as it is written, and never nothing."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import AsyncGenerator
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final

from botbuilder.core import TurnContext

from citations import AnswerEvent, InterimMode, LabelRanking, RenderingStream, channel

from ..access.asker import asker_of
from ..access.policy import AccessPolicy, permission_for
from ..config.timeouts import Timeouts
from ..connector import activities
from ..resilience.clock import now
from ..resilience.ticks import OneStepPerTick
from ..sources import AnswerSource
from ..sources.checked import limit_source
from ..sources.permission import Permission
from ..state.memory import StateInMemory
from ..telemetry import Refused, emit
from ..telemetry.conversation_key import ConversationKey, short
from ..telemetry.log import cause, logger
from .answering import Answering
from .feedback import Votes
from .follow_up import FollowUpReply, FollowUps
from .follow_up_request import Followup, read_followup
from .following_up import FollowUpTask
from .last_answer import AnswerMemory
from .last_answer_access import restrict_answer
from .livestream import Livestream
from .outbox import Outbox
from .outcome import STOPPED
from .queue import AnswerQueue, NoPlaceError, Ticket
from .reading import Reading
from .showing import Showing
from .turns import TurnOutput, Turns, TurnTask

_TYPING_CHANNELS: Final = frozenset({"webchat", "directline", "emulator", "msteams"})
"""Elsewhere a typing activity is shown as nothing, or sent as an empty message (SMS)."""

log = logger(__name__)


@dataclass(slots=True, eq=False)
class Delivery:
    """Asks a source and says its answer in the turn, or after it where the turn's budget is spent.

    Questions of one conversation are answered in their order, and not too many at once: ``admission``.
    ``live_hosts`` may keep their links in an answer; ``app_id`` is the bot's, empty without
    credentials; ``memory`` keeps what was answered, and ``undelivered`` what of it no channel took;
    ``policy`` says what each person may have searched; ``cards``: whether Teams gets passages without
    a URL as Adaptive Cards.
    """

    source: AnswerSource
    _: KW_ONLY
    live_hosts: frozenset[str] = frozenset()
    ranking: LabelRanking | None = None
    app_id: str = ""
    timeouts: Timeouts = field(default_factory=Timeouts)
    memory: AnswerMemory = field(default_factory=lambda: AnswerMemory(StateInMemory()))
    undelivered: Outbox = field(default_factory=lambda: Outbox(StateInMemory()))
    policy: AccessPolicy | None = None
    cards: bool = False
    admission: AnswerQueue = field(default_factory=AnswerQueue)
    _turns: Turns = field(init=False)
    _ticks: OneStepPerTick = field(default_factory=OneStepPerTick, init=False)

    def __post_init__(self) -> None:
        self._turns = Turns(self.timeouts, self.app_id)

    async def deliver(self, context: TurnContext, text: str, votes: Votes | None = None) -> None:
        """Answer ``text`` with one message, whatever fails; with two where a stream may not last.

        With ``votes`` the person is asked whether the answer was good, where the channel can ask.
        Raises :class:`OverloadedError` where there is no time to answer, nor to say so.
        """
        asked = context.activity
        try:
            place = self.admission.enter(_conversation(asked))
        except NoPlaceError as refused:
            log.warning("not admitted", channel=asked.channel_id, cause=refused.ending.name)
            emit(Refused(refused.ending.name))
            with self.admission.decline():
                await context.send_activity(activities.sentence(refused.ending.spoken))
            return
        try:
            saying = self._choose_task(TurnOutput(context), place, text, votes)
        except BaseException:
            place.leave()
            raise
        await self._turns.take(saying, asked)

    def stop(self, activity: Any) -> bool:
        """End the answers under way that whoever sent ``activity`` may stop; whether there are any.

        In a group, nobody stops what another person has asked.
        """
        found = [
            answering
            for answering, asked in self._turns
            if _conversation(asked) == _conversation(activity)
            and (not _in_group(asked) or _sender(asked) == _sender(activity))
        ]
        for answering in found:
            answering.stop(STOPPED)
        return bool(found)

    async def drain(self, limit: float) -> None:
        """Admit no more questions, and let those that were be answered within ``limit`` seconds.

        What waits for its turn, and what takes longer, ends with a line that says so.
        """
        self.admission.close()
        await self._turns.drain(limit)

    def _choose_task(self, output: TurnOutput, place: Ticket, text: str, votes: Votes | None) -> TurnTask:
        asked = output.context.activity
        answer = functools.partial(self._begin, asked=asked, question=text, votes=votes)
        followup = read_followup(text)
        if followup is None:
            return answer(output, place)
        return FollowUpTask(
            output=output,
            place=place,
            timeouts=self.timeouts,
            follow=functools.partial(self._follow, asked, followup),
            late=functools.partial(self._late, asked),
            remember=functools.partial(self._count_follow_up, asked, followup),
            answer=answer,
        )

    async def _follow(self, asked: Any, followup: Followup) -> FollowUpReply | None:
        """What there is to say of the last answer; None where there is none that could be meant."""
        last = await self.memory.recall(_conversation(asked))
        if last is None:
            return None
        last = restrict_answer(last, followup, await self._permission(asked))
        shape = channel(asked.channel_id, asked.service_url or "", cards=self.cards)
        follower = FollowUps(channel=shape, ranking=self.ranking, live_hosts=self.live_hosts)
        return follower.follow(followup, last)

    async def _count_follow_up(self, asked: Any, followup: Followup, following: FollowUpReply) -> None:
        await self.memory.remember(_conversation(asked), following.last)
        event = log.bind(channel=asked.channel_id, conversation=short(_conversation(asked)))
        event.info("followed up", asked=type(followup).__name__)

    def _begin(
        self, output: TurnOutput, place: Ticket, *, asked: Any, question: str, votes: Votes | None
    ) -> Answering:
        shape = channel(asked.channel_id, asked.service_url or "", cards=self.cards)
        replies = asked.delivery_mode == "expectReplies"
        live = None
        if shape.interim is not None and not replies and _may_stream(asked, shape.interim):
            live = Livestream(shape.interim, self.timeouts)
            # Teams fails (500) when the last message of a stream has a card.
            shape = channel(asked.channel_id, asked.service_url or "")
        event = log.bind(channel=asked.channel_id, conversation=short(_conversation(asked)))
        # Without a graph there is no place to ask.
        ballot = votes.ballot(_conversation(asked)) if votes and shape.graph else None
        stream = functools.partial(
            RenderingStream,
            shape,
            ranking=self.ranking,
            live_hosts=self.live_hosts,
            answer_id=ballot.answer_id if ballot else None,
        )
        reading = Reading(
            lambda: self._answer(asked, question),
            stream,
            turn=functools.partial(self._turn, output, place, live, asked),
            timeouts=self.timeouts,
            log=event,
        )
        signs = asked.channel_id in _TYPING_CHANNELS and not replies
        showing = Showing(
            output=output,
            place=place,
            reading=reading,
            live=live,
            sign=f"Searching {self.source.title} …" if signs else None,
            timeouts=self.timeouts,
            ticks=self._ticks,
            log=event,
        )
        return Answering(
            output=output,
            place=place,
            reading=reading,
            showing=showing,
            timeouts=self.timeouts,
            ticks=self._ticks,
            at_once=shape.at_once,
            remember=functools.partial(self.memory.remember, _conversation(asked)),
            undelivered=functools.partial(self.undelivered.keep, _conversation(asked)),
            ballot=ballot,
            log=event,
        )

    async def _turn(self, output: TurnOutput, place: Ticket, live: Livestream | None, asked: Any) -> None:
        """Wait until the question is to be answered; a stream leaves room behind the answer before it."""
        if not place.held:
            await place.wait_turn()
            if live:
                live.breathe(now())
        if place.held:
            await self._late(asked, output)

    async def _late(self, asked: Any, output: TurnOutput) -> None:
        """Say first what could not be delivered before, and try it again next time if it can't be now."""
        conversation = _conversation(asked)
        event = log.bind(channel=asked.channel_id, conversation=short(conversation))
        try:
            if await self.undelivered.say(conversation, output.send):
                event.info("undelivered answer delivered")
        except Exception as error:  # noqa: BLE001 - there is a question to be answered
            event.warning("undelivered answer not delivered", cause=cause(error))

    async def source_for(self, activity: Any) -> AnswerSource:
        """The source as far as whoever sent ``activity`` may see it. Raises :class:`SourceError`."""
        return limit_source(self.source, await self._permission(activity))

    async def _permission(self, activity: Any) -> Permission:
        return await permission_for(asker_of(activity), self.policy)

    async def _answer(self, asked: Any, question: str) -> AsyncGenerator[AnswerEvent, None]:
        source = await self.source_for(asked)
        async with contextlib.aclosing(source.answer(question)) as events:
            async for event in events:
                yield event


def _may_stream(asked: Any, interim: InterimMode) -> bool:
    """Teams: one-on-one chats only, which it always says they are."""
    return interim is InterimMode.REPLACED or asked.conversation.conversation_type == "personal"


def _conversation(activity: Any) -> ConversationKey:
    return ConversationKey(activity.channel_id, activity.conversation.id)


def _in_group(activity: Any) -> bool:
    kind = activity.conversation.conversation_type
    return bool(activity.conversation.is_group) or kind in ("groupChat", "channel")


def _sender(activity: Any) -> str | None:
    sender: str | None = activity.from_property.id if activity.from_property else None
    return sender
