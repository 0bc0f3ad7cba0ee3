"""JSON-LD expansion and framing without a network. Only this module imports pyld.

pyld's own loader fetches any context that a node names, without a timeout and through any redirect. The
loader of this module knows one context and refuses all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import Any, Final, NamedTuple

from pyld import jsonld

from ..graph.schema_org import BASE
from ..model.errors import at
from ..text.name import nearest
from .terms import KNOWN, SCHEMA, SCHEMA_CONTEXT


# Each "@type" and each property of schema.d.ts in the npm package schema-dts 2.1.0, pending terms included.
# They tell a misspelt name from one that no client reads. Schema.org's definitions are CC BY-SA 3.0; these
# files have only their names.
def _read_names(file: str) -> frozenset[str]:
    return frozenset((resources.files(__package__ or "") / file).read_text("utf-8").split())


_TYPES: Final = _read_names("types.txt")
_PROPERTIES: Final = _read_names("properties.txt")
_MARKS: Final = ("-input", "-output")
"""The ends of annotated properties of an action: "Potential Actions" (Schema.org)."""


class ExpansionError(ValueError):
    """A node is not valid JSON-LD; the text is pyld's reason."""


def expand(entity: Mapping[str, object]) -> list[dict[str, Any]]:
    """The expanded form of one root node; raises :class:`ExpansionError`.

    pyld is recursive, so the caller must have checked the node's depth and size. The node is never
    canonicalised, because that takes exponential time for hostile graphs.
    """
    return _expand(entity, {})


def expand_in_schema_org(entity: Mapping[str, object]) -> list[dict[str, Any]]:
    """The expanded form of one entity, whose terms are Schema.org's where no context says otherwise.

    :data:`BASE` identifies the message itself. Raises :class:`ExpansionError`.
    """
    return _expand(entity, {"expandContext": SCHEMA_CONTEXT})


def _expand(entity: Mapping[str, object], options: Mapping[str, Any]) -> list[dict[str, Any]]:
    try:
        expanded: list[dict[str, Any]] = jsonld.expand(dict(entity), {**_OFFLINE, **options})
    except _FAULTS as error:
        raise ExpansionError(_reason(error)) from None
    return expanded


def frame(expanded: Sequence[Mapping[str, Any]], wanted: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The nodes that ``wanted`` describes, with only the properties that it has (JSON-LD 1.1 Framing).

    Its properties nest as deep as the result will. So the time doesn't depend on how nodes refer to each
    other. Each node is written once, and referenced elsewhere by its ``@id``.
    """
    options = {"base": "", "explicit": True, "omitDefault": True, "omitGraph": False}
    try:
        framed = jsonld.frame(list(expanded), dict(wanted), {**_OFFLINE, **options})
    except _FAULTS as error:
        raise ExpansionError(_reason(error)) from None
    found: list[dict[str, Any]] = framed["@graph"]
    return found


class LostTerm(NamedTuple):
    """A property or a type that a JSON-LD reader loses, by its path.

    ``known`` says that Schema.org has the term and only its value is lost.
    """

    path: str
    name: str
    known: bool

    def nearest(self) -> str | None:
        """The most similar name in Schema.org."""
        is_type = self.path.endswith((".@type", ".type"))
        return _nearest_term(self.name, _TYPES if is_type else _PROPERTIES)


def lost_terms(entity: Mapping[str, object], path: str) -> tuple[LostTerm, ...]:
    """The terms that a JSON-LD reader loses; raises :class:`ExpansionError`.

    ``path`` is the path of ``entity``. Terms of Schema.org that no client reads are not lost.
    """
    expanded = expand(entity)
    return tuple(_lost(entity, expanded[0] if expanded else {}, path))


def _lost(node: Mapping[str, object], expanded: Mapping[str, Any], path: str) -> Iterator[LostTerm]:
    for key, value in node.items():
        if key in ("@type", "type"):
            yield from _lost_types(value, expanded.get("@type", ()), at(path, key))
        elif key.startswith("@") or key == "id" or value is None:
            continue
        # A key with a colon is an IRI, which expands to itself.
        elif (kept := expanded.get(SCHEMA + key, expanded.get(key))) is not None:
            yield from _lost_values(value, kept, at(path, key), key)
        elif key in KNOWN or not _is_property(key):
            yield LostTerm(at(path, key), key, key in KNOWN)


def _lost_types(value: object, kept: list[str] | tuple[()], path: str) -> Iterator[LostTerm]:
    for name in map(str, _flat(value)):
        if name not in kept and SCHEMA + name not in kept and name not in _TYPES:
            yield LostTerm(path, name, known=False)


def _lost_values(value: object, kept: list[Any], path: str, key: str) -> Iterator[LostTerm]:
    values = [item for item in _flat(value) if item is not None]
    if len(values) != len(kept):
        yield LostTerm(path, key, known=True)
        return
    for index, (item, found) in enumerate(zip(values, kept, strict=True)):
        if isinstance(item, Mapping) and isinstance(found, Mapping):
            yield from _lost(item, found, at(path, index) if isinstance(value, list) else path)


def _flat(value: object) -> Iterator[object]:
    """The values of a property. JSON-LD flattens arrays of arrays."""
    if isinstance(value, list):
        for item in value:
            yield from _flat(item)
    else:
        yield value


def _load(url: str, options: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG001 - pyld's signature
    if url.rstrip("/") != "https://schema.org":
        raise jsonld.JsonLdError(
            f"the context {url} is not loaded", "jsonld.InvalidUrl", code="loading remote context failed"
        )
    return {
        "document": SCHEMA_CONTEXT,
        "documentUrl": url,
        "contextUrl": None,
        "contentType": "application/ld+json",
    }


_FAULTS: Final = (jsonld.JsonLdError, LookupError, TypeError, AttributeError, ValueError, AssertionError)
"""What pyld raises for what is no JSON-LD. It fails on values that it doesn't check."""
_OFFLINE: Final[Mapping[str, Any]] = {
    "documentLoader": _load,
    "base": BASE,
    "processingMode": "json-ld-1.1",
}


def _reason(error: BaseException) -> str:
    """The innermost reason in one line: pyld wraps the cause in general words."""
    while isinstance(getattr(error, "cause", None), BaseException):
        error = error.cause  # type: ignore[attr-defined]
    return " ".join(str(error.args[0] if error.args else error).split())[:300]


def _is_property(name: str) -> bool:
    """Whether Schema.org has a property of this name, with or without an annotation."""
    return name in _PROPERTIES or any(
        name.endswith(mark) and name.removesuffix(mark) in _PROPERTIES for mark in _MARKS
    )


def _nearest_term(name: str, terms: frozenset[str]) -> str | None:
    """The most similar of ``terms``; None if none is similar."""
    return nearest(name, terms, 0.7) or None
