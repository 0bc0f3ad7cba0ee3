"""A channel's connector on a socket: it keeps the bytes it gets, and takes streams as Teams does."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Activity = dict[str, Any]


@dataclass
class KeepingConnector:
    """``bodies`` are the bytes of each request that was taken, ``requests`` its method, path and query."""

    port: int = 0
    bodies: list[bytes] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    refusals: list[tuple[str, int, str]] = field(default_factory=list)
    """What to refuse next: the text in its body, and the status and the message of the refusal."""
    streamed: str = ""
    """The text of the stream so far."""

    @property
    def service_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def activities(self) -> list[Activity]:
        """All activities that were taken, but for typing signs without text."""
        return [one for one in map(json.loads, self.bodies) if one["type"] != "typing" or one.get("text")]

    @property
    def messages(self) -> list[Activity]:
        return [one for one in self.activities if one["type"] == "message"]

    async def receive(self, request: web.Request) -> web.Response:
        body = await request.read()
        if request.method == "DELETE":
            self.requests.append(f"DELETE {request.path_qs}")
            return web.Response()
        activity = json.loads(body)
        for place, (text, status, message) in enumerate(self.refusals):
            if text in body.decode():
                del self.refusals[place]
                return web.json_response(
                    {"error": {"code": "BadArgument", "message": message}}, status=status
                )
        if changed := self._changed(activity):
            return web.json_response({"error": {"code": "BadArgument", "message": changed}}, status=403)
        self.bodies.append(body)
        self.requests.append(f"{request.method} {request.path_qs}")
        return web.json_response({"id": f"a{len(self.bodies)}"}, status=201)

    def _changed(self, activity: Activity) -> str | None:
        """Teams, "Stream bot messages": each piece, and the final, begin with what was shown before."""
        info: Activity = next(
            (one for one in activity.get("entities") or () if one["type"] == "streaminfo"), {}
        )
        if (
            activity.get("channelId", "msteams") == "msteams"
            and info.get("streamType", "informative") != "informative"
        ):
            if not activity["text"].startswith(self.streamed):
                return "Request streamed content should contain the previously streamed content."
            self.streamed = "" if info["streamType"] == "final" else activity["text"]
        return None


async def _listen(runner: web.AppRunner) -> int:
    """Listen on a free port, but not on one as 33403.

    The Agents SDK takes each error whose text has "403" for a refusal, and the text has the address.
    """
    while True:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port: int = runner.addresses[-1][1]
        if "403" not in str(port):
            return port
        await site.stop()


@contextlib.asynccontextmanager
async def serving() -> AsyncIterator[KeepingConnector]:
    connector = KeepingConnector()
    app = web.Application(client_max_size=1 << 20)
    app.router.add_route("*", "/{path:.*}", connector.receive)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    connector.port = await _listen(runner)
    try:
        yield connector
    finally:
        await runner.cleanup()


def incoming(
    connector: KeepingConnector, channel_id: str, text: str = "How do I set a proxy?", **fields: Any
) -> Activity:
    """A message of a person, as a channel posts it to a bot."""
    return {
        "type": "message",
        "id": "q1",
        "timestamp": "2026-11-22T12:00:00.000Z",
        "channelId": channel_id,
        "serviceUrl": connector.service_url,
        "from": {"id": "person", "name": "Ada"},
        "recipient": {"id": "bot", "name": "Bot"},
        "conversation": {"id": "c1", "conversationType": "personal", "tenantId": "t1"},
        "text": text,
        **fields,
    }
