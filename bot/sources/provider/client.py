"""HTTP requests to a provider; its failures become errors of :mod:`..errors`."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import aiohttp

from citations import AnswerFormatError

from ...config.proxy import proxy_for
from ..errors import KeyRefused, SourceUnavailable
from .response import EXPLAINED, ProviderResponse, read_json, status_error

_BEGINNING: Final = 1000
"""Bytes of a body that are read for an explanation."""
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


class ProviderClient:
    """Asks one provider with one key. Raises a :class:`SourceError` for every status but 200.

    ``api_key`` may be empty, for a server without keys. ``headers`` are what the provider wants besides.
    """

    def __init__(self, base_url: str, api_key: str = "", *, headers: Mapping[str, str] = _NONE) -> None:
        self._url = base_url.rstrip("/")
        self._headers = {**headers, **({"Authorization": f"Bearer {api_key}"} if api_key else {})}
        self._connections: aiohttp.ClientSession | None = None

    async def close(self) -> None:
        """Close the connections."""
        if self._connections:
            await self._connections.close()

    async def request(
        self,
        method: str,
        path: str,
        stack: contextlib.AsyncExitStack,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] = _NONE,
    ) -> ProviderResponse:
        """The response to a request, once its status is known; ``stack`` closes it.

        ``headers`` are those of this request alone, such as a person's token.
        """
        try:
            # A redirect would send the question, and perhaps the key, to another server.
            response = await self._session().request(
                method,
                self._url + path,
                json=body,
                headers={**self._headers, **headers},
                allow_redirects=False,
            )
        except (aiohttp.ClientError, OSError) as error:
            raise SourceUnavailable(
                f"it can't be reached ({type(error).__name__})", transient=True
            ) from error
        except ValueError as error:
            # aiohttp refuses to send a header with a line break.
            raise KeyRefused("the key has a line break, or another sign that no key has") from error
        if response.status == 200:
            stack.callback(response.close)
            return ProviderResponse(response)
        with contextlib.closing(response):
            explanation = await _read_explanation(response)
        raise status_error(response.status, response.headers.get("Retry-After"), explanation)

    async def fetch(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] = _NONE,
    ) -> dict[str, Any]:
        """The JSON object in the response to a request. Raises :class:`AnswerFormatError` for other JSON."""
        async with contextlib.AsyncExitStack() as stack:
            found: Any = await read_json((await self.request(method, path, stack, body, headers)).read)
        if not isinstance(found, dict):
            raise AnswerFormatError("expected an object")
        return found

    def _session(self) -> aiohttp.ClientSession:
        if self._connections is None:
            # The exchange applies all other timeouts.
            timeout = aiohttp.ClientTimeout(total=None, sock_connect=5)
            # The queue of questions limits the connections: aiohttp would let no more than 100 be open.
            self._connections = aiohttp.ClientSession(
                timeout=timeout, connector=aiohttp.TCPConnector(limit=0), proxy=proxy_for(self._url)
            )
        return self._connections


async def _read_explanation(response: aiohttp.ClientResponse) -> bytes:
    """The beginning of a body that explains its status; empty if it breaks off, or explains nothing."""
    if response.status in EXPLAINED:
        with contextlib.suppress(aiohttp.ClientError):
            return await response.content.read(_BEGINNING)
    return b""
