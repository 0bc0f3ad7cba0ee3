"""Somebody who writes in one conversation, and reads all that comes back."""

from __future__ import annotations

from typing import Any

from .running import Connector, message, send


class Person:
    """Writes in one conversation of a channel; ``fields`` stand in each of the activities."""

    def __init__(
        self, connector: Connector, channel_id: str, conversation: str = "c1", **fields: Any
    ) -> None:
        self._connector = connector
        self._channel_id = channel_id
        self._conversation = conversation
        self._fields = fields
        self._written = 0

    def writing(self, text: str, **fields: Any) -> dict[str, Any]:
        self._written += 1
        here = {"id": f"{self._written}", "channelId": self._channel_id}
        there = {"conversation": {"id": self._conversation}}
        return message(self._connector.service_url, text, **here | there | self._fields | fields)

    async def write(self, bot: str, text: str, **fields: Any) -> str:
        """What is said to ``text``, in all of its messages."""
        status, _ = await send(bot, self.writing(text, **fields))
        assert status == 201
        return "\n\n".join(read["text"] for read in self._connector.rest() if read["type"] == "message")
