"""Doubts over the wire: marked below the answer where that is wanted, counted, logged without text."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import pytest
from aiohttp import web

from bot.app.settings import Settings
from bot.config.env import SettingsError
from bot.config.telemetry import TelemetryOptions
from bot.conversation.doubt_options import ClaimAndPassage, DoubtOptions
from citations import Reference, ReferencesFound
from examples.check_grounding import judge
from tests.bot.metrics_reading import numbers
from tests.bot.running import connecting, free_port, logged, message, running, send
from tests.bot.scripted_source import ScriptedSource

QUESTION = "Refunds?"
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


async def answered(text: str, doubts: DoubtOptions, **fields: Any) -> dict[str, Any]:
    """The final message of an answer with this text."""
    source = ScriptedSource()
    source.tell(QUESTION, FOUND, text, None)
    async with connecting() as connector, running(source, doubts=doubts) as bot:
        await send(bot, message(connector.service_url, QUESTION, **fields))
        return await connector.next()


@pytest.mark.parametrize("channel_id", ["directline", "webchat", "msteams", "sms", "email", "slack"])
async def test_doubts_stand_below_the_answer_on_every_channel(channel_id: str) -> None:
    text = (await answered(WRONG, MARK, channelId=channel_id))["text"]
    answer, found, below = text.partition("Not found in the source: 50 days")
    assert found
    assert "Refunds take 50" in answer
    assert "Perhaps from another source than 1: " in below
    assert "Orders before noon leave the warehouse" in below


@pytest.mark.parametrize("channel_id", ["msteams", "webchat"])
async def test_doubts_stand_below_a_streamed_answer(channel_id: str) -> None:
    source = ScriptedSource()
    source.tell(QUESTION, FOUND, WRONG[:60], 0.5, WRONG[60:], None)
    async with connecting() as connector, running(source, doubts=MARK) as bot:
        conversation = {"conversationType": "personal", "id": "c1"}
        asked = message(connector.service_url, QUESTION, channelId=channel_id, conversation=conversation)
        await send(bot, asked)
        final, interims = {"type": ""}, []
        while final["type"] != "message":
            interims.append(final.get("text", ""))
            final = json.loads((await connector.next_bytes())[1])
    assert any("Refunds" in text for text in interims)
    assert "Not found" not in "".join(interims)
    assert "Not found in the source: 50 days" in final["text"]


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("de-DE", "In der Quelle nicht gefunden: 50 days"),
        ("fr-FR", "Introuvable dans la source\u202f: 50 days"),
        ("es-ES", "No se encuentra en la fuente: 50 days"),
    ],
)
async def test_in_the_language_of_the_person(locale: str, words: str) -> None:
    assert words in (await answered(WRONG, MARK, locale=locale))["text"]


async def test_without_the_option_or_a_doubt_the_answer_stays_as_it_is() -> None:
    assert "Not found" not in (await answered(WRONG, DoubtOptions(), channelId="sms"))["text"]
    right = (await answered("Refunds take 5 days [1].", MARK, channelId="sms"))["text"]
    assert right.startswith("Refunds take 5 days (1).\n\n(1) Refunds")


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


# A model that judges support


@contextlib.asynccontextmanager
async def grounding(scores: Mapping[str, object], status: int = 200) -> AsyncIterator[tuple[str, list[Any]]]:
    """A server of Google's form, with the ``supportScore`` of each claim; its URL, and what it was asked."""
    asked: list[Any] = []

    async def check(request: web.Request) -> web.Response:
        body = await request.json()
        asked.append((request.headers["Authorization"], body))
        return web.json_response({"supportScore": scores.get(body["answerCandidate"])}, status=status)

    app = web.Application()
    app.router.add_post("/v1/projects/p/locations/global/groundingConfigs/{name}", check)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        port = runner.addresses[0][1]
        path = "v1/projects/p/locations/global/groundingConfigs/default_grounding_config:check"
        yield f"http://127.0.0.1:{port}/{path}", asked
    finally:
        await runner.cleanup()


async def test_a_model_that_judges_support_is_asked_with_claims_and_passages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    claims = {"Refunds are quick.": 0.2, "Noon is early.": 0.9, "Berlin is far.": None}
    async with grounding(claims) as (url, asked):
        monkeypatch.setenv("CHECK_GROUNDING_URL", url)
        monkeypatch.setenv("CHECK_GROUNDING_TOKEN", "t0ken")
        options = DoubtOptions(marks=True, judge=judge)
        text = "Refunds are *quick* [1]. Noon is early [2]. Berlin is far [1][2]. Nothing is cited."
        sent = (await answered(text, options, channelId="sms"))["text"]
    assert 'Perhaps not supported by source 1: "Refunds are quick."' in sent.replace("“", '"').replace(
        "”", '"'
    )
    assert 'Noon is early."' not in sent
    assert {header for header, _ in asked} == {"Bearer t0ken"}
    assert next(body for _, body in asked) == {
        "answerCandidate": "Refunds are quick.",
        "facts": [{"factText": "Refunds take five days."}],
    }
    assert len(asked) == 3


async def fail(pairs: Sequence[ClaimAndPassage]) -> list[bool | None]:
    raise RuntimeError(pairs[0].claim)


async def say_too_little(pairs: Sequence[ClaimAndPassage]) -> list[bool | None]:
    return [False]


@pytest.mark.parametrize("failing", [fail, say_too_little])
async def test_an_answer_does_not_depend_on_the_judge(failing: Any) -> None:
    with logged() as log:
        text = "Refunds are quick [1]. Noon is early [2]."
        sent = await answered(text, DoubtOptions(marks=True, judge=failing), channelId="sms")
    assert sent["text"].startswith("Refunds are quick (1). Noon is early (2).")
    assert "Perhaps" not in sent["text"]
    assert "support not judged" in log.getvalue()
    assert "quick" not in log.getvalue()


# Settings


def test_settings() -> None:
    assert Settings.from_env({}).doubts == DoubtOptions()
    assert Settings.from_env({"DOUBTS": "mark"}).doubts == MARK
    chosen = Settings.from_env({"SUPPORT_JUDGE": "examples.check_grounding:judge"}).doubts
    assert chosen == DoubtOptions(judge=judge)


@pytest.mark.parametrize(
    ("environ", "fault"),
    [
        ({"DOUBTS": "show"}, "DOUBTS=show is not known: use mark, or leave it out"),
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
