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
            yield Problem(
                "stream-entity",
                "$.entities",
                "each piece is lost or a message of its own: say streamType, streamId and streamSequence "
                'in an entity of type "streaminfo"',
            )
        return
    # "The default value is streaming."
    kind = stream.node.get("streamType", "streaming")
    if kind not in _TYPES:
        yield Problem(
            "stream-type",
            at(stream.path, "streamType"),
            f"Teams refuses the piece (400): streamType must be one of {', '.join(_TYPES)}",
        )
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
        yield Problem(
            "stream-activity-type", "$.type", f"a {kind} piece must be of type {wanted}, or Teams refuses it"
        )
    conversation = activity.get("conversation")
    if is_node(conversation) and conversation.get("conversationType", "personal") != "personal":
        yield Problem(
            "stream-not-personal",
            "$.conversation.conversationType",
            '"Streaming bot messages are supported only in one-on-one chats": send one message here',
        )


def _check_final(stream: Root, message: Root | None) -> Iterator[Problem]:
    if "streamSequence" in stream.node:
        yield Problem(
            "stream-final-sequence",
            at(stream.path, "streamSequence"),
            '"For the final message, streamSequence must not be set": Teams refuses it (400), so omit it',
        )
    yield from _check_id(stream)
    for claim in claims_of(message) if message else ():
        document = claim.node.get("appearance")
        if is_node(document) and "text" in document:
            # botbuilder-js#4880.
            yield Problem(
                "card-in-stream",
                at(at(claim.path, "appearance"), "text"),
                "Teams fails (500) on a card in the last message of a stream: omit text and encodingFormat",
            )


def _check_sequence(stream: Root) -> Iterator[Problem]:
    number = stream.node.get("streamSequence")
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        yield Problem(
            "stream-sequence",
            at(stream.path, "streamSequence"),
            "Teams refuses the piece (400): streamSequence must be a whole number, one more each time",
        )
    elif number > 1:
        yield from _check_id(stream)


def _check_id(stream: Root) -> Iterator[Problem]:
    name = stream.node.get("streamId")
    if not isinstance(name, str) or not name:
        yield Problem(
            "stream-id",
            at(stream.path, "streamId"),
            "Teams refuses the piece or shows a second message: set streamId to the id of the first",
        )


def _check_interim(activity: Node, message: Root | None, kind: str) -> Iterator[Problem]:
    text = activity.get("text")
    if not isinstance(text, str) or not text.strip():
        yield Problem(
            "stream-without-text", TEXT, '"Start streaming activities should include text" (400): write one'
        )
    elif kind == "informative" and utf16(text) > _MOST_INFORMATIVE:
        yield Problem(
            "informative-too-long",
            TEXT,
            f'"Informative messages must not be more than 1 kb or 1000 characters", not {utf16(text)}: '
            "shorten it",
        )
    for path in _early(activity, message):
        yield Problem(
            "stream-too-early", path, "Teams takes it in the last message of a stream only: send it there"
        )


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
