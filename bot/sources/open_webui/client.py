"""Requests to Open WebUI, and its errors as ours. Every method makes one request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

import aiohttp

from citations import AnswerFormatError

from ...config.open_webui import OpenWebUIOptions
from ..errors import AnswerTooLong, NotFoundAtSource, SourceBrokeOff, SourceUnavailable
from ..provider import status_error

_COMPLETIONS: Final = "/api/chat/completions"
_CHATS: Final = "/api/v1/chats"
_TITLE: Final = "A question to the bot"
_LARGEST: Final = 4_000_000
"""Bytes of what comes as one JSON body."""
_UNKNOWN_MODEL: Final = "Model not found"


class OpenWebUIResponse:
    """The response to one question, before its body."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response
        self.content_type = response.content_type

    async def read(self) -> bytes:
        """The next bytes; none at the end. Raises :class:`SourceBrokeOff`."""
        try:
            return await self._response.content.readany()
        except aiohttp.ClientError as error:
            raise SourceBrokeOff(f"the answer broke off ({type(error).__name__})") from error

    def close(self) -> None:
        """Hang up, if it has not been read to its end."""
        self._response.close()


class OpenWebUIClient:
    """Asks one Open WebUI with one key. Raises a ``SourceError`` for all but status 200."""

    def __init__(self, options: OpenWebUIOptions) -> None:
        self._url = options.url
        self._headers = {"Authorization": f"Bearer {options.api_key}"}
        self._connections: aiohttp.ClientSession | None = None

    async def close(self) -> None:
        """Close the connections."""
        if self._connections:
            await self._connections.close()

    async def ask(self, body: Mapping[str, Any]) -> OpenWebUIResponse:
        """The response to a question, once its status is known."""
        return OpenWebUIResponse(await self._open("POST", _COMPLETIONS, body))

    async def models(self) -> frozenset[str]:
        """The ids of the models that the key may ask."""
        found = await self._fetch("GET", "/api/models")
        models = found.get("data")
        if not isinstance(models, list):
            raise AnswerFormatError("expected a list of models", "$.data")
        return frozenset(
            one["id"] for one in models if isinstance(one, dict) and isinstance(one.get("id"), str)
        )

    async def knowledge_name(self, knowledge_id: str) -> str:
        """The name of a knowledge; one that the key may not see is refused or not found."""
        name = (await self._fetch("GET", f"/api/v1/knowledge/{quote(knowledge_id, safe='')}")).get("name")
        return name if isinstance(name, str) else ""

    async def complete(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The completion that a question gets in one piece."""
        return await self._fetch("POST", _COMPLETIONS, body)

    async def new_chat(self, model: str) -> str:
        """The id of a new chat, in which nothing has been said."""
        chat = {"title": _TITLE, "models": [model], "history": {"messages": {}, "currentId": None}}
        made = (await self._fetch("POST", f"{_CHATS}/new", {"chat": chat})).get("id")
        if not isinstance(made, str):
            raise AnswerFormatError("expected the id of a chat", "$.id")
        return made

    async def chat(self, chat_id: str) -> dict[str, Any]:
        """A chat, with its messages and what pipes emitted for each."""
        return await self._fetch("GET", f"{_CHATS}/{quote(chat_id, safe='')}")

    async def delete_chat(self, chat_id: str) -> None:
        """Delete a chat, and stop what is still being said in it."""
        (await self._open("DELETE", f"{_CHATS}/{quote(chat_id, safe='')}", None)).close()

    async def _fetch(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        response = OpenWebUIResponse(await self._open(method, path, body))
        received = bytearray()
        try:
            while more := await response.read():
                received += more
                if len(received) > _LARGEST:
                    raise AnswerTooLong("the answer has no end")
        finally:
            response.close()
        try:
            found = json.loads(received)
        except (ValueError, RecursionError):
            raise AnswerFormatError("not JSON") from None
        if not isinstance(found, dict):
            raise AnswerFormatError("expected an object")
        return found

    async def _open(self, method: str, path: str, body: Mapping[str, Any] | None) -> aiohttp.ClientResponse:
        try:
            # A redirect would take the question, and perhaps the key, elsewhere.
            response = await self._session().request(
                method, self._url + path, json=body, headers=self._headers, allow_redirects=False
            )
        except (aiohttp.ClientError, OSError) as error:
            raise SourceUnavailable(
                f"it can't be reached ({type(error).__name__})", transient=True
            ) from error
        if response.status == 200:
            return response
        try:
            if response.status == 400 and await _says(response, _UNKNOWN_MODEL):
                raise NotFoundAtSource("it has no model of this name, or not for this key")
        finally:
            response.close()
        raise status_error(response.status, response.headers.get("Retry-After"))

    def _session(self) -> aiohttp.ClientSession:
        if self._connections is None:
            # How long it is waited for otherwise is the exchange's business.
            timeout = aiohttp.ClientTimeout(total=None, sock_connect=5)
            self._connections = aiohttp.ClientSession(timeout=timeout)
        return self._connections


async def _says(response: aiohttp.ClientResponse, detail: str) -> bool:
    """Whether the first bytes of a refusal name this reason."""
    try:
        return json.dumps(detail).encode() in await response.content.read(1000)
    except aiohttp.ClientError:
        return False
