"""What the routes of both sides share, and the way to the bot."""

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
from .conversation import BOT_ID, CHANNEL, Activity, Conversation, LocalConversations
from .tokens import Tokens

WAIT: Final = 15.0
"""Seconds that a channel waits for the bot's answer to its request."""

log = logger(__name__)


@dataclass(slots=True, kw_only=True)
class DirectLine:
    """What the routes of both sides share.

    ``authority`` is where this process listens (``127.0.0.1:3978``): the bot is called there over
    HTTP, as by any channel, and sends its activities back there.
    """

    authority: str
    name: str
    """The bot's display name."""
    conversations: LocalConversations = field(default_factory=LocalConversations)
    tokens: Tokens = field(default_factory=Tokens)
    wait: float = WAIT
    sockets: set[web.WebSocketResponse] = field(default_factory=set)
    tasks: set[asyncio.Task[int]] = field(default_factory=set)
    session: aiohttp.ClientSession | None = None

    def to_bot(self, conversation: Conversation, activity: Activity) -> asyncio.Task[int]:
        """Start sending an activity of ``conversation`` to the bot; the task gives the HTTP status."""
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
        """The status of a message to the bot, or 200 once the bot has said something after ``watermark``.

        200 as well where it takes longer than a channel waits.
        """
        # Web Chat writes "Sending" below the question until then, which an answer on the screen belies.
        hearing = asyncio.create_task(conversation.bot_after(watermark))
        try:
            await asyncio.wait({sending, hearing}, timeout=self.wait, return_when=asyncio.FIRST_COMPLETED)
        finally:
            hearing.cancel()
        return sending.result() if sending.done() else HTTPStatus.OK

    async def idle(self, limit: float) -> None:
        """Wait until nothing is on its way to the bot, for up to ``limit`` seconds."""
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
        elif seconds > self.wait:
            log.warning("the bot is slow: a channel would have answered 504", seconds=seconds)
        return status


SERVICE: Final = web.AppKey("direct_line", DirectLine)
