"""The token service of Azure Bot Service, which signs people in and keeps their tokens.

Governing sources: the Bot Framework SDK, ``UserTokenClient``, which this implements, and the operations of
``botframework.connector.token_api``. No token and no code gets into the log.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final, NoReturn
from urllib.parse import urlencode

from aiohttp import hdrs
from botbuilder.schema import TokenResponse
from botframework.connector.auth.user_token_client import UserTokenClient
from botframework.connector.token_api.models import SignInUrlResponse

from .errors import ChannelRefusal, MaybeSent
from .transport import TRIES, ConnectorTransport, TransportReply, TransportRequest

_HEADERS: Final = {"Accept": "application/json", "Content-Type": "application/json; charset=utf-8"}
_VERSION: Final = {"api-version": "token"}
_NO_TOKEN: Final = (HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND)
"""The person has not signed in, the code is wrong, or the token can't be exchanged without their consent."""


class UserTokens(UserTokenClient):  # type: ignore[misc] # the SDK ships no types
    """Asks the token service at ``service`` for the bot ``app_id``.

    Each method raises a :class:`.errors.ConnectorError`: :class:`ChannelRefusal` where a status is no answer.
    """

    def __init__(self, service: str, transport: Callable[[], ConnectorTransport], app_id: str) -> None:
        super().__init__()
        self._service = service.rstrip("/")
        self._transport = transport
        self._app_id = app_id

    async def get_user_token(
        self, user_id: str, connection_name: str, channel_id: str, magic_code: str | None
    ) -> Any:
        """The person's token, or what ``magic_code`` confirms; None where there is none."""
        code = {"code": magic_code} if magic_code else {}
        person = _write_person(user_id, connection_name, channel_id) | _VERSION
        # A code is valid once.
        reply = await self._ask(
            hdrs.METH_GET, "usertoken/GetToken", person | code, tries=1 if code else TRIES
        )
        return _read_token(reply)

    async def exchange_token(
        self, user_id: str, connection_name: str, channel_id: str, exchange_request: Any
    ) -> Any:
        """The person's token in exchange for that of their client; None where they have to consent first."""
        person = _write_person(user_id, connection_name, channel_id)
        body = json.dumps({"token": exchange_request.token}).encode()
        reply = await self._ask(hdrs.METH_POST, "usertoken/exchange", person, body, tries=1)
        return _read_token(reply)

    async def get_sign_in_resource(
        self, connection_name: str, activity: Any, final_redirect: str | None
    ) -> SignInUrlResponse:
        """Where the sender of ``activity`` signs in, and what their client can do without a person."""
        state = self.create_token_exchange_state(self._app_id, connection_name, activity)
        redirect = {"finalRedirect": final_redirect} if final_redirect else {}
        reply = await self._ask(hdrs.METH_GET, "botsignin/GetSignInResource", {"state": state} | redirect)
        return SignInUrlResponse.deserialize(_read(reply))

    async def sign_out_user(self, user_id: str, connection_name: str, channel_id: str) -> None:
        """Forget the person's token."""
        person = _write_person(user_id, connection_name, channel_id) | _VERSION
        reply = await self._ask(hdrs.METH_DELETE, "usertoken/SignOut", person)
        if reply.status not in (HTTPStatus.OK, HTTPStatus.NO_CONTENT, HTTPStatus.NOT_FOUND):
            raise ChannelRefusal(reply.status)

    async def get_token_status(self, user_id: str, channel_id: str, include_filter: str) -> NoReturn:
        """Not used."""
        raise NotImplementedError

    async def get_aad_tokens(
        self, user_id: str, connection_name: str, resource_urls: list[str], channel_id: str
    ) -> NoReturn:
        """Not used."""
        raise NotImplementedError

    async def _ask(
        self, method: str, operation: str, query: dict[str, str], body: bytes = b"", *, tries: int = TRIES
    ) -> TransportReply:
        url = f"{self._service}/api/{operation}?{urlencode(query)}"
        return await self._transport().send(TransportRequest(url, _HEADERS, body, method), tries)


def _write_person(user_id: str, connection_name: str, channel_id: str) -> dict[str, str]:
    return {"userId": user_id, "connectionName": connection_name, "channelId": channel_id}


def _read_token(reply: TransportReply) -> Any:
    if reply.status in _NO_TOKEN:
        return None
    token = _read(reply).get("token")
    return TokenResponse(token=token) if isinstance(token, str) and token else None


def _read(reply: TransportReply) -> dict[str, Any]:
    if reply.status != HTTPStatus.OK:
        raise ChannelRefusal(reply.status, tries=reply.tries)
    try:
        found = json.loads(reply.body or b"")
    except ValueError:
        raise MaybeSent("the token service sent no JSON") from None
    if not isinstance(found, dict):
        raise MaybeSent("the token service sent no object")
    return found
