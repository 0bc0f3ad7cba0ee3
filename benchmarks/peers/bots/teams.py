"""The Teams SDK, over its own endpoint and its own client."""

from __future__ import annotations

import asyncio

import httpx
from aiohttp import web
from microsoft_teams.api import CitationAppearance, MessageActivity, MessageActivityInput
from microsoft_teams.apps import ActivityContext, App

from .wire import Job, Results, answer_over_http, run


async def answer(ctx: ActivityContext[MessageActivity], job: Job) -> None:
    """As in the page "Teams enhancements" of the Teams SDK; name and abstract as long as it documents."""
    whole = len(job["pieces"]) == 1
    message = MessageActivityInput(text=job["pieces"][0]) if whole else MessageActivityInput()
    message.add_ai_generated()
    for position, one in enumerate(job["sources"], start=1):
        message.add_citation(
            position,
            CitationAppearance(name=one["name"][:80], abstract=one["text"][:160], url=one["url"] or None),
        )
    if whole:
        await ctx.send(message)
        return
    for piece in job["pieces"]:
        ctx.stream.emit(piece)
        await asyncio.sleep(1)  # a model takes longer from piece to piece
    ctx.stream.emit(message)


async def answer_all(jobs: list[Job]) -> Results:
    """Each job in a conversation of its own."""
    by_id = {job["id"]: job for job in jobs}
    errors: dict[str, str] = {}
    app = App(dangerously_allow_unauthenticated_requests=True, fetch_user_token=False)

    async def turn(ctx: ActivityContext[MessageActivity]) -> None:
        job = by_id[ctx.activity.conversation.id]
        try:
            if job["id"].startswith("time-"):
                for piece in job["pieces"]:
                    ctx.stream.emit(piece)
            else:
                await answer(ctx, job)
        except Exception as error:  # noqa: BLE001 - what a bot's author sees in the log
            errors[job["id"]] = f"{type(error).__name__}: {error}"

    app.on_message(turn)
    await app.initialize()
    transport = httpx.ASGITransport(app.server.adapter.app)

    async def messages(request: web.Request) -> web.StreamResponse:
        async with httpx.AsyncClient(transport=transport, base_url="http://bot", timeout=60) as client:
            response = await client.post("/api/messages", json=await request.json())
        return web.Response(status=response.status_code)

    return await answer_over_http(jobs, messages, errors)


if __name__ == "__main__":
    run(answer_all, "microsoft-teams-apps")
