"""The Bot Framework's adapter, with our authentication and its refusals made plain."""

from __future__ import annotations

import asyncio
import functools
import json
from http import HTTPStatus
from typing import Any, Final

from aiohttp import hdrs, web
from botbuilder.core import Bot, TurnContext, serializer_helper
from botbuilder.integration.aiohttp import CloudAdapter
from botbuilder.schema import ActivityEventNames, ActivityTypes, ResourceResponse
from structlog.stdlib import BoundLogger

from ..authentication.sdk_authentication import Authentication
from ..authentication.signing_keys import KeysUnavailable
from ..authentication.token import Token, Unauthorized
from ..config.timeouts import Timeouts
from ..connector import MaybeSent, TokenError, activities
from ..http.arrival import time_left
from ..http.guard import ACTIVITY
from ..http.refusal import refusal
from ..messages import Sentence, say
from ..telemetry import Send, span
from ..telemetry.conversation_key import ConversationKey, short
from ..telemetry.log import cause, logger
from .activity_log import CLAIM
from .queue import OverloadedError

_NOT_SENT: Final = frozenset({"delay", ActivityTypes.invoke_response, ActivityTypes.trace})
"""What the SDK waits for, keeps for the response, or sends to the Emulator only."""

AGAIN_AFTER: Final = 5
"""Seconds, for ``Retry-After``: by then the burst that is too much for us is over, or it is none."""

TOKEN: Final = web.RequestKey("token", Token | None)  # type: ignore[arg-type]
"""What the sender of a request has shown; None where nobody is asked for it."""

log = logger(__name__)


class Adapter(CloudAdapter):  # type: ignore[misc] # the SDK ships no types
    """``CloudAdapter`` that answers a bad request with the 4xx it deserves, and ``expectReplies`` at all."""

    def __init__(self, authentication: Authentication, timeouts: Timeouts | None = None) -> None:
        super().__init__(authentication)
        self.on_turn_error = functools.partial(_tell, timeouts or Timeouts())

    async def process(self, request: web.Request, bot: Bot, ws_response: object = None) -> web.Response:  # noqa: ARG002
        """Run one inbound activity, which the guard has read, through the bot.

        201 as the SDK answers, 200 with a body for ``expectReplies``, or an invoke's own status; 401
        for any token that isn't the channel's; 400 for fields of the wrong type; 502 where the
        channel could not be reached, so that it may send the activity again.
        """
        body = request[ACTIVITY]
        try:
            identity = self.bot_framework_authentication.admit(
                request[TOKEN], body["channelId"], body["serviceUrl"]
            )
        except Unauthorized as error:
            raise _refuse_sender(error) from None
        try:
            activity = activities.read_activity(body)
        except ValueError as error:
            raise refusal(web.HTTPBadRequest, "BadArgument", str(error)) from None
        try:
            result = await self.process_activity(identity, activity, bot.on_turn)
        except OverloadedError:
            raise _refuse_overload() from None
        except Exception as error:  # noqa: BLE001 - logged, and answered with what the channel can act on
            _log_of(activity).error("turn failed", cause=cause(error))
            raise refusal(web.HTTPBadGateway, "BotError", "the turn could not be finished") from None
        return _response(result)

    async def send_activities(self, context: TurnContext, activities: list[Any]) -> list[Any]:
        """Send ``activities`` in their order, and what is outdated by the next one only once."""
        return [await self._send(context, activity) for activity in activities]

    async def _send(self, context: TurnContext, activity: Any) -> Any:
        if activity.type in _NOT_SENT:
            return (await super().send_activities(context, [activity]))[0]
        claim = context.turn_state.get(CLAIM)
        if claim is not None and not await claim.is_valid():
            return ResourceResponse(id="")  # it is another replica's to say
        activity.id = None
        conversations = context.turn_state[self.BOT_CONNECTOR_CLIENT_KEY].conversations
        # Typing dots, and pieces of a stream, which are typing activities too.
        once = activity.type == ActivityTypes.typing or _EXCUSING in context.turn_state
        tries = {"tries": 1} if once else {}
        with span(Send(context.activity.channel_id, activity.type)):
            if activity.reply_to_id:
                sent = await conversations.reply_to_activity(
                    activity.conversation.id, activity.reply_to_id, activity, **tries
                )
            else:
                sent = await conversations.send_to_conversation(activity.conversation.id, activity, **tries)
        return sent or ResourceResponse(id="")

    async def identify(self, request: web.Request) -> None:
        """Keep whose token a request has; 401 where it is no channel's, and 503 where nobody can tell."""
        headers = request.headers.getall(hdrs.AUTHORIZATION, [])
        try:
            request[TOKEN] = await self.bot_framework_authentication.validate(headers)
        except Unauthorized as error:
            raise _refuse_sender(error) from None
        except KeysUnavailable:
            raise refusal(
                web.HTTPServiceUnavailable, "ServiceUnavailable", "the token can't be checked now"
            ) from None


def _refuse_sender(error: Unauthorized) -> web.HTTPException:
    log.warning("token refused", reason=str(error))
    refused = refusal(web.HTTPUnauthorized, "Unauthorized", "a valid token of the channel is needed")
    # RFC 9110 § 11.6.1: a 401 says what would be taken.
    refused.headers[hdrs.WWW_AUTHENTICATE] = "Bearer"
    return refused


def _response(result: Any) -> web.Response:
    if result is None:
        return web.Response(status=HTTPStatus.CREATED)
    body = result.body
    # The SDK runs its serialiser on bodies that are JSON already, and fails.
    plain = body if isinstance(body, dict | list) else serializer_helper(body)
    return web.Response(
        status=int(result.status),
        text=None if plain is None else json.dumps(plain, ensure_ascii=False),
        content_type="application/json",
    )


def _refuse_overload() -> web.HTTPException:
    """The channel tells the person that the message was not sent, and may send it again."""
    refused = refusal(web.HTTPServiceUnavailable, "ServiceUnavailable", "too many questions at once")
    refused.headers[hdrs.RETRY_AFTER] = str(AGAIN_AFTER)
    return refused


_LOST: Final = "excuse lost"
_CONTINUED: Final = ActivityEventNames.continue_conversation


_EXCUSING: Final = "excusing"
"""The turn's last sentence, which is sent once: it is for a channel that has just failed."""


async def _tell(timeouts: Timeouts, context: TurnContext, error: Exception) -> None:
    """Tell the person that a turn failed, or else the channel, which may then send the activity again.

    One of whose answer nobody knows whether it arrived is not taken up again.
    """
    try:
        await _excuse(timeouts, context, error)
    except BaseException:
        claim = context.turn_state.get(CLAIM)
        # What follows a request, no channel sends again: what could not be said is kept.
        follows = context.activity.name == _CONTINUED
        if claim is not None and not follows and not isinstance(error, MaybeSent):
            await claim.give_back()
        raise


async def _excuse(timeouts: Timeouts, context: TurnContext, error: Exception) -> None:
    """The last resort of a turn: one event in the log and one sentence to the person.

    In a request it has what is left of the budget: a channel that gives up sends the question again.
    Raises ``error`` again where not even that can be said, so that the channel says it. Where the
    answer may have arrived, the person is told that, and the channel is told nothing: it would send
    the question again, and the person might have two answers.
    """
    if isinstance(error, OverloadedError):
        raise error  # there is no time for an excuse either
    activity = context.activity
    event = _log_of(activity)
    event.error("turn error", cause=cause(error))
    if activity.type != ActivityTypes.message and activity.name != _CONTINUED:
        raise error
    if isinstance(error, TokenError):
        raise error  # an excuse would need one too
    unsure = isinstance(error, MaybeSent)
    time = None if activity.name == _CONTINUED else time_left(timeouts.budget)
    if time == 0 and not unsure:
        raise error  # the channel still listens, but not for long
    context.turn_state[_EXCUSING] = True
    try:
        async with asyncio.timeout(time):
            excuse = say(Sentence.MAYBE_LOST if unsure else Sentence.CRASHED)
            await context.send_activity(activities.sentence(excuse))
    except Exception as second:
        event.error(_LOST, cause=cause(second))
        # Whoever said what follows a request keeps what was lost.
        if activity.name == _CONTINUED or (not unsure and not isinstance(second, MaybeSent | TimeoutError)):
            raise error from second


def _log_of(activity: Any) -> BoundLogger:
    conversation = ConversationKey(activity.channel_id, activity.conversation.id)
    return log.bind(channel=activity.channel_id, conversation=short(conversation))
