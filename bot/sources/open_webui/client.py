"""Requests to Open WebUI. Every method makes one request."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from citations import AnswerFormatError

from ...config.open_webui import OpenWebUIOptions
from ..provider import ProviderClient, ProviderResponse

_COMPLETIONS: Final = "/api/chat/completions"
_CHATS: Final = "/api/v1/chats"
_TITLE: Final = "A question to the bot"


class OpenWebUIClient:
    """Asks one Open WebUI with one key. Raises a ``SourceError`` for all but status 200."""

    def __init__(self, options: OpenWebUIOptions) -> None:
        self._http = ProviderClient(options.url, options.api_key)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.close()

    async def ask(self, body: Mapping[str, Any], stack: contextlib.AsyncExitStack) -> ProviderResponse:
        """The response to a question, once its status is known; ``stack`` closes it."""
        return await self._http.request("POST", _COMPLETIONS, stack, body)

    async def models(self) -> frozenset[str]:
        """The ids of the models that the key may ask."""
        found = await self._http.fetch("GET", "/api/models")
        models = found.get("data")
        if not isinstance(models, list):
            raise AnswerFormatError("expected a list of models", "$.data")
        return frozenset(
            one["id"] for one in models if isinstance(one, dict) and isinstance(one.get("id"), str)
        )

    async def knowledge_name(self, knowledge_id: str) -> str:
        """The name of a knowledge base.

        Raises ``KeyRefused`` or ``NotFoundAtSource`` for one that the key may not see.
        """
        found = await self._http.fetch("GET", f"/api/v1/knowledge/{quote(knowledge_id, safe='')}")
        name = found.get("name")
        return name if isinstance(name, str) else ""

    async def complete(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The completion for a question, as one JSON object instead of a stream."""
        return await self._http.fetch("POST", _COMPLETIONS, body)

    async def new_chat(self, model: str) -> str:
        """The id of a new chat without messages."""
        chat = {"title": _TITLE, "models": [model], "history": {"messages": {}, "currentId": None}}
        made = (await self._http.fetch("POST", f"{_CHATS}/new", {"chat": chat})).get("id")
        if not isinstance(made, str):
            raise AnswerFormatError("expected the id of a chat", "$.id")
        return made

    async def chat(self, chat_id: str) -> dict[str, Any]:
        """A chat, with its messages and what pipes emitted for each."""
        return await self._http.fetch("GET", f"{_CHATS}/{quote(chat_id, safe='')}")

    async def delete_chat(self, chat_id: str) -> None:
        """Delete a chat, and stop an answer that is still being written in it."""
        async with contextlib.AsyncExitStack() as stack:
            await self._http.request("DELETE", f"{_CHATS}/{quote(chat_id, safe='')}", stack)
