"""What a person sees of the sample conversation where the Playground looks like Teams."""

from __future__ import annotations

from dataclasses import replace

from playwright.async_api import expect

from bot.app.application import DELIVERY
from citations import ReferencesFound
from citations.graph import VOTE_INVOKE
from examples.channels import ANSWER, LABELS, QUESTION
from tests.bot.running import PROMPT, running_app
from tests.bot.scripted_source import ScriptedSource

from .page import opened
from .playground import playing


async def test_the_sample_conversation() -> None:
    source = ScriptedSource(title="Company handbook")
    source.tell(QUESTION, ReferencesFound(ANSWER.references), ANSWER.text, None)
    async with (
        # A busy machine would begin a stream, which is more than one activity.
        running_app(source, timeouts=replace(PROMPT, typing_after=60.0)) as (bot, app),
        playing("msteams", bot) as playground,
        opened(playground) as teams,
    ):
        app[DELIVERY].ranking = LABELS
        await teams.ask(QUESTION)
        await expect(teams.badges()).to_have_text(["1", "1", "2", "3"])

        await expect(teams.answer_header()).to_contain_text("AI generated")
        await expect(teams.answer_header().get_by_role("img", name="Confidential")).to_be_visible()

        guide = await teams.card(1)
        await expect(guide).to_contain_text("Security guide")
        passage = guide.get_by_text("A stolen device is reported")
        await expect(passage).to_have_attribute("href", "https://intranet.example.com/security")
        insurance = await teams.card(3)
        await expect(insurance).to_contain_text("Theft is covered if")
        await expect(insurance).to_contain_text("insurance.pdf, p. 12")
        await expect(insurance).to_contain_text("For employees only. It can't be forwarded.")
        assert [one.status for one in playground.exchanges] == [201, 201]

        # It doesn't say which answer is liked, so that nothing can be kept; the person is thanked.
        await teams.like("It was quick.")
        vote = await playground.turn("invoke")
        assert vote.activity["name"] == VOTE_INVOKE
        assert vote.activity["value"]["actionValue"]["reaction"] == "like"
        assert "replyToId" not in vote.activity
        assert (vote.status, vote.answer) == (200, "{}")
