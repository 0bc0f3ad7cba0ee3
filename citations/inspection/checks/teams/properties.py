"""The values that Teams takes for each property of a Message's nodes, as one table.

The sources are Microsoft's pages "Enhance AI-generated bot messages" and "Add citations and sensitivity
labels to agent messages". Some rows quote stricter sources: the Agents Playground, which is Microsoft's
own emulator of Teams, or a report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ....graph.schema_org import AI_GENERATED, CARD_TYPE, CONTEXT
from ....model.errors import Problem, at
from ....text.grapheme import utf16
from ..rules import teams_problem
from ..values import Node, is_node

ICONS: Final = frozenset(
    (
        "Microsoft Word", "Microsoft Excel", "Microsoft PowerPoint", "Microsoft OneNote",
        "Microsoft SharePoint", "Microsoft Visio", "Microsoft Loop", "Microsoft Whiteboard", "Source Code",
        "Sketch", "Adobe Illustrator", "Adobe Photoshop", "Adobe InDesign", "Adobe Flash", "Image", "GIF",
        "Video", "Sound", "ZIP", "Text", "PDF",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a node: its problem's code, whether it is required, and its valid values."""

    key: str
    code: str
    required: bool
    holds: Callable[[object], bool]


def check_properties(path: str, node: Node, kind: str) -> Iterator[Problem]:
    """The faults of a node's own properties; ``kind`` is a key of the table."""
    for row in PROPERTIES[kind]:
        if row.required if row.key not in node else not row.holds(node[row.key]):
            yield teams_problem(row.code, at(path, row.key), name=kind)


def _text(most: int | None = None) -> Callable[[object], bool]:
    """A test for text that isn't blank and has at most ``most`` characters in UTF-16."""
    return lambda value: (
        isinstance(value, str) and bool(value.strip()) and (most is None or utf16(value) <= most)
    )


def _one_of(*values: object) -> Callable[[object], bool]:
    return lambda value: value in values


def _is_position(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 999_999_999


def _are_keywords(value: object) -> bool:
    return isinstance(value, list) and len(value) <= 3 and all(map(_text(28), value))


def _is_image(value: object) -> bool:
    return is_node(value) and value.get("@type") == "ImageObject" and str(value.get("name")) in ICONS


def _has_type(name: str) -> Property:
    return Property("@type", "node-type", True, _one_of(name))


PROPERTIES: Final[Mapping[str, tuple[Property, ...]]] = {
    "Message": (
        # "Error parsing message entity from entities array" (400).
        _has_type("Message"),
        Property("@context", "context", True, _one_of(CONTEXT)),
        # "Allowed value: AIGeneratedContent"; the Playground refuses a string, and a second item.
        Property("additionalType", "ai-label", False, _one_of([AI_GENERATED])),
    ),
    "Claim": (
        _has_type("Claim"),
        # "Integer. Required." msteams-docs#11036: more than nine digits are refused.
        Property("position", "position", True, _is_position),
    ),
    "DigitalDocument": (
        _has_type("DigitalDocument"),
        # teams-sdk#1714: null is refused with "Error while parsing citation entity".
        Property("name", "citation-name", True, _text(80)),
        # Optional on Microsoft's page, but the Playground requires it. teams-sdk#2064: the service refuses
        # more than 480 characters.
        Property("abstract", "citation-abstract", True, _text(160)),
        # The Playground refuses null; teams.py writes it.
        Property("url", "citation-url", False, _text()),
        Property("encodingFormat", "citation-format", False, _one_of(CARD_TYPE)),
        Property("keywords", "citation-keywords", False, _are_keywords),
        Property("image", "citation-icon", False, _is_image),
    ),
    "CreativeWork": (
        _has_type("CreativeWork"),
        Property("description", "label-description", False, _text()),
    ),
}
