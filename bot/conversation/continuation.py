"""Splits an answer into two messages when its stream reaches the channel's time limit.

Teams ends a stream two minutes after its first request. The person has read the text so far. So the
stream ends with that text, if possible after a paragraph, and the rest follows as a message.
No text is lost or repeated, and the numbers of the citations continue.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from citations import Rendering
from citations.markdown import open_fence

from ..languages import Sentence, say

_PARAGRAPH: Final = "\n\n"


def cut_first_part(newest: Rendering, shown: Rendering | None) -> tuple[Rendering, str]:
    """The final of the stream, and the text of the answer that it has.

    ``newest`` extends ``shown``, and the final must too. A code block that is cut is closed.
    """
    shown_length = len(shown.text) if shown else 0
    end = newest.text.rfind(_PARAGRAPH)
    text = newest.text[:end] if end >= shown_length else newest.text
    return _cut(newest, f"{text}{open_fence(text)}{_PARAGRAPH}{say(Sentence.GOES_ON)}"), text


def cut_rest(whole: Rendering, first_text: str) -> Rendering:
    """The answer behind ``first_text`` with its citations; all of it if it begins otherwise."""
    if not whole.text.startswith(first_text):
        return whole
    fence = _find_opening(first_text)
    rest = whole.text[len(first_text) :].lstrip("\n")
    return _cut(whole, f"{fence}\n{rest}" if fence else rest or say(Sentence.THAT_WAS_THE_ANSWER))


def _cut(rendering: Rendering, text: str) -> Rendering:
    """``rendering`` with this text, and with the claims whose badges the text has."""
    return replace(
        rendering, text=text, entities=tuple(_drop_unused_claims(node, text) for node in rendering.entities)
    )


def _drop_unused_claims(node: dict[str, object], text: str) -> dict[str, object]:
    claims = node.get("citation")
    if not isinstance(claims, list):
        return node
    used = [claim for claim in claims if f"[{claim['position']}]" in text]
    others = {name: value for name, value in node.items() if name != "citation"}
    return {**others, "citation": used} if used else others


def _find_opening(text: str) -> str:
    """The line that opens the code block in which ``text`` ends; empty outside of one."""
    marks = open_fence(text).strip()
    lines = text.split("\n") if marks else []
    return next((line for line in reversed(lines) if line.startswith(marks)), "")
