"""What Microsoft Teams takes: the rules of ``check``, and what only a whole stream can break.

``check`` shares nothing with what writes the graph. The Agents Playground (``tests/playground``) is the
judge of both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from citations import check

Activity = Mapping[str, Any]


def faults(activity: Activity) -> list[str]:
    """What Teams would refuse or lose of an activity; empty if nothing."""
    return [str(problem) for problem in check(activity, channel_id="msteams")]


def stream_faults(interims: Sequence[Activity], final: Activity) -> list[str]:
    """What Teams would refuse of a stream, whose activities are without its metadata yet."""
    pieces = [piece({**interim, "type": "typing"}, number) for number, interim in enumerate(interims, 1)]
    # A piece is shown as a message is: its claims have their badges, and its badges their claims.
    found = [fault for shown in (*pieces, *interims, piece(final, None)) for fault in faults(shown)]
    texts = [activity["text"] for activity in (*interims, final)]
    # "Request streamed content should contain the previously streamed content" (403).
    found += [
        f"{after!r} doesn't begin so" for before, after in pairwise(texts) if not after.startswith(before)
    ]
    return found


def piece(activity: Activity, number: int | None) -> Activity:
    """The activity as one of a stream, the last if it has no number."""
    kind = (
        {"streamType": "final"} if number is None else {"streamType": "streaming", "streamSequence": number}
    )
    info = {"type": "streaminfo", "streamId": "a-1", **kind}
    return {**activity, "entities": [*activity["entities"], info]}
