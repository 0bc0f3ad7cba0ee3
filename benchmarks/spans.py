"""What many annotations cost: ``python -m benchmarks.spans``.

An answer as OpenAI sends it, with a link and its annotation in each sentence, is read and rendered, whole and
streamed. CPU time; the figures are medians of three runs.
"""

from __future__ import annotations

import json
import statistics
from functools import partial
from typing import Any

from citations import RenderingStream, channel, cite, render
from citations.readers import FORMATS

from .turns import cpu_seconds, in_turns

COUNTS = (500, 1_000, 2_000, 4_000)
SOURCES = 30
"""The pages that the annotations cite in turn."""


def response(count: int) -> dict[str, Any]:
    """A response with ``count`` annotations. Every second one says no place, as those of xAI."""
    text, annotations = "", []
    for number in range(count):
        link = f"([e](https://e.com/{number % SOURCES}))"
        text += f"Sentence {number} ü "
        placed = {} if number % 2 else {"start_index": len(text), "end_index": len(text) + len(link)}
        url = f"https://e.com/{number % SOURCES}"
        annotations.append({"type": "url_citation", "url": url, "title": "A page", **placed})
        text += f"{link}.{'  ' if number % 8 else chr(10) * 2}"
    part = {"type": "output_text", "text": text, "annotations": annotations}
    return {"output": [{"type": "message", "content": [part]}]}


def events(sent: dict[str, Any]) -> str:
    """The stream of ``sent``: its text in deltas of 40 characters, then its annotations."""
    (part,) = sent["output"][0]["content"]
    text = part["text"]
    written = [
        {"type": "response.output_text.delta", "delta": text[place : place + 40], "output_index": 0}
        for place in range(0, len(text), 40)
    ]
    written += (
        {"type": "response.output_text.annotation.added", "annotation": one, "output_index": 0}
        for one in part["annotations"]
    )
    written.append({"type": "response.completed", "response": sent})
    return "\n".join(map(json.dumps, written))


def show(sent: str) -> None:
    """Read and render the whole answer."""
    render(cite(FORMATS["openai"].read(json.loads(sent))), channel("webchat"))


def stream(sent: str) -> None:
    """Read and render the stream, one event a line, with ten interims."""
    received = sent.encode().splitlines(keepends=True)
    reading, rendering = FORMATS["openai"].stream(), RenderingStream(channel("webchat"))
    for number, data in enumerate(received):
        for item in reading.feed(data):
            for event in item:
                rendering.feed(event)
        if number % (len(received) // 10) == 0:
            rendering.interim()
    for item in reading.close():
        for event in item:
            rendering.feed(event)
    rendering.close()


def main() -> None:
    """Print the table."""
    print("| annotations | text | read and rendered | streamed, with ten interims |")
    print("|------------:|-----:|------------------:|----------------------------:|")
    for count in COUNTS:
        sent = response(count)
        works = [partial(cpu_seconds, show, json.dumps(sent)), partial(cpu_seconds, stream, events(sent))]
        whole, streamed = in_turns(works, 3)
        size = len(sent["output"][0]["content"][0]["text"]) / 1000
        print(
            f"| {count:,} | {size:.0f} KB | {statistics.median(whole) * 1e3:.0f} ms "
            f"| {statistics.median(streamed) * 1e3:.0f} ms |"
        )


if __name__ == "__main__":
    main()
