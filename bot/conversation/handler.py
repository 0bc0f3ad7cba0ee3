"""The bot's handler for each kind of activity."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import Any, Final

from botbuilder.core import ActivityHandler, InvokeResponse, TurnContext
from botbuilder.schema import ActivityTypes

from citations.graph import VOTE_EVENT, VOTE_INVOKE

from ..access.asker import Tenants
from ..connector import activities
from ..connector.target import Target, answer_privately, target_of
from ..languages import Sentence, find_language, say, speak
from ..telemetry import Duplicate, emit
from ..telemetry.conversation_key import ConversationKey, short
from ..telemetry.log import logger
from . import Delivery, greeting
from .activity_log import LEASE_KEY, ActivityKey, ActivityLog
from .feedback import FEEDBACK_FORM, build_form
from .question import find_question
from .question_turn import conversation_of, is_in_group
from .sign_in import SignIn

LONGEST_QUESTION: Final = 4000
"""The most characters of a question, about two pages."""

_BUTTONS: Final = frozenset({"suggestedAction/submit", "suggestedActions/submit"})
"""The invokes of a button below a message (``Action.Submit``): Teams' page and its SDK differ in the name."""
STOP: Final = "stop"
"""The event's name, and the message, with which a person stops the answer under way."""

Forget = Callable[[ConversationKey], Awaitable[None]]
"""Deletes everything that is stored of a conversation."""

log = logger(__name__)


class AnswerBot(ActivityHandler):  # type: ignore[misc] # the SDK ships no types
    """Answers each message once, and greets people who join.

    With ``private_in_groups``, in a group of Teams each person alone sees what their messages are answered.
    """

    def __init__(  # noqa: PLR0913 - all but the first are given by name
        self,
        delivery: Delivery,
        *,
        activity_log: ActivityLog,
        forget: Forget,
        tenants: Tenants,
        sign_in: SignIn | None = None,
        private_in_groups: bool = False,
    ) -> None:
        self._delivery = delivery
        self._sign_in = sign_in
        self._activity_log = activity_log
        self._forget = forget
        self._tenants = tenants
        self._private_in_groups = private_in_groups

    async def on_turn(self, turn_context: TurnContext) -> None:
        """Handle an activity, unless it was leased before: channels deliver at least once.

        The lease is in the turn's state for the adapter. It gives the lease back if the turn fails
        without an answer, so that the activity can be handled again.
        """
        if self._private_in_groups and _is_asked_in_public(turn_context.activity):
            answer_privately(turn_context.activity, Target(question_id=None))
        speak(self._find_language(turn_context.activity))
        key = _find_key(turn_context.activity)
        if key is None:
            await self._handle(turn_context)
            return
        lease = turn_context.turn_state[LEASE_KEY] = await self._activity_log.take_lease(key)
        if lease is None:
            conversation = key.conversation
            log.info("duplicate", channel=conversation.channel_id, conversation=short(conversation))
            emit(Duplicate(conversation.channel_id))
            return
        try:
            await self._handle(turn_context)
        except asyncio.CancelledError:
            # The adapter does not catch a cancellation.
            await lease.give_back()
            raise
        finally:
            lease.release()

    def _find_language(self, activity: Any) -> str | None:
        """Find the language to answer ``activity`` in; None where nothing tells it.

        Bot Framework -- Activity: ``locale`` is "the preferred locale that a bot should use" for its text, by
        BCP 47. Where the bot does not speak that one, or none is given, the words of the question tell.
        """
        spoken = find_language(activity.locale)
        return spoken or self._delivery.tell_language(find_question(activity))

    async def _handle(self, context: TurnContext) -> None:
        if self._tenants.admit(context.activity):
            await super().on_turn(context)
        elif context.activity.type == "message":
            await context.send_activity(activities.sentence(say(Sentence.OTHER_TENANT)))

    async def on_message_activity(self, turn_context: TurnContext) -> None:
        """Answer a question, or explain why the message is not one."""
        question = find_question(turn_context.activity)
        if not question:
            # Teams sends the message itself as one, too, such as a mention of the bot alone.
            files = [
                one for one in turn_context.activity.attachments or () if one.content_type != "text/html"
            ]
            hint = say(Sentence.FILES_NOT_READ if files else Sentence.NO_QUESTION)
            await turn_context.send_activity(activities.sentence(hint))
        elif question.casefold() == STOP and self._delivery.stop(turn_context.activity):
            return  # the stopped answer says so
        elif len(question) > LONGEST_QUESTION:
            hint = say(Sentence.QUESTION_TOO_LONG, limit=LONGEST_QUESTION)
            await turn_context.send_activity(activities.sentence(hint))
        else:
            await (self._sign_in or self._delivery).deliver(turn_context, question)

    async def on_event(self, turn_context: TurnContext) -> None:
        """Stop the answer under way, or record a vote; ignore other events."""
        if turn_context.activity.name == STOP:
            self._delivery.stop(turn_context.activity)
        elif turn_context.activity.name == VOTE_EVENT:
            await self._delivery.votes.record(turn_context.activity)

    async def on_token_response_event(self, turn_context: TurnContext) -> None:
        """Answer the question that waits for a sign-in, of which ``tokens/response`` tells."""
        if self._sign_in:
            await self._sign_in.resume(turn_context)

    async def on_invoke_activity(self, turn_context: TurnContext) -> Any:
        """Record a vote, show the form for one, or end a sign-in; respond with 501 to unknown invokes."""
        if self._sign_in and (response := await self._sign_in.handle_invoke(turn_context)):
            return response
        name = turn_context.activity.name
        if name == FEEDBACK_FORM:
            return InvokeResponse(status=HTTPStatus.OK, body=build_form())
        if name == VOTE_INVOKE:
            await self._delivery.votes.record(turn_context.activity)
        elif name not in _BUTTONS:
            return await super().on_invoke_activity(turn_context)
        # Teams, "Add user feedback controls": on any other response, Teams shows the person an error.
        return InvokeResponse(status=HTTPStatus.OK, body={})

    async def on_members_added_activity(
        self,
        members_added: Sequence[Any],  # noqa: ARG002 - the SDK calls it so
        turn_context: TurnContext,
    ) -> None:
        """Greet once if there are people among ``members_added``, which can also be the bot alone."""
        await self._greet(turn_context)

    async def on_installation_update_add(self, turn_context: TurnContext) -> None:
        """Greet where the bot was installed, but not after an upgrade."""
        await self._greet(turn_context)

    async def _greet(self, context: TurnContext) -> None:
        """Send the greeting, if it is due and was not sent."""
        if not greeting.is_due(context.activity):
            return
        key = greeting.key_of(context.activity)
        lease = await self._activity_log.take_lease(key) if key else None
        if key and lease is None:
            return
        try:
            await context.send_activity(await greeting.write(self._delivery, context.activity))
        except BaseException:
            if lease:
                await lease.give_back()
            raise
        finally:
            if lease:
                lease.release()

    async def on_members_removed_activity(
        self, members_removed: Sequence[Any], turn_context: TurnContext
    ) -> None:
        """Forget a conversation from which the bot is removed."""
        bot = turn_context.activity.recipient
        if bot is not None and any(member.id == bot.id for member in members_removed):
            await self._forget_conversation(turn_context.activity)

    async def on_installation_update_remove(self, turn_context: TurnContext) -> None:
        """Forget a conversation where the bot is uninstalled, but not on an upgrade, which adds it again."""
        if turn_context.activity.action == "remove":
            await self._forget_conversation(turn_context.activity)

    async def on_unrecognized_activity_type(self, turn_context: TurnContext) -> None:
        """Forget a conversation at its user's request: "deleteUserData" (Bot Framework -- Activity)."""
        if turn_context.activity.type == "deleteUserData":
            await self._forget_conversation(turn_context.activity)

    async def _forget_conversation(self, activity: Any) -> None:
        """Raises :class:`StateError` where the deletion failed, so that the channel repeats its request."""
        await self._delivery.end_answers(activity)
        await self._forget(conversation_of(activity))
        if key := greeting.key_of(activity):
            await self._activity_log.drop(key)  # where the bot is installed again, it greets again
        log.info("forgotten", channel=activity.channel_id, conversation=short(conversation_of(activity)))


def _is_asked_in_public(activity: Any) -> bool:
    """Whether people in a group of Teams have read what a turn handles; a greeting is for all of them."""
    asks = activity.type in (ActivityTypes.message, ActivityTypes.invoke)
    return asks and activity.channel_id == "msteams" and is_in_group(activity) and not target_of(activity)


def _find_key(activity: Any) -> ActivityKey | None:
    # An invoke is answered in its response, so each delivery needs its own answer.
    if not activity.id or activity.type == "invoke":
        return None
    return ActivityKey(conversation_of(activity), activity.id)
