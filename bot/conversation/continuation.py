"""An answer in two messages, where its stream may not last as long as the answer does.

Teams ends a stream two minutes after its first request. The person has read the text so far, so the
stream ends with it, at the end of a paragraph where there is one, and the rest comes as a message of
its own: nothing is lost, nothing is said twice, and the numbers go on.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from citations import Rendering

from ..messages import Sentence, say

_FENCE: Final = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})(?P<info>.*)")
_PARAGRAPH: Final = "\n\n"


def first_part(newest: Rendering, shown: Rendering | None) -> tuple[Rendering, str]:
    """The end of the stream, and what it has of the answer.

    ``newest`` extends ``shown``, and so must the part. A code block that is cut is closed.
    """
    read = len(shown.text) if shown else 0
    end = newest.text.rfind(_PARAGRAPH)
    said = newest.text[:end] if end >= read else newest.text
    fence = _open_fence(said)
    closed = f"{said}\n{_marks(fence)}" if fence else said
    return _cut(newest, f"{closed}{_PARAGRAPH}{say(Sentence.GOES_ON)}"), said


def second_part(whole: Rendering, said: str) -> Rendering:
    """What the answer says beyond ``said``, with the citations of that; all of it if it doesn't begin so."""
    if not whole.text.startswith(said):
        return whole
    fence = _open_fence(said)
    rest = whole.text[len(said) :].lstrip("\n")
    return _cut(whole, f"{fence}\n{rest}" if fence else rest or say(Sentence.THAT_WAS_THE_ANSWER))


def _cut(rendering: Rendering, text: str) -> Rendering:
    """``rendering`` with this part of its text: a claim is listed where its badge is."""
    return replace(
        rendering, text=text, entities=tuple(_without_unlisted(node, text) for node in rendering.entities)
    )


def _without_unlisted(node: dict[str, object], text: str) -> dict[str, object]:
    claims = node.get("citation")
    if not isinstance(claims, list):
        return node
    listed = [claim for claim in claims if f"[{claim['position']}]" in text]
    kept = {name: value for name, value in node.items() if name != "citation"}
    return {**kept, "citation": listed} if listed else kept


def _open_fence(text: str) -> str:
    """The line that opened the code block in which ``text`` ends; empty where it ends outside."""
    opened = ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if match is None:
            continue
        if not opened:
            opened = match[0]
        elif match["fence"].startswith(_marks(opened)) and not match["info"].strip():
            opened = ""
    return opened


def _marks(opening: str) -> str:
    match = _FENCE.match(opening)
    return match["fence"] if match else ""
