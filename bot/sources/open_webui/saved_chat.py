"""Questions in chats that Open WebUI saves, for the citations that pipes and tools emit.

Over the API, an event emitter has no effect unless it writes into a saved chat.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final
from urllib.parse import quote
from uuid import uuid4

from citations import Answer, AnswerFormatError
from citations.readers import FORMATS

from ...config.answer_sources import OpenWebUIOptions
from ...telemetry.log import cause, logger
from ..errors import SourceError
from ..provider import Exchange, ProviderClient

COMPLETIONS: Final = "/api/chat/completions"
_CHATS: Final = "/api/v1/chats"
_TITLE: Final = "A question to the bot"
_FAREWELL: Final = 10.0
"""The timeout in seconds for deleting a chat. Only :meth:`SavedChats.close` waits for that."""

log = logger(__name__)


class SavedChats:
    """Makes a chat for each question, and deletes it after the answer, even if the answer failed."""

    def __init__(self, client: ProviderClient, options: OpenWebUIOptions) -> None:
        self._client = client
        self._options = options
        self._deletions: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Wait until all chats are deleted, or their timeouts have passed."""
        await asyncio.gather(*self._deletions)

    async def answer(self, request: Mapping[str, Any], exchange: Exchange) -> Answer:
        """The whole answer to a completion request, with the sources of its response and of its chat.

        Only the response has the sources that Open WebUI searched, and only the chat has emitted ones.
        They are numbered in this order.
        """
        async with self._chat(exchange) as chat_id:
            answer_id, completion = await exchange.open(lambda: self._ask_once(chat_id, request))
            chat = await exchange.open(lambda: self._client.fetch("GET", _path(chat_id)))
        sources = [*_list(completion.get("sources")), *_list(_message(chat, answer_id).get("sources"))]
        form = FORMATS["open-webui"].where(webui_url=self._options.public_url)
        return form.read(completion | {"sources": sources})

    async def _ask_once(self, chat_id: str, request: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Ask once. Each retry sends a new message, with an id of its own."""
        answer_id = str(uuid4())
        message = {"id": str(uuid4()), **request["messages"][-1]}
        in_chat = {"chat_id": chat_id, "id": answer_id, "parent_id": None, "user_message": message}
        return answer_id, await self._client.fetch(
            "POST", COMPLETIONS, {**request, **in_chat, "stream": False}
        )

    @contextlib.asynccontextmanager
    async def _chat(self, exchange: Exchange) -> AsyncIterator[str]:
        chat_id = await exchange.open(self._make_chat)
        try:
            yield chat_id
        finally:
            deletion = asyncio.create_task(self._delete(chat_id))
            self._deletions.add(deletion)
            deletion.add_done_callback(self._deletions.discard)

    async def _make_chat(self) -> str:
        chat = {
            "title": _TITLE,
            "models": [self._options.model],
            "history": {"messages": {}, "currentId": None},
        }
        made = (await self._client.fetch("POST", f"{_CHATS}/new", {"chat": chat})).get("id")
        if not isinstance(made, str):
            raise AnswerFormatError("expected the id of a chat", "$.id")
        return made

    async def _delete(self, chat_id: str) -> None:
        """Delete a chat, and stop an answer that is still being written in it."""
        try:
            async with asyncio.timeout(_FAREWELL), contextlib.AsyncExitStack() as stack:
                await self._client.request("DELETE", _path(chat_id), stack)
        except (SourceError, TimeoutError) as error:
            log.warning("chat not deleted", chat=chat_id, cause=cause(error))


def _path(chat_id: str) -> str:
    return f"{_CHATS}/{quote(chat_id, safe='')}"


def _message(chat: Mapping[str, Any], message_id: str) -> Mapping[str, Any]:
    found: Any = chat
    for name in ("chat", "history", "messages", message_id):
        found = found.get(name) if isinstance(found, Mapping) else None
    if not isinstance(found, Mapping):
        raise AnswerFormatError("expected the chat's last message", "$.chat.history.messages")
    return found


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
