"""The forms that JSON-LD has for one graph, as other programs write them into ``entities``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pyld import jsonld

from citations.inspection.json_ld import _OFFLINE

Form = Callable[[dict[str, Any]], list[Any]]
VOCABULARY = {"@vocab": "https://schema.org/"}
ALIASES: dict[str, Any] = {
    "s": "https://schema.org/",
    "ref": "@id",
    "kind": "@type",
    "nodes": "@graph",
    "badges": {"@id": "s:citation", "@container": "@set"},
    "number": "s:position",
    "seen": "s:appearance",
    "label": "s:usageInfo",
    "said": {"@id": "s:text", "@language": "en"},
}


def expanded(entity: dict[str, Any]) -> list[Any]:
    found: list[Any] = jsonld.expand(entity, dict(_OFFLINE))
    return found


def flattened(entity: dict[str, Any]) -> list[Any]:
    """Each node of the graph is an entity of its own."""
    found: list[Any] = jsonld.flatten(entity, None, dict(_OFFLINE))
    return found


def compacted(entity: dict[str, Any]) -> list[Any]:
    return [jsonld.compact(entity, {"@context": VOCABULARY}, dict(_OFFLINE))]


def aliased(entity: dict[str, Any]) -> list[Any]:
    found = jsonld.compact(_https(expanded(entity)), {"@context": ALIASES | VOCABULARY}, dict(_OFFLINE))
    assert {"ref", "kind"} <= found.keys()
    return [found]


def in_a_graph(entity: dict[str, Any]) -> list[Any]:
    """The nodes stand in one entity's ``@graph``, which has the type that the Bot Framework wants."""
    nodes = flattened(entity)
    return [{"@context": "https://schema.org", "type": "https://schema.org/Message", "@graph": nodes}]


def in_a_named_graph(entity: dict[str, Any]) -> list[Any]:
    return [{"@context": ["https://schema.org"], "@id": "urn:graph", "@graph": [entity]}]


def framed_by_claims(entity: dict[str, Any]) -> list[Any]:
    """The graph seen from its claims, which say by what they are cited."""
    context = VOCABULARY | {"isCitedBy": {"@reverse": "citation"}}
    frame = {"@context": context, "@type": "Claim", "isCitedBy": {"@embed": "@once"}}
    graph = _https(jsonld.flatten(entity, None, dict(_OFFLINE)))
    found = jsonld.frame(graph, frame, {**_OFFLINE, "omitGraph": False})
    return [{"@context": context, **one} for one in found["@graph"]] or [entity]


def as_lists(entity: dict[str, Any]) -> list[Any]:
    """Every value is in an array, and the citations are a JSON-LD list."""
    entity = {
        name: value if name.startswith("@") or name == "type" else _listed(value)
        for name, value in entity.items()
    }
    return [entity | {"citation": {"@list": entity.get("citation", [])}}]


def among_others(entity: dict[str, Any]) -> list[Any]:
    """The Message is not the first entity, and the others are no JSON-LD."""
    mention = {"type": "mention", "text": "<at>Bot</at>", "mentioned": {"id": 5, "@x": None}}
    return [{"type": "clientInfo", "locale": "en"}, mention, entity]


def _listed(value: object) -> object:
    if isinstance(value, dict):
        return [{name: one if name.startswith("@") else _listed(one) for name, one in value.items()}]
    return [one for item in value for one in _values(item)] if isinstance(value, list) else [value]


def _values(item: object) -> list[Any]:
    found = _listed(item)
    return found if isinstance(found, list) else [found]


def _https(value: Any) -> Any:
    """Schema.org's terms as its pages spell them, with ``https:``."""
    if isinstance(value, dict):
        return {_https(name): _https(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_https(one) for one in value]
    return value.replace("http://schema.org/", "https://schema.org/") if isinstance(value, str) else value


FORMS: Mapping[str, Form] = {
    form.__name__: form
    for form in (
        expanded,
        flattened,
        compacted,
        aliased,
        in_a_graph,
        in_a_named_graph,
        framed_by_claims,
        as_lists,
        among_others,
    )
}
