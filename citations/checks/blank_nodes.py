"""Blank nodes: ``{"@id": "_:s1"}`` references the node of this activity that has the same ``@id``.

Web Chat collects every object with such an ``@id`` and content, and inserts it at each reference.
References may point forward or back. The last node of an id replaces all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..model.errors import Problem
from .rules import problem
from .values import Node, is_node, is_reference, nodes

MAX_DEPTH = 22
"""The most nested nodes that Web Chat was observed to show at once. A hundred hang the browser's tab."""


@dataclass(frozen=True, slots=True)
class BlankNodes:
    """The nodes with content of one activity by ``@id``, as ``(path, node)`` in their order."""

    by_id: Mapping[str, tuple[tuple[str, Node], ...]]

    def resolve(self, value: object) -> Node | None:
        """The node that ``value`` is or references; None if there is none."""
        if not is_node(value) or not is_reference(value):
            return value if is_node(value) else None
        found = self.by_id.get(str(value["@id"]))
        return found[-1][1] if found else None


def collect(entities: object) -> BlankNodes:
    """The blank nodes of an activity's entities."""
    found: dict[str, list[tuple[str, Node]]] = {}
    for path, node in nodes(entities, "$.entities"):
        name = node.get("@id")
        if isinstance(name, str) and name.startswith("_:") and not is_reference(node):
            found.setdefault(name, []).append((path, node))
    return BlankNodes({name: tuple(places) for name, places in found.items()})


def check_blank_nodes(blank: BlankNodes, entities: object) -> Iterator[Problem]:
    """Ids of several nodes, and references without an end."""
    for name, places in blank.by_id.items():
        for path, node in places[1:]:
            if node != places[0][1]:
                yield problem("blank-node-reused", path, name=name, other=places[0][0])
    yield from _check_references(blank, entities)


def _check_references(blank: BlankNodes, entities: object) -> Iterator[Problem]:
    links = {name: _references(places[-1][1]) for name, places in blank.by_id.items()}
    depths: dict[str, int] = {}
    for name in links:
        if loop := _measure(name, links, depths):
            yield problem("blank-node-cycle", blank.by_id[loop][-1][0], name=loop)
            return
    deepest = max((own + depths.get(name, 0) for name, own in _references(entities)), default=0)
    if max(deepest, _own_depth(entities)) > MAX_DEPTH:
        yield problem("graph-too-deep", "$.entities", most=MAX_DEPTH)


def _measure(name: str, links: Mapping[str, list[tuple[str, int]]], depths: dict[str, int]) -> str | None:
    """Fill in the depth of the nodes below ``name``.

    Returns the id of a node that contains itself, if there is one.
    """
    open_ids: set[str] = set()
    stack: list[str] = [name]
    while stack:
        current = stack[-1]
        if current in depths:
            stack.pop()
            continue
        waiting = [child for child, _ in links.get(current, ()) if child not in depths and child in links]
        if loop := next((child for child in waiting if child in open_ids or child == current), None):
            return loop
        if waiting and current not in open_ids:
            open_ids.add(current)
            stack.extend(waiting)
            continue
        depths[current] = max(
            (own + depths.get(child, 0) for child, own in links.get(current, ())), default=1
        )
        open_ids.discard(current)
        stack.pop()
    return None


def _references(value: object) -> list[tuple[str, int]]:
    """The blank nodes that ``value`` references, each with the depth of the reference."""
    return [
        (str(node["@id"]), deep)
        for node, deep in _with_depth(value)
        if is_reference(node) and str(node["@id"]).startswith("_:")
    ]


def _own_depth(value: object) -> int:
    return max((deep for _, deep in _with_depth(value)), default=0)


def _with_depth(value: object) -> Iterator[tuple[Node, int]]:
    stack: list[tuple[object, int]] = [(value, 1)]
    while stack:
        item, deep = stack.pop()
        if is_node(item):
            yield item, deep
            stack.extend((child, deep + 1) for child in item.values())
        elif isinstance(item, list):
            stack.extend((child, deep) for child in item)
