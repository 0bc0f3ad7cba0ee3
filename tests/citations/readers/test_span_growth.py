"""Reading and rendering many spans: the work grows as the answer does, however the provider says where it cites."""

from __future__ import annotations

import cProfile
import json
import pstats
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from citations import RenderingStream, channel, cite, render
from citations.readers import FORMATS

INTERIMS = 4


def link(number: int) -> str:
    return f"https://e.com/{number}"


def pieces(count: int) -> list[tuple[str, str]]:
    """The sentences of an answer, and the link that the model wrote behind each."""
    ends = (".\n\n" if number % 10 == 9 else ". " for number in range(count))
    return [(f"Wört {number}{end}", f"([e]({link(number)})) ") for number, end in enumerate(ends)]


def openai(count: int, place: Callable[[int, int, int], dict[str, int]]) -> dict[str, Any]:
    text, annotations = "", []
    for number, (said, written) in enumerate(pieces(count)):
        text += said
        placed = place(len(text), len(text) + len(written) - 1, number)
        annotations.append({"type": "url_citation", "url": link(number), "title": "e", **placed})
        text += written
    return {
        "output": [
            {
                "type": "message",
                "content": [{"type": "output_text", "text": text, "annotations": annotations}],
            }
        ]
    }


def openai_files(count: int) -> dict[str, Any]:
    text, annotations = "", []
    for said, _ in pieces(count):
        annotations.append(
            {
                "type": "file_citation",
                "file_id": "f",
                "filename": "a.pdf",
                "index": len(text) + len(said.rstrip()),
            }
        )
        text += said
    return {
        "output": [
            {
                "type": "message",
                "content": [{"type": "output_text", "text": text, "annotations": annotations}],
            }
        ]
    }


def gemini(count: int, shift: int = 0) -> dict[str, Any]:
    text, supports = "", []
    for number, (said, _) in enumerate(pieces(count)):
        start = len(text.encode()) + shift
        segment = {"startIndex": start, "endIndex": start + len(said.encode()), "text": said.strip()}
        supports.append({"segment": segment, "groundingChunkIndices": [number]})
        text += said
    chunks = [{"web": {"uri": link(number), "title": "e"}} for number in range(count)]
    metadata = {"groundingChunks": chunks, "groundingSupports": supports}
    return {
        "candidates": [
            {"content": {"parts": [{"text": text}]}, "finishReason": "STOP", "groundingMetadata": metadata}
        ]
    }


def anthropic(count: int) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    for number, (said, _) in enumerate(pieces(count)):
        citation = {
            "type": "web_search_result_location",
            "url": link(number),
            "title": "e",
            "cited_text": "x",
        }
        content += (
            {"type": "text", "text": said.strip(), "citations": [citation]},
            {"type": "text", "text": " "},
        )
    return {"content": content, "stop_reason": "end_turn"}


def events(response: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """OpenAI's events, with all annotations behind the text."""
    (part,) = response["output"][0]["content"]
    for place in range(0, len(part["text"]), 40):
        yield {
            "type": "response.output_text.delta",
            "delta": part["text"][place : place + 40],
            "output_index": 0,
        }
    for annotation in part["annotations"]:
        yield {"type": "response.output_text.annotation.added", "annotation": annotation, "output_index": 0}
    yield {"type": "response.completed", "response": response}


ANSWERS: dict[str, tuple[str, Callable[[int], dict[str, Any]]]] = {
    "right offsets": ("openai", lambda count: openai(count, lambda start, end, _: {"start_index": start, "end_index": end})),
    "wrong offsets": ("openai", lambda count: openai(count, lambda start, end, _: {"start_index": start // 2, "end_index": end // 2})),
    "no offsets": ("openai", lambda count: openai(count, lambda start, end, _: {})),
    "points": ("openai", openai_files),
    "bytes": ("gemini", gemini),
    "wrong bytes": ("gemini", lambda count: gemini(count, 3)),
    "blocks": ("anthropic", anthropic),
}  # fmt: skip


def count_calls(work: Callable[[], object]) -> int:
    """The function calls of ``work``, built-in ones included: unlike seconds, they are the same on any machine."""
    profile = cProfile.Profile()
    profile.runcall(work)
    stats: Any = pstats.Stats(profile)
    calls: int = stats.total_calls
    return calls


def show(name: str, response: dict[str, Any], channel_id: str) -> None:
    """Render an answer whole, and as a stream with a few interims."""
    assert len(FORMATS[name].read(response).spans) > 9
    render(cite(FORMATS[name].read(response)), channel(channel_id))
    documents = list(events(response)) if name == "openai" else [response]
    answer, stream = FORMATS[name].stream(), RenderingStream(channel(channel_id))
    received = [f"data: {json.dumps(one)}\n\n".encode() for one in documents]
    for number, data in enumerate(received):
        for items in answer.feed(data):
            for one in items:
                stream.feed(one)
        if number % max(1, len(received) // INTERIMS) == 0:
            stream.interim()
    for items in answer.close():
        for one in items:
            stream.feed(one)
    stream.close()


@pytest.mark.parametrize("channel_id", ["webchat", "msteams"])
@pytest.mark.parametrize("name", ANSWERS)
def test_twice_as_many_spans_are_twice_the_work(name: str, channel_id: str) -> None:
    provider, make = ANSWERS[name]
    few, many = make(24), make(96)
    show(provider, make(12), channel_id)  # caches are filled
    once = count_calls(lambda: show(provider, few, channel_id))
    assert count_calls(lambda: show(provider, many, channel_id)) < 5 * once
