"""What a person sees of the bots in ``examples/``, on each SDK, where the Playground looks like Teams."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.citations.integrations.example_bots import running_example

from .page import opened
from .playground import playing


@pytest.mark.parametrize(
    ("bot", "badges", "named"),
    [
        ("botbuilder_bot", ["1"], "Network"),
        ("agents_stream", ["1", "2", "1"], "handbook.pdf, p. 3"),
        ("teams_stream", ["1", "2", "1"], "handbook.pdf, p. 3"),
    ],
)
async def test_the_badges_of_each_sdk(bot: str, badges: list[str], named: str) -> None:
    async with (
        running_example(bot) as authority,
        playing("msteams", authority) as playground,
        opened(playground, greets=False) as teams,
    ):
        await teams.ask("How do I set a proxy?")
        await expect(teams.badges()).to_have_text(badges)
        assert all(one.accepted for one in playground.exchanges if one.activity["type"] == "message")
        await expect(await teams.card(1)).to_contain_text(named)
