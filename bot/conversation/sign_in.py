"""People sign in, and their questions are answered with their tokens.

Governing sources: the Bot Framework SDK's ``OAuthPrompt``; Teams, "Add code to enable SSO in your bot app".
Bot Service's token service keeps the tokens. The bot asks it for one at each question, and stores none. A
person who has not signed in gets a card. Their question waits for the sign-in: for a code that they type (Web
Chat), for ``signin/verifyState`` or ``signin/tokenExchange`` (Teams), or for ``tokens/response`` (Direct
Line). A token that comes with these is exchanged or ignored: the token service alone says whose one is whose.
"""

from __future__ import annotations

import contextlib
import json
import re
import secrets
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Any, Final

from botbuilder.core import CardFactory, InvokeResponse, TurnContext
from botbuilder.schema import ActionTypes, CardAction, InputHints, OAuthCard, SignInConstants
from botframework.connector.token_api.models import TokenExchangeRequest

from ..config.sign_in import SignInOptions
from ..connector import ConnectorError, TokenError, UserTokens, activities
from ..connector.target import Target, answer_privately, target_of
from ..languages import LANGUAGES, Sentence, language, say, speak
from ..state import State, StateError
from ..telemetry.log import cause, logger
from . import Delivery
from .question_turn import conversation_of, is_in_group, sender_of

WAIT: Final = 15 * 60.0
"""Seconds for which a question waits for the sign-in, as in ``OAuthPrompt``."""
TOKEN_EXCHANGE: Final = SignInConstants.token_exchange_operation_name.value
VERIFY_STATE: Final = SignInConstants.verify_state_operation_name.value

_KIND: Final = "sign-in"
_TAKEN: Final = "sign-in taken"
_CODE: Final = re.compile(r"\d{6}", re.ASCII)
_TEAMS: Final = "msteams"
_CHANNELS: Final = frozenset({_TEAMS, "webchat", "directline", "emulator"})
"""The channels that know who writes, and where people can sign in."""
_SIGN_OUT: Final = frozenset(phrase.casefold() for phrase in LANGUAGES.words_of("words", "sign_out"))

log = logger(__name__)


class SignInUnavailable(Exception):  # noqa: N818 - it is a state of the service
    """The token service can't be reached, or it fails."""


@dataclass(frozen=True, slots=True)
class WaitingQuestion:
    """A question that waits for its person's sign-in, and the language that it was asked in.

    With a ``target``, its person alone may see the answer.
    """

    text: str
    language: str
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class SignIn:
    """Has people sign in by the connection of ``options``, and hands their questions to ``delivery``.

    ``state`` keeps a question that waits. It never has a token.
    """

    options: SignInOptions
    delivery: Delivery
    state: State

    async def deliver(self, context: TurnContext, text: str) -> None:
        """Reply to ``text``: with an answer, with a card for the sign-in, or about the sign-in."""
        asked = context.activity
        try:
            if not self._may_ask(asked):
                await _say(context, Sentence.SIGN_IN_ELSEWHERE)
            elif text.strip(" .!").casefold() in _SIGN_OUT:
                await self._sign_out(context)
            elif _CODE.fullmatch(text) and await self._recall(asked):
                await self._redeem(context, text)
            elif token := await self._find_token(context):
                await self._take(asked)  # who has signed in elsewhere, and asks anew, waits for it no longer
                await self.delivery.deliver(context, text, token)
            else:
                await self._ask(context, text)
        except SignInUnavailable:
            await _say(context, Sentence.SIGN_IN_UNAVAILABLE)

    async def handle_invoke(self, context: TurnContext) -> InvokeResponse | None:
        """Respond to an invoke of Teams about a sign-in; None for another one."""
        if context.activity.channel_id != _TEAMS:
            return None
        value = context.activity.value if isinstance(context.activity.value, dict) else {}
        if context.activity.name == VERIFY_STATE:
            return await self._verify(context, str(value.get("state") or ""))
        if context.activity.name == TOKEN_EXCHANGE:
            return await self._exchange(context, value)
        return None

    async def resume(self, context: TurnContext) -> None:
        """Answer the question that waits, if its person has signed in now."""
        with contextlib.suppress(SignInUnavailable):
            if token := await self._find_token(context):
                await self._answer_waiting(context, token)

    def _may_ask(self, asked: Any) -> bool:
        is_seen_by_others = is_in_group(asked) and not target_of(asked)
        may_be_seen = self.options.groups is True or not is_seen_by_others
        return bool(asked.channel_id in _CHANNELS and sender_of(asked) and may_be_seen)

    async def _ask(self, context: TurnContext, text: str) -> None:
        """Keep a question, and send the card by which its person signs in."""
        asked = context.activity
        with _asking(asked):
            where = await _tokens(context).get_sign_in_resource(self.options.connection, asked, None)
        target = target_of(asked)
        record = {
            "id": secrets.token_hex(8),
            "text": text,
            "language": language(),
            "target": asdict(target) if target else None,
        }
        try:
            key = conversation_of(asked), _KIND, sender_of(asked)
            await self.state.put(*key, json.dumps(record).encode(), lifetime=WAIT)
        except StateError as error:
            log.error("question not kept", channel=asked.channel_id, cause=cause(error))
        # The other channels put the link there by themselves.
        link = where.sign_in_link if asked.channel_id == _TEAMS else None
        button = CardAction(type=ActionTypes.signin, title=say(Sentence.SIGN_IN_BUTTON), value=link)
        card = OAuthCard(
            text=say(Sentence.SIGN_IN),
            connection_name=self.options.connection,
            buttons=[button],
            token_exchange_resource=where.token_exchange_resource,
        )
        await context.send_activity(
            activities.message(
                attachments=[CardFactory.oauth_card(card)], input_hint=InputHints.accepting_input
            )
        )

    async def _redeem(self, context: TurnContext, code: str) -> None:
        """Take the code that a person types after the sign-in."""
        if token := await self._find_token(context, code):
            await self._answer_waiting(context, token)
        else:
            # The question ends with a wrong code: a person may not try one after the other.
            await self._take(context.activity)
            await _say(context, Sentence.SIGN_IN_CODE_REFUSED)

    async def _verify(self, context: TurnContext, code: str) -> InvokeResponse:
        """Take the code that Teams sends after the sign-in in its own window."""
        try:
            token = await self._find_token(context, code) if code else ""
        except SignInUnavailable:
            return InvokeResponse(status=HTTPStatus.INTERNAL_SERVER_ERROR)
        if not token:
            return InvokeResponse(status=HTTPStatus.NOT_FOUND)
        if not await self._answer_waiting(context, token):
            await _say(context, Sentence.SIGNED_IN)
        return InvokeResponse(status=HTTPStatus.OK)

    async def _exchange(self, context: TurnContext, value: dict[str, Any]) -> InvokeResponse:
        """Exchange the token of the person's Teams. Each of their open clients sends one."""
        body = {"id": value.get("id"), "connectionName": self.options.connection}
        given = value.get("token")
        if value.get("connectionName") != self.options.connection or not isinstance(given, str):
            failure = "this bot has no such connection"
            return InvokeResponse(status=HTTPStatus.BAD_REQUEST, body={**body, "failureDetail": failure})
        asked, found = context.activity, None
        with contextlib.suppress(SignInUnavailable), _asking(asked):
            found = await _tokens(context).exchange_token(
                sender_of(asked), self.options.connection, asked.channel_id, TokenExchangeRequest(token=given)
            )
        if found is None:
            # Then Teams asks for consent, or shows the card's button.
            failure = "the token can't be exchanged"
            return InvokeResponse(
                status=HTTPStatus.PRECONDITION_FAILED, body={**body, "failureDetail": failure}
            )
        await self._answer_waiting(context, found.token)
        return InvokeResponse(status=HTTPStatus.OK, body=body)

    async def _answer_waiting(self, context: TurnContext, token: str) -> bool:
        """Answer the sender's question that waits, once of all replicas; return whether there is one."""
        question = await self._take(context.activity)
        if question:
            speak(question.language)
            if question.target:
                # The sign-in comes as an activity of its own, which nothing marks as targeted.
                answer_privately(context.activity, question.target)
            await self.delivery.deliver(context, question.text, token)
        return question is not None

    async def _take(self, activity: Any) -> WaitingQuestion | None:
        found = await self._recall(activity)
        if found is None:
            return None
        key = conversation_of(activity), _KIND, sender_of(activity)
        try:
            mine = await self.state.put_new(
                key[0], _TAKEN, found["id"], secrets.token_bytes(8), lifetime=WAIT
            )
            await self.state.drop(*key)
        except StateError as error:
            log.error("question not found", channel=activity.channel_id, cause=cause(error))
            return None
        target = Target(**found["target"]) if found.get("target") else None
        return WaitingQuestion(found["text"], found["language"], target) if mine else None

    async def _recall(self, activity: Any) -> dict[str, Any] | None:
        try:
            record = await self.state.get(conversation_of(activity), _KIND, sender_of(activity))
        except StateError as error:
            log.error("question not found", channel=activity.channel_id, cause=cause(error))
            return None
        found: dict[str, Any] | None = json.loads(record) if record else None
        return found

    async def _sign_out(self, context: TurnContext) -> None:
        """Have the person's token forgotten, and what the bot knows of their questions and answers here."""
        asked = context.activity
        person, connection = sender_of(asked), self.options.connection
        try:
            with _asking(asked):
                await _tokens(context).sign_out_user(person, connection, asked.channel_id)
        finally:
            # With a token, one more question might have begun meanwhile.
            await self._take(asked)
            await self.delivery.forget_person(asked)
        await _say(context, Sentence.SIGNED_OUT)

    async def _find_token(self, context: TurnContext, code: str | None = None) -> str:
        """The sender's token; empty where they have not signed in. Raises :class:`SignInUnavailable`."""
        asked = context.activity
        with _asking(asked):
            found = await _tokens(context).get_user_token(
                sender_of(asked), self.options.connection, asked.channel_id, code
            )
        return str(found.token) if found else ""


def _tokens(context: TurnContext) -> UserTokens:
    client: UserTokens = context.turn_state[context.adapter.USER_TOKEN_CLIENT_KEY]
    return client


@contextlib.contextmanager
def _asking(asked: Any) -> Iterator[None]:
    """In this block the token service is asked. Without a token of the bot's nothing can be sent, either."""
    try:
        yield
    except TokenError:
        raise
    except ConnectorError as error:
        log.warning("no sign-in", channel=asked.channel_id, cause=cause(error))
        raise SignInUnavailable("the token service failed") from error


async def _say(context: TurnContext, sentence: Sentence) -> None:
    await context.send_activity(activities.sentence(say(sentence)))
