"""HTTP requests to a provider; its failures become errors of :mod:`..errors`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import aiohttp

from citations import AnswerFormatError

from ..errors import NotFoundAtSource, SourceBrokeOff, SourceUnavailable
from .json_body import JsonBody
from .status import status_error


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

    ``api_key`` may be empty, for a server without keys. ``unknown_model`` is the text
    in the body of a status 400 that means that the provider lacks the model.
    """

    def __init__(self, base_url: str, api_key: str = "", *, unknown_model: str = "") -> None:
        self._url = base_url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._unknown_model = unknown_model.encode()
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
            if await self._knows_no_such_model(response):
                raise NotFoundAtSource("it has no model of this name, or not for this key")
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

    async def _knows_no_such_model(self, response: aiohttp.ClientResponse) -> bool:
        if response.status != 400 or not self._unknown_model:
            return False
        try:
            return self._unknown_model in await response.content.read(1000)
        except aiohttp.ClientError:
            return False

    def _session(self) -> aiohttp.ClientSession:
        if self._connections is None:
            # The exchange applies all other timeouts.
            timeout = aiohttp.ClientTimeout(total=None, sock_connect=5)
            self._connections = aiohttp.ClientSession(timeout=timeout)
        return self._connections
