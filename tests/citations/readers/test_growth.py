"""No reader takes time that grows faster than what its provider sends: many items, deltas, spans, or levels."""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from citations import CitationError
from citations.readers import FORMATS
from tests.provider_streams import events, lines
from tests.written_provider_answers import EMPTY_ITEMS

TIMES, MOST = 8, 12
"""How much longer the second input is, and how much longer it may take."""
LEAST = 0.02
"""Seconds of CPU below which a measurement says nothing."""
Make = Callable[[int], Any]


def page(number: int) -> str:
    return f"https://e.com/{number}"


def cited(number: int, words: str = "ab") -> dict[str, Any]:
    source = {"type": "document", "id": str(number)}
    return {"start": 3 * number, "end": 3 * number + 2, "text": words, "sources": [source]}


def grounded(number: int, words: str) -> dict[str, Any]:
    return {"segment": {"startIndex": 3 * number, "text": words}, "groundingChunkIndices": [0]}


def gemini(n: int, words: Callable[[int], str]) -> list[Any]:
    supports = [grounded(number, words(number)) for number in range(n)]
    metadata = {"groundingChunks": [{"web": {"uri": page(1)}}], "groundingSupports": supports}
    return [{"candidates": [{"content": {"parts": [{"text": "ab " * n}]}, "groundingMetadata": metadata}]}]


def annotated(number: int) -> dict[str, Any]:
    annotation = {"type": "url_citation", "url": page(number)}
    return {"choices": [{"delta": {"content": "ab ", "annotations": [annotation]}}]}


STREAMED: dict[str, tuple[str, Make]] = {
    "answer: deltas": ("answer", lambda n: [{"delta": "ab "}] * n),
    "writer: deltas": ("writer", lambda n: [{"answer": "ab "}] * n),
    "open-webui: deltas": ("open-webui", lambda n: [{"choices": [{"delta": {"content": "ab "}}]}] * n),
    "openai: annotations without a place": ("openai", lambda n: [annotated(one) for one in range(n)]),
    "openai: parts": (
        "openai",
        lambda n: [
            {"type": "response.output_text.delta", "delta": "ab ", "output_index": one} for one in range(n)
        ],
    ),
    "anthropic: blocks": (
        "anthropic",
        lambda n: [
            {"type": "content_block_delta", "index": one, "delta": {"type": "text_delta", "text": "ab "}}
            for one in range(n)
        ],
    ),
    "gemini: supports": ("gemini", lambda n: gemini(n, lambda _: "ab")),
    "gemini: supports whose words are not there": ("gemini", lambda n: gemini(n, lambda one: f"x{one}")),
    "cohere: citations": (
        "cohere",
        lambda n: [{"message": {"content": "ab " * n, "citations": [cited(one) for one in range(n)]}}],
    ),
    "bedrock: blocks": (
        "bedrock",
        lambda n: [
            {"contentBlockDelta": {"contentBlockIndex": one, "delta": {"text": "ab "}}} for one in range(n)
        ],
    ),
    "azure-search: messages": (
        "azure-search",
        lambda n: [
            {"messageIndex": one, "message": {"content": [{"type": "text", "text": "ab "}]}}
            for one in range(n)
        ],
    ),
    "ai-sdk: texts": (
        "ai-sdk",
        lambda n: [{"type": "text-delta", "id": str(one), "delta": "ab "} for one in range(n)],
    ),
    **{
        f"{form}: empty documents": (form, lambda n: [{}] * (4 * n))
        for form in ("anthropic", "gemini", "openai")
    },
}
"""Many documents of a stream, or one with many spans."""


def stream(form: str, sent: bytes) -> None:
    reading = FORMATS[form].stream()
    with contextlib.suppress(CitationError):
        for _ in reading.feed(sent):
            pass
        for _ in reading.close():
            pass


def taken(read: Callable[[Any], object], sent: Any) -> float:
    """CPU seconds of this thread; the best of two, since others use the machine."""
    seconds = []
    gc.disable()
    try:
        for _ in range(2):
            begun = time.thread_time()
            read(sent)
            seconds.append(time.thread_time() - begun)
    finally:
        gc.enable()
    return min(seconds)


def assert_linear(read: Callable[[Any], object], make: Make, length: int) -> None:
    """What seems too much is measured again: a busy machine makes a step longer, and no loop quadratic."""
    for _ in range(4):
        short, long = taken(read, make(length)), taken(read, make(TIMES * length))
        if long <= MOST * max(short, LEAST):
            return
    raise AssertionError((short, long))


@pytest.mark.parametrize("form", FORMATS)
def test_many_empty_items(form: str) -> None:
    assert_linear(FORMATS[form].read, EMPTY_ITEMS[form], 1000)


@pytest.mark.parametrize(("form", "make"), STREAMED.values(), ids=STREAMED)
def test_many_documents_and_spans(form: str, make: Make) -> None:
    write = lines if form == "answer" else events
    assert_linear(partial(stream, form), lambda n: write(*make(n)), 200)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("level", [b'{"content":[', b"[", b'{"a":'])
def test_many_levels(form: str, level: bytes) -> None:
    assert_linear(partial(stream, form), lambda n: level * n, 2000)
