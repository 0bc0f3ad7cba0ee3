"""The metadata of a stream, by which its activities become one bubble that ends as the final answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..model.errors import Problem
from ..text.json_path import at
from .rules import problem
from .values import Node, is_node

_TYPES: Final = ("informative", "streaming", "final")


def check_streaming(activity: Node) -> Iterator[Problem]:
    """Faults of ``channelData`` and the ``streaminfo`` entity that split or lose a streamed answer."""
    data = activity.get("channelData")
    in_data = data if is_node(data) and "streamType" in data else None
    entities = activity.get("entities")
    infos = [
        (at("$.entities", index), entity)
        for index, entity in enumerate(entities if isinstance(entities, list) else ())
        if is_node(entity) and entity.get("type") == "streaminfo"
    ]
    if in_data is not None:
        yield from _check_metadata("$.channelData", in_data, activity)
    for path, info in infos:
        yield from _check_metadata(path, info, activity)
        yield from _check_pair(path, info, in_data)


def _check_pair(path: str, info: Node, in_data: Node | None) -> Iterator[Problem]:
    if in_data is None:
        yield problem("stream-channel-data", path)
        return
    for key in ("streamType", "streamId", "streamSequence"):
        if info.get(key) != in_data.get(key):
            yield problem("stream-disagrees", at(path, key), key=key)


def _check_metadata(path: str, data: Node, activity: Node) -> Iterator[Problem]:
    kind, sequence = data.get("streamType"), data.get("streamSequence")
    if kind not in _TYPES:
        yield problem("stream-type", at(path, "streamType"), kinds=", ".join(_TYPES))
        return
    wanted = "message" if kind == "final" else "typing"
    if activity.get("type") != wanted:
        # A `typing` activity that is final and has no text "regrets" an answer. 4.18 keeps the stale text.
        yield problem("stream-activity-type", "$.type", kind=kind, wanted=wanted)
    if kind == "final":
        if not data.get("streamId"):
            yield problem("stream-id", at(path, "streamId"))
    else:
        yield from _check_sequence(path, data, sequence)


def _check_sequence(path: str, data: Node, sequence: object) -> Iterator[Problem]:
    if isinstance(sequence, bool) or not isinstance(sequence, int) or sequence < 1:
        yield problem("stream-sequence", at(path, "streamSequence"))
    elif sequence > 1 and not data.get("streamId"):
        yield problem("stream-id", at(path, "streamId"))
