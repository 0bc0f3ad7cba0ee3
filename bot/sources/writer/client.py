"""Requests to Writer's API.

Governing source: the Writer API's reference, "Question", "Chat completion", "Retrieve a Knowledge Graph" and
"Retrieve a file".
"""

from __future__ import annotations

import contextlib
import re
from typing import Any, Final

from citations import AnswerFormatError

from ...config.answer_sources import WriterOptions
from ..provider import ProviderClient, ProviderResponse

_FILE_ID: Final = re.compile(r"[\w-]{1,100}", re.ASCII)
_TOOL: Final = "The documents from which this question has to be answered"


class WriterClient(ProviderClient):
    """Asks Writer's API. Every method makes one request, and raises a ``SourceError`` if that fails."""

    def __init__(self, options: WriterOptions) -> None:
        super().__init__(options.base_url, options.api_key)
        self._options = options

    async def ask(self, question: str, stack: contextlib.AsyncExitStack) -> ProviderResponse:
        """The response to a question, once its status is known; ``stack`` closes it.

        A chat model gets the graphs as its only tool. Without one, the graphs are asked directly.
        """
        options = self._options
        graphs: dict[str, Any] = {
            "graph_ids": list(options.graph_ids),
            "subqueries": options.subqueries,
            "query_config": dict(options.query_config),
        }
        if not options.model:
            body = {"question": question, "stream": options.stream, **graphs}
            return await self.request("POST", "/v1/graphs/question", stack, body)
        body = {
            "model": options.model,
            "messages": [{"role": "user", "content": question}],
            "stream": options.stream,
            "tools": [{"type": "graph", "function": {"description": _TOOL, **graphs}}],
            "tool_choice": "auto",
        }
        return await self.request("POST", "/v1/chat", stack, body)

    async def graph_name(self, graph_id: str) -> str:
        """The name of a Knowledge Graph."""
        return await self._read_name(f"/v1/graphs/{graph_id}")

    async def file_name(self, file_id: str) -> str:
        """The name of a file in Writer; empty for a malformed id."""
        return await self._read_name(f"/v1/files/{file_id}") if _FILE_ID.fullmatch(file_id) else ""

    async def _read_name(self, path: str) -> str:
        """The name in a response. Raises :class:`AnswerFormatError` if there is none."""
        name = (await self.fetch("GET", path)).get("name")
        if isinstance(name, str):
            return name
        raise AnswerFormatError("expected a name, got none", "$.name")
