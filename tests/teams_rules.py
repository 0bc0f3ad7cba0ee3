"""What Microsoft Teams takes and what it refuses, as data, and a validator that knows nothing else.

From "Enhance AI-generated bot messages" and "Add citations and sensitivity labels to agent messages"
(Microsoft Teams), what the Agents Playground refuses besides, and what users were refused. Where two
of these differ, the stricter one holds: a graph that stands all rules is taken everywhere.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A property of a node: ``kind`` is a string, a number, or the name of a node in ``NODES``.

    ``array``: its least and most items. ``most``: of a string, the length of its UTF-16; of a number,
    its value, which is at least 1. ``only``: its allowed values. Without these it has no bound.
    """

    kind: type | str = str
    required: bool = False
    array: tuple[int, int] | None = None
    most: int | None = None
    only: frozenset[str] | None = None


def one(*values: str) -> frozenset[str]:
    return frozenset(values)


ICONS: Final = one(
    "Microsoft Word", "Microsoft Excel", "Microsoft PowerPoint", "Microsoft OneNote", "Microsoft SharePoint",
    "Microsoft Visio", "Microsoft Loop", "Microsoft Whiteboard", "Source Code", "Sketch", "Adobe Illustrator",
    "Adobe Photoshop", "Adobe InDesign", "Adobe Flash", "Image", "GIF", "Video", "Sound", "ZIP", "Text", "PDF",
)  # fmt: skip
CARD: Final = "application/vnd.microsoft.card.adaptive"

NODES: Final[Mapping[str, Mapping[str, Rule]]] = {
    "Message": {
        "type": Rule(required=True, only=one("https://schema.org/Message")),
        "@type": Rule(required=True, only=one("Message")),
        "@context": Rule(required=True, only=one("https://schema.org")),
        "@id": Rule(required=True, only=one("")),
        "additionalType": Rule(array=(1, 1), only=one("AIGeneratedContent")),
        "keywords": Rule(array=(1, 1), only=one("AIGeneratedContent")),
        "citation": Rule(kind="Claim", array=(1, 20)),
        "usageInfo": Rule(kind="CreativeWork"),
    },
    "Claim": {
        "@type": Rule(required=True, only=one("Claim")),
        "position": Rule(kind=int, required=True, most=999_999_999),
        "appearance": Rule(kind="DigitalDocument", required=True),
    },
    "DigitalDocument": {
        "@type": Rule(required=True, only=one("DigitalDocument")),
        "name": Rule(required=True, most=80),
        "abstract": Rule(required=True, most=160),
        "url": Rule(),
        "text": Rule(),
        "encodingFormat": Rule(only=one(CARD)),
        "keywords": Rule(array=(1, 3), most=28),
        "image": Rule(kind="ImageObject"),
        "usageInfo": Rule(kind="CreativeWork"),
    },
    "ImageObject": {
        "@type": Rule(required=True, only=one("ImageObject")),
        "name": Rule(required=True, only=ICONS),
    },
    "CreativeWork": {
        "@type": Rule(required=True, only=one("CreativeWork")),
        "@id": Rule(required=True),
        "name": Rule(required=True),
        "description": Rule(),
    },
}
MESSAGE: Final = "https://schema.org/Message"
MOST_BYTES: Final = 80_000
"""Of a message in UTF-16: Teams refuses more than about 100 KB, and asks to stay below 80."""
BADGE: Final = re.compile(r"\[(\d+)\]")
BLOCKS: Final = one("TextBlock", "RichTextBlock")

Activity = Mapping[str, Any]


def faults(activity: Activity) -> list[str]:
    """What Teams would refuse or lose of an activity, ``place: fault`` each; empty if nothing."""
    roots = [entity for entity in activity["entities"] if entity.get("type") == MESSAGE]
    found = [fault for root in roots for fault in _node(root, "Message", "$")]
    # What follows may rely on what the rules say of each field.
    return found or [f"$: {name}" for name, holds in WHOLE.items() if not holds(activity, roots)]


def _node(node: object, name: str, place: str) -> Iterator[str]:
    if not isinstance(node, dict):
        yield f"{place}: no {name}"
        return
    rules = NODES[name]
    yield from (f"{place}.{key}: unknown" for key in node if key not in rules)
    for key, rule in rules.items():
        if key in node:
            yield from _property(node[key], rule, f"{place}.{key}")
        elif rule.required:
            yield f"{place}.{key}: missing"


def _property(value: object, rule: Rule, place: str) -> Iterator[str]:
    if rule.array is None:
        yield from _value(value, rule, place)
    elif not isinstance(value, list):
        yield f"{place}: no array"
    elif not rule.array[0] <= len(value) <= rule.array[1]:
        yield f"{place}: {len(value)} items"
    else:
        for index, item in enumerate(value):
            yield from _value(item, rule, f"{place}[{index}]")


def _value(value: object, rule: Rule, place: str) -> Iterator[str]:
    if isinstance(rule.kind, str):
        yield from _node(value, rule.kind, place)
    elif not isinstance(value, rule.kind) or isinstance(value, bool):
        yield f"{place}: no {rule.kind.__name__}"
    elif isinstance(value, int):
        if not 1 <= value <= (rule.most or value):
            yield f"{place}: out of range"
    elif isinstance(value, str):
        yield from _string(value, rule, place)


def _string(value: str, rule: Rule, place: str) -> Iterator[str]:
    if rule.only is not None:
        if value not in rule.only:
            yield f"{place}: not allowed"
    elif not value.strip():
        yield f"{place}: empty"
    elif rule.most is not None and utf16(value) > rule.most:
        yield f"{place}: too long"


def utf16(text: str) -> int:
    """The length of ``text`` as .NET and JavaScript count it."""
    return len(text.encode("utf-16-le")) // 2


def _claims(roots: list[Activity]) -> list[Activity]:
    return [claim for root in roots for claim in root.get("citation", ())]


def _labels(roots: list[Activity]) -> list[Activity]:
    documents = (claim["appearance"] for claim in _claims(roots))
    return [document["usageInfo"] for document in documents if "usageInfo" in document]


def _positions_differ(_: Activity, roots: list[Activity]) -> bool:
    return all(count == 1 for count in Counter(claim["position"] for claim in _claims(roots)).values())


def _positions_are_used(activity: Activity, roots: list[Activity]) -> bool:
    shown = {int(number) for number in BADGE.findall(activity["text"])}
    return {claim["position"] for claim in _claims(roots)} <= shown


def _ids_match(_: Activity, roots: list[Activity]) -> bool:
    wholes = [root.get("usageInfo", {}).get("@id") for root in roots]
    return all(label["@id"] in wholes for label in _labels(roots))


def _same_id_same_words(_: Activity, roots: list[Activity]) -> bool:
    labels = [*_labels(roots), *(root["usageInfo"] for root in roots if "usageInfo" in root)]
    words = {(label["@id"], label["name"], label.get("description")) for label in labels}
    return len(words) == len({label["@id"] for label in labels})


def _texts_are_cards(_: Activity, roots: list[Activity]) -> bool:
    return all(
        ("text" in document) == ("encodingFormat" in document) and _is_card(document.get("text"))
        for document in (claim["appearance"] for claim in _claims(roots))
    )


def _is_card(text: str | None) -> bool:
    try:
        card = json.loads(text) if text is not None else None
    except ValueError:
        return False
    # "renders an Adaptive Card without any interactive items".
    return card is None or (
        isinstance(card, dict)
        and (card.get("type"), card.get("version")) == ("AdaptiveCard", "1.5")
        and set(card) == {"$schema", "type", "version", "body"}
        and all(block["type"] in BLOCKS and "selectAction" not in block for block in card["body"])
    )


def _is_small(activity: Activity, _: list[Activity]) -> bool:
    return len(json.dumps(activity, ensure_ascii=False).encode("utf-16-le")) <= MOST_BYTES


WHOLE: Final[Mapping[str, Callable[[Activity, list[Activity]], bool]]] = {
    "one root message": lambda _, roots: len(roots) == 1,
    "positions differ": _positions_differ,
    "positions are used": _positions_are_used,
    "a citation's label is the message's": _ids_match,
    "one id has the same words": _same_id_same_words,
    "texts are cards": _texts_are_cards,
    "at most 80 KB": _is_small,
}
"""What holds between fields."""
