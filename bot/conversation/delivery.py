"""Questions into answers: each gets a ticket and a task, and none is left without a reply."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any

from botbuilder.core import TurnContext

from citations import AnswerEvent, Channel, CitedAnswer, LabelRanking, RenderingStream, channel
from citations.channels import InterimMode

from ..access.asker import asker_of
from ..access.policy import AccessPolicy, permission_for
from ..config.timeouts import Timeouts
from ..connector import activities
from ..messages import Sentence, say, wording
from ..resilience.ticks import OneStepPerTick
from ..sources import AnswerSource, ConversationalSource, EarlierTurn, answer_in_conversation
from ..sources.permission import Permission
from ..sources.source_limit import limit_source
from ..state import StateError
from ..state.memory import StateInMemory
from ..telemetry import Refused, emit
from ..telemetry.conversation_key import short
from ..telemetry.log import cause, logger
from .answer_presenter import AnswerPresenter
from .answer_reader import AnswerReader
from .answer_task import AnswerTask
from .doubt_options import DoubtOptions
from .feedback import Votes
from .follow_up import FollowUps
from .follow_up_request import read_follow_up
from .follow_up_task import FollowUpTask
from .last_answer import AnswerMemory
from .livestream import Livestream
from .outbox import Outbox
from .outcome import STOPPED
from .queue import AnswerQueue, NoTicketError, Ticket
from .turn_memory import TurnMemory, restrict_turns
from .turns import QuestionTurn, TurnOutput, Turns, TurnTask, conversation_of

log = logger(__name__)


@dataclass(slots=True, eq=False)
class Delivery:
    """Answers questions from ``source``, in their turn or after it where the turn's budget is spent.

    ``queue`` gives the questions of one conversation their order, and limits how many are answered at
    once. ``memory`` keeps the last answer of each conversation, ``turns`` the last questions of each
    person, and ``outbox`` an answer that no channel took. ``policy`` says what each person may have
    searched. Links to ``live_hosts`` stay links.
    ``doubts`` says what becomes of doubts. With ``cards`` Teams gets passages without a URL as Adaptive
    Cards.
    """

    source: AnswerSource
    _: KW_ONLY
    live_hosts: frozenset[str] = frozenset()
    ranking: LabelRanking | None = None
    app_id: str = ""
    """The bot's; empty without credentials."""
    timeouts: Timeouts = field(default_factory=Timeouts)
    memory: AnswerMemory = field(default_factory=lambda: AnswerMemory(StateInMemory()))
    turns: TurnMemory = field(default_factory=lambda: TurnMemory(StateInMemory()))
    outbox: Outbox = field(default_factory=lambda: Outbox(StateInMemory()))
    policy: AccessPolicy | None = None
    cards: bool = False
    doubts: DoubtOptions = field(default_factory=DoubtOptions)
    queue: AnswerQueue = field(default_factory=AnswerQueue)
    _turns: Turns = field(init=False)
    _ticks: OneStepPerTick = field(default_factory=OneStepPerTick, init=False)

    def __post_init__(self) -> None:
        self._turns = Turns(self.timeouts, self.app_id)

    async def deliver(self, context: TurnContext, text: str, votes: Votes | None = None) -> None:
        """Reply to ``text`` with one message, whatever fails; with two where a stream may not last.

        With ``votes`` the person is asked whether the answer was good, where the channel can ask.
        Raises :class:`OverloadedError` where there is no time to answer, nor to say so.
        """
        asked = context.activity
        try:
            ticket = self.queue.enter(conversation_of(asked))
        except NoTicketError as refused:
            log.warning("not admitted", channel=asked.channel_id, cause=refused.outcome.name)
            emit(Refused(refused.outcome.name))
            with self.queue.decline():
                await context.send_activity(activities.sentence(say(refused.outcome.message)))
            return
        try:
            task = self._task(self._turn(context, ticket), text, votes)
        except BaseException:
            ticket.release()
            raise
        await self._turns.run(task)

    def stop(self, activity: Any) -> bool:
        """End the answers that the sender of ``activity`` may stop; whether there are any.

        In a group, people can stop the answers to their own questions only.
        """
        found = [task for task in self._turns if _may_stop(activity, task.turn.activity)]
        for task in found:
            task.stop(STOPPED)
        return bool(found)

    async def drain(self, limit: float) -> None:
        """Admit no more questions, and let those that were be answered within ``limit`` seconds.

        What waits for its turn, and what takes longer, ends with a sentence that says so.
        """
        self.queue.close()
        await self._turns.drain(limit)

    async def source_for(self, activity: Any) -> AnswerSource:
        """The source as far as the sender of ``activity`` may see it. Raises :class:`SourceError`."""
        return limit_source(self.source, await self._permission(activity))

    def _turn(self, context: TurnContext, ticket: Ticket) -> QuestionTurn:
        asked = context.activity
        return QuestionTurn(
            activity=asked,
            output=TurnOutput(context),
            ticket=ticket,
            timeouts=self.timeouts,
            ticks=self._ticks,
            log=log.bind(channel=asked.channel_id, conversation=short(conversation_of(asked))),
        )

    def _task(self, turn: QuestionTurn, text: str, votes: Votes | None) -> TurnTask:
        followup = read_follow_up(text)
        if followup is None:
            return self._answer_task(turn, text, votes)
        return FollowUpTask(
            turn=turn,
            followup=followup,
            follow_ups=lambda: FollowUps(
                channel=self._channel(turn.activity, cards=self.cards),
                ranking=self.ranking,
                live_hosts=self.live_hosts,
            ),
            memory=self.memory,
            outbox=self.outbox,
            permission=lambda: self._permission(turn.activity),
            answer=lambda turn: self._answer_task(turn, text, votes),
        )

    def _answer_task(self, turn: QuestionTurn, question: str, votes: Votes | None) -> AnswerTask:
        asked = turn.activity
        live = self._livestream(asked)
        # Teams fails (500) when the last message of a stream has a card.
        shape = self._channel(asked, cards=self.cards and live is None)
        # The question whether an answer was good is a part of the graph.
        ballot = votes.open_ballot(turn.conversation) if votes and shape.graph else None
        stream = RenderingStream(
            shape,
            ranking=self.ranking,
            live_hosts=self.live_hosts,
            answer_id=ballot.answer_id if ballot else None,
        )
        signs = shape.shows_typing and not _expects_replies(asked)
        sign = say(Sentence.SEARCHING, title=self.source.title) if signs else None
        return AnswerTask(
            turn=turn,
            reader=AnswerReader(
                lambda: self._answer(asked, question),
                stream,
                doubts=self.doubts,
                timeouts=self.timeouts,
                log=turn.log,
            ),
            presenter=AnswerPresenter(turn=turn, live=live, sign=sign, ballot=ballot),
            memory=self.memory,
            note=lambda cited: self._note_turn(asked, question, cited),
            outbox=self.outbox,
            at_once=shape.at_once,
        )

    def _channel(self, asked: Any, *, cards: bool) -> Channel:
        shape = channel(asked.channel_id, asked.service_url or "", cards=cards, wording=wording())
        # Teams shows suggested actions in one-on-one chats only, and not below a stream: the list stays.
        is_teams = shape.interim is InterimMode.APPEND_ONLY
        return replace(shape, shows_suggestions=True) if is_teams and _is_personal(asked) else shape

    def _livestream(self, asked: Any) -> Livestream | None:
        interim = self._channel(asked, cards=False).interim
        if interim is None or _expects_replies(asked) or not _may_stream(asked, interim):
            return None
        return Livestream(interim, self.timeouts)

    async def _permission(self, activity: Any) -> Permission:
        return await permission_for(asker_of(activity), self.policy)

    async def _answer(self, asked: Any, question: str) -> AsyncGenerator[AnswerEvent, None]:
        permission = await self._permission(asked)
        source = limit_source(self.source, permission)
        earlier = restrict_turns(await self._recall_turns(asked), permission)
        async with contextlib.aclosing(answer_in_conversation(source, question, earlier)) as events:
            async for event in events:
                yield event

    async def _recall_turns(self, asked: Any) -> tuple[EarlierTurn, ...]:
        """Return the sender's earlier turns; none for a source that keeps no conversation in mind."""
        if not isinstance(self.source, ConversationalSource):
            return ()
        try:
            return await self.turns.recall(asked)
        except StateError as error:
            log.error("earlier questions not found", cause=cause(error))
            return ()

    async def _note_turn(self, asked: Any, question: str, cited: CitedAnswer) -> None:
        if isinstance(self.source, ConversationalSource):
            await self.turns.remember(asked, question, cited)


def _expects_replies(asked: Any) -> bool:
    return bool(asked.delivery_mode == "expectReplies")


def _may_stream(asked: Any, interim: InterimMode) -> bool:
    """Teams streams in one-on-one chats only, and always says that a chat is one."""
    return interim is InterimMode.REPLACING or _is_personal(asked)


def _is_personal(asked: Any) -> bool:
    return bool(asked.conversation.conversation_type == "personal")


def _may_stop(activity: Any, asked: Any) -> bool:
    same = conversation_of(asked) == conversation_of(activity)
    return same and (not _in_group(asked) or _sender(asked) == _sender(activity))


def _in_group(activity: Any) -> bool:
    kind = activity.conversation.conversation_type
    return bool(activity.conversation.is_group) or kind in ("groupChat", "channel")


def _sender(activity: Any) -> str | None:
    sender: str | None = activity.from_property.id if activity.from_property else None
    return sender
