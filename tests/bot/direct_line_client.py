"""A Direct Line client for tests, over plain HTTP."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import aiohttp


class Client:
    """A Direct Line client that does what it is told and reports what it got."""

    def __init__(self, session: aiohttp.ClientSession, authority: str) -> None:
        self.session = session
        self.authority = authority
        self.token = ""
        self.conversation = ""

    async def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        root: str = "/v3/directline",
    ) -> tuple[int, Any]:
        shown = self.token if token is None else token
        headers = {"Authorization": f"Bearer {shown}"} if shown else {}
        url = f"http://{self.authority}{root}{path}"
        async with self.session.request(method, url, json=body, headers=headers) as response:
            text = await response.text()
            return response.status, json.loads(text) if text else None

    async def start(self, user: str = "u1") -> dict[str, Any]:
        status, generated = await self.call("POST", "/tokens/generate", {"user": {"id": user}})
        assert status == 200
        self.token, self.conversation = generated["token"], generated["conversationId"]
        status, started = await self.call("POST", "/conversations")
        assert status == 201
        begun: dict[str, Any] = started
        return begun

    async def say(self, text: str, **fields: Any) -> tuple[int, Any]:
        body = {"type": "message", "text": text, "from": {"id": "u1"}, **fields}
        return await self.call("POST", f"/conversations/{self.conversation}/activities", body)

    async def poll(self, watermark: str = "") -> tuple[list[dict[str, Any]], str]:
        path = f"/conversations/{self.conversation}/activities?watermark={watermark}"
        status, found = await self.call("GET", path)
        assert status == 200
        return found["activities"], found["watermark"]

    async def until(self, words: str) -> list[dict[str, Any]]:
        async with asyncio.timeout(60):
            while True:
                activities, _ = await self.poll()
                if any(words in activity.get("text", "") for activity in activities):
                    return activities
                await asyncio.sleep(0.02)


async def post_as_bot(authority: str, conversation: str, activity: dict[str, Any]) -> str:
    """Say ``activity`` over the connector's API, as a bot of any SDK does; its id."""
    url = f"http://{authority}/v3/conversations/{conversation}/activities"
    async with aiohttp.ClientSession() as session, session.post(url, json=activity) as response:
        assert response.status == 200
        posted: dict[str, str] = await response.json()
        return posted["id"]
