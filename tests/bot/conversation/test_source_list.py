"""What an answer names where a channel lists the sources below it, and where badges have their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.sources.folder import FolderSource
from tests.bot.person import Person
from tests.bot.running import connecting, running

CLUB = "# Club\n\n" + "\n\n".join(
    f"## The {place}\n\nMembers may use the {place} with a key."
    for place in ("hall", "court", "boat", "roof")
)


@pytest.mark.parametrize(
    ("channel_id", "named"),
    [
        ("msteams", "Also: Club › The court [2] · Club › The boat [3] · Club › The roof [4]"),
        ("line", "Also: (2) (3) (4)\n\n(1) Club › The hall\n\n(2) Club › The court"),
        ("email", "Also: (2) (3) (4)\n\n**Sources**\n\n(1) Club › The hall"),
    ],
)
async def test_what_is_near_is_named_once(tmp_path: Path, channel_id: str, named: str) -> None:
    docs = tmp_path / "club"
    docs.mkdir()
    (docs / "club.md").write_text(CLUB, encoding="utf-8")
    source = FolderSource(docs, document_base="", cache=tmp_path / "cache")
    async with connecting() as connector, running(source, docs=docs) as bot:
        answer = await Person(connector, channel_id).write(bot, "How may members use the hall?")
    assert "Members may use the hall with a key." in answer
    assert named in answer
