"""Questions into answers: each gets a ticket and a task, and none is left without a reply."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import AsyncGenerator, Callable
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, Literal

from botbuilder.core import TurnContext

from citations import AnswerEvent, Channel, CitedAnswer, LabelRanking, Reference, RenderingStream, channel
from citations.channels import InterimMode
from citations.renderer import withholds_any

from ..access.asker import asker_of
from ..access.policy import AccessPolicy, permission_for
from ..config.timeouts import Timeouts
from ..connector import activities
from ..connector.target import target_of
from ..languages import say, wording
from ..resilience.clock import OneStepPerTick
from ..resilience.steps import run_step, weigh
from ..sources import AnswerSource, EarlierTurn
from ..sources.permission import Permission
from ..sources.room import Room
from ..sources.step import report_searching
from ..state import StateError
from ..telemetry import Refused, emit
from ..telemetry.conversation_key import short
from ..telemetry.log import cause, logger
from .answer_presenter import AnswerPresenter
from .answer_reader import AnswerReader
from .answer_task import AnswerTask
from .doubt_options import DoubtOptions
from .feedback import Votes
from .follow_up import FollowUpReply, FollowUpRequest, FollowUps, read_follow_up, restrict_answer
from .last_answer import AnswerMemory, RememberedAnswer
from .livestream import Livestream
from .outbox import Outbox
from .question import find_chosen_documents
from .question_turn import (
    QuestionTurn,
    TurnOutput,
    conversation_of,
    is_in_copilot,
    is_in_group,
    is_personal,
    memory_name,
    memory_names,
    sender_of,
)
from .queue import AnswerQueue, NoTicketError, Ticket
from .turn_memory import TurnMemory, restrict_turns
from .turns import Turns

log = logger(__name__)


@dataclass(slots=True, eq=False)
class Delivery:
    """Answers questions from ``source``, in their turn or after it where the turn's budget is spent.

    ``queue`` gives the questions of one conversation their order, and limits how many are answered at
    once. ``memory`` keeps the last answer of each conversation, and ``turns`` the last questions of each
    person. ``outbox`` keeps an answer that no channel took, and ``votes`` what people think of the answers.
    ``policy`` says what each person may have searched. Links to ``live_hosts`` stay links.
    ``doubts`` says what becomes of doubts. With ``cards`` Teams gets passages without a URL as Adaptive
    Cards, and with ``extended`` its ``extendedmarkdown``.
    """

    source: AnswerSource
    _: KW_ONLY
    live_hosts: frozenset[str]
    ranking: LabelRanking | None
    app_id: str
    """The bot's; empty without credentials."""
    timeouts: Timeouts
    memory: AnswerMemory
    turn_memory: TurnMemory
    outbox: Outbox
    votes: Votes
    policy: AccessPolicy | None
    cards: bool | Literal["all"]
    extended: bool
    doubts: DoubtOptions
    queue: AnswerQueue
    is_smalltalk: Callable[[str], bool]
    """Whether a message is courtesy alone, such as thanks: it asks for nothing."""
    tell_language: Callable[[str], str | None]
    """The BCP 47 tag of a message's language; None where its words tell none that the bot speaks."""
    _turns: Turns = field(init=False)
    _ticks: OneStepPerTick = field(default_factory=OneStepPerTick, init=False)
    _named_rules: bool = field(init=False)
    """Whether the rules of the labels file that match nothing were named."""

    def __post_init__(self) -> None:
        self._turns = Turns(self.timeouts, self.app_id)
        # One that knows its documents names the rules that match none of these.
        self._named_rules = self.ranking is None or self.source.knows_documents

    async def deliver(self, context: TurnContext, text: str, token: str = "") -> None:
        """Reply to ``text`` with one message, whatever fails; with two where a stream may not last.

        With the ``token`` of the person who asks, a source may answer from what they may read. That person
        alone gets more of that answer. Raises :class:`OverloadedError` where there is no time to answer, nor
        to say so.
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
            task = self._task(context, ticket, text, token)
        except BaseException:
            ticket.release()
            raise
        await self._turns.run(task)

    def stop(self, activity: Any) -> bool:
        """End the answers that the sender of ``activity`` may stop; whether there are any.

        In a group, people can stop the answers to their own questions only.
        """
        return self._turns.stop(lambda task: _may_stop(activity, task.turn.activity))

    async def drain(self, limit: float) -> None:
        """Admit no more questions, and let those that were be answered within ``limit`` seconds.

        What waits for its turn, and what takes longer, ends with a sentence that says so.
        """
        self.queue.close()
        await self._turns.drain(limit)

    async def permission_of(self, activity: Any) -> Permission:
        """What the sender of ``activity`` may see of the source. Raises :class:`SourceError`."""
        return await permission_for(asker_of(activity), self.policy)

    async def end_answers(self, asked: Any) -> None:
        """End the answers under way in the conversation of ``asked``: each is remembered at its end."""
        await self._turns.end(lambda task: conversation_of(task.turn.activity) == conversation_of(asked))

    async def forget_person(self, asked: Any) -> None:
        """Forget what the sender of ``asked`` was answered in this conversation with a token of theirs.

        Their answers under way are ended first, since each is remembered at its end.
        """
        await self._turns.end(lambda task: _is_of_sender(asked, task.turn.activity))
        conversation = conversation_of(asked)
        try:
            for name in memory_names(asked):
                await self.memory.of(name).forget(conversation)
                await self.outbox.of(name).forget(conversation)
            await self.turn_memory.forget(asked)
        except StateError as error:
            log.error("answers not forgotten", channel=asked.channel_id, cause=cause(error))

    def _task(self, context: TurnContext, ticket: Ticket, text: str, token: str) -> AnswerTask:
        asked = context.activity
        turn = QuestionTurn(
            activity=asked,
            output=TurnOutput(context),
            ticket=ticket,
            timeouts=self.timeouts,
            ticks=self._ticks,
            log=log.bind(channel=asked.channel_id, conversation=short(conversation_of(asked))),
        )
        target = target_of(asked)
        shape = self._channel(asked, cards=False)
        interim = _interim_mode(asked, shape)
        if self.cards and interim is None:  # Teams fails (500) when the last message of a stream has a card
            shape = self._channel(asked, cards=self.cards)
        # The question whether an answer was good is a part of the graph.
        ballot = self.votes.open_ballot(turn.conversation) if shape.graph else None
        # Whether Teams shows thumbs below a targeted message is not documented.
        answer_id = ballot.answer_id if ballot and not target else None
        signs = shape.shows_typing and not _expects_replies(asked)
        request = read_follow_up(text)
        person = memory_name(asked) if token or target else ""
        return AnswerTask(
            turn=turn,
            reader=AnswerReader(
                question=text,
                answer=lambda: self._answer(asked, text, token),
                room=_find_room(shape),
                open_stream=functools.partial(self._open_stream, shape, answer_id),
                doubts=self.doubts,
                timeouts=self.timeouts,
                log=turn.log,
                note_end=turn.ticket.start_sending,
            ),
            presenter=AnswerPresenter(
                turn=turn,
                live=Livestream(interim, self.timeouts, kept_alive=is_in_copilot(asked)),
                sign="" if signs else None,
                ballot=ballot,
            ),
            memory=self.memory.of(person),
            note=functools.partial(self._note_turn, asked, text),
            outbox=self.outbox.of(person),
            may_read=functools.partial(self._may_read, asked),
            at_once=shape.at_once,
            follow_up=functools.partial(self._follow_up, asked, request) if request else None,
            is_smalltalk=functools.partial(self.is_smalltalk, text),
        )

    def _open_stream(self, shape: Channel, answer_id: str | None) -> RenderingStream:
        return RenderingStream(
            replace(shape, wording=wording()),
            ranking=self.ranking,
            live_hosts=self.live_hosts,
            answer_id=answer_id,
        )

    def _channel(self, asked: Any, *, cards: bool | Literal["all"]) -> Channel:
        return channel(
            asked.channel_id,
            asked.service_url or "",
            cards=cards,
            extended=self.extended,
            wording=wording(),
        )

    async def _follow_up(
        self, asked: Any, request: FollowUpRequest, last: RememberedAnswer
    ) -> FollowUpReply | None:
        """What there is to say more of the ``last`` answer; None where it has nothing that could be meant."""
        permission = await self.permission_of(asked)
        renewed = await self.source.renew((*last.cited, *last.references))
        permitted = restrict_answer(last, request, permission, renewed)
        shape = self._channel(asked, cards=self.cards)
        follow_ups = FollowUps(shape, self.ranking, self.live_hosts)
        size = weigh("".join(last.rest), (*last.cited, *last.references))
        return await run_step(lambda: follow_ups.follow(request, permitted), size)

    async def _may_read(self, asked: Any, sources: tuple[Reference, ...]) -> bool:
        """Whether the sender of ``asked`` may read an answer now that was made with ``sources``.

        One without sources, such as suggestions, can't be checked: what limits anybody forbids it.
        """
        permission = await self.permission_of(asked)
        if not sources:
            return self.policy is None and self.ranking is None
        renewed = await self.source.renew(sources)
        present = tuple(renewed[one] for one in sources if one in renewed)
        answer = restrict_turns([EarlierTurn("", references=present)], permission)[0]
        is_withheld = self.ranking is not None and withholds_any(
            present, self._channel(asked, cards=False), self.ranking
        )
        return len(present) == len(sources) == len(answer.references) and not is_withheld

    async def _answer(self, asked: Any, question: str, token: str) -> AsyncGenerator[AnswerEvent, None]:
        report_searching(self.source.title)
        permission = await self.permission_of(asked)
        chosen = find_chosen_documents(asked) if self.source.knows_documents else None
        permission = permission if chosen is None else permission.restrict(chosen)
        source = self.source.for_person(token) if token else self.source
        earlier = restrict_turns(await self._recall_turns(asked), permission)
        async with contextlib.aclosing(source.answer_for(question, permission, earlier)) as events:
            async for event in events:
                yield event

    async def _recall_turns(self, asked: Any) -> tuple[EarlierTurn, ...]:
        """The sender's earlier turns; none for a source that keeps no conversation in mind."""
        if not self.source.follows_turns:
            return ()
        try:
            return await self.turn_memory.recall(asked)
        except StateError as error:
            log.error("earlier questions not found", cause=cause(error))
            return ()

    async def _note_turn(self, asked: Any, question: str, cited: CitedAnswer) -> None:
        if cited.sources and not self._named_rules:
            self._named_rules = True
            for rule in self.ranking.unmatched_rules(cited.sources) if self.ranking else ():
                described = self.ranking.describe_rule(rule) if self.ranking else ""
                log.warning("a rule of the labels file matches no source of the first answer", rule=described)
        if self.source.follows_turns:
            await self.turn_memory.remember(asked, question, cited)


def _find_room(shape: Channel) -> Room:
    if shape.speaks:
        return Room.VOICE
    if shape.at_once is not None:
        return Room.MESSAGE
    return Room.PAGE if shape.graph else Room.ABOVE_LIST


def _expects_replies(asked: Any) -> bool:
    return bool(asked.delivery_mode == "expectReplies")


def _may_stop(activity: Any, asked: Any) -> bool:
    if is_in_group(asked):
        return _is_of_sender(activity, asked)
    return conversation_of(asked) == conversation_of(activity)


def _is_of_sender(activity: Any, asked: Any) -> bool:
    """Whether the sender of ``activity`` has ``asked`` in the same conversation."""
    return (conversation_of(asked), sender_of(asked)) == (conversation_of(activity), sender_of(activity))


def _interim_mode(asked: Any, shape: Channel) -> InterimMode | None:
    """How the channel shows an answer that grows. Teams does so in one-on-one chats only."""
    is_shown = shape.interim is InterimMode.REPLACING or is_personal(asked)
    return shape.interim if is_shown and not (_expects_replies(asked) or target_of(asked)) else None
