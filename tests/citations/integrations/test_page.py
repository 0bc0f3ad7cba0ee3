"""docs/integrations.md shows what the example bots do, and names tests that are there."""

from __future__ import annotations

import pytest

from .page import ROOT, blocks

RUN_IN_THE_HOP = ("async def pass_on_with_botbuilder", "async def echo", "async def messages", "app = App(")


@pytest.mark.parametrize(
    "block", [one for one in blocks("docs/integrations.md") if not one.startswith(RUN_IN_THE_HOP)]
)
def test_its_code_is_that_of_the_examples(block: str) -> None:
    examples = [path.read_text(encoding="utf-8") for path in ROOT.glob("examples/*.py")]
    assert len([one for one in examples if block in one]) == 1


@pytest.mark.parametrize("sdk", ["agents", "botbuilder", "teams"])
def test_the_first_bot_of_an_sdk_is_shown_whole_and_short(sdk: str) -> None:
    first = (ROOT / "examples" / f"{sdk}_bot.py").read_text(encoding="utf-8")
    assert first in blocks("docs/integrations.md")
    assert len(first.splitlines()) <= 25
