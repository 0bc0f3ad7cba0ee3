"""The activities of a streamed answer for Teams ("Stream bot messages", Microsoft Teams).

A single activity doesn't show whether each begins with the one before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....model.errors import Problem, at
from ....text.grapheme import utf16
from ..definitions import TEXT
from ..roots import Root
from ..rules import teams_problem
from ..stream_metadata import KINDS, check_metadata, streams_of
from ..values import Node, is_node
from .graph import documents_of

_MOST_INFORMATIVE: Final = 1000


def check_streaming(activity: Node, message: Root | None) -> Iterator[Problem]:
    """Faults for which Teams refuses an activity of a stream, or shows it as a separate message."""
    stream, data = next(streams_of(activity), None), activity.get("channelData")
    if stream is None:
        if is_node(data) and "streamType" in data:
            yield teams_problem("stream-entity", "$.entities")
        return
    # "The default value is streaming."
    kind = stream.node.get("streamType", "streaming")
    yield from check_metadata(stream.path, stream.node, kind, activity, teams_problem)
    conversation = activity.get("conversation")
    if is_node(conversation) and conversation.get("conversationType", "personal") != "personal":
        yield teams_problem("stream-not-personal", "$.conversation.conversationType")
    if kind == "final":
        yield from _check_final(stream, message)
    elif kind in KINDS:
        yield from _check_interim(activity, message, str(kind))


def _check_final(stream: Root, message: Root | None) -> Iterator[Problem]:
    if "streamSequence" in stream.node:
        yield teams_problem("stream-final-sequence", at(stream.path, "streamSequence"))
    for document in documents_of(message):
        if "text" in document.node:
            yield teams_problem("card-in-stream", at(document.path, "text"))


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
    if message:
        yield from (at(message.path, key) for key in ("additionalType", "usageInfo") if key in message.node)
    yield from (at(one.path, "usageInfo") for one in documents_of(message) if "usageInfo" in one.node)
