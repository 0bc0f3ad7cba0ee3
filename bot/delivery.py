"""One answer into one turn: signs of life, then the text as it is written, and never nothing."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncGenerator
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final

from botbuilder.core import TurnContext

from citations import AnswerEvent, Interim, LabelRanking, RenderingStream, channel

from . import activities
from .access import AccessPolicy, asker_of, limited, permission_for, permitted
from .answering import Answering
from .ending import CLOSING, STOPPED, TOO_SLOW
from .final import send_final
from .follow import Follower
from .followup import read_followup
from .livestream import Livestream
from .log import cause, logger
from .pace import Pace
from .permission import Permission
from .reading import Reading, hanging_up
from .remembered import AnswerMemory
from .sources import AnswerSource, SourceError
from .state import ConversationKey
from .state.memory import StateInMemory
from .votes import Votes

_TYPING_CHANNELS: Final = frozenset({"webchat", "directline", "emulator", "msteams"})
"""Elsewhere a typing activity is shown as nothing, or sent as an empty message (SMS)."""

log = logger(__name__)


@dataclass(slots=True, eq=False)
class Delivery:
    """Asks a source and says its answer in the turn, or after it where the turn's budget is spent.

    ``live_hosts`` may keep their links in an answer; ``app_id`` is the bot's, empty without
    credentials; ``memory`` keeps what was answered; ``policy`` says what each person may have searched;
    ``cards``: whether Teams gets passages without a URL as Adaptive Cards.
    """

    source: AnswerSource
    _: KW_ONLY
    live_hosts: frozenset[str] = frozenset()
    ranking: LabelRanking | None = None
    app_id: str = ""
    pace: Pace = field(default_factory=Pace)
    memory: AnswerMemory = field(default_factory=lambda: AnswerMemory(StateInMemory()))
    policy: AccessPolicy | None = None
    cards: bool = False
    _under_way: dict[asyncio.Task[None], tuple[Answering, Any]] = field(default_factory=dict, init=False)
    """The answers that are being said, with the activities that asked for them."""
    _following: set[asyncio.Task[None]] = field(default_factory=set, init=False)

    async def deliver(self, context: TurnContext, question: str, votes: Votes | None = None) -> None:
        """Answer ``question`` with one message, whatever fails; with two where a stream may not last.

        With ``votes`` the person is asked whether the answer was good, where the channel can ask.
        """
        answering = self._begin(context, question, votes)
        task = asyncio.create_task(answering.say())
        self._under_way[task] = (answering, context.activity)
        task.add_done_callback(self._under_way.pop)
        try:
            done, _ = await asyncio.wait({task}, timeout=self.pace.budget)
            if not done and context.activity.delivery_mode == "expectReplies":
                # The caller reads the replies from this response and nowhere else.
                answering.stop(TOO_SLOW)
            elif not done:
                self._follow(context, answering, task)
                return
            await task
        except asyncio.CancelledError:
            task.cancel()
            raise

    async def follow_up(self, context: TurnContext, text: str) -> bool:
        """Say more about the conversation's last answer, if ``text`` asks for that; whether it does."""
        followup = read_followup(text)
        last = await self.memory.recall(_conversation(context.activity)) if followup else None
        if followup is None or last is None:
            return False
        asked = context.activity
        shape = channel(asked.channel_id, asked.service_url or "", cards=self.cards)
        try:
            last = permitted(last, followup, await self._permission(context.activity))
        except SourceError as error:
            await context.send_activity(activities.sentence(error.spoken))
            return True
        follower = Follower(channel=shape, ranking=self.ranking, live_hosts=self.live_hosts)
        following = follower.follow(followup, last)
        if following is None:
            return False
        for message in activities.messages(following.said):
            await send_final(context.send_activity, message, None, self.pace)
        await self.memory.remember(_conversation(context.activity), following.last)
        conversation = short(context.activity.conversation.id)
        log.info("followed up", channel=shape.id, conversation=conversation, asked=type(followup).__name__)
        return True

    def stop(self, activity: Any) -> bool:
        """End the answers under way that whoever sent ``activity`` may stop; whether there are any.

        In a group, nobody stops what another person has asked.
        """
        found = [
            answering
            for answering, asked in self._under_way.values()
            if _conversation(asked) == _conversation(activity)
            and (not _in_group(asked) or _sender(asked) == _sender(activity))
        ]
        for answering in found:
            answering.stop(STOPPED)
        return bool(found)

    async def drain(self, limit: float) -> None:
        """Let the answers under way be finished within ``limit`` seconds, and interrupt those that are not.

        They end with a line that says so, for which the last of the seconds are kept.
        """
        if not self._under_way:
            return
        waiting = max(0.0, limit - self.pace.farewell)
        if not await self._all_said(waiting):
            log.warning("answers interrupted", count=len(self._under_way))
            for answering, _ in self._under_way.values():
                answering.stop(CLOSING)
            await self._all_said(limit - waiting)
        for task in [*self._under_way, *self._following]:
            task.cancel()
        await asyncio.gather(*self._following, return_exceptions=True)

    async def _all_said(self, limit: float) -> bool:
        return not self._under_way or not (await asyncio.wait(set(self._under_way), timeout=limit))[1]

    def _begin(self, context: TurnContext, question: str, votes: Votes | None) -> Answering:
        asked = context.activity
        shape = channel(asked.channel_id, asked.service_url or "", cards=self.cards)
        replies = asked.delivery_mode == "expectReplies"
        live = None
        if shape.interim is not None and not replies and self._may_stream(asked, shape.interim):
            live = Livestream(shape.interim, self.pace)
            # Teams fails (500) when the last message of a stream has a card.
            shape = channel(asked.channel_id, asked.service_url or "")
        event = log.bind(channel=asked.channel_id, conversation=short(asked.conversation.id))
        # Without a graph there is no place to ask.
        ballot = votes.ballot(_conversation(asked)) if votes and shape.graph else None
        stream = functools.partial(
            RenderingStream,
            shape,
            ranking=self.ranking,
            live_hosts=self.live_hosts,
            answer_id=ballot.answer_id if ballot else None,
        )
        reading = Reading(lambda: self._answer(asked, question), stream, pace=self.pace, log=event)
        signs = asked.channel_id in _TYPING_CHANNELS and not replies
        return Answering(
            context=context,
            reading=reading,
            live=live,
            pace=self.pace,
            at_once=shape.at_once,
            sign=f"Searching {self.source.title} …" if signs else None,
            remember=functools.partial(self.memory.remember, _conversation(asked)),
            ballot=ballot,
            log=event,
        )

    async def source_for(self, activity: Any) -> AnswerSource:
        """The source as far as whoever sent ``activity`` may see it. Raises :class:`SourceError`."""
        return limited(self.source, await self._permission(activity))

    async def _permission(self, activity: Any) -> Permission:
        return await permission_for(asker_of(activity), self.policy)

    async def _answer(self, asked: Any, question: str) -> AsyncGenerator[AnswerEvent, None]:
        source = await self.source_for(asked)
        async with hanging_up(source.answer(question)) as events:
            async for event in events:
                yield event

    def _may_stream(self, asked: Any, interim: Interim) -> bool:
        """Teams: one-on-one chats only, which it always says they are, and one stream in each at a time."""
        return interim is Interim.REPLACED or (
            asked.conversation.conversation_type == "personal"
            and not any(
                other.live
                for other, before in self._under_way.values()
                if _conversation(before) == _conversation(asked)
            )
        )

    def _follow(self, context: TurnContext, answering: Answering, task: asyncio.Task[None]) -> None:
        following = asyncio.create_task(self._say_later(context, answering, task))
        self._following.add(following)
        following.add_done_callback(self._following.discard)

    async def _say_later(self, before: TurnContext, answering: Answering, task: asyncio.Task[None]) -> None:
        """Go on proactively: the same answer, and the same stream, in a turn of our own."""
        reference = TurnContext.get_conversation_reference(before.activity)

        async def go_on(context: TurnContext) -> None:
            answering.context = context
            await task

        try:
            await before.adapter.continue_conversation(reference, go_on, self.app_id)
        except Exception as error:  # noqa: BLE001 - nobody is above this task to hear of it
            log.error("follow-up failed", channel=reference.channel_id, cause=cause(error))
            # Where no turn could be opened, the answer is still being said in the one before.
            await asyncio.wait({task})


def _conversation(activity: Any) -> ConversationKey:
    return ConversationKey(activity.channel_id, activity.conversation.id)


def _in_group(activity: Any) -> bool:
    kind = activity.conversation.conversation_type
    return bool(activity.conversation.is_group) or kind in ("groupChat", "channel")


def _sender(activity: Any) -> str | None:
    sender: str | None = activity.from_property.id if activity.from_property else None
    return sender


def short(conversation_id: str) -> str:
    """Enough of a conversation's id to find its events in the log, too little to post into it."""
    return conversation_id[:8]
