"""The actions of a message: votes, and the query that it is based on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...model.errors import Problem, at
from .roots import Root
from .rules import problem
from .values import Node, each, first, is_node

_THUMBS: Final = ("LikeAction", "DislikeAction")
_NAMES: Final = ("@id", "identifier", "object", "target")
"""Properties of an action that can identify the message: a client returns them unchanged."""


def check_actions(root: Root) -> Iterator[Problem]:
    """Thumbs whose vote identifies no message, and queries that aren't shown."""
    yield from _check_thumbs(at(root.path, "potentialAction"), root.node.get("potentialAction"))
    yield from _check_code(at(root.path, "isBasedOn"), root.node.get("isBasedOn"))


def _check_thumbs(path: str, actions: object) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for place, action in each(actions, path):
        if not is_node(action) or action.get("@type") not in _THUMBS:
            continue
        if not any(_has_name(action, key) for key in _NAMES):
            yield problem("vote-about-nothing", at(place, "@id"))
        name = action.get("@id")
        if isinstance(name, str) and (other := seen.setdefault(name, place)) != place:
            yield problem("duplicate-action-id", at(place, "@id"), other=other)


def _has_name(action: Node, key: str) -> bool:
    """Whether the property identifies a message. A blank node's id does so only within its own message."""
    value = first(action.get(key))
    return bool(value) and not (isinstance(value, str) and value.startswith("_:"))


def _check_code(path: str, based_on: object) -> Iterator[Problem]:
    for index, (place, code) in enumerate(each(based_on, path)):
        if not is_node(code) or code.get("@type") != "SoftwareSourceCode":
            continue
        if index:
            yield problem("second-code", place)
        elif not isinstance(text := first(code.get("text")), str) or not text.strip():
            yield problem("code-without-text", at(place, "text"))
