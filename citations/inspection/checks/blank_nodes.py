"""Blank nodes: ``{"@id": "_:s1"}`` references the node of this activity that has the same ``@id``.

Web Chat collects every object with such an ``@id`` and content, and inserts it at each reference.
References may point forward or back. The last node of an id replaces all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from ...model.errors import Problem
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
    inside = {name: _measure(places[-1][1]) for name, places in blank.by_id.items()}
    links = {name: [child for child, _ in found if child in inside] for name, found in inside.items()}
    depths: dict[str, int] = {}
    try:
        # Each node comes behind those that it references.
        for name in TopologicalSorter(links).static_order():
            depths[name] = max(deep + depths.get(child, 0) for child, deep in inside[name])
    except CycleError as error:
        loop = next(name for name in links if name in error.args[1])
        yield problem("blank-node-cycle", blank.by_id[loop][-1][0], name=loop)
        return
    if max((deep + depths.get(name, 0) for name, deep in _measure(entities)), default=0) > MAX_DEPTH:
        yield problem("graph-too-deep", "$.entities", most=MAX_DEPTH)


def _measure(value: object) -> list[tuple[str, int]]:
    """How deep each node in ``value`` stands, with the ``@id`` of those that only reference a node."""
    found: list[tuple[str, int]] = []
    stack = [(value, 1)]
    while stack:
        item, deep = stack.pop()
        if is_node(item):
            found.append((str(item["@id"]) if is_reference(item) else "", deep))
            stack.extend((child, deep + 1) for child in item.values())
        elif isinstance(item, list):
            stack.extend((child, deep) for child in item)
    return found
