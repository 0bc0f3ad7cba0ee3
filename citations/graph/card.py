"""The passage of a citation as an Adaptive Card, which Teams opens in a window of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import pairwise
from typing import Final

from ..model.link_definition import clean_name, clip

CARD_TYPE: Final = "application/vnd.microsoft.card.adaptive"
"""``encodingFormat`` of an ``appearance.text`` that is a card."""
_CHARACTERS: Final = 10_000
_LINES: Final = 100
"""Of all passages of a message, shared evenly: a message of Teams has 80 KB in all."""


def write_card(name: str, passage: str, sharing: int) -> str | None:
    """A card with a title and the lines of a passage as they were typed, as one string of JSON.

    None if there is no passage. ``sharing`` is how many cards the message has. A text run is no
    Markdown (Adaptive Cards, ``RichTextBlock``): nothing in it is live.
    """
    lines = clip(passage.strip(), _CHARACTERS // sharing).splitlines()
    most = _LINES // sharing
    if len(lines) > most:
        lines[most:] = ["…"]
    body = list(_blocks([clean_name(unescape(line), _CHARACTERS) for line in lines]))
    if not body:
        return None
    card = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.5",
        "body": [_block(name, weight="Bolder"), *body],
    }
    return json.dumps(card, ensure_ascii=False, separators=(",", ":"))


def _blocks(lines: Sequence[str]) -> Iterator[dict[str, object]]:
    """A block for each line; those of one paragraph stand close."""
    for before, line in pairwise(["", *lines]):
        if line:
            yield _block(line) | ({"spacing": "None"} if before else {})


def _block(text: str, **style: str) -> dict[str, object]:
    return {"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": text, **style}]}
