"""Microsoft Entra ID gives the bot its access tokens, for a password or a managed identity.

MSAL knows how to ask; it blocks, so it does that in a thread of its own, and what it asks goes out
through the event loop, with a deadline for the whole of it.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any, Final

import msal
from aiohttp import hdrs

from ..config.cloud import Cloud
from ..config.credentials import Credentials
from .exchange import REQUEST, ExchangeReply, ask
from .refreshing_value import Lease, RefreshRefused, Unavailable

RENEW_AT: Final = 0.8
"""The part of its life after which a token is renewed."""

_ERROR: Final = re.compile(r"[a-z_]{1,40}")
_CODE: Final = re.compile(r"AADSTS\d{1,9}")
_TRANSIENT: Final = frozenset({"temporarily_unavailable", "server_error"})
"""RFC 6749 § 4.1.2.1: errors which asking again may end."""


class Entra:
    """Asks for the tokens of one bot."""

    def __init__(self, credentials: Credentials, cloud: Cloud) -> None:
        self._credentials = credentials
        tenant = credentials.tenant_id if credentials.app_type == "SingleTenant" else cloud.tenant
        self._authority = cloud.login + tenant
        self._client: Any = None
        # One at a time: MSAL's client is made, and its cache emptied, without a lock.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="entra")

    async def token(self, scope: str) -> Lease[str]:
        """A new token for ``scope``, such as ``https://api.botframework.com``.

        Raises :class:`RefreshRefused` and :class:`Unavailable` with Entra's codes; what :func:`ask`
        raises; or what MSAL does over an answer that it can't read.
        """
        loop = asyncio.get_running_loop()
        acquire = (
            self._by_managed_identity
            if self._credentials.app_type == "UserAssignedMSI"
            else self._by_password
        )
        answer = await loop.run_in_executor(self._thread, acquire, scope, _Http(loop))
        if "access_token" not in answer:
            raise _refusal(answer)
        life = float(answer["expires_in"])
        return Lease(str(answer["access_token"]), renew=RENEW_AT * life, life=life)

    def close(self) -> None:
        """Let the thread end; a request under way has its deadline."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _by_password(self, scope: str, http: _Http) -> Mapping[str, Any]:
        if self._client is None:
            self._client = self._confidential_client(http)
        # MSAL gives the token it keeps until 5 minutes before its end, and we keep it ourselves.
        self._client.remove_tokens_for_client()
        answer: Mapping[str, Any] = self._client.acquire_token_for_client([f"{scope}/.default"])
        return answer

    def _confidential_client(self, http: _Http) -> Any:
        try:
            # This asks the tenant for its endpoints.
            return msal.ConfidentialClientApplication(
                self._credentials.app_id,
                client_credential=self._credentials.password,
                authority=self._authority,
                # We chose the authority: nobody has to vouch for it.
                instance_discovery=False,
                http_client=http,
            )
        except ValueError:
            raise RefreshRefused("Entra ID knows no such tenant") from None

    def _by_managed_identity(self, scope: str, http: _Http) -> Mapping[str, Any]:
        # Nothing is asked before it is needed, and so this needs no keeping, but a cache that is empty.
        identity = msal.UserAssignedManagedIdentity(client_id=self._credentials.app_id)
        client = msal.ManagedIdentityClient(identity, http_client=http)
        answer: Mapping[str, Any] = client.acquire_token_for_client(resource=scope)
        return answer


class _Http:
    """The HTTP client that MSAL asks for, to be called in a thread other than the loop's."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def get(self, url: str, **parts: Any) -> ExchangeReply:
        return self._send(hdrs.METH_GET, url, parts)

    def post(self, url: str, **parts: Any) -> ExchangeReply:
        return self._send(hdrs.METH_POST, url, parts)

    def close(self) -> None:
        """Nothing is kept open."""

    def _send(self, method: str, url: str, parts: Mapping[str, Any]) -> ExchangeReply:
        given = {name: parts[name] for name in ("params", "data", "headers") if parts.get(name)}
        asked = asyncio.run_coroutine_threadsafe(ask(method, url, **given), self._loop)
        # The loop may end meanwhile, and the thread must end then too.
        reply = asked.result(REQUEST + 1.0)
        if reply.status_code == HTTPStatus.TOO_MANY_REQUESTS and method == hdrs.METH_GET:
            # MSAL takes any 4xx here for a tenant that there isn't.
            raise Unavailable("too many requests")
        try:
            json.loads(reply.text)
        except ValueError:
            # MSAL would write it into the log.
            raise Unavailable(f"status {reply.status_code} without JSON") from None
        return reply


def _refusal(answer: Mapping[str, Any]) -> Exception:
    """What Entra said, by its codes alone: its description has the ids of the bot and the tenant."""
    error = _ERROR.fullmatch(str(answer.get("error", "")))
    code = _CODE.search(str(answer.get("error_description", "")))
    said = " ".join(match[0] for match in (error, code) if match) or "no token"
    return Unavailable(said) if error and error[0] in _TRANSIENT else RefreshRefused(said)
