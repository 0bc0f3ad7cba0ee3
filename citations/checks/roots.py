"""The entities of an activity: which one Web Chat takes for the Message, and what prevents it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..graph.schema_org import AI_GENERATED, ALLOW_COPY, CONTEXT, MESSAGE_TYPE
from ..model.errors import Problem
from ..text.json_path import at
from .values import Node, each, is_node, is_reference, nodes

_SCHEMA = "https://schema.org/"
_FATAL = "the message isn't shown, and newer Web Chat shows nothing after it either"
_KEYWORDS = (AI_GENERATED, ALLOW_COPY, "Collapsible")
_FOREIGN_KEYS = ("@context", "@graph", "@reverse", "@included", "@nest")


@dataclass(frozen=True, slots=True)
class Root:
    """The Message of an activity and its path.

    Where Web Chat finds none, it is the entity intended as one.
    """

    path: str
    node: Node


def find_root(entities: list[object]) -> Root | None:
    """The first entity that Web Chat takes for the Message, else the first that looks like it."""
    found = [Root(at("$.entities", index), item) for index, item in enumerate(entities) if is_node(item)]
    by_rank = [root for root in found if _is_schema(root.node) and root.node.get("@id") == ""]
    return next(iter(by_rank), None) or next((root for root in found if looks_like_message(root.node)), None)


def check_roots(entities: list[object], root: Root | None) -> Iterator[Problem]:
    """Faults for which Web Chat loses a message or ignores its graph."""
    for index, entity in enumerate(entities):
        path = at("$.entities", index)
        if not is_node(entity):
            yield Problem("entity-not-an-object", path, f"{_FATAL}: remove this entity or make it an object")
        elif entity.get("type") is not None and not isinstance(entity["type"], str):
            yield Problem("entity-type", at(path, "type"), f"{_FATAL}: type must be a string")
        elif root and path == root.path:
            yield from _check_message(root)
        elif _is_schema(entity):
            yield from _check_other(path, entity, root)


def check_nodes(root: Root) -> Iterator[Problem]:
    """Faults of any node of the Message: empty values and missing types."""
    for path, node in nodes(root.node, root.path):
        nested = path != root.path
        if nested and not is_reference(node) and not isinstance(node.get("@type"), str):
            yield Problem(
                "node-without-type", path, "@type must be a string, or Web Chat drops this node: add it"
            )
        for key, value in node.items():
            yield from _check_value(at(path, key), key, value, nested)


def _check_value(path: str, key: str, value: object, nested: bool) -> Iterator[Problem]:
    if key in _FOREIGN_KEYS and (nested or key != "@context"):
        yield Problem(
            "json-ld-keyword",
            path,
            f"only plain nested objects are read, so that {key} loses what it says: remove it",
        )
    for place, item in each(value, path) if isinstance(value, list) else ((path, value),):
        if item is None:
            yield Problem(
                "null-value", place, "null counts as a value in one reader and as none in the next: omit it"
            )
        elif item == "" and (nested or key != "@id"):
            yield Problem("empty-string", place, "an empty string is shown as an empty row or link: omit it")


def _check_message(root: Root) -> Iterator[Problem]:
    yield from _check_parsed(root.path, root.node)
    node, path = root.node, root.path
    kind = node.get("type")
    if not isinstance(kind, str) or not kind.startswith(_SCHEMA):
        yield Problem(
            "message-type",
            at(path, "type"),
            f'the graph is overlooked, labels and passages with it: type must be "{MESSAGE_TYPE}"',
        )
    elif kind != MESSAGE_TYPE or (isinstance(node.get("@type"), str) and node["@type"] != "Message"):
        yield Problem(
            "message-subclass",
            path,
            f'"Subclasses are not supported": type must be "{MESSAGE_TYPE}" and @type "Message"',
        )
    if node.get("@id") != "" and isinstance(node.get("@id", ""), str):
        yield Problem(
            "message-id", at(path, "@id"), 'the graph is overlooked: @id must be "" (this message itself)'
        )
    yield from _check_keywords(at(path, "keywords"), node.get("keywords"))


def _check_parsed(path: str, node: Node) -> Iterator[Problem]:
    """Faults for which Web Chat's parser throws in any root with a ``https://schema.org/`` context."""
    if "@context" in node and node["@context"] != CONTEXT:
        yield Problem("context", at(path, "@context"), f'{_FATAL}: @context must be exactly "{CONTEXT}"')
    if not isinstance(node.get("@type"), str):
        yield Problem("root-without-type", at(path, "@type"), f"{_FATAL}: @type must be a string")
    if "@id" in node and not isinstance(node["@id"], str):
        yield Problem("root-id", at(path, "@id"), f"{_FATAL}: @id must be a string")


def _check_other(path: str, node: Node, root: Root | None) -> Iterator[Problem]:
    """A root with a ``https://schema.org/`` context that isn't the Message."""
    yield from _check_parsed(path, node)
    if node.get("@id") == "":
        yield Problem(
            "second-message", path, "only the first Message is read, and Teams refuses two: keep one"
        )
    elif node.get("type") == f"{_SCHEMA}Claim":
        yield Problem(
            "root-claim", path, "claims outside the Message are no longer read: move it into citation"
        )
    elif root:
        yield Problem(
            "extra-root", path, "Web Chat parses it with the Message, and its fault would be both's: drop it"
        )


def _check_keywords(path: str, keywords: object) -> Iterator[Problem]:
    for place, word in each(keywords, path):
        if not isinstance(word, str):
            yield Problem(
                "keyword-not-a-string", place, "only strings are looked for: write the keyword itself"
            )
            continue
        parts = [part.strip() for part in word.split(",")]
        meant = [known for known in _KEYWORDS for part in parts if _letters(part) == _letters(known)]
        if meant and word not in _KEYWORDS:
            wanted = ", ".join(f'"{known}"' for known in meant)
            yield Problem("keyword-spelling", place, f"{word!r:.80} is not recognised: write [{wanted}]")


def _letters(word: str) -> str:
    return "".join(character for character in word.casefold() if character.isalnum())


def _is_schema(node: Node) -> bool:
    kind = node.get("type")
    return isinstance(kind, str) and kind.startswith(_SCHEMA)


def looks_like_message(node: Node) -> bool:
    """Whether its author probably intended it as the Message."""
    kind = node.get("type")
    return (
        node.get("@type") == "Message"
        or "citation" in node
        or (isinstance(kind, str) and kind.endswith("schema.org/Message"))
    )
