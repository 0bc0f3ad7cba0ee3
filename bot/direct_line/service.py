"""The state that the routes of both APIs share, and the requests to the bot."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

import aiohttp
from aiohttp import web

from ..config.routes import MESSAGES
from ..telemetry.log import cause, logger
from .conversation import BOT_ID, CHANNEL, Activity, Conversation, LocalConversations, new_id
from .tokens import Tokens

TIMEOUT: Final = 15.0
"""Seconds that a channel waits for the bot's response."""

log = logger(__name__)


@dataclass(slots=True, kw_only=True)
class DirectLine:
    """The Direct Line service.

    ``authority`` is the host and port of this process (``127.0.0.1:3978``). The service and the bot send
    each other activities there over HTTP, as with any channel.
    """

    authority: str
    name: str
    """The bot's display name."""
    id: str = field(default_factory=new_id)
    """Another one for each process, whose conversations end with it."""
    conversations: LocalConversations = field(default_factory=LocalConversations)
    tokens: Tokens = field(default_factory=Tokens)
    timeout: float = TIMEOUT
    sockets: set[web.WebSocketResponse] = field(default_factory=set)
    tasks: set[asyncio.Task[int]] = field(default_factory=set)
    session: aiohttp.ClientSession | None = None

    def send_to_bot(self, conversation: Conversation, activity: Activity) -> asyncio.Task[int]:
        """Start to send an activity of ``conversation`` to the bot; the task returns the HTTP status."""
        body: Activity = {
            **activity,
            "channelId": CHANNEL,
            "serviceUrl": f"http://{self.authority}/",
            "conversation": {"id": conversation.id},
            "recipient": self.bot,
        }
        task = asyncio.create_task(self._post(body))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def wait_for_status(
        self, sending: asyncio.Task[int], conversation: Conversation, watermark: int
    ) -> int:
        """Wait for the status of a message, or for an activity of the bot after ``watermark``.

        Returns 200 in the latter case, and after :attr:`timeout`.
        """
        # Until then Web Chat shows "Sending" below the question, which is wrong once an answer is there.
        answering = asyncio.create_task(conversation.wait_for_bot(watermark))
        try:
            await asyncio.wait(
                {sending, answering}, timeout=self.timeout, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            answering.cancel()
        return sending.result() if sending.done() else HTTPStatus.OK

    async def wait_until_idle(self, limit: float) -> None:
        """Wait until all requests to the bot have ended, for up to ``limit`` seconds."""
        if self.tasks:
            await asyncio.wait(set(self.tasks), timeout=limit)

    @property
    def bot(self) -> Activity:
        """The bot's ``ChannelAccount``."""
        return {"id": BOT_ID, "name": self.name, "role": "bot"}

    async def _post(self, body: Activity) -> int:
        if self.session is None:
            raise RuntimeError("the application has not been started")
        started = time.monotonic()
        try:
            async with self.session.post(f"http://{self.authority}{MESSAGES}", json=body) as response:
                status = response.status
        except (aiohttp.ClientError, TimeoutError) as error:
            log.error("bot unreachable", cause=cause(error))
            return HTTPStatus.BAD_GATEWAY
        seconds = round(time.monotonic() - started, 3)
        if status >= HTTPStatus.BAD_REQUEST:
            log.warning("bot refused", status=status, seconds=seconds)
        elif seconds > self.timeout:
            log.warning("the bot is slow: a channel would have answered 504", seconds=seconds)
        return status


SERVICE: Final = web.AppKey("direct_line", DirectLine)
