"""Graphs whose readers could be made to work far more than they are long, and a measure of that work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from citations import read_message

SCHEMA = "https://schema.org/"
ROOT: dict[str, Any] = {
    "@context": "https://schema.org",
    "@id": "",
    "@type": "Message",
    "type": "https://schema.org/Message",
    "citation": [
        {"@type": "Claim", "position": 1, "appearance": {"@type": "DigitalDocument", "name": "One"}}
    ],
}
Graph = Callable[[int], list[Any]]


def nested(deep: int) -> dict[str, Any]:
    """A node with nodes so deep inside each other."""
    node: dict[str, Any] = {"@id": ""}
    for _ in range(deep):
        node = {"@id": "", "about": node}
    return node


def _chain(count: int) -> list[Any]:
    names = [f"_:c{one}" for one in range(count + 1)]
    return [
        ROOT | {"citation": {"@id": names[0]}},
        *({"@id": name, "appearance": {"@id": below}, "usageInfo": {"@id": below}} for name, below in pairwise(names)),
    ]  # fmt: skip


def _shared(count: int) -> list[Any]:
    """Each claim has all documents, and each document all labels."""
    side = int(count**0.5)
    return [
        ROOT | {"citation": [{"@id": f"_:c{one}"} for one in range(side)]},
        *({"@id": f"_:c{one}", "appearance": [{"@id": f"_:d{two}"} for two in range(side)]} for one in range(side)),
        *({"@id": f"_:d{one}", "usageInfo": [{"@id": f"_:l{two}"} for two in range(side)]} for one in range(side)),
    ]  # fmt: skip


HOSTILE_GRAPHS: Mapping[str, Graph] = {
    "many claims": lambda count: [ROOT | {"citation": [{"@type": "Claim", "position": one} for one in range(count)]}],
    "one node in pieces": lambda count: [ROOT | {"keywords": [f"{one} {two}" for two in range(20)]} for one in range(count // 10)],
    "one node of many types": lambda count: [ROOT | {"@type": [f"T{one}-{two}" for two in range(20)]} for one in range(count // 10)],
    "a chain of nodes": _chain,
    "everything below everything": _shared,
    "many terms": lambda count: [ROOT | {"@context": ["https://schema.org", {f"t{one}": f"{SCHEMA}t{one}" for one in range(count)}]}],
    "many messages": lambda count: [ROOT] * count,
    "many graphs": lambda count: [{"@context": "https://schema.org", "@graph": [{"@id": f"_:g{one}", "@graph": [{"@type": "Message"}]} for one in range(count)]}],
    "a message that many cite": lambda count: [ROOT | {"@reverse": {"citation": [{"@id": f"_:{one}"} for one in range(count)]}}],
}  # fmt: skip


def calls_of(graph: Graph, count: int) -> int:
    """The calls of functions that it takes to read a message with such a graph: a clock that no load slows."""
    activity = {"type": "message", "text": "a [1]", "entities": graph(count)}
    calls = 0

    def note(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(note)
    try:
        read_message(activity)
    finally:
        sys.setprofile(None)
    return calls
