"""The entities of an activity: which one Web Chat takes for the Message, and what prevents it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...graph.schema_org import AI_GENERATED, ALLOW_COPY, CONTEXT, MESSAGE_TYPE
from ...model.errors import Problem, at
from .rules import problem
from .values import Node, each, is_node, is_reference, nodes, words

SCHEMA = "https://schema.org/"
_ROOT_CLAIM = f"{SCHEMA}Claim"
_KEYWORDS = (AI_GENERATED, ALLOW_COPY, "Collapsible")
# The Agents SDK for Python 1.9.0 writes these where it parses and sends a graph.
_WITHOUT_AT = {"atId": "@id", "atType": "@type", "atContext": "@context"}
_AT_ROOT = _WITHOUT_AT | {"id": "@id", "context": "@context"}
_NESTED = _WITHOUT_AT | {"type": "@type"}
_FOREIGN_KEYS = ("@context", "@graph", "@reverse", "@included", "@nest")


@dataclass(frozen=True, slots=True)
class Root:
    """The Message of an activity and its path.

    Where Web Chat finds none, it is the entity intended as one.
    """

    path: str
    node: Node


def entities_of(activity: Node) -> tuple[Root, ...]:
    """The entities that are objects, with their paths."""
    entities = activity.get("entities")
    found = each(entities if isinstance(entities, list) else None, "$.entities")
    return tuple(Root(path, entity) for path, entity in found if is_node(entity))


def find_root(activity: Node) -> Root | None:
    """The first entity that Web Chat takes for the Message, else the first that looks like it."""
    found = entities_of(activity)
    known = (root for root in found if _is_schema(root.node) and root.node.get("@id") == "")
    return next(known, None) or next((root for root in found if looks_like_message(root.node)), None)


def outside_texts(activity: Node) -> frozenset[str]:
    """The ``@id`` of each claim outside the Message that has a text. Web Chat finds it by that."""
    claims = (root.node for root in entities_of(activity) if root.node.get("type") == _ROOT_CLAIM)
    return frozenset(str(one["@id"]) for one in claims if one.get("text") and isinstance(one.get("@id"), str))


def check_roots(entities: list[object], root: Root | None) -> Iterator[Problem]:
    """Faults for which Web Chat loses a message or ignores its graph.

    It parses one root after the other, up to the Message. So the faults of what stands behind that are none.
    """
    is_parsed = True
    for path, entity in each(entities, "$.entities"):
        if not is_node(entity):
            yield problem("entity-not-an-object", path)
        elif entity.get("type") is not None and not isinstance(entity["type"], str):
            yield problem("entity-type", at(path, "type"))
        elif root and path == root.path:
            yield from _check_message(root)
            is_parsed = not (_is_schema(entity) and entity.get("@id") == "")
        elif _is_schema(entity):
            yield from _check_other(path, entity, root, is_parsed=is_parsed)


def check_nodes(root: Root) -> Iterator[Problem]:
    """Faults of any node of the Message: empty values and missing types."""
    for path, node in nodes(root.node, root.path):
        nested = path != root.path
        if nested and not is_reference(node) and not isinstance(node.get("@type"), str):
            yield problem("node-without-type", path)
        for key, wanted in (_NESTED if nested else _AT_ROOT).items():
            if key in node and wanted not in node:
                yield problem("key-without-at", at(path, key), key=key, wanted=wanted)
        for key, value in node.items():
            if value in (None, "") or isinstance(value, list) or key in _FOREIGN_KEYS:
                yield from _check_value(at(path, key), key, value, nested)


def _check_value(path: str, key: str, value: object, nested: bool) -> Iterator[Problem]:
    if key in _FOREIGN_KEYS and (nested or key != "@context"):
        yield problem("json-ld-keyword", path, key=key)
    for place, item in each(value, path) if isinstance(value, list) else ((path, value),):
        if item is None:
            yield problem("null-value", place)
        elif item == "" and (nested or key != "@id"):
            yield problem("empty-string", place)


def check_elsewhere(activity: Node) -> Iterator[Problem]:
    """A Message outside ``entities``, in an activity that has none there."""
    for key, value in activity.items():
        for path, node in nodes(value, at("$", key)) if key != "entities" else ():
            if _is_message(node):
                yield problem("graph-elsewhere", path)
                return


def is_emptied(node: Node) -> bool:
    """Whether only the type is left of a Message, as of an ``Entity`` of botbuilder for Python 4.17."""
    return set(node) == {"type"} and node["type"] == MESSAGE_TYPE


def _check_message(root: Root) -> Iterator[Problem]:
    if is_emptied(root.node):
        yield problem("message-emptied", root.path)
    yield from _check_parsed(root.path, root.node)
    node, path = root.node, root.path
    kind = node.get("type")
    if not isinstance(kind, str) or not kind.startswith(SCHEMA):
        yield problem("message-type", at(path, "type"))
    elif kind != MESSAGE_TYPE or (isinstance(node.get("@type"), str) and node["@type"] != "Message"):
        yield problem("message-subclass", path)
    if node.get("@id") != "" and isinstance(node.get("@id", ""), str):
        yield problem("message-id", at(path, "@id"))
    yield from _check_keywords(at(path, "keywords"), node.get("keywords"))
    if AI_GENERATED in words(node.get("additionalType")) and AI_GENERATED not in words(node.get("keywords")):
        yield problem("ai-keyword", at(path, "keywords"))


def _check_parsed(path: str, node: Node) -> Iterator[Problem]:
    """Faults for which Web Chat's parser throws in any root with a ``https://schema.org/`` context."""
    if "@context" in node and node["@context"] != CONTEXT:
        yield problem("context", at(path, "@context"))
    if not isinstance(node.get("@type"), str):
        yield problem("root-without-type", at(path, "@type"))
    if "@id" in node and not isinstance(node["@id"], str):
        yield problem("root-id", at(path, "@id"))


def _check_other(path: str, node: Node, root: Root | None, *, is_parsed: bool) -> Iterator[Problem]:
    """A root with a ``https://schema.org/`` type that isn't the Message."""
    if is_parsed:
        yield from _check_parsed(path, node)
    if node.get("@id") == "":
        yield problem("second-message", path)
    elif node.get("type") == _ROOT_CLAIM:
        yield problem("root-claim", path)
    elif root and is_parsed:
        yield problem("extra-root", path)


def _check_keywords(path: str, keywords: object) -> Iterator[Problem]:
    for place, word in each(keywords, path):
        if not isinstance(word, str):
            yield problem("keyword-not-a-string", place)
            continue
        parts = [part.strip() for part in word.split(",")]
        meant = [known for known in _KEYWORDS for part in parts if _letters(part) == _letters(known)]
        if meant and word not in _KEYWORDS:
            wanted = ", ".join(f'"{known}"' for known in meant)
            yield problem("keyword-spelling", place, word=word[:80], wanted=wanted)


def _letters(word: str) -> str:
    return "".join(character for character in word.casefold() if character.isalnum())


def _is_schema(node: Node) -> bool:
    kind = node.get("type")
    return isinstance(kind, str) and kind.startswith(SCHEMA)


def looks_like_message(node: Node) -> bool:
    """Whether its author probably intended it as the Message."""
    return "citation" in node or _is_message(node)


def _is_message(node: Node) -> bool:
    kind = node.get("type")
    return node.get("@type") == "Message" or (isinstance(kind, str) and kind.endswith("schema.org/Message"))
