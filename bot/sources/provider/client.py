"""HTTP requests to a provider; its failures become errors of :mod:`..errors`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import aiohttp

from citations import AnswerFormatError

from ..errors import SourceBrokeOff, SourceError, SourceUnavailable, UnknownModel
from .json_body import JsonBody
from .status import status_error

Explain = Callable[[int, bytes], SourceError | None]
"""Returns the error that a status and the beginning of its body mean; None where the status says it all."""

_EXPLAINED: Final = frozenset({400, 404})
"""The statuses whose body tells a wrong name in the settings from a wrong request."""
_BEGINNING: Final = 1000
"""Bytes of a body that are read for an explanation."""


def explain_unknown_model(text: str) -> Explain:
    """Return a function that knows an unknown model by ``text`` in the body of a status 400."""
    sought = text.encode()

    def explain(status: int, body: bytes) -> SourceError | None:
        return UnknownModel() if status == 400 and sought in body else None

    return explain


class ProviderResponse:
    """The response to one request, whose body is not read yet."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response
        self.content_type = response.content_type

    async def read(self) -> bytes:
        """The next bytes; empty at the end. Raises :class:`SourceBrokeOff`."""
        try:
            return await self._response.content.readany()
        except aiohttp.ClientError as error:
            raise SourceBrokeOff(f"the answer broke off ({type(error).__name__})") from error

    def close(self) -> None:
        """Close the connection, if the body was not read to its end."""
        self._response.close()


class ProviderClient:
    """Asks one provider with one key. Raises a :class:`SourceError` for every status but 200.

    ``api_key`` may be empty, for a server without keys. ``explain`` reads the body of a status 400
    or 404, to tell what is wrong.
    """

    def __init__(self, base_url: str, api_key: str = "", *, explain: Explain | None = None) -> None:
        self._url = base_url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._explain = explain
        self._connections: aiohttp.ClientSession | None = None

    async def close(self) -> None:
        """Close the connections."""
        if self._connections:
            await self._connections.close()

    async def request(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> ProviderResponse:
        """The response to a request, once its status is known."""
        try:
            # A redirect would send the question, and perhaps the key, to another server.
            response = await self._session().request(
                method, self._url + path, json=body, headers=self._headers, allow_redirects=False
            )
        except (aiohttp.ClientError, OSError) as error:
            raise SourceUnavailable(
                f"it can't be reached ({type(error).__name__})", transient=True
            ) from error
        if response.status == 200:
            return ProviderResponse(response)
        try:
            if explained := await self._read_explanation(response):
                raise explained
        finally:
            response.close()
        raise status_error(response.status, response.headers.get("Retry-After"))

    async def fetch(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The JSON object in the response to a request. Raises :class:`AnswerFormatError` for other JSON."""
        response = await self.request(method, path, body)
        received = JsonBody()
        try:
            while more := await response.read():
                received.feed(more)
        finally:
            response.close()
        found = received.decode()
        if not isinstance(found, dict):
            raise AnswerFormatError("expected an object")
        return found

    async def _read_explanation(self, response: aiohttp.ClientResponse) -> SourceError | None:
        if response.status not in _EXPLAINED or self._explain is None:
            return None
        try:
            return self._explain(response.status, await response.content.read(_BEGINNING))
        except aiohttp.ClientError:
            return None

    def _session(self) -> aiohttp.ClientSession:
        if self._connections is None:
            # The exchange applies all other timeouts.
            timeout = aiohttp.ClientTimeout(total=None, sock_connect=5)
            self._connections = aiohttp.ClientSession(timeout=timeout)
        return self._connections
