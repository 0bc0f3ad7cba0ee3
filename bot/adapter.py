"""The Bot Framework's adapter, with its credentials kept and its refusals made plain."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from aiohttp import web
from botbuilder.core import Bot, TurnContext, serializer_helper
from botbuilder.integration.aiohttp import (
    CloudAdapter,
    ConfigurationBotFrameworkAuthentication,
    ConfigurationServiceClientCredentialFactory,
)

from . import activities
from .delivery import short
from .ending import GENERAL_EXCUSE
from .guard import ACTIVITY
from .log import cause, logger
from .refusal import refusal
from .settings import Credentials

SEND_PATIENCE: Final = 10.0
"""Seconds that a connector has to take an activity."""

log = logger(__name__)


@dataclass(frozen=True, slots=True)
class _Configuration:
    """The attributes that the SDK looks for, by the names it looks for."""

    APP_ID: str
    APP_PASSWORD: str
    APP_TYPE: str
    APP_TENANTID: str


class KeptCredentials(ConfigurationServiceClientCredentialFactory):  # type: ignore[misc] # no types
    """Makes the credentials for a scope once, and fetches their token off the event loop.

    The SDK makes new ones every turn, each with an empty token cache, and each then asks Entra ID
    for its configuration and a token on the event loop: two blocking calls a turn.
    """

    def __init__(self, configuration: object) -> None:
        super().__init__(configuration)
        self._kept: dict[tuple[str, str], Any] = {}
        self._lock = asyncio.Lock()

    async def create_credentials(
        self, app_id: str, oauth_scope: str, login_endpoint: str, validate_authority: bool
    ) -> Any:
        """The credentials for ``oauth_scope``, with a token that holds; MSAL renews it when it is due."""
        if not app_id:
            return await super().create_credentials(app_id, oauth_scope, login_endpoint, validate_authority)
        # One at a time, so that a burst of turns asks Entra ID once.
        async with self._lock:
            credentials = self._kept.get((app_id, oauth_scope))
            if credentials is None:
                credentials = await super().create_credentials(
                    app_id, oauth_scope, login_endpoint, validate_authority
                )
                self._kept[app_id, oauth_scope] = credentials
            await asyncio.to_thread(credentials.get_access_token)
        return credentials


class Adapter(CloudAdapter):  # type: ignore[misc] # the SDK ships no types
    """``CloudAdapter`` that answers a bad request with the 4xx it deserves, and ``expectReplies`` at all."""

    def __init__(self, credentials: Credentials | None) -> None:
        configuration = _Configuration(
            APP_ID=credentials.app_id if credentials else "",
            APP_PASSWORD=credentials.password if credentials else "",
            APP_TYPE=credentials.app_type if credentials else "MultiTenant",
            APP_TENANTID=credentials.tenant_id if credentials else "",
        )
        super().__init__(
            ConfigurationBotFrameworkAuthentication(
                configuration, credentials_factory=KeptCredentials(configuration)
            )
        )
        self._authenticates = credentials is not None
        self.on_turn_error = _excuse

    async def process(self, request: web.Request, bot: Bot, ws_response: object = None) -> web.Response:  # noqa: ARG002
        """Run one inbound activity, which the guard has read, through the bot.

        201 as the SDK answers, 200 with a body for ``expectReplies``, or an invoke's own status; 401
        for any token that isn't the channel's; 400 for fields of the wrong type; 502 where the
        channel could not be reached, so that it may send the activity again.
        """
        body = request[ACTIVITY]
        try:
            activity = activities.read_activity(body)
        except ValueError as error:
            raise refusal(web.HTTPBadRequest, "BadArgument", str(error)) from None
        identity = await self._authenticate(activity, request.headers.get("Authorization", ""))
        try:
            result = await self.process_activity(identity, activity, bot.on_turn)
        except Exception as error:  # noqa: BLE001 - logged, and answered with what the channel can act on
            event = log.bind(channel=activity.channel_id, conversation=short(activity.conversation.id))
            event.error("turn failed", cause=cause(error))
            raise refusal(web.HTTPBadGateway, "BotError", "the turn could not be finished") from None
        return _response(result)

    async def send_activities(self, context: TurnContext, activities: list[Any]) -> list[Any]:
        """Send to the connector, and wait for it no longer than :data:`SEND_PATIENCE`.

        The SDK waits 100 s, in one of the few threads that all turns share.
        """
        connector = context.turn_state.get(self.BOT_CONNECTOR_CLIENT_KEY)
        if connector is not None:
            connector.config.connection.timeout = SEND_PATIENCE
        sent: list[Any] = await super().send_activities(context, activities)
        return sent

    async def _authenticate(self, activity: Any, header: str) -> Any:
        """Who sends this. Whatever the SDK raises over a token means that it isn't valid."""
        try:
            result = await self.bot_framework_authentication.authenticate_request(activity, header)
        except PermissionError as error:
            raise _unauthorized(error) from None
        except OSError as error:  # requests' own errors: the keys could not be fetched
            log.error("signing keys unreachable", cause=cause(error))
            raise refusal(
                web.HTTPServiceUnavailable, "ServiceUnavailable", "the token can't be checked now"
            ) from None
        except Exception as error:  # noqa: BLE001 - jwt's errors, a missing key's IndexError, plain Exception
            raise _unauthorized(error) from None
        # RFC 7519 lets `exp` be absent; a channel's token always has one, and the SDK doesn't ask.
        if self._authenticates and not result.claims_identity.claims.get("exp"):
            raise _unauthorized(PermissionError())
        return result


def _unauthorized(error: Exception) -> web.HTTPException:
    log.warning("token refused", cause=cause(error))
    return refusal(web.HTTPUnauthorized, "Unauthorized", "a valid token of the channel is needed")


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


_LOST: Final = "excuse lost"


async def _excuse(context: TurnContext, error: Exception) -> None:
    """The last resort of a turn: one event in the log and one sentence to the person.

    Raises ``error`` again where not even that can be said.
    """
    event = log.bind(
        channel=context.activity.channel_id, conversation=short(context.activity.conversation.id)
    )
    event.error("turn error", cause=cause(error))
    if context.activity.type != "message":
        raise error
    try:
        await context.send_activity(activities.sentence(GENERAL_EXCUSE))
    except Exception as second:
        event.error(_LOST, cause=cause(second))
        raise error from second
