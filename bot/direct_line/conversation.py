"""Conversations: what has been said in each, in order, and who is waiting for more."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Final

Activity = dict[str, object]
"""An activity as the JSON object that goes over the wire."""

CHANNEL: Final = "directline"
BOT_ID: Final = "bot"


class Conversation:
    """The activities of one conversation, numbered from 1.

    A *watermark* (Direct Line § "Receive activities") is the number of the last activity that a
    client has. Beyond ``capacity`` activities the oldest are forgotten.

    Of an answer that is streamed, its first piece and its latest are kept, and at last the final
    alone: each says all that the ones before it said. So a client that connects late, or is slow,
    gets what there is and not how it came about, and a long answer pushes nothing else out.
    """

    def __init__(self, conversation_id: str, user_id: str, *, capacity: int) -> None:
        self.id = conversation_id
        self.user_id = user_id
        self.started = False
        self._log: deque[tuple[int, Activity]] = deque(maxlen=capacity)
        self._last = 0
        self._more = asyncio.Event()

    @property
    def watermark(self) -> int:
        """The number of the latest activity; 0 while there is none."""
        return self._last

    def add(self, activity: Activity) -> str:
        """Append ``activity`` under a new id, which is returned, with the time it arrived."""
        activity_id = f"{self.id}|{self._last + 1:07d}"
        self._forget_superseded(activity)
        self._append({**activity, "id": activity_id})
        return activity_id

    def replace(self, activity_id: str, activity: Activity) -> bool:
        """Put ``activity`` in the place of an earlier one; False if there is none of that id.

        It gets a new number, so that those who have the earlier one receive it.
        """
        if not self.remove(activity_id):
            return False
        self._append({**activity, "id": activity_id})
        return True

    def remove(self, activity_id: str) -> bool:
        """Forget an activity; Direct Line has no word for telling those who have it."""
        for entry in self._log:
            if entry[1]["id"] == activity_id:
                self._log.remove(entry)
                return True
        return False

    def after(self, watermark: int) -> list[Activity]:
        """The activities that a client with this watermark doesn't have."""
        return [activity for number, activity in self._log if number > watermark]

    async def more_than(self, watermark: int) -> None:
        """Wait until there is an activity after ``watermark``."""
        while self._last <= watermark:
            await self._more.wait()

    async def bot_after(self, watermark: int) -> None:
        """Wait until the bot has said something after ``watermark``."""
        while not any(_by_bot(activity) for activity in self.after(watermark)):
            await self.more_than(self._last)

    def _forget_superseded(self, activity: Activity) -> None:
        stream_id, stream_type = _stream(activity)
        if stream_id is None:
            return
        # The first piece has no streamId, because its own id becomes that of the stream. Until the
        # final comes it has to stay: to a client without it the later pieces are bubbles of their own.
        superseded = [
            earlier["id"]
            for _, earlier in self._log
            if _stream(earlier)[0] == stream_id or (stream_type == "final" and earlier["id"] == stream_id)
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


def _by_bot(activity: Activity) -> bool:
    author = activity.get("from")
    return isinstance(author, dict) and author.get("role") == "bot"


def _stream(activity: Activity) -> tuple[object, object]:
    """The ``streamId`` and ``streamType`` of a piece of a streamed answer; None for what isn't one."""
    data = activity.get("channelData")
    # A person has no streams, and takes nothing back with what looks like one.
    if not _by_bot(activity) or not isinstance(data, dict):
        return None, None
    return data.get("streamId"), data.get("streamType")


class LocalConversations:
    """All conversations, by id; the ones unused the longest go first when there are too many."""

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
        """The conversation of this id, begun now if it is not known."""
        known = self.get(conversation_id)
        if known is not None:
            return known
        conversation = Conversation(conversation_id, user_id, capacity=self._length)
        self._used[conversation_id] = (self._clock(), conversation)
        while len(self._used) > self._capacity:
            self._used.popitem(last=False)
        return conversation

    def get(self, conversation_id: str) -> Conversation | None:
        """The conversation of this id, or None where it never was or has been forgotten."""
        now = self._clock()
        while self._used and now - next(iter(self._used.values()))[0] > self._idle:
            self._used.popitem(last=False)
        if conversation_id not in self._used:
            return None
        conversation = self._used.pop(conversation_id)[1]
        self._used[conversation_id] = (now, conversation)
        return conversation


def new_id() -> str:
    """A conversation id that nobody can guess: who knows it may speak as the bot."""
    return secrets.token_urlsafe(16)
