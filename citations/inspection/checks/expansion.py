"""The expansion of a Message as JSON-LD: unknown terms, and values that JSON-LD readers lose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...graph.schema_org import CONTEXT
from ...model.errors import Problem
from ..terms import is_plain
from .roots import Root
from .rules import problem
from .values import nodes

_MOST_PROPOSED: Final = 20
"""Misspelt terms that get a proposal: each is compared with all names of Schema.org."""


def check_expansion(root: Root) -> Iterator[Problem]:
    """What a JSON-LD reader loses of a Message. Its nodes must have passed the other checks."""
    # Schema.org's context makes "@id" of "id", and two of them would collide.
    node = {**root.node, "@context": CONTEXT, "id" if "id" in root.node else "@id": ""}
    if is_plain(node):
        return
    if any(not isinstance(one.get("@context", ""), str) for _, one in nodes(root.node, root.path)):
        return
    # pyld takes a sixth of a second to import, and expands a graph for longer than all else is checked.
    from ..json_ld import ExpansionError, lost_terms  # noqa: PLC0415

    try:
        lost = lost_terms(node, root.path)
    except ExpansionError as error:
        yield problem("json-ld", root.path, error=str(error))
        return
    for number, term in enumerate(lost):
        if term.known:
            yield problem("lost-value", term.path)
            continue
        near = term.nearest() if number < _MOST_PROPOSED else None
        meant = f"did you mean {near}?" if near else "check its spelling"
        yield problem("unknown-term", term.path, name=term.name[:80], meant=meant)
