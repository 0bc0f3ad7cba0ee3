"""The Message of an activity for Teams: its claims, their documents and the sensitivity labels."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from ....graph.schema_org import AI_GENERATED, MESSAGE_TYPE
from ....model.citation import MAX_CITATIONS
from ....model.errors import Problem, at
from ....model.sensitivity_label import is_purview_id
from ....text.url import safe_url
from ..expansion import check_expansion
from ..roots import Root, check_nodes, entities_of, is_emptied, looks_like_message
from ..rules import teams_problem
from ..values import NUMERAL, Node, each, is_node, nodes, words
from .properties import check_properties

_INTERACTIVE: Final = frozenset({"actions", "selectAction"})


def find_messages(activity: Node) -> tuple[Root, ...]:
    """The entities that Teams takes for a Message, else the first that looks like one."""
    found = entities_of(activity)
    messages = [root for root in found if root.node.get("type") == MESSAGE_TYPE]
    return tuple(messages or [root for root in found if looks_like_message(root.node)][:1])


def claims_of(root: Root | None) -> tuple[Root, ...]:
    """The citations of a Message that are objects, with their paths."""
    claims = each(root.node.get("citation"), at(root.path, "citation")) if root else ()
    return tuple(Root(path, claim) for path, claim in claims if is_node(claim))


def documents_of(root: Root | None) -> Iterator[Root]:
    """The appearances of its citations that are objects, with their paths."""
    for claim in claims_of(root):
        document = claim.node.get("appearance")
        if is_node(document):
            yield Root(at(claim.path, "appearance"), document)


def check_messages(messages: Sequence[Root], *, whole: bool) -> Iterator[Problem]:
    """The faults of the graph, whatever the text says. ``whole`` is False for an interim of a stream."""
    for other in messages[1:]:
        # "400: Multiple root message entities found under entities array."
        yield teams_problem("second-message", other.path)
    for root in messages[:1]:
        if is_emptied(root.node):
            yield teams_problem("message-emptied", root.path)
        if root.node.get("type") != MESSAGE_TYPE:
            yield teams_problem("message-type", at(root.path, "type"))
        faults = (
            *check_properties(root.path, root.node, "Message"),
            *(_check_ai_label(root) if whole else ()),
            *_check_claims(root),
            *_check_labels(root),
        )
        yield from faults
        found = frozenset(fault.path for fault in faults)
        yield from _check_nulls(root, found)
        yield from _check_terms(root, found)


def _check_ai_label(root: Root) -> Iterator[Problem]:
    if AI_GENERATED in words(root.node.get("keywords")) and "additionalType" not in root.node:
        yield teams_problem("ai-label", at(root.path, "additionalType"))


def _check_claims(root: Root) -> Iterator[Problem]:
    citation, path = root.node.get("citation", []), at(root.path, "citation")
    if not isinstance(citation, list):
        yield teams_problem("citation-not-an-array", path)
        return
    if len(citation) > MAX_CITATIONS:
        # "400: Bot message with more than 20 citations."
        yield teams_problem("too-many-citations", path, count=len(citation), most=MAX_CITATIONS)
    seen: dict[int, str] = {}
    for index, node in enumerate(citation):
        if not is_node(node):
            yield teams_problem("claim-dropped", at(path, index))
            continue
        claim = Root(at(path, index), node)
        yield from _check_claim(claim)
        yield from _check_unique(claim, seen)
        yield from _check_document(claim)


def _check_claim(claim: Root) -> Iterator[Problem]:
    position = claim.node.get("position")
    is_numeral = isinstance(position, str) and NUMERAL.fullmatch(position)
    for fault in check_properties(claim.path, claim.node, "Claim"):
        place = fault.path
        yield teams_problem("position-string", place) if is_numeral and fault.code == "position" else fault


def _check_unique(claim: Root, seen: dict[int, str]) -> Iterator[Problem]:
    """A position that another claim has, too: "Must be unique in a message"."""
    position, path = claim.node.get("position"), at(claim.path, "position")
    if isinstance(position, int) and (other := seen.setdefault(position, path)) != path:
        yield teams_problem("duplicate-position", path, position=position, other=other)


def _check_document(claim: Root) -> Iterator[Problem]:
    document, path = claim.node.get("appearance"), at(claim.path, "appearance")
    if not is_node(document) or not document:
        # "400: The appearance object is empty."
        yield teams_problem("claim-without-appearance", path)
        return
    yield from check_properties(path, document, "DigitalDocument")
    url = document.get("url")
    if isinstance(url, str) and url.strip() and safe_url(url) is None:
        yield teams_problem("citation-address", at(path, "url"), url=url)
    yield from _check_card(path, document)


def _check_card(path: str, document: Node) -> Iterator[Problem]:
    if "text" not in document:
        return  # The Teams SDK gives each citation the format of a card, with and without one.
    card = _read_card(document["text"])
    if card is None:
        # Agents-for-net#388: plain text is refused.
        yield teams_problem("citation-text", at(path, "text"))
    elif "encodingFormat" not in document:
        yield teams_problem("citation-format", at(path, "encodingFormat"))
    elif any(map(_is_interactive, (node for _, node in nodes(card, "$")))):
        # "renders an Adaptive Card without any interactive items".
        yield teams_problem("card-interactive", at(path, "text"))


def _read_card(text: object) -> Node | None:
    try:
        card = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    known = is_node(card) and card.get("type") == "AdaptiveCard" and isinstance(card.get("version"), str)
    return card if known else None


def _is_interactive(node: Node) -> bool:
    kind = node.get("type")
    return not _INTERACTIVE.isdisjoint(node) or (
        isinstance(kind, str) and (kind == "ActionSet" or kind.startswith("Input."))
    )


def _check_labels(root: Root) -> Iterator[Problem]:
    whole = root.node.get("usageInfo")
    if "usageInfo" in root.node:
        yield from _check_label(at(root.path, "usageInfo"), whole)
    for claim in claims_of(root):
        if "usageInfo" in claim.node:
            yield teams_problem("label-on-claim", at(claim.path, "usageInfo"))
    for document in documents_of(root):
        if "usageInfo" in document.node:
            path, label = at(document.path, "usageInfo"), document.node["usageInfo"]
            yield from tuple(_check_label(path, label)) or _check_citation_label(path, label, whole)


def _check_label(path: str, label: object) -> Iterator[Problem]:
    if not is_node(label) or not set(label) - {"@id"}:
        yield teams_problem("label-unresolved", path)
        return
    yield from check_properties(path, label, "CreativeWork")
    name, known = label.get("name"), label.get("@id")
    # "send the sensitivity label ID": Teams knows the names of Purview's labels.
    is_known = "name" not in label and isinstance(known, str) and is_purview_id(known)
    if not (isinstance(name, str) and name.strip()) and not is_known:
        yield teams_problem("label-without-name", at(path, "name"))


def _check_citation_label(path: str, label: object, whole: object) -> Iterator[Problem]:
    label, whole = (one if is_node(one) else {} for one in (label, whole))
    name = label.get("@id")
    if not isinstance(name, str) or not name:
        # "It's required when adding sensitivity label to citation reference."
        yield teams_problem("label-without-id", at(path, "@id"))
    elif name != whole.get("@id"):
        # "400: Citation level usageInfo.@id value doesn't match the message level usageInfo.@id".
        yield teams_problem("label-id-mismatch", at(path, "@id"))
    elif any(label.get(key) != whole.get(key) for key in ("name", "description")):
        # "400: multiple usageInfo with the same @id, but their name and description are different".
        yield teams_problem("label-id-reused", path)


def _check_nulls(root: Root, found: frozenset[str]) -> Iterator[Problem]:
    """Null values, which the Playground refuses for each property that it knows.

    ``found`` are paths with a problem.
    """
    for path, node in nodes(root.node, root.path):
        for key, value in node.items():
            if value is None and at(path, key) not in found:
                yield teams_problem("null-value", at(path, key), key=key)


def _check_terms(root: Root, found: frozenset[str]) -> Iterator[Problem]:
    """Misspelt terms. Teams reads plain nested objects, and no other form of JSON-LD."""
    strange = tuple(fault for fault in check_nodes(root) if fault.code == "json-ld-keyword")
    yield from strange or (fault for fault in check_expansion(root) if not _is_inside(fault.path, found))


def _is_inside(path: str, found: frozenset[str]) -> bool:
    """Whether a path, or one of its parents, is among ``found``."""
    while path and path not in found:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return bool(path)
