"""The shape that an inbound activity must have, as far as the bot reads it.

Bot Framework -- Activity (protocol-activity.md) § "Serialization": what is unknown is let through,
and what is known has its type. ``null`` counts as absent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from .path_segment import is_path_segment

DEEPEST: Final = 32
"""Objects and lists within each other: a form's answer nests about ten, and a parser its calls."""
MOST: Final = 5000
"""Objects and lists in all: 256 KB have room for 80,000, and as models of the SDK's they take a second."""

_NEEDED: Final = ("type", "channelId", "serviceUrl")
_STRINGS: Final = ("id", "text", "textFormat", "name", "action", "deliveryMode", "replyToId", "locale")
_IN_PATHS: Final = ("id", "replyToId")
"""What the connector's REST API has in its paths, besides the conversation's id."""
_ACCOUNT: Final = ("id", "name", "aadObjectId", "role")
_LISTS: Final = ("membersAdded", "membersRemoved", "attachments", "entities")
_LISTED: Final = ("id", "type", "name", "contentType")
_CONVERSATION: Final = ("tenantId", "conversationType", "name")


def fault_in(activity: Mapping[str, object]) -> str | None:
    """What is wrong with ``activity``: ``$.id must be a string``; None if nothing is.

    Ids are Unicode: half a surrogate pair, which JSON can write, can be neither kept nor sent.
    """
    return _excess(activity) or next(_faults(activity), None)


def _excess(activity: Mapping[str, object]) -> str | None:
    """What there is too much of."""
    found = 1
    layer: list[Any] = [activity]
    for _ in range(DEEPEST):
        layer = [inner for outer in layer for inner in _within(outer)]
        found += len(layer)
        if found > MOST:
            return f"$ must not have more than {MOST} objects and lists"
        if not layer:
            return None
    return f"$ must not be nested deeper than {DEEPEST}"


def _within(holder: Any) -> list[Any]:
    """The objects and lists in another."""
    held = holder.values() if isinstance(holder, dict) else holder
    return [one for one in held if isinstance(one, dict | list)]


def _faults(activity: Mapping[str, object]) -> Iterator[str]:
    conversation = activity.get("conversation")
    for name in _NEEDED:
        yield from _require("$", activity, name)
    if not isinstance(conversation, dict):
        yield "$.conversation.id must be a non-empty string"
        return
    yield from _require("$.conversation", conversation, "id")
    yield from _segments("$.conversation", conversation, ("id",))
    yield from _segments("$", activity, _IN_PATHS)
    yield from _strings("$.conversation", conversation, _CONVERSATION)
    if not isinstance(conversation.get("isGroup") or False, bool):
        yield "$.conversation.isGroup must be true or false"
    yield from _strings("$", activity, _STRINGS)
    for name in ("from", "recipient"):
        yield from _account(f"$.{name}", activity.get(name))
    for name in _LISTS:
        yield from _list(f"$.{name}", activity.get(name))


def _require(place: str, holder: Mapping[str, object], name: str) -> Iterator[str]:
    value = holder.get(name)
    if not isinstance(value, str) or not value:
        yield f"{place}.{name} must be a non-empty string"
    elif not _is_unicode(value):
        yield f"{place}.{name} must be Unicode"


def _segments(place: str, holder: Mapping[str, object], names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        value = holder.get(name)
        if isinstance(value, str) and not is_path_segment(value):
            yield f"{place}.{name} must not be . or .., and must have no control characters"


def _strings(place: str, holder: Mapping[str, object], names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        value = holder.get(name)
        if value is not None and not isinstance(value, str):
            yield f"{place}.{name} must be a string"
        # A person's text may have been cut anywhere; an id that was is nobody's.
        elif value is not None and name != "text" and not _is_unicode(value):
            yield f"{place}.{name} must be Unicode"


def _account(place: str, value: object) -> Iterator[str]:
    if value is None:
        return
    if isinstance(value, dict):
        yield from _strings(place, value, _ACCOUNT)
    else:
        yield f"{place} must be an object"


def _list(place: str, value: object) -> Iterator[str]:
    """Members are accounts; the fields of entities and attachments that are read are strings, too."""
    if value is not None and not isinstance(value, list):
        yield f"{place} must be a list"
        return
    for number, one in enumerate(value or ()):
        if isinstance(one, dict):
            yield from _strings(f"{place}[{number}]", one, _LISTED)
        else:
            yield f"{place}[{number}] must be an object"


def _is_unicode(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
