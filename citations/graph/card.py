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
"""Lines of all passages of a message together: a message of Teams has at most 80 KB."""


def write_card(name: str, passage: str, sharing: int) -> str | None:
    """A card with a title and the lines of a passage, as a string of JSON; None without a passage.

    ``sharing`` is the number of cards in the message, which share the limits. Text runs are no Markdown
    (Adaptive Cards, ``RichTextBlock``), so nothing in them is live.
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
    """A block for each line. The lines of a paragraph have no space between them."""
    for before, line in pairwise(["", *lines]):
        if line:
            yield _block(line) | ({"spacing": "None"} if before else {})


def _block(text: str, **style: str) -> dict[str, object]:
    return {"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": text, **style}]}
