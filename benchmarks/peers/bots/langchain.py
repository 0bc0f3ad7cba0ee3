"""LangChain: a model's message with citations, whole and as the chunks of a stream."""

from __future__ import annotations

import time
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

from .wire import Job, Result, Results, run

OPENAI = {"model_provider": "openai"}


def answer(message: BaseMessage) -> tuple[str, list[Any]]:
    """As in the section "Content blocks" of LangChain's page on messages: the text and its annotations."""
    citations = [
        annotation
        for block in message.content_blocks
        if block["type"] == "text"
        for annotation in block.get("annotations", [])
        if annotation["type"] == "citation"
    ]
    return str(message.text), citations


def read_message(job: Job) -> BaseMessage:
    """What langchain-openai makes of a response whose annotations say what rests on which page."""
    text = "".join(job["pieces"])
    annotations = [
        {
            "type": "url_citation",
            "start_index": text.rfind(" ", 0, place) + 1,
            "end_index": place,
            "url": job["sources"][number - 1]["url"],
            "title": job["sources"][number - 1]["name"],
        }
        for place, number in job["places"]
    ]
    if len(job["pieces"]) == 1:
        content: Any = [{"type": "text", "text": text, "annotations": annotations}]
        return AIMessage(content=content, response_metadata=OPENAI)
    whole = AIMessageChunk(content=[], response_metadata=OPENAI)
    for piece in job["pieces"]:
        whole += AIMessageChunk(content=[{"type": "text", "text": piece, "index": 0}])
    return whole + AIMessageChunk(content=[{"type": "text", "annotations": annotations, "index": 0}])


async def answer_all(jobs: list[Job]) -> Results:
    """Each job by itself."""
    results = {}
    for job in jobs:
        began = time.process_time()
        text, citations = answer(read_message(job))
        ids = {(one["url"], one["name"]): one["id"] for one in job["sources"]}
        cited = [ids[one.get("url", ""), one.get("title", "")] for one in citations]
        seconds = time.process_time() - began
        results[job["id"]] = Result(
            sent=[{"type": "message", "text": text}], cited=cited, seconds=seconds, problems=[]
        )
    return results


if __name__ == "__main__":
    run(answer_all, "langchain-core")
