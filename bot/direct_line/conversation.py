"""The activities of each conversation, in order, and the clients that wait for more."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Final

Activity = dict[str, object]
"""An activity as a JSON object."""

CHANNEL: Final = "directline"
BOT_ID: Final = "bot"


class Conversation:
    """The activities of one conversation, numbered from 1.

    A *watermark* (Direct Line § "Receive activities") is the number of the last activity that a
    client has. Above ``capacity`` activities the oldest are dropped.

    Each interim of a streamed answer contains the text of the previous ones. So only the first and the
    latest are stored, and at the end only the final message. A client that connects late gets the
    current text at once, and a long answer evicts no other activities.
    """

    def __init__(self, conversation_id: str, user_id: str, *, capacity: int) -> None:
        self.id = conversation_id
        self.user_id = user_id
        self.started = False
        self._log: deque[tuple[int, Activity]] = deque(maxlen=capacity)
        self._last = 0
        self._more = asyncio.Event()

    @property
    def user(self) -> Activity:
        """The person's ``ChannelAccount``."""
        return {"id": self.user_id, "role": "user"}

    @property
    def watermark(self) -> int:
        """The number of the latest activity; 0 if there is none."""
        return self._last

    def add(self, activity: Activity) -> str:
        """Append ``activity`` with a new id and a timestamp; return the id."""
        activity_id = f"{self.id}|{self._last + 1:07d}"
        self._remove_superseded(activity)
        self._append({**activity, "id": activity_id})
        return activity_id

    def replace(self, activity_id: str, activity: Activity) -> bool:
        """Replace an activity; False if there is none with this id.

        The new one gets a new number, so that clients that have the old one receive it.
        """
        if not self.remove(activity_id):
            return False
        self._append({**activity, "id": activity_id})
        return True

    def remove(self, activity_id: str) -> bool:
        """Remove an activity; False if there is none. Direct Line can't remove it from clients."""
        for entry in self._log:
            if entry[1]["id"] == activity_id:
                self._log.remove(entry)
                return True
        return False

    def after(self, watermark: int) -> list[Activity]:
        """The activities that a client with this watermark doesn't have."""
        return [activity for number, activity in self._log if number > watermark]

    async def wait_for_more(self, watermark: int) -> None:
        """Wait until there is an activity after ``watermark``."""
        while self._last <= watermark:
            await self._more.wait()

    async def wait_for_bot(self, watermark: int) -> None:
        """Wait until there is an activity of the bot after ``watermark``."""
        while not any(is_from(activity, "bot") for activity in self.after(watermark)):
            await self.wait_for_more(self._last)

    def _remove_superseded(self, activity: Activity) -> None:
        stream_id, stream_type = _stream_of(activity)
        if stream_id is None:
            return
        # The first interim has no streamId, because its own id becomes the stream's. It has to stay until
        # the final message: without it, a client shows later interims as messages of their own.
        superseded = [
            earlier["id"]
            for _, earlier in self._log
            if _stream_of(earlier)[0] == stream_id or (stream_type == "final" and earlier["id"] == stream_id)
        ]
        for activity_id in superseded:
            self.remove(str(activity_id))

    def _append(self, activity: Activity) -> None:
        self._last += 1
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        stamped = {**activity, "timestamp": now, "channelId": CHANNEL, "conversation": {"id": self.id}}
        self._log.append((self._last, stamped))
        self._more.set()
        self._more = asyncio.Event()


def is_from(activity: Activity, role: str) -> bool:
    """Whether the sender of ``activity`` has this role: ``bot`` or ``user``."""
    author = activity.get("from")
    return isinstance(author, dict) and author.get("role") == role


def _stream_of(activity: Activity) -> tuple[object, object]:
    """The ``streamId`` and ``streamType`` of a streamed activity; None and None for any other."""
    data = activity.get("channelData")
    # Only the bot streams. A person's activity must not remove others.
    if not is_from(activity, "bot") or not isinstance(data, dict):
        return None, None
    return data.get("streamId"), data.get("streamType")


class LocalConversations:
    """All conversations by id. The least recently used ones are dropped."""

    def __init__(
        self,
        *,
        capacity: int = 100,
        length: int = 500,
        idle: float = 12 * 3600,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._capacity = capacity
        self._length = length
        self._idle = idle
        self._clock = clock
        self._used: OrderedDict[str, tuple[float, Conversation]] = OrderedDict()

    def __iter__(self) -> Iterator[Conversation]:
        return iter([conversation for _, conversation in self._used.values()])

    def open(self, conversation_id: str, user_id: str) -> Conversation:
        """The conversation with this id, and create it if there is none."""
        existing = self.get(conversation_id)
        if existing is not None:
            return existing
        conversation = Conversation(conversation_id, user_id, capacity=self._length)
        self._used[conversation_id] = (self._clock(), conversation)
        while len(self._used) > self._capacity:
            self._used.popitem(last=False)
        return conversation

    def get(self, conversation_id: str) -> Conversation | None:
        """The conversation with this id; None where there is none, or it was dropped."""
        now = self._clock()
        while self._used and now - next(iter(self._used.values()))[0] > self._idle:
            self._used.popitem(last=False)
        if conversation_id not in self._used:
            return None
        conversation = self._used.pop(conversation_id)[1]
        self._used[conversation_id] = (now, conversation)
        return conversation

    def drop(self, conversation_id: str) -> None:
        """Forget a conversation."""
        self._used.pop(conversation_id, None)


def new_id() -> str:
    """Create an unguessable id: to the connector API, a conversation's id is the permission to send to it."""
    return secrets.token_urlsafe(16)
