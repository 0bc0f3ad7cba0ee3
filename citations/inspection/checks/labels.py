"""Sensitivity labels: which are shown, in which colour, with which lock, and which are lost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Final

from ...graph.schema_org import COLOR_TERMS, LOCK_KEYWORDS
from ...model.errors import Problem, at
from ...model.sensitivity_label import is_color
from .blank_nodes import BlankNodes
from .claims import ReadClaim
from .roots import Root
from .rules import problem
from .values import Node, first, is_node, words

_LOCK: Final = LOCK_KEYWORDS[-1]
_CSS_COLOR: Final = re.compile(r"transparent|currentcolor|(?:rgb|hsl)a?\([\d\s.,%/deg]+\)", re.IGNORECASE)


def check_labels(
    root: Root, claims: Sequence[ReadClaim], blank: BlankNodes, *, text: str, listed: bool
) -> Iterator[Problem]:
    """Labels that a reader doesn't see. ``listed`` says whether the text has a definition to list."""
    labelled = False
    for claim in claims:
        if "usageInfo" in claim.node:
            yield problem("label-on-claim", at(claim.path, "usageInfo"))
        if claim.appearance is not None and "usageInfo" in claim.appearance:
            labelled = True
            yield from _check_label(at(claim.place, "usageInfo"), claim.appearance["usageInfo"], blank)
    path = at(root.path, "usageInfo")
    if "usageInfo" in root.node:
        yield from _check_message_label(path, root.node["usageInfo"], blank, text, listed=listed)
    elif labelled:
        yield problem("message-without-label", path)


def _check_label(path: str, value: object, blank: BlankNodes) -> Iterator[Problem]:
    if value is None:
        return
    label = blank.resolve(first(value))
    if label is None:
        yield problem("label-unresolved", path)
    elif not isinstance(first(label.get("name")), str):
        yield problem("label-without-name", path)
    elif not isinstance(label.get("description", ""), (str, list)):
        yield problem("not-a-string", at(path, "description"), key="description")
    if label is not None and "url(" in str(_term_code(label)).replace(" ", "").lower():
        yield problem("label-color-fetches", at(path, "pattern"))


def _check_message_label(
    path: str, value: object, blank: BlankNodes, text: str, *, listed: bool
) -> Iterator[Problem]:
    yield from _check_label(path, value, blank)
    label = blank.resolve(first(value))
    if label is None:
        return
    if not listed and str(first(label.get("name"))) not in unescape(text):
        yield problem("label-not-shown", path)
    keywords = words(label.get("keywords"))
    if _LOCK not in keywords and any(
        word.replace("-", "").lower() == "encryptedcontent" for word in keywords
    ):
        yield problem("label-lock", at(path, "keywords"), keyword=_LOCK)
    if "pattern" in label and not _is_color(first(label["pattern"])):
        yield problem("label-color", at(path, "pattern"))


def _term_code(label: Node) -> object:
    pattern = first(label.get("pattern"))
    return first(pattern.get("termCode")) if is_node(pattern) else None


def _is_color(pattern: object) -> bool:
    if not is_node(pattern):
        return False
    code = first(pattern.get("termCode"))
    return (
        isinstance(pattern.get("@type"), str)
        and first(pattern.get("inDefinedTermSet")) == COLOR_TERMS
        and first(pattern.get("name")) == "color"
        and isinstance(code, str)
        and ("url(" in code.lower() or is_color(code.strip()) or bool(_CSS_COLOR.fullmatch(code.strip())))
    )
