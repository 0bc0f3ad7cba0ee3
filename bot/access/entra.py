"""Access tokens from Microsoft Entra ID, by client secret, managed identity, or the two together.

MSAL implements the protocol. It blocks, so it runs in a thread of its own. Its HTTP requests run on the
event loop, each with a timeout.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any, Final

import msal
from aiohttp import hdrs

from ..config.cloud import Cloud
from ..config.credentials import FEDERATED_IDENTITY, MANAGED_IDENTITY, MULTI_TENANT, Credentials
from .exchange import REQUEST_TIMEOUT, ExchangeReply, send
from .refreshing_value import Lease, RefreshRefused, Unavailable

RENEW_AT: Final = 0.8
"""The fraction of a token's lifetime after which a new token is requested."""

_EXCHANGE: Final = "api://AzureADTokenExchange"
"""The resource of a managed identity's token that stands for an app's secret."""
_ERROR: Final = re.compile(r"[a-z_]{1,40}")
_CODE: Final = re.compile(r"AADSTS\d{1,9}")
_TRANSIENT: Final = frozenset({"temporarily_unavailable", "server_error"})
"""RFC 6749 § 4.1.2.1: the errors that a retry may resolve."""


class Entra:
    """Requests access tokens for one bot."""

    def __init__(self, credentials: Credentials, cloud: Cloud) -> None:
        self._credentials = credentials
        tenant = cloud.tenant if credentials.kind == MULTI_TENANT else credentials.tenant_id
        self._authority = cloud.login + tenant
        self._client: Any = None
        # One worker: the methods below create MSAL's client, and empty its cache, without a lock.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="entra")

    async def acquire_token(self, scope: str) -> Lease[str]:
        """Request a new token for ``scope``, such as ``https://api.botframework.com``.

        Raises :class:`RefreshRefused` and :class:`Unavailable` with Entra's error codes. The errors of
        :func:`send`, and MSAL's for a response that it can't parse, pass through.
        """
        loop = asyncio.get_running_loop()
        ways = {MANAGED_IDENTITY: self._by_managed_identity, FEDERATED_IDENTITY: self._by_federation}
        acquire = ways.get(self._credentials.kind, self._by_password)
        result = await loop.run_in_executor(self._thread, acquire, scope, _Http(loop))
        if "access_token" not in result:
            raise _error_of(result)
        lifetime = float(result["expires_in"])
        return Lease(str(result["access_token"]), refresh_after=RENEW_AT * lifetime, lifetime=lifetime)

    def close(self) -> None:
        """End the thread. A request that is running ends at its timeout."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _by_password(self, scope: str, http: _Http) -> Mapping[str, Any]:
        if self._client is None:
            self._client = self._confidential_client(self._credentials.password, http)
        # MSAL would return its cached token until 5 minutes before it expires.
        self._client.remove_tokens_for_client()
        result: Mapping[str, Any] = self._client.acquire_token_for_client([f"{scope}/.default"])
        return result

    def _by_federation(self, scope: str, http: _Http) -> Mapping[str, Any]:
        """Entra, "Configure an application to trust a managed identity": its token is the app's assertion."""
        found = self._ask_managed_identity(self._credentials.managed_identity_id, _EXCHANGE, http)
        if "access_token" not in found:
            return found
        client = self._confidential_client({"client_assertion": lambda: found["access_token"]}, http)
        result: Mapping[str, Any] = client.acquire_token_for_client([f"{scope}/.default"])
        return result

    def _confidential_client(self, credential: str | Mapping[str, Callable[[], str]], http: _Http) -> Any:
        try:
            # The constructor requests the tenant's endpoints.
            return msal.ConfidentialClientApplication(
                self._credentials.app_id,
                client_credential=credential,
                authority=self._authority,
                # The authority is one of our constants, so it needs no validation.
                instance_discovery=False,
                http_client=http,
            )
        except ValueError:
            raise RefreshRefused("Entra ID knows no such tenant") from None

    def _by_managed_identity(self, scope: str, http: _Http) -> Mapping[str, Any]:
        return self._ask_managed_identity(self._credentials.app_id, scope, http)

    def _ask_managed_identity(self, client_id: str, resource: str, http: _Http) -> Mapping[str, Any]:
        # A new client has an empty cache, and its constructor sends no request.
        identity = msal.UserAssignedManagedIdentity(client_id=client_id)
        client = msal.ManagedIdentityClient(identity, http_client=http)
        result: Mapping[str, Any] = client.acquire_token_for_client(resource=resource)
        return result


class _Http:
    """The HTTP client that MSAL expects. It is called in a thread other than the event loop's."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def get(self, url: str, **parts: Any) -> ExchangeReply:
        return self._send(hdrs.METH_GET, url, parts)

    def post(self, url: str, **parts: Any) -> ExchangeReply:
        return self._send(hdrs.METH_POST, url, parts)

    def close(self) -> None:
        """There is no connection to close."""

    def _send(self, method: str, url: str, parts: Mapping[str, Any]) -> ExchangeReply:
        present = {name: parts[name] for name in ("params", "data", "headers") if parts.get(name)}
        sending = asyncio.run_coroutine_threadsafe(send(method, url, **present), self._loop)
        # If the event loop ends meanwhile, this timeout ends the thread too.
        reply = sending.result(REQUEST_TIMEOUT + 1.0)
        if reply.status_code == HTTPStatus.TOO_MANY_REQUESTS and method == hdrs.METH_GET:
            # MSAL reads any 4xx here as "no such tenant".
            raise Unavailable("too many requests")
        try:
            json.loads(reply.text)
        except ValueError:
            # MSAL would write the text to the log.
            raise Unavailable(f"status {reply.status_code} without JSON") from None
        return reply


def _error_of(result: Mapping[str, Any]) -> Exception:
    """The error, with Entra's codes only: its description contains the ids of the bot and the tenant."""
    error = _ERROR.fullmatch(str(result.get("error", "")))
    code = _CODE.search(str(result.get("error_description", "")))
    codes = " ".join(match[0] for match in (error, code) if match) or "no token"
    return Unavailable(codes) if error and error[0] in _TRANSIENT else RefreshRefused(codes)
