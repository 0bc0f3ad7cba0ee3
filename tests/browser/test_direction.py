"""The order in which a person sees letters and badges, in real Web Chat."""

from __future__ import annotations

from pathlib import Path

import pytest

from citations import Answer, Reference, channel, cite, render

from .builds import BUILDS
from .posted import BADGE, posted, unprotected

REFERENCES = (
    Reference(id="1", name="دليل \u202eالسفر", url="https://example.com/1"),
    Reference(id="2", name="מדריך \u2067נסיעות", url="https://example.com/2"),
)
TURNED = "The fee is \u202e40 euros [1] or [2]"
ARABIC = "رسوم النقل \u202b40 يورو\u202c لكل موظف [1]، ويجب الحجز قبل \u206714 يومًا\u2069 [2]."
HEBREW = "דמי הנסיעה הם \u202b40 אירו\u202c לכל עובד [1], ויש להזמין לפני \u206714 יום\u2069 [2]."
_PLACES = """
    (message, words) => words.map(word => {
        const walker = document.createTreeWalker(message, NodeFilter.SHOW_TEXT);
        for (let node; (node = walker.nextNode()); ) {
            const start = node.data.indexOf(word), range = document.createRange();
            if (start < 0) continue;
            range.setStart(node, start);
            range.setEnd(node, start + word.length);
            const { left, top } = range.getBoundingClientRect();
            return [Math.round(top / 20), left];
        }
    })
"""
"""The line of each word, and where it begins on it."""


@pytest.mark.parametrize("build", BUILDS)
async def test_badges_and_words_stand_in_the_order_of_the_writing(build: str, tmp_path: Path) -> None:
    answers = [Answer(text=text, references=REFERENCES) for text in (TURNED, ARABIC, HEBREW)]
    async with unprotected(build, tmp_path) as chat:
        messages = await posted(
            chat, [render(cite(one), channel("webchat")).to_activity() for one in answers]
        )
        first, second = [await one.bounding_box() for one in await messages.nth(1).locator(BADGE).all()]
        assert first
        assert second
        assert first["x"] < second["x"], "badge 1 is where 1 was written"
        # Right to left: the later word is on the left of the earlier one.
        for number, words in (2, ["رسوم", "النقل", "يورو", "موظف"]), (3, ["דמי", "הנסיעה", "אירו", "עובד"]):
            places = await messages.nth(number).locator(".webchat__render-markdown").evaluate(_PLACES, words)
            assert places == sorted(places, key=lambda place: (place[0], -place[1])), places
