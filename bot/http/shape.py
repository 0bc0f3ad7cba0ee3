"""Validation of an inbound activity: the types of the fields that the bot reads.

Bot Framework -- Activity (protocol-activity.md) § "Serialization": unknown fields are accepted, and
known fields must have their type. ``null`` counts as absent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from .path_segment import is_path_segment

DEEPEST: Final = 32
"""Levels of objects and lists. A submitted form has about ten, and deeper ones make parsers recurse."""
MOST: Final = 5000
"""Objects and lists in all. 256 KB can contain 80,000, which the SDK would deserialize for a second."""

_REQUIRED: Final = ("type", "channelId", "serviceUrl")
_STRINGS: Final = ("id", "text", "textFormat", "name", "action", "deliveryMode", "replyToId", "locale")
_IN_PATHS: Final = ("id", "replyToId")
"""The ids in the paths of the connector's REST API, besides the conversation's."""
_ACCOUNT: Final = ("id", "name", "aadObjectId", "role")
_LISTS: Final = ("membersAdded", "membersRemoved", "attachments", "entities")
_LISTED: Final = ("id", "type", "name", "contentType")
_CONVERSATION: Final = ("tenantId", "conversationType", "name")


def find_fault(activity: Mapping[str, object]) -> str | None:
    """Find the first fault in ``activity``, such as ``$.id must be a string``; None if it is valid.

    Ids must be Unicode: a lone surrogate, which JSON allows, can be neither stored nor sent.
    """
    return _find_excess(activity) or next(_find_faults(activity), None)


def _find_excess(activity: Mapping[str, object]) -> str | None:
    count = 1
    layer: list[Any] = [activity]
    for _ in range(DEEPEST):
        layer = [inner for outer in layer for inner in _containers_in(outer)]
        count += len(layer)
        if count > MOST:
            return f"$ must not have more than {MOST} objects and lists"
        if not layer:
            return None
    return f"$ must not be nested deeper than {DEEPEST}"


def _containers_in(container: Any) -> list[Any]:
    """The objects and lists directly in another."""
    values = container.values() if isinstance(container, dict) else container
    return [value for value in values if isinstance(value, dict | list)]


def _find_faults(activity: Mapping[str, object]) -> Iterator[str]:
    conversation = activity.get("conversation")
    for name in _REQUIRED:
        yield from _require_string("$", activity, name)
    if not isinstance(conversation, dict):
        yield "$.conversation.id must be a non-empty string"
        return
    yield from _require_string("$.conversation", conversation, "id")
    yield from _check_segments("$.conversation", conversation, ("id",))
    yield from _check_segments("$", activity, _IN_PATHS)
    yield from _check_strings("$.conversation", conversation, _CONVERSATION)
    if not isinstance(conversation.get("isGroup") or False, bool):
        yield "$.conversation.isGroup must be true or false"
    yield from _check_strings("$", activity, _STRINGS)
    for name in ("from", "recipient"):
        yield from _check_account(f"$.{name}", activity.get(name))
    for name in _LISTS:
        yield from _check_list(f"$.{name}", activity.get(name))


def _require_string(path: str, parent: Mapping[str, object], name: str) -> Iterator[str]:
    value = parent.get(name)
    if not isinstance(value, str) or not value:
        yield f"{path}.{name} must be a non-empty string"
    elif not _is_unicode(value):
        yield f"{path}.{name} must be Unicode"


def _check_segments(path: str, parent: Mapping[str, object], names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        value = parent.get(name)
        if isinstance(value, str) and not is_path_segment(value):
            yield f"{path}.{name} must not be . or .., and must have no control characters"


def _check_strings(path: str, parent: Mapping[str, object], names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        value = parent.get(name)
        if value is not None and not isinstance(value, str):
            yield f"{path}.{name} must be a string"
        # A channel may truncate a text between two surrogates, but not an id.
        elif value is not None and name != "text" and not _is_unicode(value):
            yield f"{path}.{name} must be Unicode"


def _check_account(path: str, value: object) -> Iterator[str]:
    if value is None:
        return
    if isinstance(value, dict):
        yield from _check_strings(path, value, _ACCOUNT)
    else:
        yield f"{path} must be an object"


def _check_list(path: str, value: object) -> Iterator[str]:
    """Members are accounts. Of entities and attachments too, the bot reads string fields only."""
    if value is not None and not isinstance(value, list):
        yield f"{path} must be a list"
        return
    for index, item in enumerate(value or ()):
        if isinstance(item, dict):
            yield from _check_strings(f"{path}[{index}]", item, _LISTED)
        else:
            yield f"{path}[{index}] must be an object"


def _is_unicode(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
