"""The SDK's authentication interface, implemented without the SDK's own authentication."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn

from botframework.connector.auth import AuthenticationConstants, BotFrameworkAuthentication, ClaimsIdentity
from botframework.connector.auth.authenticate_request_result import AuthenticateRequestResult

from ..config.cloud import PUBLIC, Cloud
from ..connector import Connectors, UserTokens
from .signing_keys import SigningKeys
from .token import Expected, Token, Unauthorized, validate_token

ANONYMOUS: Final = AuthenticationConstants.ANONYMOUS_AUTH_TYPE


class Authentication(BotFrameworkAuthentication):  # type: ignore[misc] # the SDK ships no types
    """Authenticates the channels of one cloud, for the bot ``app_id``, by the ``keys`` of the channels.

    Without keys, which is without a registration, it accepts requests without a token.
    """

    def __init__(
        self,
        connectors: Connectors,
        *,
        app_id: str = "",
        cloud: Cloud = PUBLIC,
        keys: SigningKeys | None = None,
    ) -> None:
        self._connectors = connectors
        self._app_id = app_id
        self._cloud = cloud
        self._keys = keys

    async def authenticate_request(self, activity: Any, auth_header: str) -> AuthenticateRequestResult:
        """Call :meth:`validate` and :meth:`admit`, between which the adapter would read the body."""
        token = await self.validate([auth_header] if auth_header else [])
        return self.admit(token, activity.channel_id, activity.service_url)

    async def validate(self, headers: Sequence[str]) -> Token | None:
        """Validate the token in a request's ``Authorization`` headers; None where none is needed.

        Raises :class:`.token.Unauthorized` and :class:`.signing_keys.KeysUnavailable`.
        """
        if self._keys is not None:
            expected = Expected(issuer=self._cloud.issuer, app_id=self._app_id)
            return await validate_token(headers, self._keys, expected)
        if headers:
            # A token must not be ignored, and without a registration it can't be validated.
            raise Unauthorized("NoCredentials")
        return None

    def admit(self, token: Token | None, channel_id: str, service_url: str) -> AuthenticateRequestResult:
        """Describe the sender of an activity with these fields to the SDK.

        Raises :class:`.token.Unauthorized` where ``token``, from :meth:`validate`, doesn't cover them.
        """
        if token is not None:
            token.authorize(channel_id, service_url)
        result = AuthenticateRequestResult()
        result.claims_identity = (
            ClaimsIdentity({}, True, ANONYMOUS) if token is None else ClaimsIdentity(token.claims, True)
        )
        result.audience = self._cloud.scope
        result.connector_factory = self.create_connector_factory(result.claims_identity)
        return result

    async def authenticate_streaming_request(self, auth_header: str, channel_id_header: str) -> NoReturn:  # noqa: ARG002
        """Raise :class:`.token.Unauthorized`: streaming connections are not supported."""
        raise Unauthorized("Streaming")

    async def authenticate_channel_request(self, auth_header: str) -> NoReturn:  # noqa: ARG002
        """Raise :class:`.token.Unauthorized`: skills are not supported."""
        raise Unauthorized("Skill")

    def create_connector_factory(self, claims_identity: ClaimsIdentity) -> Any:  # noqa: ARG002
        """Create the factory of the clients that send this bot's activities."""
        return self._connectors.factory(self._cloud.scope)

    async def create_user_token_client(self, claims_identity: ClaimsIdentity) -> UserTokens | None:  # noqa: ARG002
        """Create the client of the service that signs people in; None without a registration."""
        if self._keys is None:
            return None
        return self._connectors.user_tokens(self._cloud.sign_in_service, self._cloud.scope, self._app_id)

    def get_originating_audience(self) -> str:
        """The audience of the bot's own tokens."""
        return self._cloud.scope
