"""Checks any bot's activity for what Microsoft Teams takes, shows and refuses.

Teams' own code is not public. So the rules come from Microsoft's pages, from the schema of the Agents
Playground, and from reports of refused messages. Each rule quotes its source. :mod:`.properties` has a
table of the graph's nodes, :mod:`.graph` the rules between them. :mod:`.markup` has the badges,
:mod:`.streamed_activity` the activities of a stream.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from ....model.errors import Problem
from ..message_text import ReadText
from ..roots import check_elsewhere
from ..rules import teams_problem
from ..values import Node, is_node
from .graph import check_messages, find_messages
from .markup import EXTENDED, check_text
from .streamed_activity import check_streaming

MAX_BYTES: Final = 80_000
"""Bytes of UTF-16. "The maximum is approximately 100 KB; keep it under 80 KB" (Teams, "Message size")."""
_LOOPS: Final = ({"type": "default"}, {"type": "custom"})

__all__ = ["EXTENDED", "MAX_BYTES", "check_teams"]


def check_teams(activity: Node, read: ReadText | None) -> Iterator[Problem]:
    """Every fault of an activity that isn't nested too deep; ``read`` is its text, if it is Markdown."""
    entities = activity.get("entities")
    if entities is not None and not isinstance(entities, list):
        yield teams_problem("entities-not-an-array", "$.entities")
    messages = find_messages(activity)
    message = messages[0] if messages else None
    if message is None:
        yield from check_elsewhere(activity)
    yield from check_messages(messages, whole=activity.get("type") == "message")
    yield from check_text(activity, message, read)
    yield from check_streaming(activity, message)
    yield from _check_votes(activity.get("channelData"))
    yield from _check_size(activity)


def _check_votes(data: object) -> Iterator[Problem]:
    """The faults of the feedback loop: "Allowed values: custom, default"."""
    if not is_node(data) or "feedbackLoop" not in data:
        return
    if data["feedbackLoop"] not in _LOOPS:
        yield teams_problem("feedback-loop", "$.channelData.feedbackLoop")
    if "feedbackLoopEnabled" in data:
        yield teams_problem("feedback-loop-twice", "$.channelData.feedbackLoopEnabled")


def _check_size(activity: Node) -> Iterator[Problem]:
    bytes_ = len(json.dumps(activity, ensure_ascii=False, default=str).encode("utf-16-le", "surrogatepass"))
    if bytes_ > MAX_BYTES:
        yield teams_problem("too-large", "$", size=bytes_, most=MAX_BYTES)
