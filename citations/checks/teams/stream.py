"""The activities of a streamed answer for Teams ("Stream bot messages", Microsoft Teams).

A single activity doesn't show whether each begins with the one before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...model.errors import Problem
from ...text.json_path import at
from ..definitions import TEXT
from ..roots import Root
from ..rules import teams_problem
from ..values import Node, each, is_node, utf16
from .graph import claims_of

_TYPES: Final = ("informative", "streaming", "final")
_MOST_INFORMATIVE: Final = 1000


def find_stream(entities: object) -> Root | None:
    """The ``streaminfo`` entity of an activity. The page writes ``streamInfo``, its samples don't."""
    for path, entity in each(entities, "$.entities"):
        if is_node(entity) and str(entity.get("type")).lower() == "streaminfo":
            return Root(path, entity)
    return None


def check_streaming(activity: Node, message: Root | None) -> Iterator[Problem]:
    """Faults for which Teams refuses an activity of a stream, or shows it as a separate message."""
    stream, data = find_stream(activity.get("entities")), activity.get("channelData")
    if stream is None:
        if is_node(data) and "streamType" in data:
            yield teams_problem("stream-entity", "$.entities")
        return
    # "The default value is streaming."
    kind = stream.node.get("streamType", "streaming")
    if kind not in _TYPES:
        yield teams_problem("stream-type", at(stream.path, "streamType"), kinds=", ".join(_TYPES))
        return
    yield from _check_activity(activity, str(kind))
    if kind == "final":
        yield from _check_final(stream, message)
    else:
        yield from _check_sequence(stream)
        yield from _check_interim(activity, message, str(kind))


def _check_activity(activity: Node, kind: str) -> Iterator[Problem]:
    # "typing: Use when streaming the message. message: Use for the final streamed message."
    wanted = "message" if kind == "final" else "typing"
    if activity.get("type") != wanted:
        yield teams_problem("stream-activity-type", "$.type", kind=kind, wanted=wanted)
    conversation = activity.get("conversation")
    if is_node(conversation) and conversation.get("conversationType", "personal") != "personal":
        yield teams_problem("stream-not-personal", "$.conversation.conversationType")


def _check_final(stream: Root, message: Root | None) -> Iterator[Problem]:
    if "streamSequence" in stream.node:
        yield teams_problem("stream-final-sequence", at(stream.path, "streamSequence"))
    yield from _check_id(stream)
    for claim in claims_of(message) if message else ():
        document = claim.node.get("appearance")
        if is_node(document) and "text" in document:
            yield teams_problem("card-in-stream", at(at(claim.path, "appearance"), "text"))


def _check_sequence(stream: Root) -> Iterator[Problem]:
    number = stream.node.get("streamSequence")
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        yield teams_problem("stream-sequence", at(stream.path, "streamSequence"))
    elif number > 1:
        yield from _check_id(stream)


def _check_id(stream: Root) -> Iterator[Problem]:
    name = stream.node.get("streamId")
    if not isinstance(name, str) or not name:
        yield teams_problem("stream-id", at(stream.path, "streamId"))


def _check_interim(activity: Node, message: Root | None, kind: str) -> Iterator[Problem]:
    text = activity.get("text")
    if not isinstance(text, str) or not text.strip():
        yield teams_problem("stream-without-text", TEXT)
    elif kind == "informative" and utf16(text) > _MOST_INFORMATIVE:
        yield teams_problem("informative-too-long", TEXT, size=utf16(text))
    for path in _early(activity, message):
        yield teams_problem("stream-too-early", path)


def _early(activity: Node, message: Root | None) -> Iterator[str]:
    """The paths of an interim's "Attachment, AI-label, feedback button, and sensitivity labels"."""
    data = activity.get("channelData")
    if activity.get("attachments"):
        yield "$.attachments"
    if is_node(data) and "feedbackLoop" in data:
        yield "$.channelData.feedbackLoop"
    if message is None:
        return
    yield from (at(message.path, key) for key in ("additionalType", "usageInfo") if key in message.node)
    for claim in claims_of(message):
        document = claim.node.get("appearance")
        if is_node(document) and "usageInfo" in document:
            yield at(at(claim.path, "appearance"), "usageInfo")
