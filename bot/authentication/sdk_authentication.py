"""Where the SDK asks who sends an activity and how it is answered, with nothing of the SDK's behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn

from botframework.connector.auth import AuthenticationConstants, BotFrameworkAuthentication, ClaimsIdentity
from botframework.connector.auth.authenticate_request_result import AuthenticateRequestResult

from ..config.cloud import PUBLIC
from ..connector import Connectors
from .registration import Registration
from .token import Expected, Token, Unauthorized, token_of

ANONYMOUS: Final = AuthenticationConstants.ANONYMOUS_AUTH_TYPE


class Authentication(BotFrameworkAuthentication):  # type: ignore[misc] # the SDK ships no types
    """Admits the channels of one cloud to one bot; without a registration, whoever the guard lets through."""

    def __init__(self, registration: Registration | None, connectors: Connectors) -> None:
        self._registration = registration
        self._connectors = connectors
        self._scope = registration.cloud.scope if registration else PUBLIC.scope

    async def authenticate_request(self, activity: Any, auth_header: str) -> AuthenticateRequestResult:
        """As :meth:`token` and :meth:`admit` together; the adapter reads no body between them."""
        token = await self.token([auth_header] if auth_header else [])
        return self.admit(token, activity.channel_id, activity.service_url)

    async def token(self, headers: Sequence[str]) -> Token | None:
        """The token in a request's ``Authorization`` headers; None where none is asked for.

        Raises :class:`.token.Unauthorized`, and :class:`.signing_keys.KeysUnavailable` where nobody can tell.
        """
        if self._registration is not None:
            expected = Expected(issuer=self._registration.cloud.issuer, app_id=self._registration.app_id)
            return await token_of(headers, self._registration.keys, expected)
        if headers:
            # Whoever sends a token wants it checked, and nothing here could.
            raise Unauthorized("NoCredentials")
        return None

    def admit(self, token: Token | None, channel_id: str, service_url: str) -> AuthenticateRequestResult:
        """Who sends an activity with these fields, and how it is answered.

        Raises :class:`.token.Unauthorized` where ``token``, which :meth:`token` has read, is for others.
        """
        if token is not None:
            token.vouch(channel_id, service_url)
        result = AuthenticateRequestResult()
        result.claims_identity = (
            ClaimsIdentity({}, True, ANONYMOUS) if token is None else ClaimsIdentity(token.claims, True)
        )
        result.audience = self._scope
        result.connector_factory = self.create_connector_factory(result.claims_identity)
        return result

    async def authenticate_streaming_request(self, auth_header: str, channel_id_header: str) -> NoReturn:  # noqa: ARG002
        """Raises :class:`.token.Unauthorized`: there are no streaming connections."""
        raise Unauthorized("Streaming")

    async def authenticate_channel_request(self, auth_header: str) -> NoReturn:  # noqa: ARG002
        """Raises :class:`.token.Unauthorized`: there are no skills."""
        raise Unauthorized("Skill")

    def create_connector_factory(self, claims_identity: ClaimsIdentity) -> Any:  # noqa: ARG002
        """How any conversation of this bot is answered."""
        return self._connectors.factory(self._scope)

    async def create_user_token_client(self, claims_identity: ClaimsIdentity) -> None:
        """None: nobody is asked to sign in. The SDK's would be a second client in every turn."""

    def get_originating_audience(self) -> str:
        """The audience of our own tokens."""
        return self._scope
