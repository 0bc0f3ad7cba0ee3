"""A channel's connector, as a process of its own: takes activities as slowly as its options say."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import sys
import time
from collections import Counter

from aiohttp import web

ENVELOPE = frozenset({"channelId", "conversation", "from", "id", "locale", "localTimezone", "recipient"}) | {
    "replyToId", "serviceUrl", "timestamp", "localTimestamp", "callerId", "inputHint", "deliveryMode"
}  # fmt: skip
"""What says to whom an activity goes; the rest is what was said."""
_SAMPLED = 50
BEGINNING = 40
"""Characters of a message by which its kind is known."""
_ANSWER_ID = re.compile(r"(?<=urn:answer:)[A-Za-z0-9_-]+")
"""Names an answer to vote on, and each by another name."""


def normalize_body(body: bytes) -> str:
    """What an activity says, in one form: without its envelope, its keys in order, its answer unnamed."""
    fields = {name: value for name, value in json.loads(body).items() if name not in ENVELOPE}
    return _ANSWER_ID.sub("answer", json.dumps(fields, sort_keys=True, ensure_ascii=False))


class Connector:
    """Counts the messages, keeps the body of every fiftieth, and answers after ``delay`` seconds."""

    def __init__(self) -> None:
        self.delay = 0.0
        self.bodies: list[bytes] = []
        self.count = 0
        self.finished = 0.0
        self.signs = 0
        self.replies: list[tuple[str, str, float]] = []
        """The conversation of each message that was responded to, its first characters, and when."""

    async def take(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.path == "/report":
            return self._tell(request)
        body = await request.read()
        fields = json.loads(body)
        says = fields["type"] == "message"
        self.signs += not says
        if says and self.count % _SAMPLED == 0:
            self.bodies.append(body)
        self.count += says
        if self.delay:
            await asyncio.sleep(self.delay)
        if says:
            self.finished = time.time()
            conversation = request.path.split("/")[3]
            self.replies.append((conversation, fields["text"][:BEGINNING], self.finished))
        return web.json_response({"id": "a"})

    def _tell(self, request: web.BaseRequest) -> web.Response:
        """What has come; with a delay in the query that is forgotten, and the delay holds from now on."""
        hashes = Counter(hashlib.sha256(normalize_body(body).encode()).hexdigest() for body in self.bodies)
        last = self.bodies[-1].decode() if self.bodies else ""
        report = {"count": self.count, "finished": self.finished, "hashes": hashes, "last": last}
        report |= {"signs": self.signs, "replies": self.replies, "responded": len(self.replies)}
        if "delay" in request.query:
            self.delay, self.bodies, self.count = float(request.query["delay"]), [], 0
            self.signs, self.replies = 0, []
        return web.json_response(report)


async def main() -> None:
    """Take activities until the standard input ends."""
    runner = web.ServerRunner(web.Server(Connector().take, access_log=None))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    print(json.dumps({"connector": runner.addresses[0][1]}), flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
