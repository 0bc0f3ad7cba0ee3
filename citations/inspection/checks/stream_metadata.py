"""The metadata of a stream, by which its activities become one bubble that ends as the final answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ...model.errors import Problem, at
from .roots import Root, entities_of
from .rules import problem
from .values import Node, is_node

KINDS: Final = ("informative", "streaming", "final")


def check_streaming(activity: Node) -> Iterator[Problem]:
    """Faults of ``channelData`` and the ``streaminfo`` entity that split or lose a streamed answer."""
    data = activity.get("channelData")
    in_data = data if is_node(data) and "streamType" in data else None
    if in_data is not None:
        yield from check_metadata("$.channelData", in_data, in_data["streamType"], activity)
    for info in streams_of(activity):
        yield from check_metadata(info.path, info.node, info.node.get("streamType"), activity)
        if in_data is None:
            yield problem("stream-channel-data", info.path)
            continue
        for key in ("streamType", "streamId", "streamSequence"):
            if info.node.get(key) != in_data.get(key):
                yield problem("stream-disagrees", at(info.path, key), key=key)


def streams_of(activity: Node) -> Iterator[Root]:
    """The ``streaminfo`` entities. Teams' page writes ``streamInfo``, its samples don't."""
    return (one for one in entities_of(activity) if str(one.node.get("type")).lower() == "streaminfo")


def check_metadata(
    path: str, data: Node, kind: object, activity: Node, problem: Callable[..., Problem] = problem
) -> Iterator[Problem]:
    """The faults of a piece of this ``kind``, as ``problem`` says them for a client."""
    if kind not in KINDS:
        yield problem("stream-type", at(path, "streamType"), kinds=", ".join(KINDS))
        return
    wanted = "message" if kind == "final" else "typing"
    if activity.get("type") != wanted:
        # A `typing` activity that is final and has no text "regrets" an answer. 4.18 keeps the stale text.
        yield problem("stream-activity-type", "$.type", kind=kind, wanted=wanted)
    sequence, name = data.get("streamSequence"), data.get("streamId")
    numbered = isinstance(sequence, int) and not isinstance(sequence, bool) and sequence >= 1
    if kind != "final" and not numbered:
        yield problem("stream-sequence", at(path, "streamSequence"))
    # The id is that of the first piece, which has none itself.
    elif not (isinstance(name, str) and name) and (kind == "final" or sequence != 1):
        yield problem("stream-id", at(path, "streamId"))
