"""Doubts over the wire: marked below the answer where that is wanted, counted, logged without text."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.app.settings import Settings
from bot.config.env import SettingsError
from bot.config.telemetry import TelemetryOptions
from bot.conversation import answer_reader
from bot.conversation.doubt_options import DoubtOptions
from citations import CitedAnswer, Origin, OriginKnown, Reference, ReferencesFound
from citations.doubts import Doubt, find_doubts
from examples.check_grounding import judge
from tests.bot.metrics_reading import numbers
from tests.bot.running import connecting, logged, message, running, send
from tests.bot.scripted_source import ScriptedSource
from tests.ports import free_port

QUESTION = "Do refunds take 7 weeks?"
FOUND = ReferencesFound(
    (
        Reference(id="1", name="Refunds", text="Refunds take five days.", complete=True),
        Reference(
            id="2",
            name="Shipping",
            text="Orders before noon leave the warehouse in Berlin the same evening.",
            complete=True,
        ),
    ),
    complete=True,
)
WRONG = "Refunds take 50 *days* [1]. Orders before noon leave the warehouse in Berlin the same evening [1]."
MARK = DoubtOptions(marks=True)


async def answered(
    text: str, doubts: DoubtOptions, before: OriginKnown | None = None, **fields: Any
) -> dict[str, Any]:
    """The final message of an answer with this text."""
    source = ScriptedSource()
    source.tell(QUESTION, *([before] if before else []), FOUND, text, None)
    async with connecting() as connector, running(source, doubts=doubts) as bot:
        await send(bot, message(connector.service_url, QUESTION, **fields))
        return await connector.next()


SAYS = "Source 1 does not say “50 days”. It says “five days”."
TWO_PARAGRAPHS = "Refunds take 50 days [1]. They are sent back.\n\nOrders leave in the evening [2]."


@pytest.mark.parametrize("channel_id", ["directline", "webchat", "msteams", "email"])
async def test_a_doubt_stands_below_its_paragraph(channel_id: str) -> None:
    text = (await answered(TWO_PARAGRAPHS, MARK, channelId=channel_id))["text"]
    _, marked, last, *_ = text.split("\n\n")
    assert marked.replace("&#46;", ".") == f"*{SAYS}*"
    assert last.startswith("Orders leave")


async def test_a_doubt_stands_behind_its_sentence_in_a_text_message() -> None:
    text = (await answered(TWO_PARAGRAPHS, MARK, channelId="sms"))["text"]
    said = SAYS.replace("“", '"').replace("”", '"')
    assert text.startswith(f"Refunds take 50 days (1). ({said}) They are sent back.\n\nOrders leave")


async def test_a_doubt_stands_behind_its_item_or_below_its_list() -> None:
    listed = "- Refunds take 50 days [1]\n- Orders leave [2]\n\nThat is all."
    assert "50 days (1) (Source 1 does not" in (await answered(listed, MARK, channelId="sms"))["text"]
    text = (await answered(listed, MARK, channelId="webchat"))["text"]
    assert "- Orders leave [2]\n\n*Source 1 does not say" in text
    assert text.index("Source 1 does") < text.index("That is all")


@pytest.mark.parametrize("channel_id", ["msteams", "webchat"])
async def test_a_streamed_answer_has_its_doubts_in_the_final(channel_id: str) -> None:
    source = ScriptedSource()
    source.tell(QUESTION, FOUND, TWO_PARAGRAPHS[:60], 0.5, TWO_PARAGRAPHS[60:], None)
    async with connecting() as connector, running(source, doubts=MARK) as bot:
        conversation = {"conversationType": "personal", "id": "c1"}
        asked = message(connector.service_url, QUESTION, channelId=channel_id, conversation=conversation)
        await send(bot, asked)
        final, interims = {"type": ""}, []
        while final["type"] != "message":
            interims.append(final.get("text", ""))
            final = json.loads((await connector.next_bytes())[1])
    assert any("Refunds" in text for text in interims)
    assert "does not say" not in "".join(interims)
    below = final["text"].index("Source 1 does not say")
    # What Teams has shown of a text stays, so that nothing comes between.
    assert (below < final["text"].index("Orders leave")) == (channel_id == "webchat")


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("de-DE", "In Quelle 1 steht nicht „50 days“, sondern „five days“."),
        ("fr-FR", "La source 1 ne dit pas «\u202f50 days\u202f», mais «\u202ffive days\u202f»."),
        ("es-ES", "La fuente 1 no dice «50 days», sino «five days»."),
    ],
)
async def test_in_the_language_of_the_person(locale: str, words: str) -> None:
    assert words in (await answered(WRONG, MARK, locale=locale))["text"]


async def test_numbers_and_quotations_are_marked_by_default_where_a_model_words_the_answer() -> None:
    marked = (await answered(WRONG, DoubtOptions(), channelId="webchat"))["text"]
    assert "Source 1 does not say" in marked
    assert "Perhaps from another source" not in marked
    assert "Perhaps from another source than 1" in (await answered(WRONG, MARK, channelId="webchat"))["text"]
    assert "does not say" not in (await answered(WRONG, DoubtOptions(marks=False)))["text"]
    quoted = OriginKnown(Origin(generated=False))
    assert "does not say" not in (await answered(WRONG, DoubtOptions(), before=quoted))["text"]
    right = (await answered("Refunds take 5 days [1].", MARK, channelId="sms"))["text"]
    assert right.startswith("Refunds take 5 days (1).\n\n(1) Refunds")


async def test_nothing_is_looked_for_where_nothing_is_shown_and_nobody_listens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[str] = []

    def look(cited: CitedAnswer, question: str | None = None) -> tuple[Doubt, ...]:
        looked.append(cited.text)
        return find_doubts(cited, question)

    monkeypatch.setattr(answer_reader, "find_doubts", look)
    await answered(WRONG, DoubtOptions(marks=False))
    await answered(WRONG, DoubtOptions(), before=OriginKnown(Origin(generated=False)))
    assert looked == []
    await answered(WRONG, MARK)
    assert looked == [WRONG]


async def test_a_number_of_the_question_is_not_doubtful_and_one_of_no_source_is() -> None:
    text = (await answered("Refunds take 5 days [1].\n\nNot 7 weeks, but 9 weeks.", MARK))["text"]
    assert "No source says “9 weeks”." in text
    assert "“7 weeks”" not in text


async def test_a_number_that_another_source_has_is_named_with_it() -> None:
    text = (await answered("Refunds take five days [2].", MARK))["text"]
    assert "Source 1 does not say “five days”. “Refunds” does." in text


async def test_hostile_words_of_a_doubt_stay_words() -> None:
    text = 'They say "**[click](https://evil.example) me or <b>lose</b> your ![x](https://evil.example/i)**" [1].'
    sent = (await answered(text, MARK, channelId="webchat"))["text"]
    assert "](https://evil" not in sent
    assert "<b>" not in sent


async def test_doubts_are_counted_and_logged_by_code() -> None:
    port = free_port()
    source = ScriptedSource()
    source.tell(QUESTION, FOUND, WRONG, None)
    with logged() as log:
        async with (
            connecting() as connector,
            running(source, telemetry=TelemetryOptions(metrics_port=port)) as bot,
        ):
            await send(bot, message(connector.service_url, QUESTION))
            await connector.next()
            counted = await numbers(port)
    assert counted["doubts_total", (("code", "number-not-in-source"),)] == 1
    assert counted["doubts_total", (("code", "source-doubtful"),)] == 1
    (line,) = [json.loads(line) for line in log.getvalue().splitlines() if '"answered"' in line]
    assert line["problems"] == ["number-not-in-source", "source-doubtful"]
    assert "50 days" not in log.getvalue()


# Settings


def test_settings() -> None:
    assert Settings.from_env({}).doubts == DoubtOptions()
    assert Settings.from_env({"DOUBTS": "mark"}).doubts == MARK
    assert Settings.from_env({"DOUBTS": "off"}).doubts == DoubtOptions(marks=False)
    chosen = Settings.from_env({"SUPPORT_JUDGE": "examples.check_grounding:judge"}).doubts
    assert chosen == DoubtOptions(judge=judge)


@pytest.mark.parametrize(
    ("environ", "fault"),
    [
        ({"DOUBTS": "show"}, "DOUBTS=show is not known: use mark or off, or leave it out"),
        (
            {"DOUBTS_MODEL": "m"},
            "DOUBTS_MODEL needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server without keys",
        ),
        ({"SUPPORT_JUDGE": "judge"}, "SUPPORT_JUDGE=judge is not module:callable, such as grounding:judge"),
        (
            {"SUPPORT_JUDGE": "examples.check_grounding:LEAST_SUPPORT"},
            "SUPPORT_JUDGE=examples.check_grounding:LEAST_SUPPORT can't be called",
        ),
    ],
)
def test_faulty_settings(environ: dict[str, str], fault: str) -> None:
    with pytest.raises(SettingsError) as raised:
        Settings.from_env(environ)
    assert raised.value.faults == (fault,)
