"""The Teams AI library 1, over Bot Framework's adapter and client; in an environment of its own."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from aiohttp import web
from botbuilder.core import MemoryStorage, TurnContext
from botbuilder.integration.aiohttp import CloudAdapter, ConfigurationBotFrameworkAuthentication
from teams import Application, ApplicationOptions
from teams.ai import AIOptions
from teams.ai.planners import Plan, Planner, PredictedSayCommand
from teams.ai.prompts import Message
from teams.ai.prompts.message import Citation, MessageContext
from teams.state import TurnState
from teams.streaming import StreamingResponse

from .wire import Job, Results, answer_over_http, run


def read_citations(job: Job) -> list[Citation]:
    """As a data source of Azure OpenAI gives them to the library."""
    return [
        Citation(content=one["text"], title=one["name"], url=one["url"], filepath=None)
        for one in job["sources"]
    ]


class FixedPlanner(Planner[TurnState]):  # type: ignore[misc] # not installed everywhere
    """In the place of a model: its answer, with what was found."""

    def __init__(self, jobs: dict[str, Job]) -> None:
        self._jobs = jobs

    async def begin_task(self, context: TurnContext, state: TurnState) -> Plan:  # noqa: ARG002 - theirs
        """The library turns this into an activity by itself."""
        job = self._jobs[context.activity.conversation.id]
        found = MessageContext(citations=read_citations(job), intent="")
        said = Message(role="assistant", content=job["pieces"][0], context=found)
        return Plan(commands=[PredictedSayCommand(response=said)])

    async def continue_task(self, context: TurnContext, state: TurnState) -> Plan:
        """There is one step."""
        return await self.begin_task(context, state)


async def answer(context: TurnContext, job: Job) -> None:
    """A stream, as the library's own client of a model sends it."""
    response = StreamingResponse(context)
    response.set_generated_by_ai_label(True)
    response.set_citations(read_citations(job))
    for piece in job["pieces"]:
        response.queue_text_chunk(piece)
        await response.wait_for_queue()  # a model takes longer from piece to piece
    await response.end_stream()


async def answer_all(jobs: list[Job]) -> Results:
    """Each job in a conversation of its own."""
    by_id = {job["id"]: job for job in jobs}
    errors: dict[str, str] = {}
    config = SimpleNamespace(APP_ID="", APP_PASSWORD="", APP_TYPE="MultiTenant", APP_TENANTID="")
    adapter = CloudAdapter(ConfigurationBotFrameworkAuthentication(config))
    options: Any = ApplicationOptions(storage=MemoryStorage(), ai=AIOptions(planner=FixedPlanner(by_id)))
    app = Application(options)

    async def failed(context: TurnContext, error: Exception) -> None:
        errors[context.activity.conversation.id] = f"{type(error).__name__}: {error}"

    async def turn(context: TurnContext) -> None:
        job = by_id[context.activity.conversation.id]
        if job["id"].startswith("time-"):
            response = StreamingResponse(context)
            response.set_citations(read_citations(job))
            for piece in job["pieces"]:
                response.queue_text_chunk(piece)
        elif len(job["pieces"]) > 1:
            await answer(context, job)
        else:
            await app.on_turn(context)

    async def messages(request: web.Request) -> web.StreamResponse:
        response: web.StreamResponse | None = await adapter.process(request, SimpleNamespace(on_turn=turn))
        return response or web.Response()

    adapter.on_turn_error = failed
    app._adapter = adapter
    return await answer_over_http(jobs, messages, errors)


if __name__ == "__main__":
    run(answer_all, "teams-ai")
