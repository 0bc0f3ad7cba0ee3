"""The requests to Writer for one question, as plain JSON."""

from __future__ import annotations

from typing import Any, Final

from ...config.writer import WriterOptions

_TOOL: Final = "The documents from which this question has to be answered"


def question_request(options: WriterOptions, question: str) -> dict[str, Any]:
    """The body of ``POST /v1/graphs/question``."""
    return {
        "graph_ids": list(options.graph_ids),
        "question": question,
        "stream": options.stream,
        "subqueries": options.subqueries,
        "query_config": dict(options.query_config),
    }


def chat_request(options: WriterOptions, question: str) -> dict[str, Any]:
    """The body of ``POST /v1/chat``, whose model has the graphs as its only tool."""
    function = {
        "description": _TOOL,
        "graph_ids": list(options.graph_ids),
        "subqueries": options.subqueries,
        "query_config": dict(options.query_config),
    }
    return {
        "model": options.model,
        "messages": [{"role": "user", "content": question}],
        "stream": options.stream,
        "tools": [{"type": "graph", "function": function}],
        "tool_choice": "auto",
    }
