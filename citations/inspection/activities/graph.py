"""The Message of an activity, in whichever form of JSON-LD its author wrote it. Nothing is fetched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ...graph.schema_org import CONTEXT
from ...model.errors import Problem, at
from ...text.encoding import SURROGATE
from ..checks import MAX_BYTES, MAX_DEPTH
from ..checks.values import depth, size, to_json
from ..terms import SCHEMA
from .node import GraphNode, index_of

MAX_VALUES: Final = 100
"""The most values of one property. Framing takes the square of their number."""
_LOST: Final = "the citations in it are lost"
_CONTEXTS: Final = frozenset(
    f"{scheme}://schema.org{path}"
    for scheme in ("http", "https")
    for path in ("", "/", "/docs/jsonldcontext.json", "/docs/jsonldcontext.jsonld")
)
"""The addresses of Schema.org's context."""


def _properties(*names: str, **nodes: Mapping[str, Any]) -> dict[str, Any]:
    return {SCHEMA + name: {} for name in names} | {SCHEMA + name: below for name, below in nodes.items()}


_LABEL: Final = {"@type": {}, **_properties("description", "name", pattern=_properties("termCode"))}
_AUTHOR: Final = _properties("name", "slogan", "url")
_DOCUMENT: Final = _properties(
    "abstract",
    "dateModified",
    "encodingFormat",
    "keywords",
    "name",
    "pagination",
    "text",
    "url",
    editor=_AUTHOR,
    usageInfo=_LABEL,
)
_CLAIM: Final = _properties(
    "abstract",
    "name",
    "position",
    "text",
    "url",
    appearance=_DOCUMENT,
    claimInterpreter=_AUTHOR,
    usageInfo=_LABEL,
)
_MESSAGE: Final = _properties(
    "additionalType",
    "keywords",
    citation=_CLAIM,
    isBasedOn=_properties("programmingLanguage", "text"),
    usageInfo=_LABEL,
)
_READ: Final = frozenset(
    (*_MESSAGE, *_CLAIM, *_DOCUMENT, *_AUTHOR, *_LABEL, SCHEMA + "programmingLanguage", SCHEMA + "termCode")
)


def find_message(entities: object) -> tuple[GraphNode, list[GraphNode], list[Problem]]:
    """The Message of an activity's ``entities``, the claims of no Message, and what can't be read.

    Without a Message the result is a node without properties.
    """
    problems: list[Problem] = []
    expanded = list(_expand(entities, problems))
    messages = _framed(expanded, {"@type": [SCHEMA + "Message"], **_MESSAGE}, problems)
    # "It must have … @id of '' (an empty string means self in JSON-LD fashion)" (CITATION.md).
    messages.sort(key=lambda one: (not one.nodes("citation"), one.id != ""))
    message = messages[0] if messages else GraphNode({}, {})
    alone = (
        []
        if message.nodes("citation")
        else _framed(expanded, {"@type": [SCHEMA + "Claim"], **_CLAIM}, problems)
    )
    return message, alone, problems


def _framed(
    expanded: Sequence[Mapping[str, Any]], wanted: Mapping[str, Any], problems: list[Problem]
) -> list[GraphNode]:
    if not expanded:
        return []
    from ..json_ld import ExpansionError, frame  # noqa: PLC0415 - as below

    try:
        graph = frame(expanded, {"@context": {"@vocab": SCHEMA}, **wanted})
    except (ExpansionError, RecursionError) as error:
        problems.append(Problem("json-ld", "$.entities", f"its nodes make no graph ({error}): {_LOST}"))
        return []
    index = index_of(graph)
    return [GraphNode(one, index) for one in graph]


def _expand(entities: object, problems: list[Problem]) -> Iterator[dict[str, Any]]:
    """The expanded nodes of all entities. What can't be read is left out, with a problem."""
    if entities is not None and not isinstance(entities, list):
        problems.append(Problem("entities-not-an-array", "$.entities", f"not an array: {_LOST}"))
        return
    counts: Counter[tuple[object, str]] = Counter()
    for number, entity in enumerate(entities or ()):
        if isinstance(entity, dict) and _is_linked_data(entity):
            yield from _expand_one(entity, at("$.entities", number), counts, problems)
    for (_, name), count in counts.items():
        if count > MAX_VALUES:
            left = f"only {MAX_VALUES} of its {count} values are read"
            problems.append(Problem("too-many-values", "$.entities", f"{name.rpartition('/')[2]}: {left}"))


def _expand_one(
    entity: dict[str, Any], path: str, counts: Counter[tuple[object, str]], problems: list[Problem]
) -> Iterator[dict[str, Any]]:
    fault = ""
    if depth(entity, MAX_DEPTH) > MAX_DEPTH:
        fault = f"values stand more than {MAX_DEPTH} deep inside each other"
    elif (bytes_ := size(to_json(entity))) > MAX_BYTES:
        fault = f"{bytes_} bytes, of which no connector takes more than {MAX_BYTES}"
    if fault:
        problems.append(Problem("entity-too-large", path, f"{fault}: {_LOST}"))
        return
    unknown: dict[str, None] = {}
    known = _with_known_contexts(entity, unknown)
    problems += (
        Problem("context-not-loaded", path, f"nothing is fetched: what {url!r:.200} defines is lost")
        for url in unknown
    )
    # pyld takes a sixth of a second to import, and only a message with a graph needs it.
    from ..json_ld import ExpansionError, expand_in_schema_org  # noqa: PLC0415

    try:
        expanded = expand_in_schema_org(known)
        if any(map(_has_reserved_address, expanded)):
            fault = "an address that begins with @, as a keyword of JSON-LD does, is none: it is left out"
            problems.append(Problem("url-dropped", path, fault))
        yield from (_pruned(one, counts) for one in expanded)
    except ExpansionError as error:
        problems.append(Problem("json-ld", path, f"it is no JSON-LD ({error}): {_LOST}"))
    except RecursionError:
        # pyld reads a term by the terms in it.
        problems.append(Problem("json-ld", path, f"too many terms are defined by each other: {_LOST}"))


def _is_linked_data(entity: Mapping[str, object]) -> bool:
    """Whether an entity is JSON-LD. Others, such as a mention, have members of the same names."""
    kind = entity.get("type")
    return (isinstance(kind, str) and "schema.org/" in kind) or any(key.startswith("@") for key in entity)


def _with_known_contexts(value: Any, unknown: dict[str, None], *, context: bool = False) -> Any:
    """``value`` without the contexts that only a network could load; ``unknown`` gets their addresses.

    Halves of surrogate pairs are left out, which no reader of JSON-LD takes.
    """
    if isinstance(value, list):
        known = (_with_known_contexts(one, unknown, context=context) for one in value)
        return [one for one in known if not context or one is not None or None in value]
    if isinstance(value, dict):
        if isinstance(imported := value.get("@import"), str) and context:
            unknown[imported] = None
            value = {name: one for name, one in value.items() if name != "@import"}
        return {
            SURROGATE.sub("", name): _with_known_contexts(one, unknown, context=name == "@context")
            for name, one in value.items()
        }
    if not isinstance(value, str):
        return value
    value = SURROGATE.sub("", value)
    if context:
        if value in _CONTEXTS:
            return CONTEXT
        unknown[value] = None
        return {}
    return value


def _has_reserved_address(value: Any) -> bool:
    """Whether there is an ``@id`` that looks like a keyword: it expands to null (JSON-LD 1.1 API § 5.2.2)."""
    if isinstance(value, dict):
        return value.get("@id", "") is None or any(map(_has_reserved_address, value.values()))
    return isinstance(value, list) and any(map(_has_reserved_address, value))


def _pruned(value: Any, counts: Counter[tuple[object, str]]) -> Any:
    """An expanded value with the properties that are read, and a bounded number of values of each.

    Schema.org's terms begin with ``http:`` or ``https:``, by the context.
    """
    if isinstance(value, list):
        return [_pruned(one, counts) for one in value]
    if not isinstance(value, dict) or "@value" in value:
        return value
    # Nodes with one identifier are one node. An object without an identifier is its own.
    name = value.get("@id", id(value))
    kept: dict[str, Any] = {}
    for key, values in value.items():
        term = _plain(key)
        if key == "@type" or term in _READ:
            items = [one for listed in values for one in _items(listed)]
            room = MAX_VALUES - counts[name, term]
            counts[name, term] += len(items)
            items = _pruned(items[: max(0, room)], counts)
            kept.setdefault(term, []).extend(_types(items) if key == "@type" else items)
        elif key.startswith("@") and values is not None:
            kept[key] = _pruned(values, counts)
    return kept


def _items(value: Any) -> list[Any]:
    """The items of a JSON-LD list, whose order no reader of a message needs; else the value."""
    return value["@list"] if isinstance(value, dict) and "@list" in value else [value]


def _types(names: list[Any]) -> Iterator[str]:
    """The names of types that are text: pyld also lets null pass."""
    return (_plain(name) for name in names if isinstance(name, str))


def _plain(term: str) -> str:
    return f"http{term.removeprefix('https')}" if term.startswith("https://schema.org/") else term
