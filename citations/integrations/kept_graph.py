"""The messages that a bot receives: a graph is set aside, where an SDK can't read it.

The models of the Agents SDK and of the Teams SDK refuse graphs with other fields than their own. The sample
of Web Chat's CITATION.md is one of them. The turn fails before any code of the bot runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

GRAPH: Final = "graph"
"""The property of ``channelData`` that has the nodes which were set aside."""


def set_graph_aside(body: Mapping[str, Any]) -> dict[str, Any]:
    """An activity's JSON with its linked data in ``channelData``, which no SDK checks."""
    entities, data = body.get("entities"), body.get("channelData") or {}
    if not isinstance(entities, list) or not isinstance(data, dict):
        return dict(body)
    own = [one for one in entities if _is_sdks(one)]
    nodes = [one for one in entities if not _is_sdks(one)]
    return {**body, "entities": own, "channelData": {**data, GRAPH: nodes}} if nodes else dict(body)


def _is_sdks(entity: object) -> bool:
    """Whether it is an entity of the Bot Framework, such as ``mention``; others have an IRI as their type."""
    return isinstance(entity, dict) and ":" not in str(entity.get("type", ":"))


def join_graph(text: str | None, text_format: str | None, channel_data: object) -> dict[str, Any]:
    """The JSON of a message whose graph was set aside, for :func:`citations.read_message`."""
    nodes = channel_data.get(GRAPH, []) if isinstance(channel_data, dict) else []
    return {"type": "message", "text": text, "textFormat": text_format, "entities": nodes}


class KeptGraph:
    """A request whose graph the SDK doesn't read: ``await adapter.process(KeptGraph(request), agent)``.

    The SDK's model refuses graphs such as that of CITATION.md. :func:`raw_message` has it in the turn.
    """

    def __init__(self, request: Any) -> None:
        self._request = request

    def __getattr__(self, name: str) -> Any:
        return getattr(self._request, name)

    async def json(self) -> dict[str, Any]:
        """The activity's JSON, with its graph where the SDK leaves it as it is."""
        return set_graph_aside(await self._request.json())
