"""The hostile corpus in the real Web Chat, without the page's own Content-Security-Policy to help."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from citations import Answer, Reference, channel, cite, render
from tests.hostile_answers import ANSWERS, GOOD

from .displayed import displayed, opened_passages
from .posted import BADGE, posted, unprotected


def rendered(text: str, reference: Reference) -> dict[str, Any]:
    return render(cite(Answer(text=text, references=(reference,))), channel("webchat")).to_activity()


async def test_nothing_is_loaded_and_nothing_leads_elsewhere(tmp_path: Path) -> None:
    """Each text is that of an answer, and then the name and the passage of a source."""
    answers = [rendered(text, Reference(id="1", name="Good doc", url=GOOD)) for text in ANSWERS.values()]
    sources = [rendered("See [1].", Reference(id="1", name=text, text=text)) for text in ANSWERS.values()]
    async with unprotected("stable", tmp_path) as chat:
        messages = await posted(chat, [*answers, *sources])
        _, *shown = await displayed(messages, BADGE)
        _, *opened = await opened_passages(messages, BADGE)
        assert chat.foreign == []
        assert chat.complaints == []
    count = len(ANSWERS)
    for (title, text), answer in zip(ANSWERS.items(), shown[:count], strict=True):
        assert (set(answer.links) - {GOOD}, answer.images, answer.tags) == (set(), [], []), title
        if "[1]" in text.replace("see [1]", ""):
            assert answer.badges, title
    for title, message, passage in zip(ANSWERS, shown[count:], opened[count:], strict=True):
        assert passage.words, title
        for one in (message, passage):
            assert (one.links, one.images, one.tags) == ([], [], []), title
