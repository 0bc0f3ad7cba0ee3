"""Microsoft's 365 Agents Playground from npm, in Node on loopback, talking to a bot of ours.

Its licence is for evaluation only: it is fetched into the user's cache, and never shipped.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import aiohttp
from aiohttp import web

from tests.npm_package import npm_package
from tests.programs import find_program

MODES: Final = ("msteams", "directline", "webchat", "emulator")
"""The channels that it plays; ``channelId`` is the same word."""
GUARD: Final = Path(__file__).parent / "guard.cjs"


@dataclass(frozen=True, slots=True)
class Exchange:
    """An activity that was posted, and what came back."""

    activity: dict[str, Any]
    status: int
    answer: str
    path: str = ""
    """With its query."""

    @property
    def accepted(self) -> bool:
        return self.status in {201, 202}


@dataclass(slots=True)
class Playground:
    """The Playground at ``origin``, with the bot at ``bot``, and all that they say to each other."""

    client: aiohttp.ClientSession
    bot: str
    origin: str = ""
    user: str = ""
    bot_id: str = ""
    bot_name: str = ""
    conversation: str = ""
    """The personal chat."""
    group: str = ""
    channel: str = ""
    """The first group chat, and the first channel of the team."""
    exchanges: list[Exchange] = field(default_factory=list)
    """All that bots sent, and were answered."""
    _turns: asyncio.Queue[Exchange] = field(default_factory=asyncio.Queue)
    """What the bot was sent and is done with."""

    async def ask(self, question: str, *, where: str = "", mention: bool = False) -> list[Exchange]:
        """Send a question as a person does; what the bot said to it, until its turn was over.

        It is asked in the personal chat, or in the conversation ``where``, with a ``mention`` of the bot.
        """
        before = len(self.exchanges)
        url = f"{self.origin}/_conversation/v1/conversations/{where or self.conversation}/messages"
        name = f"<at>{self.bot_name}</at>"
        asked: dict[str, Any] = {"from": {"id": self.user}, "text": question, "textFormat": "plain"}
        if mention:
            mentions = [{"mentioned": {"id": self.bot_id}, "text": name}]
            asked |= {"text": f"{name} {question}", "mentions": mentions}
        async with self.client.post(url, json=asked) as response:
            assert response.status == 200, await response.text()
        assert (await self.turn("message")).status == 201
        return self.exchanges[before:]

    async def post(self, activity: dict[str, Any]) -> int:
        """Post ``activity`` into the personal chat as a bot of any SDK does; the status of the answer."""
        url = f"{self.origin}/_connector/v3/conversations/{self.conversation}/activities"
        async with self.client.post(url, json={"from": {"id": "bot"}, **activity}) as response:
            return response.status

    async def happen(self, what: str, conversation: str, **fields: Any) -> list[Exchange]:
        """Have ``what`` happen in a conversation, such as ``install``; what the bot said to it."""
        before, url = len(self.exchanges), f"{self.origin}/_internal/v1/customActivities"
        asked = {"conversationId": conversation, "type": what}
        async with self.client.get(f"{url}/template", params=asked) as response:
            activity = {**await response.json(), **fields}
        async with self.client.post(url, json=activity) as response:
            assert response.status == 200, await response.text()
        assert (await self.turn(activity["type"])).status in {200, 201}
        return self.exchanges[before:]

    async def turn(self, kind: str) -> Exchange:
        """The next activity of this type that the bot is done with, and its answer."""
        async with asyncio.timeout(60):
            while (turn := await self._turns.get()).activity["type"] != kind:
                pass
        return turn

    async def to_connector(self, request: web.Request) -> web.Response:
        """Hand what a bot sends to the real connector, and keep both sides of it."""
        sent = await request.read()
        response = await self._pass_on(request, f"{self.origin}{request.raw_path}")
        exchange = Exchange(json.loads(sent), response.status, response.text or "", request.raw_path)
        self.exchanges.append(exchange)
        return response

    async def to_bot(self, request: web.Request) -> web.Response:
        """Hand what the channel sends to the bot, and notice when it is done with it."""
        sent = await request.read()
        response = await self._pass_on(request, f"http://{self.bot}{request.raw_path}")
        if sent:  # and no look at whether it is there
            self._turns.put_nowait(Exchange(json.loads(sent), response.status, response.text or ""))
        return response

    async def _pass_on(self, request: web.Request, url: str) -> web.Response:
        headers = {name: request.headers[name] for name in ("Content-Type",) if name in request.headers}
        async with self.client.request(
            request.method, url, data=await request.read(), headers=headers
        ) as answer:
            return web.Response(
                status=answer.status, text=await answer.text(), content_type=answer.content_type
            )

    async def look_around(self) -> None:
        """Learn who is there, and which conversations they have."""
        async with self.client.get(f"{self.origin}/_internal/v1/config") as response:
            found = (await response.json())["config"]
        self.user, self.conversation = found["currentUser"]["id"], found["personalChat"]["id"]
        self.bot_id, self.bot_name = found["bot"]["id"], found["bot"]["name"]
        self.group, self.channel = found["groupChats"][0]["id"], found["teams"][0]["channels"][0]["id"]


@contextlib.asynccontextmanager
async def playing(mode: str, bot: str) -> AsyncIterator[Playground]:
    """The Playground as the channel ``mode`` of the bot at the authority ``bot``."""
    # A connection for each request: Node closes an idle one, perhaps at the moment that it is used again.
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(force_close=True)) as client:
        playground = Playground(client, bot)
        async with _between(playground) as between, _served(mode, between) as origin:
            playground.origin = origin
            await playground.look_around()
            yield playground


@contextlib.asynccontextmanager
async def _between(playground: Playground) -> AsyncIterator[str]:
    """An origin that stands for the bot to the Playground, and for its connector to the bot."""
    app = web.Application()
    app.router.add_route("*", "/_connector/{path:.*}", playground.to_connector)
    app.router.add_route("*", "/api/messages", playground.to_bot)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@contextlib.asynccontextmanager
async def _served(mode: str, between: str) -> AsyncIterator[str]:
    """The origin of the Playground's own server."""
    node = find_program("node")
    package = await asyncio.to_thread(
        npm_package,
        "@microsoft/m365agentsplayground",
        "0.2.28",
        "sha512-EevhYW8xtEATwNg5eiFqTgZT0P5gjfCsLBwBWESSrB6+0lr9Yi9R27HJwjNGUlT3JQlxoWMgnvEQunUuyI/+2Q==",
    )
    command = [node, "--require", str(GUARD), str(package / "cli.js"), "-p", "0", "--disable-telemetry"]
    command += ["-c", mode, "-e", f"{between}/api/messages", "--service-url", f"{between}/_connector"]
    # Ignoring errors: on Windows its log may be open for a moment after its end.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=folder,
            env=dict(os.environ, TEAMSAPPTESTER_BROWSER="none"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        assert process.stdout
        try:
            async with asyncio.timeout(60):
                line = await process.stdout.readline()
            assert line.startswith(b"Listening on "), line
            yield f"http://127.0.0.1:{int(line.split()[-1])}"
        finally:
            process.kill()
            await process.wait()
