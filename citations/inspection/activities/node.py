"""A node of a framed graph, whose properties are read in whichever of JSON-LD's forms they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...graph.schema_org import BASE
from ...text.controls import without_turns

Members = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node and its properties. ``index`` has the nodes of the graph by their ``@id``.

    A frame writes a node once and references it elsewhere (JSON-LD 1.1 Framing, ``@once``).
    """

    members: Members
    index: Mapping[str, Members]

    @property
    def id(self) -> str | None:
        """The node's ``@id``, which is empty for the message itself."""
        found = self.members.get("@id")
        return found.removeprefix(BASE) if isinstance(found, str) else None

    def texts(self, name: str) -> tuple[str, ...]:
        """The values of a property that are text, a number or an address."""
        return tuple(found for one in _values(self.members.get(name)) if (found := _text(one)))

    def text(self, name: str) -> str | None:
        """The first of :meth:`texts`."""
        return next(iter(self.texts(name)), None)

    def nodes(self, name: str) -> tuple[GraphNode, ...]:
        """The values of a property that are nodes."""
        return tuple(
            GraphNode(self._find(one), self.index)
            for one in _values(self.members.get(name))
            if isinstance(one, Mapping) and "@value" not in one
        )

    def node(self, name: str) -> GraphNode:
        """The first of :meth:`nodes`; a node without properties if there is none."""
        return next(iter(self.nodes(name)), GraphNode({}, self.index))

    def _find(self, node: Members) -> Members:
        name = node.get("@id")
        return self.index.get(name, node) if isinstance(name, str) else node


def index_of(graph: object) -> dict[str, Members]:
    """The nodes of a framed graph by their ``@id``, without mere references."""
    found: dict[str, Members] = {}
    waiting = [graph]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            if len(value) > 1 and isinstance(name := value.get("@id"), str):
                found.setdefault(name, value)
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return found


def _values(value: object) -> Iterator[object]:
    """The values of a property: one, or an array."""
    if isinstance(value, list):
        yield from value
    elif value is not None:
        yield value


def _text(value: object) -> str:
    """A string without controls that turn it, a number, or a node's address; empty for any other value."""
    if isinstance(value, Mapping):
        # A node is text only where it is nothing but an address. Nothing says what a relative one is of.
        address = value.get("@id") if len(value) == 1 else None
        value = address.removeprefix(BASE) if isinstance(address, str) else value.get("@value")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return without_turns(str(value))
