"""Anthropic's Messages for tests: whole, and as the events of a stream in the order in which they are recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from .model_server import Handler, saying, sending

Block = tuple[str, Sequence[int]]
"""The text of a block, and the numbers of the search results that it cites, from 1."""


def citation(number: int) -> dict[str, Any]:
    """A citation of the ``number``-th search result, as the API counts them: from 0."""
    return {
        "type": "search_result_location",
        "source": str(number),
        "title": "Travel › Hotels",
        "cited_text": "The hotel limit is 150 € per night.",
        "search_result_index": number - 1,
        "start_block_index": 0,
        "end_block_index": 1,
    }


def message(*blocks: Block, reason: str = "end_turn") -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    for text, cited in blocks:
        block: dict[str, Any] = {"type": "text", "text": text}
        content.append(block | ({"citations": [citation(one) for one in cited]} if cited else {}))
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "test-model",
        "content": content,
        "stop_reason": reason,
        "usage": {"input_tokens": 9, "output_tokens": 9},
    }


def events(*blocks: Block, reason: str = "end_turn", size: int = 1) -> Iterator[bytes]:
    """The events of a stream. A block's citations come before its text, of which ``size`` words come at once."""
    yield event("message_start", message=message() | {"stop_reason": None})
    for index, (text, cited) in enumerate(blocks):
        empty: dict[str, Any] = {"type": "text", "text": ""} | ({"citations": []} if cited else {})
        yield event("content_block_start", index=index, content_block=empty)
        yield event("ping")
        for number in cited:
            delta = {"type": "citations_delta", "citation": citation(number)}
            yield event("content_block_delta", index=index, delta=delta)
        words = text.split(" ")
        for place in range(0, len(words), size):
            piece = " ".join(words[place : place + size]) + " " * (place + size < len(words))
            yield event("content_block_delta", index=index, delta={"type": "text_delta", "text": piece})
        yield event("content_block_stop", index=index)
    yield event("message_delta", delta={"stop_reason": reason}, usage={"output_tokens": 9})
    yield event("message_stop")


def event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields}, ensure_ascii=False)}\n\n".encode()


def telling(*blocks: Block, reason: str = "end_turn") -> Handler:
    """A stream of ``blocks``."""
    return sending(*events(*blocks, reason=reason))


def failing(status: int, kind: str, text: str, **headers: str) -> Handler:
    """A status with the body of Anthropic's errors."""
    return saying({"type": "error", "error": {"type": kind, "message": text}}, status, headers)
