"""Connectors on real sockets that take streams by the rules of Teams and of Web Chat.

Governing sources: Microsoft Teams, "Stream bot messages"; Web Chat, LIVESTREAMING.md and what 4.18.1
does. What a rule forbids is refused as the channel refuses it, and kept in ``broken``.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar
from urllib.parse import unquote

from aiohttp import web

from citations import check

SCALE: Final = 1 / 50
"""A second of Teams' rules, in seconds of the tests."""

Activity = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Refusal:
    """How an activity is refused: status, Teams' message, and seconds for ``Retry-After``."""

    status: int
    message: str = ""
    code: str = "ContentStreamNotAllowed"
    retry_after: int | None = None

    def response(self) -> web.Response:
        headers = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        body = {"error": {"code": self.code, "message": self.message}}
        return web.json_response(body, status=self.status, headers=headers)


STOPPED: Final = Refusal(403, "Content stream was canceled by user.")
EXCEEDED: Final = Refusal(403, "Content stream finished due to exceeded streaming time.")
COMPLETED: Final = Refusal(403, "Content stream is not allowed on an already completed streamed message.")
CHANGED: Final = Refusal(403, "Request streamed content should contain the previously streamed content.")
TOO_FAST: Final = Refusal(429, "API calls quota exceeded! Maximum admitted 1 per 1 second.", "Throttled")


def metadata(activity: Activity) -> Activity:
    """What an activity says about its stream; empty for one that is in none."""
    data: Activity = activity.get("channelData") or {}
    if "streamType" not in data:
        return {}
    return {name: value for name, value in data.items() if name not in ("feedbackLoop", "answerKind")}


def graph(activity: Activity) -> list[Activity]:
    """The entities but for the stream's own, and without thumbs, whose ids are drawn for each answer."""
    return [
        {name: value for name, value in entity.items() if name != "potentialAction"}
        for entity in activity.get("entities", [])
        if entity["type"] != "streaminfo"
    ]


@dataclass
class Stream:
    """What was taken of one stream."""

    begun: float
    last: float = 0.0
    sequence: int = 1
    text: str = ""
    has_content: bool = False
    ended: bool = False


@dataclass
class StreamingConnector:
    """Takes activities of any channel's stream; a subclass adds its rules in :meth:`_rule`."""

    channel_id: str = "directline"
    taken: list[Activity] = field(default_factory=list)
    edits: dict[str, Activity] = field(default_factory=dict)
    """What has taken the place of a message, by the message's id."""
    broken: list[str] = field(default_factory=list)
    """Rules that were broken; a test that isn't about one finds none."""
    refusals: dict[str, list[Refusal | None]] = field(default_factory=dict)
    """What is refused whatever the rules say: for each type of piece (``message`` outside a stream, ``edit``
    of a message), the answers to the next ones; None takes it."""
    delay: float = 0.0
    """Seconds until a request is answered."""
    hanging: int = 0
    """How many of the next requests are not taken, nor answered as long as it is serving."""
    port: int = 0
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    """It serves no longer."""
    _streams: dict[str, Stream] = field(default_factory=dict)
    _in_flight: set[str] = field(default_factory=set)
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    def service_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    async def next(self, kind: str, after: int = 0) -> Activity:
        """The first activity of this type that is taken after so many others; it may have come already."""
        async with asyncio.timeout(60), self._news:
            while True:
                for activity in self.taken[after:]:
                    if (metadata(activity).get("streamType") or activity["type"]) == kind:
                        return activity
                await self._news.wait()

    def of(self, conversation: str) -> list[Activity]:
        """What was taken in one conversation."""
        return [activity for activity in self.taken if activity["conversation"]["id"] == conversation]

    async def receive(self, request: web.Request) -> web.Response:
        activity: Activity = json.loads(await request.read())
        arrived, conversation = time.monotonic(), activity["conversation"]["id"]
        if conversation in self._in_flight and metadata(activity):
            self.broken.append(f"sent before the last was answered: {metadata(activity)}")
        self._in_flight.add(conversation)
        try:
            if self.hanging:
                self.hanging -= 1
                await self.ended.wait()
                return web.Response(status=503)
            await asyncio.sleep(self.delay)
            if request.method == "PUT":
                return await self._edit(unquote(request.raw_path.rpartition("/")[2]), activity)
            return await self._answer(activity, arrived)
        finally:
            self._in_flight.discard(conversation)

    async def _edit(self, edited: str, activity: Activity) -> web.Response:
        refusals = self.refusals.get("edit", [])
        if refusal := refusals.pop(0) if refusals else None:
            return refusal.response()
        number = int(edited.removeprefix("a") or 0)
        if not 0 < number <= len(self.taken) or metadata(activity) or activity.get("id") != edited:
            self.broken.append(f"no edit of {edited}: {activity}")
        self.edits[edited] = activity
        async with self._news:
            self._news.notify_all()
        return web.json_response({"id": edited})

    async def _answer(self, activity: Activity, arrived: float) -> web.Response:
        data = metadata(activity)
        wanted = self.refusals.get(data.get("streamType") or activity["type"], [])
        refusal = wanted.pop(0) if wanted else None
        if refusal is not None:
            return refusal.response()
        for problem in check(activity, channel_id=self.channel_id):
            # A number that was shown stays, also where its reference never comes.
            if problem.code != "badge-without-claim":
                self.broken.append(f"{problem.code} {problem.path}")
        broken = self._rule_of_all(activity, data) or self._rule(activity, data, arrived)
        if broken is not None:
            self.broken.append(f"{broken.message} {data} {activity.get('text')!r}")
            return broken.response()
        return await self._take(activity, data, arrived)

    async def _take(self, activity: Activity, data: Activity, arrived: float) -> web.Response:
        new = f"a{len(self.taken) + 1}"
        self.taken.append(activity)
        if data:
            stream = self._streams.setdefault(data.get("streamId", new), Stream(begun=arrived))
            stream.last = arrived
            stream.sequence = data.get("streamSequence", stream.sequence)
            stream.ended = data["streamType"] == "final"
            if data["streamType"] != "informative":
                stream.text, stream.has_content = activity["text"], True
        async with self._news:
            self._news.notify_all()
        return self._accepted(data, new)

    def _accepted(self, data: Activity, new: str) -> web.Response:
        return web.json_response({"id": new}, status=200)

    def _rule_of_all(self, activity: Activity, data: Activity) -> Refusal | None:
        infos = [entity for entity in activity.get("entities", []) if entity["type"] == "streaminfo"]
        if [{"type": "streaminfo", **data}] * bool(data) != infos:
            return Refusal(400, "channelData and streaminfo disagree")
        if not data:
            return None
        stream = self._streams.get(data.get("streamId", ""))
        if data["streamType"] == "final":
            known = stream is not None and not stream.ended and "streamSequence" not in data
            return None if known else COMPLETED
        if stream is None:
            begins = self._begins(data) and data["streamSequence"] == 1 and activity["text"]
            return None if begins else Refusal(400, "Start streaming activities should include text")
        if stream.ended:
            return COMPLETED
        in_order = data["streamSequence"] == stream.sequence + 1
        return None if in_order else Refusal(400, "the sequence has a gap")

    def _begins(self, data: Activity) -> bool:
        return "streamId" not in data

    def _rule(self, activity: Activity, data: Activity, arrived: float) -> Refusal | None:
        raise NotImplementedError


@dataclass
class WebChatConnector(StreamingConnector):
    """Interims come at most ten a second, and the dots before them give a stream its id."""

    every: float = 0.1

    def _begins(self, data: Activity) -> bool:
        # Web Chat 4.18 puts a second stream whose first piece has no streamId above the first one.
        number = int(data.get("streamId", "a0")[1:])
        return number > 0 and self.taken[number - 1].keys().isdisjoint({"text", "channelData"})

    def _rule(self, activity: Activity, data: Activity, arrived: float) -> Refusal | None:
        stream = self._streams.get(data.get("streamId", ""))
        if stream is None or data["streamType"] == "final":
            return None
        return Refusal(429, "more than ten a second") if arrived - stream.last < self.every else None


@dataclass
class TeamsConnector(StreamingConnector):
    """One-on-one chats, one request a second, two minutes, each piece with the last one's text."""

    channel_id: str = "msteams"
    groups: frozenset[str] = frozenset()
    """The conversations that are group chats or channels."""
    _last: dict[str, float] = field(default_factory=dict)
    _current: dict[str, str] = field(default_factory=dict)

    def _accepted(self, data: Activity, new: str) -> web.Response:
        if data.get("streamId"):
            return web.json_response({}, status=202)
        return web.json_response({"id": new}, status=201)

    def _rule(self, activity: Activity, data: Activity, arrived: float) -> Refusal | None:
        if not data:
            return self._outside(activity)
        return self._rate(activity, arrived) or self._piece(activity, data, arrived)

    def _outside(self, activity: Activity) -> Refusal | None:
        return None if activity["type"] == "typing" or activity["text"] else Refusal(400, "no text")

    def _rate(self, activity: Activity, arrived: float) -> Refusal | None:
        conversation = activity["conversation"]["id"]
        since = arrived - self._last.get(conversation, 0.0)
        self._last[conversation] = arrived
        return TOO_FAST if since < 1 * SCALE else None

    def _piece(self, activity: Activity, data: Activity, arrived: float) -> Refusal | None:
        conversation = activity["conversation"]["id"]
        if conversation in self.groups:
            return Refusal(400, "streaming is for one-on-one chats", "BadArgument")
        stream = self._streams.get(data.get("streamId", ""))
        if stream is None:
            before = self._streams.get(self._current.get(conversation, ""))
            self._current[conversation] = f"a{len(self.taken) + 1}"
            return Refusal(403, "one stream at a time") if before and not before.ended else None
        if arrived - stream.begun > 120 * SCALE:
            return EXCEEDED
        if data["streamType"] == "informative":
            return Refusal(400, "informative after content") if stream.has_content else None
        return self._content(activity, data, stream)

    def _content(self, activity: Activity, data: Activity, stream: Stream) -> Refusal | None:
        if stream.has_content and not activity["text"].startswith(stream.text):
            return CHANGED
        labelled = {"additionalType", "usageInfo"}
        if data["streamType"] == "streaming" and any(labelled & entity.keys() for entity in graph(activity)):
            return Refusal(400, "labels belong to the final", "BadArgument")
        return None


C = TypeVar("C", bound=StreamingConnector)


@contextlib.asynccontextmanager
async def serving(connector: C) -> AsyncIterator[C]:
    """``connector`` on a socket."""
    app = web.Application(client_max_size=1 << 20)
    for method in ("POST", "PUT"):
        app.router.add_route(method, "/{path:.*}", connector.receive)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    connector.port = runner.addresses[0][1]
    try:
        yield connector
    finally:
        connector.ended.set()
        await runner.cleanup()
