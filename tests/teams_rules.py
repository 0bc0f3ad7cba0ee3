"""What Microsoft Teams takes and what it refuses, as data, and a validator that knows nothing else.

Each rule names its source: a page of Microsoft Teams, what the Agents Playground refuses besides, or
the report of somebody who was refused. Where two of these differ, the stricter one holds: what stands
all rules is taken everywhere.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from markdown_it import MarkdownIt

AI_MESSAGES: Final = "Enhance AI-generated bot messages"
SENSITIVITY: Final = "Add citations and sensitivity labels to agent messages"
FORMAT: Final = "Format your bot messages"
STREAM: Final = "Stream bot messages"
SIZE: Final = "Message size limit for agents"
PLAYGROUND: Final = "Agents Playground 0.2.28, its schema"
WEB_CHAT: Final = "Web Chat's CITATION.md, which finds the message by it; harmless here"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A property of a node: ``kind`` is a string, a number, or the name of a node in ``NODES``.

    ``array``: its least and most items. ``most``: of a string, the length of its UTF-16; of a number,
    its value, which is at least 1. ``only``: its allowed values. Without these it has no bound.
    """

    source: str = AI_MESSAGES

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
        "@id": Rule(source=WEB_CHAT, required=True, only=one("")),
        "additionalType": Rule(source=PLAYGROUND, array=(1, 1), only=one("AIGeneratedContent")),
        "keywords": Rule(source=WEB_CHAT, array=(1, 1), only=one("AIGeneratedContent")),
        "citation": Rule(kind="Claim", array=(1, 20)),
        "usageInfo": Rule(source=SENSITIVITY, kind="CreativeWork"),
    },
    "Claim": {
        "@type": Rule(required=True, only=one("Claim")),
        "position": Rule(
            source="msteams-docs#11036: more than nine digits are refused",
            kind=int,
            required=True,
            most=999_999_999,
        ),
        "appearance": Rule(kind="DigitalDocument", required=True),
    },
    "DigitalDocument": {
        "@type": Rule(required=True, only=one("DigitalDocument")),
        "name": Rule(source="teams-sdk#1714: null is refused", required=True, most=80),
        "abstract": Rule(source=PLAYGROUND, required=True, most=160),
        "url": Rule(),
        "text": Rule(source="Agents-for-net#388: no text but a card"),
        "encodingFormat": Rule(only=one(CARD)),
        "keywords": Rule(source=PLAYGROUND, array=(1, 3), most=28),
        "image": Rule(kind="ImageObject"),
        "usageInfo": Rule(kind="CreativeWork"),
    },
    "ImageObject": {
        "@type": Rule(required=True, only=one("ImageObject")),
        "name": Rule(required=True, only=ICONS),
    },
    "CreativeWork": {
        "@type": Rule(required=True, only=one("CreativeWork")),
        "@id": Rule(source=SENSITIVITY, required=True),
        "name": Rule(source=PLAYGROUND, required=True),
        "description": Rule(source=SENSITIVITY),
    },
}
MESSAGE: Final = "https://schema.org/Message"
MOST_BYTES: Final = 80_000
BADGE: Final = re.compile(r"\[(\d+)\]")
BLOCKS: Final = one("TextBlock", "RichTextBlock")
FORMATS: Final = one("markdown", "plain", "xml")
ENDS: Final = one("additionalType", "keywords", "usageInfo")
COMMONMARK: Final = MarkdownIt("commonmark", {"maxNesting": 100})

Activity = Mapping[str, Any]


def faults(activity: Activity) -> list[str]:
    """What Teams would refuse or lose of an activity, ``place: fault`` each; empty if nothing."""
    roots = [entity for entity in activity["entities"] if entity.get("type") == MESSAGE]
    found = [fault for root in roots for fault in _node(root, "Message", "$")]
    # What follows may rely on what the rules say of each field.
    return found or [f"$: {rule.name}" for rule in WHOLE if not rule.holds(activity, roots)]


def stream_faults(interims: Sequence[Activity], final: Activity) -> list[str]:
    """What Teams would refuse of a stream, whose interims are activities with all but its metadata."""
    found = [
        f"{place}: {fault}"
        for place, interim in enumerate(interims)
        for fault in faults({**interim, "type": "message"})
        # A marker may wait for its reference, and then there is no graph yet.
        if fault != "$: one root message" or interim["entities"]
    ]
    found += [f"final: {fault}" for fault in faults(final)]
    return found or [f"stream: {rule.name}" for rule in STREAMED if not rule.holds(interims, final)]


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


def _has_no_definitions(activity: Activity, _: list[Activity]) -> bool:
    environment: dict[str, Any] = {}
    COMMONMARK.parse(activity["text"], environment)
    return not environment.get("references")


def _badges_are_no_links(activity: Activity, _: list[Activity]) -> bool:
    inlines = [token for token in COMMONMARK.parse(activity["text"]) if token.type == "inline"]
    linked = [
        after.content
        for inline in inlines
        for before, after in pairwise(inline.children or ())
        if before.type == "link_open"
    ]
    return not any(re.fullmatch(r"\d+", text) for text in linked)


def _asks_for_votes_as_documented(activity: Activity, _: list[Activity]) -> bool:
    loop = activity.get("channelData", {}).get("feedbackLoop", {"type": "default"})
    return loop in ({"type": "default"}, {"type": "custom"})


@dataclass(frozen=True, slots=True)
class Whole:
    """What holds between the fields of an activity, or of its graph's roots."""

    name: str
    source: str
    holds: Callable[[Activity, list[Activity]], bool]


WHOLE: Final = (
    Whole("one root message", "teams.ts#185: two are refused", lambda _, roots: len(roots) == 1),
    Whole("positions differ", AI_MESSAGES, _positions_differ),
    Whole("positions are used", AI_MESSAGES, _positions_are_used),
    Whole("a citation's label is the message's", SENSITIVITY, _ids_match),
    Whole("one id has the same words", SENSITIVITY, _same_id_same_words),
    Whole("texts are cards", AI_MESSAGES, _texts_are_cards),
    Whole("at most 80 KB", SIZE, _is_small),
    Whole("no definitions", f"{FORMAT}; with one a badge is a link", _has_no_definitions),
    Whole("badges are no links", f"{FORMAT}; {PLAYGROUND}", _badges_are_no_links),
    Whole("a known text format", PLAYGROUND, lambda activity, _: activity.get("textFormat") in FORMATS),
    Whole("votes as documented", AI_MESSAGES, _asks_for_votes_as_documented),
)


@dataclass(frozen=True, slots=True)
class Streamed:
    """What holds between the interims of a stream and its final."""

    name: str
    source: str
    holds: Callable[[Sequence[Activity], Activity], bool]


def _extends(interims: Sequence[Activity], final: Activity) -> bool:
    texts = [activity["text"] for activity in (*interims, final)]
    return all(after.startswith(before) for before, after in pairwise(texts))


def _labels_come_last(interims: Sequence[Activity], _: Activity) -> bool:
    nodes = [entity for interim in interims for entity in interim["entities"]]
    documents = [claim["appearance"] for claim in _claims(nodes)]
    return not any(ENDS & node.keys() for node in nodes) and not any(
        "usageInfo" in document for document in documents
    )


def _has_no_card(_: Sequence[Activity], final: Activity) -> bool:
    return not any("text" in claim["appearance"] for claim in _claims(final["entities"]))


STREAMED: Final = (
    Streamed("each text begins with the last", f"{STREAM}: 403 otherwise", _extends),
    Streamed(
        "each has text",
        STREAM,
        lambda interims, final: all(one["text"].strip() for one in (*interims, final)[:-1]),
    ),
    Streamed("labels come with the final", STREAM, _labels_come_last),
    Streamed(
        "votes come with the final",
        STREAM,
        lambda interims, _: not any("feedbackLoop" in one.get("channelData", {}) for one in interims),
    ),
    Streamed("no card in the final", "botbuilder-js#4880: 500", _has_no_card),
)
