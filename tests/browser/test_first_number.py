"""The first numbers of lists in real Web Chat."""

from __future__ import annotations

from pathlib import Path

import pytest

from citations import Answer, channel, cite, render

from .posted import posted, unprotected

STEPS = "1. Stop it:\n```\nstop\n```\n2. Copy it.\n3. Start it:\n\n   - here"


@pytest.mark.parametrize("build", ["stable", "main"])
async def test_each_step_shows_its_number(build: str, tmp_path: Path) -> None:
    rendered = render(cite(Answer(text=STEPS)), channel("webchat")).to_activity()
    async with unprotected(build, tmp_path) as chat:
        _, bare, steps = await (await posted(chat, [{"type": "message", "text": "3. three"}, rendered])).all()
        # That is why: with `start`, the numbers would need no paragraphs.
        assert await bare.locator("ol").get_attribute("start") is None
        paragraphs = await steps.locator("p").all_inner_texts()
        assert [words for words in paragraphs if words[0].isdigit()] == [
            "2. Copy it.",
            "3. Start it:",
        ]
