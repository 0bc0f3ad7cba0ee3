"""JSON values as Web Chat's reader takes them, and their size and depth."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeGuard

from ...model.errors import at
from ...text.encoding import SURROGATE

Node = Mapping[str, object]
NUMERAL: Final = re.compile(r"[1-9]\d{0,8}", re.ASCII)
"""A position, as text."""


def is_node(value: object) -> TypeGuard[Node]:
    """Whether it is a JSON object."""
    return isinstance(value, dict)


def is_reference(value: object) -> bool:
    """Whether it only references a node: it has ``@id``, and all of its keys begin with ``@``."""
    return is_node(value) and isinstance(value.get("@id"), str) and all(key.startswith("@") for key in value)


def first(value: object) -> object:
    """The value of a property that may be an array, of which Web Chat takes the first element."""
    if isinstance(value, list):
        return value[0] if value else None
    return value


def each(value: object, path: str) -> Iterator[tuple[str, object]]:
    """The values of a property that may be an array, with their paths."""
    if isinstance(value, list):
        yield from ((at(path, index), item) for index, item in enumerate(value))
    elif value is not None:
        yield path, value


def words(value: object) -> tuple[str, ...]:
    """The strings of a property that may be an array."""
    return tuple(item for _, item in each(value, "") if isinstance(item, str))


def nodes(value: object, path: str) -> Iterator[tuple[str, Node]]:
    """All objects in ``value``, including itself, each before the objects inside it, with their paths."""
    stack = [(path, value)]
    while stack:
        place, item = stack.pop()
        children: Iterable[tuple[str | int, object]] = ()
        if isinstance(item, dict):
            yield place, item
            children = ((str(key), child) for key, child in item.items())
        elif isinstance(item, list):
            children = enumerate(item)
        inside = [(at(place, key), child) for key, child in children if isinstance(child, dict | list)]
        stack.extend(reversed(inside))


def depth(value: object, limit: int) -> int:
    """The number of nested objects and arrays, counted up to ``limit`` + 1."""
    level, deep = [value], 0
    while level and deep <= limit:
        level = [
            child
            for item in level
            if isinstance(item, (dict, list))
            for child in (item.values() if isinstance(item, dict) else item)
        ]
        deep += 1 if level else 0
    return deep


def to_json(value: object) -> str:
    """Its JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def size(written: str) -> int:
    """The size of JSON in UTF-8, in bytes."""
    return len(written.encode("utf-8", "replace"))


def broken_strings(value: object, path: str) -> Iterator[str]:
    """The paths of strings, and of objects with keys, that have half of a surrogate pair."""
    stack = [(path, value)]
    while stack:
        place, item = stack.pop()
        texts = (item,) if isinstance(item, str) else item if isinstance(item, dict) else ()
        if any(isinstance(text, str) and SURROGATE.search(text) for text in texts):
            yield place
        if isinstance(item, dict):
            stack.extend((at(place, str(key)), child) for key, child in reversed(item.items()))
        elif isinstance(item, list):
            stack.extend((at(place, index), child) for index, child in reversed(tuple(enumerate(item))))


def numeral(position: object) -> str | None:
    """A position in the form that Web Chat compares with a definition's label; None if it can't match.

    ``'' + position === identifier``: a number or a string. An array of one counts as its element.
    """
    position = first(position)
    if isinstance(position, bool) or position is None:
        return None
    if isinstance(position, float):
        return str(int(position)) if position.is_integer() else str(position)
    return str(position) if isinstance(position, (int, str)) else None
