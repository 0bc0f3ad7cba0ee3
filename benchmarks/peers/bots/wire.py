"""What the bots share: jobs on the standard input, a connector that keeps what they send, and results."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from importlib.metadata import version
from typing import Any, TypedDict

from aiohttp import ClientSession, web


class Source(TypedDict):
    """What was found: ``url`` is empty where a source has none."""

    id: str
    name: str
    url: str
    text: str


class Job(TypedDict):
    """An answer as its model wrote it, in pieces, for a channel.

    ``places`` are the offset in the text and the number of the source of each citation, for peers whose
    models send these beside the text.
    """

    id: str
    channel: str
    pieces: list[str]
    sources: list[Source]
    places: list[tuple[int, int]]


class Result(TypedDict, total=False):
    """What a channel got of a job: the last activity is the message, those before it are interims.

    ``cited`` are the ids of the sources that a peer without an activity names, in its order.
    """

    sent: list[dict[str, Any]]
    error: str
    problems: list[str]
    cited: list[str]
    seconds: float


Results = dict[str, Result]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def run(answer_all: Callable[[list[Job]], Coroutine[Any, Any, Results]], *packages: str) -> None:
    """Read the jobs, answer them all, and write the results with the versions of the packages."""
    logging.disable(logging.CRITICAL)
    jobs: list[Job] = json.load(sys.stdin)
    results = asyncio.run(answer_all(jobs))
    versions = {package: version(package) for package in packages}
    json.dump({"versions": versions, "results": results}, sys.stdout)


class Connector:
    """A channel's end of the wire, for many conversations: each is named by its job."""

    def __init__(self) -> None:
        self.sent: dict[str, list[dict[str, Any]]] = {}
        self.url = ""

    async def receive(self, request: web.Request) -> web.Response:
        """Keep an activity that says something."""
        activity = await request.json()
        conversation = request.path.split("/conversations/")[1].split("/")[0]
        if activity["type"] == "message" or activity.get("text"):
            self.sent.setdefault(conversation, []).append(activity)
        return web.json_response({"id": f"a-{conversation}"}, status=201)

    def question(self, job: Job) -> dict[str, Any]:
        """A person's message, which begins the job."""
        return {
            "type": "message",
            "id": f"q-{job['id']}",
            "timestamp": "2026-11-22T12:00:00.000Z",
            "channelId": job["channel"],
            "serviceUrl": self.url,
            "from": {"id": "person", "name": "Ada"},
            "recipient": {"id": "bot", "name": "Bot"},
            "conversation": {"id": job["id"], "conversationType": "personal", "tenantId": "t1"},
            "text": "How do I set a proxy?",
        }


@contextlib.asynccontextmanager
async def serving(path: str, handler: Handler) -> AsyncIterator[str]:
    """The address of a server on this machine."""
    app = web.Application(client_max_size=1 << 24)
    app.router.add_route("*", path, handler)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


async def answer_over_http(jobs: list[Job], handler: Handler, errors: Mapping[str, str]) -> Results:
    """Post each job's question to a bot's own endpoint; what its connector got then."""
    connector = Connector()
    results: Results = {}

    async def ask(job: Job) -> None:
        began = time.process_time()
        async with client.post(bot, json=connector.question(job)) as response:
            await response.read()
        results[job["id"]] = {"seconds": time.process_time() - began}

    async with (
        serving("/{path:.*}", connector.receive) as url,
        serving("/", handler) as bot,
        ClientSession() as client,
    ):
        connector.url = url
        timed = [job for job in jobs if job["id"].startswith("time-")]
        await asyncio.gather(*(ask(job) for job in jobs if job not in timed))
        for job in timed:
            await ask(job)
    for job in jobs:
        results[job["id"]]["sent"] = connector.sent.get(job["id"], [])
        if job["id"] in errors:
            results[job["id"]]["error"] = errors[job["id"]]
    return results
