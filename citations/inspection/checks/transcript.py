"""Transcripts: where their activities are, and what only several activities of a stream show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from ...model.channel_id import Client
from ...model.errors import Problem, at
from .roots import entities_of
from .rules import problem, teams_problem
from .values import Node, is_node

_LEVELS: Final = 3
"""An array of Direct Line's sets of activities has this many levels above an activity."""
_ENTITIES: Final = re.compile(r"\$(?=\.entities\b)")


@dataclass(frozen=True, slots=True)
class Checked:
    """An activity of a transcript, its path, and the client that shows it."""

    path: str
    activity: Node
    client: Client | None


def find_activities(document: object) -> Iterator[tuple[str, object]]:
    """The bot's activities in a document, with their paths; what is no transcript is one by itself.

    An activity of the role ``user`` in a transcript is what a person wrote.
    """
    if document and (isinstance(document, list) or _is_set(document)):
        yield from _unfold(document, "$", _LEVELS)
    else:
        yield "$", document


def _unfold(value: object, path: str, levels: int) -> Iterator[tuple[str, object]]:
    if isinstance(value, list) and levels:
        for index, item in enumerate(value):
            yield from _unfold(item, at(path, index), levels - 1)
    elif is_node(value) and _is_set(value) and levels:
        # Direct Line's ActivitySet: "activities" and "watermark".
        key = "activities" if "activities" in value else "activity"
        yield from _unfold(value[key], at(path, key), levels - 1)
    elif not is_node(value) or not _is_persons(value):
        yield path, value


def _is_set(value: object) -> bool:
    return is_node(value) and "type" not in value and ("activities" in value or "activity" in value)


def _is_persons(activity: Node) -> bool:
    sender = activity.get("from")
    return is_node(sender) and sender.get("role") == "user"


def move(found: Problem, path: str) -> Problem:
    """A problem of the activity at ``path``, whose own path begins at the activity."""
    message = _ENTITIES.sub(lambda _: path, found.message)
    return replace(found, path=path + found.path[1:], message=message)


def check_streams(activities: Iterable[Checked]) -> Iterator[Problem]:
    """The faults between the activities of each stream, in the order in which they were sent."""
    finals: dict[str, str] = {}
    shown: dict[str, Checked] = {}
    unfinished: dict[str, str] = {}
    left: dict[str, tuple[str, str]] = {}
    """The unfinished streams behind which the bot said something else: their last piece, and the message."""
    for one in activities:
        if one.client not in {Client.WEB_CHAT, Client.TEAMS}:
            continue
        if one.activity.get("type") == "message":
            left |= {name: (piece, one.path) for name, piece in unfinished.items()}
            unfinished.clear()
        data = _metadata(one.activity)
        if data is None:
            continue
        # "The id of the first activity": the first has no streamId of its own.
        stream = data.get("streamId") or one.activity.get("id")
        if not isinstance(stream, str):
            continue
        if stream in finals:
            yield problem("stream-after-final", one.path, final=finals[stream])
            continue
        left.pop(stream, None)
        unfinished[stream] = one.path
        if one.client is Client.TEAMS and data.get("streamType") != "informative":
            yield from _check_growth(one, shown.get(stream))
            shown[stream] = one
        if data.get("streamType") == "final":
            finals[stream] = unfinished.pop(stream)
    for piece, behind in left.values():
        yield problem("stream-unfinished", piece, behind=behind)


def _check_growth(one: Checked, before: Checked | None) -> Iterator[Problem]:
    if before and not _text_of(one).startswith(_text_of(before)):
        yield teams_problem("stream-not-growing", at(one.path, "text"), before=before.path)


def _text_of(one: Checked) -> str:
    return str(one.activity.get("text") or "")


def _metadata(activity: Node) -> Node | None:
    """The metadata of a stream: in ``channelData``, or in the ``streaminfo`` entity."""
    places = [activity.get("channelData"), *(one.node for one in entities_of(activity))]
    return next((place for place in places if is_node(place) and _is_metadata(place)), None)


def _is_metadata(place: Node) -> bool:
    return "streamType" in place or str(place.get("type")).lower() == "streaminfo"
