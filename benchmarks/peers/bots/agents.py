"""The Microsoft 365 Agents SDK, over its own adapter and its own client."""

from __future__ import annotations

from types import SimpleNamespace

from aiohttp import web
from microsoft_agents.authentication.msal import MsalConnectionManager
from microsoft_agents.hosting.aiohttp import CloudAdapter
from microsoft_agents.hosting.core import AgentAuthConfiguration, Citation, TurnContext

from .wire import Job, Results, answer_over_http, run


async def answer(context: TurnContext, job: Job) -> None:
    """As in the SDK's documentation and samples; without the AI label its streams have no citations."""
    response = context.streaming_response
    response.set_generated_by_ai_label(True)
    for piece in job["pieces"]:
        response.queue_text_chunk(piece)
        await response.wait_for_queue()  # a model takes longer from piece to piece
    response.set_citations(
        [Citation(content=one["text"], title=one["name"], url=one["url"] or None) for one in job["sources"]]
    )
    await response.end_stream()


async def answer_all(jobs: list[Job]) -> Results:
    """Each job in a conversation of its own."""
    by_id = {job["id"]: job for job in jobs}
    errors: dict[str, str] = {}
    who = {"SERVICE_CONNECTION": AgentAuthConfiguration(anonymous_allowed=True)}
    adapter = CloudAdapter(connection_manager=MsalConnectionManager(connections_configurations=who))

    async def failed(context: TurnContext, error: Exception) -> None:
        errors[context.activity.conversation.id] = f"{type(error).__name__}: {error}"

    async def turn(context: TurnContext) -> None:
        job = by_id[context.activity.conversation.id]
        if job["id"].startswith("time-"):
            for piece in job["pieces"]:
                context.streaming_response.queue_text_chunk(piece)
        else:
            await answer(context, job)

    async def messages(request: web.Request) -> web.StreamResponse:
        response: web.StreamResponse | None = await adapter.process(request, SimpleNamespace(on_turn=turn))
        return response or web.Response()

    adapter.on_turn_error = failed
    return await answer_over_http(jobs, messages, errors)


if __name__ == "__main__":
    run(answer_all, "microsoft-agents-hosting-core")
