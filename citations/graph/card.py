"""The passage of a citation as an Adaptive Card, which Teams opens in a window of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import pairwise
from typing import Final

from ..markdown import escape_text
from ..markdown.escapes import INVISIBLE
from ..text.line import clean_name, clip

"""``encodingFormat`` of an ``appearance.text`` that is a card."""
# Adaptive Cards: "Text functions", such as `{{DATE(…)}}`, are called in text runs, too; "Templating", `${…}`.
_CALL: Final = re.compile(r"(?<=[{$])(?={)")
_INERT: Final = re.compile(rf"(?<=[{{$]){INVISIBLE}(?={{)")
_CHARACTERS: Final = 10_000
_LINES: Final = 100
"""Lines of all passages of a message together: a message of Teams has at most 80 KB."""


def write_card(name: str, passage: str, sharing: int) -> str | None:
    """A card with a title and the lines of a passage, as a string of JSON; None without a passage.

    ``sharing`` is the number of cards in the message, which share the limits. Text runs are no Markdown
    (Adaptive Cards, ``RichTextBlock``), and call no function, so nothing in them is live.
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
    inert = _CALL.sub(INVISIBLE, text)
    return {"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": inert, **style}]}


def read_card(card: str, name: str) -> str | None:
    """The words of an Adaptive Card as Markdown, without a first line that repeats ``name``.

    None for a card without words, and for a text that is no card.
    """
    try:
        body = json.loads(card).get("body")
    except (ValueError, AttributeError, RecursionError):
        return None
    paragraphs: list[str] = []
    for block in body if isinstance(body, list) else ():
        line, joined = _words(block)
        if line and joined and paragraphs:
            paragraphs[-1] += f"\n{line}"
        elif line:
            paragraphs.append(line)
    if paragraphs and name and paragraphs[0] == escape_text(name):
        del paragraphs[0]
    return "\n\n".join(paragraphs) or None


def _words(block: object) -> tuple[str, bool]:
    """The words of a block as Markdown, and whether they follow those before without a space."""
    if not isinstance(block, dict):
        return "", False
    text, runs = block.get("text"), block.get("inlines")
    words = [text] if isinstance(text, str) else []
    for run in runs if isinstance(runs, list) else ():
        shown = run.get("text") if isinstance(run, dict) else run
        # A text run is no Markdown.
        words += [escape_text(_INERT.sub("", shown))] if isinstance(shown, str) else []
    return "".join(words), block.get("spacing") == "None"
