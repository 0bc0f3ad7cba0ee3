"""A conversation in the toy language of test_toy_language.py: it prints what the bot says, as JSON."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from bot.sources.folder import FolderSource
from citations import Answer, Reference, channel, cite, render
from citations.doubts import find_doubts

from .person import Person
from .running import connecting, running


async def talk(folder: Path) -> dict[str, object]:
    source = FolderSource(folder / "docs", document_base="", cache=folder / "cache")
    async with connecting() as connector, running(source) as bot:
        person = Person(connector, "sms", locale="xx-YY")
        asked = ["", "Kolu mep grinfo vu zub?", "Blip!", "Nubbo 1", "Halvu!"]
        said = {text: await person.write(bot, text) for text in asked}
        # Without a locale, its small words tell.
        said["nothing"] = await Person(connector, "sms", "c2").write(bot, "Kolu mep vu zub wanto mep vu?")
    rent = Reference(id="1", name="R", text="Vu grinfo mep dorri flint.", complete=True)
    right, wrong = (
        cite(Answer(text=f"Vu grinfo mep {text} [nubbo 1].", references=(rent,)))
        for text in ("dorri flint", "fadder zaddo flint")
    )
    return {
        **said,
        "badge": render(right, channel("webchat")).text,
        "right": [one.words for one in find_doubts(right)],
        "wrong": [one.words for one in find_doubts(wrong)],
    }


if __name__ == "__main__":
    print("=" * 8 + json.dumps(asyncio.run(talk(Path(sys.argv[1])))))
