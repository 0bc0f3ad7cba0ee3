"""The request to Open WebUI for one question, as plain JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...config.open_webui import OpenWebUIOptions


def completion_request(options: OpenWebUIOptions, question: str, names: Mapping[str, str]) -> dict[str, Any]:
    """The body of ``POST /api/chat/completions``; ``names`` has the known names of the knowledge bases.

    With function calling other than ``legacy``, the knowledge of a model is a tool. Open WebUI runs this
    tool for its own page only: over the API, the model would answer without it. Each file has a name and
    an id. Open WebUI numbers the sources first, and then drops those that have neither.
    """
    files = [
        {"type": "collection", "id": one, "name": names.get(one) or one} for one in options.knowledge_ids
    ]
    body: dict[str, Any] = {
        "model": options.model,
        "messages": [{"role": "user", "content": question}],
        "stream": True,
        "params": {"function_calling": "legacy"},
    }
    return body | {"files": files} if files else body
