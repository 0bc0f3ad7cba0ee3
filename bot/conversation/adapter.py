"""The Bot Framework's adapter, with our authentication and precise HTTP errors."""

from __future__ import annotations

import asyncio
import functools
from http import HTTPStatus
from typing import Any, Final

from aiohttp import hdrs, web
from botbuilder.core import Bot, TurnContext
from botbuilder.integration.aiohttp import CloudAdapter
from botbuilder.schema import ActivityEventNames, ActivityTypes, ResourceResponse
from structlog.stdlib import BoundLogger

from ..access.sdk_authentication import Authentication
from ..access.signing_keys import KeysUnavailable
from ..access.token import Token, Unauthorized
from ..config.timeouts import Timeouts
from ..connector import ChannelRefusal, MaybeSent, TokenError, activities
from ..connector.activity_reader import read_activity
from ..connector.activity_writer import to_json
from ..connector.target import target_of
from ..connector.transport import TRIES
from ..http.arrival import ACTIVITY, time_left
from ..http.refusal import refusal
from ..languages import Sentence, say
from ..telemetry import Send, span
from ..telemetry.conversation_key import short
from ..telemetry.log import cause, logger
from .activity_log import LEASE_KEY
from .question_turn import conversation_of
from .queue import OverloadedError

_NOT_SENT: Final = frozenset({"delay", ActivityTypes.invoke_response})
"""Types that the SDK handles without the channel: a pause, an invoke's response."""

AGAIN_AFTER: Final = 5
"""Seconds for ``Retry-After``. A short burst of questions is over by then."""

TOKEN: Final = web.RequestKey("token", Token | None)  # type: ignore[arg-type]
"""The token of a request's sender; None where no credentials are configured."""

log = logger(__name__)


class Adapter(CloudAdapter):  # type: ignore[misc] # the SDK ships no types
    """A ``CloudAdapter`` that responds to bad requests with 4xx, and supports ``expectReplies``."""

    def __init__(self, authentication: Authentication, timeouts: Timeouts | None = None) -> None:
        super().__init__(authentication)
        self.on_turn_error = functools.partial(_handle_error, timeouts or Timeouts())

    async def process(self, request: web.Request, bot: Bot, ws_response: object = None) -> web.Response:  # noqa: ARG002
        """Run an inbound activity, which the guard has read, through the bot.

        The status is 201, 200 with a body for ``expectReplies``, or an invoke's own. It is 401 for an
        invalid token, and 503 under overload. It is 502 where the turn failed unanswered, so that the
        channel may send the activity again.
        """
        body = request[ACTIVITY]
        try:
            identity = self.bot_framework_authentication.admit(
                request[TOKEN], body["channelId"], body["serviceUrl"]
            )
        except Unauthorized as error:
            raise _refuse_sender(error) from None
        activity = read_activity(body)
        try:
            result = await self.process_activity(identity, activity, bot.on_turn)
        except OverloadedError:
            # On a 503, the channel tells the person, or sends the activity again.
            raise refusal(
                web.HTTPServiceUnavailable,
                "ServiceUnavailable",
                "too many questions at once",
                headers={hdrs.RETRY_AFTER: str(AGAIN_AFTER)},
            ) from None
        except Exception as error:  # noqa: BLE001 - logged, and the channel gets a status
            _bind_log(activity).error("turn failed", cause=cause(error))
            raise refusal(web.HTTPBadGateway, "BotError", "the turn could not be finished") from None
        return _build_response(result)

    async def send_activities(self, context: TurnContext, activities: list[Any]) -> list[Any]:
        """Send ``activities`` in order; only typing dots and interims are not retried."""
        return [await self._send(context, activity) for activity in activities]

    async def _send(self, context: TurnContext, activity: Any) -> Any:
        if activity.type in _NOT_SENT:
            return (await super().send_activities(context, [activity]))[0]
        lease = context.turn_state.get(LEASE_KEY)
        other_replica_answers = lease is not None and not await lease.is_valid()
        # A trace is for the Emulator's log alone.
        if other_replica_answers or activity.type == ActivityTypes.trace:
            return ResourceResponse(id="")
        target = None if _TO_ALL in context.turn_state else target_of(context.activity)
        if target and activity.type == ActivityTypes.typing:
            return ResourceResponse(id="")  # Teams has no typing sign for one person alone
        activity.id = None
        connector = context.turn_state[self.BOT_CONNECTOR_CLIENT_KEY]
        # Typing dots, and the interims of a stream, which are typing activities too.
        send_once = activity.type == ActivityTypes.typing or _EXCUSING in context.turn_state
        with span(Send(context.activity.channel_id, activity.type)):
            return ResourceResponse(id=await connector.send(activity, 1 if send_once else TRIES, target))

    async def update_activity(self, context: TurnContext, activity: Any) -> Any:
        """Replace the message that has the id of ``activity``. Raises :class:`ConnectorError`."""
        connector = context.turn_state[self.BOT_CONNECTOR_CLIENT_KEY]
        with span(Send(context.activity.channel_id, activity.type)):
            return ResourceResponse(id=await connector.update(activity, target_of(context.activity)))

    async def identify(self, request: web.Request) -> None:
        """Store the token of a request in it. Raises 401 for an invalid token, 503 while keys are missing."""
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
    message = "a valid token of the channel is needed"
    # RFC 9110 § 11.6.1: a 401 has a challenge.
    return refusal(web.HTTPUnauthorized, "Unauthorized", message, headers={"WWW-Authenticate": "Bearer"})


def _build_response(result: Any) -> web.Response:
    if result is None:
        return web.Response(status=HTTPStatus.CREATED)
    return web.Response(
        status=int(result.status),
        body=None if result.body is None else to_json(result.body),
        content_type="application/json",
    )


_CONTINUED: Final = ActivityEventNames.continue_conversation
_NOT_FOR_ONE: Final = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND})
"""Teams' statuses for a targeted message that the person can't get."""
_TO_ALL: Final = "to all"
"""The key of the turn's state while a sentence is sent that all may read, though the answer is for one."""
_EXCUSING: Final = "excusing"
"""The key of the turn's state while the excuse is sent, which the failing channel gets once."""


async def _handle_error(timeouts: Timeouts, context: TurnContext, error: Exception) -> None:
    """Tell the person that a turn failed, or else the channel, which may then send the activity again.

    The lease is given back then, unless an answer may have arrived.
    """
    try:
        await _send_excuse(timeouts, context, error)
    except BaseException:
        lease = context.turn_state.get(LEASE_KEY)
        # No channel repeats an activity whose request is over; its answer goes to the outbox instead.
        is_proactive = context.activity.name == _CONTINUED
        if lease is not None and not is_proactive and not isinstance(error, MaybeSent):
            await lease.give_back()
        raise


async def _send_excuse(timeouts: Timeouts, context: TurnContext, error: Exception) -> None:
    """Log the error of a turn, and send the person one sentence about it.

    Within a request this has the rest of the budget, since after a timeout the channel repeats the
    question. Raises ``error`` again where the sentence can't be sent, so that the channel tells the
    person. Where an answer may have arrived, the sentence says so and ``error`` is not raised.
    Otherwise the channel might repeat the question, and the person might get two answers.
    """
    if isinstance(error, OverloadedError):
        raise error  # there is no time for an excuse either
    activity = context.activity
    turn_log = _bind_log(activity)
    target = target_of(activity)
    if target and isinstance(error, ChannelRefusal) and error.status in _NOT_FOR_ONE:
        turn_log.warning("targeted message refused", status=error.status)
        if target.question_id is None:
            # All have read the question. What is for one person is told to no others.
            context.turn_state[_TO_ALL] = True
            await context.send_activity(activities.sentence(say(Sentence.NOT_PRIVATE)))
        return
    turn_log.error("turn error", cause=cause(error))
    if activity.type != ActivityTypes.message and activity.name != _CONTINUED:
        raise error
    if isinstance(error, TokenError):
        raise error  # the excuse would need a token too
    unsure = isinstance(error, MaybeSent)
    time = None if activity.name == _CONTINUED else time_left(timeouts.budget)
    if time == 0 and not unsure:
        raise error  # the response must be in time
    context.turn_state[_EXCUSING] = True
    try:
        async with asyncio.timeout(time):
            excuse = say(Sentence.MAYBE_LOST if unsure else Sentence.CRASHED)
            await context.send_activity(activities.sentence(excuse))
    except Exception as excuse_error:
        turn_log.error("excuse lost", cause=cause(excuse_error))
        # A proactive turn's caller stores the answer.
        if activity.name == _CONTINUED or (
            not unsure and not isinstance(excuse_error, MaybeSent | TimeoutError)
        ):
            raise error from excuse_error


def _bind_log(activity: Any) -> BoundLogger:
    return log.bind(channel=activity.channel_id, conversation=short(conversation_of(activity)))
