"""What a person sees of the bots in ``examples/``, on each SDK, where the Playground looks like Teams."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.citations.integrations.example_bots import running_example

from .page import opened
from .playground import playing


@pytest.mark.parametrize("bot", ["botbuilder_bot", "agents_bot", "teams_bot"])
async def test_the_badges_of_each_sdk(bot: str) -> None:
    async with (
        running_example(bot) as authority,
        playing("msteams", authority) as playground,
        opened(playground, greets=False) as teams,
    ):
        await teams.ask("How do I set a proxy?")
        await expect(teams.badges()).to_have_text(["1", "2", "1"])
        assert all(one.accepted for one in playground.exchanges if one.activity["type"] == "message")
        handbook = await teams.card(1)
        await expect(handbook).to_contain_text("handbook.pdf, p. 3")
