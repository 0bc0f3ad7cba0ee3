"""A judge of support over the wire: asked once the person has the answer, which is updated with its doubts."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from aiohttp import web

from bot.conversation.answer_reader import AnswerReader
from bot.conversation.doubt_options import ClaimAndPassage, DoubtOptions
from citations import Reference, ReferencesFound
from citations.labels import LabelRanking, SensitivityLabel
from examples.check_grounding import judge
from tests.bot.running import Connector, connecting, logged, message, running, send
from tests.bot.scripted_source import ScriptedSource
from tests.model_server import KEY, Handler, model_server, saying, streaming

QUESTION = "How long?"
FOUND = ReferencesFound(
    (
        Reference(id="1", name="Refunds", text="Refunds take five days.", complete=True),
        Reference(id="2", name="Shipping", text="Orders leave before noon.", complete=True, label="s"),
    ),
    complete=True,
)
TEXT = "Refunds are *quick* [1]. Noon is early [2].\n\nThat is all."
PERSONAL = {"channelId": "msteams", "conversation": {"id": "c1", "conversationType": "personal"}}
SECRETS = LabelRanking(labels=(SensitivityLabel(id="s", name="Secret", priority=1),))


async def doubt_noon(pairs: Sequence[ClaimAndPassage]) -> list[float | None]:
    return [0.1 if pair.claim.startswith("Noon") else 0.9 for pair in pairs]


def doubting_after(
    release: asyncio.Event,
) -> Callable[[Sequence[ClaimAndPassage]], Awaitable[list[float | None]]]:
    async def doubt(pairs: Sequence[ClaimAndPassage]) -> list[float | None]:
        await release.wait()
        return await doubt_noon(pairs)

    return doubt


@dataclass
class Chat:
    """A person who has asked, and the connector through which the bot replies."""

    authority: str
    connector: Connector
    log: io.StringIO
    fields: Mapping[str, Any]

    async def next(self) -> tuple[str, str, dict[str, Any]]:
        """The next message: its method, its path and the activity."""
        while True:
            async with asyncio.timeout(60):
                method, path, body = await self.connector.received.get()
            activity: dict[str, Any] = json.loads(body)
            if activity["type"] == "message":
                return method, path, activity

    async def until_logged(self, event: str) -> None:
        async with asyncio.timeout(60):
            while event not in self.log.getvalue():
                await asyncio.sleep(0.01)

    async def ask(self, question: str) -> str:
        asked = message(self.connector.service_url, question, **self.fields)
        return (await send(self.authority, asked))[1]


@contextlib.asynccontextmanager
async def asking(options: DoubtOptions, text: str = TEXT, **fields: Any) -> AsyncIterator[Chat]:
    """A chat in which ``QUESTION`` gets an answer with this text."""
    source = ScriptedSource()
    source.tell(QUESTION, FOUND, text, None)
    source.tell("And then?", FOUND, "Refunds take 5 days [1].", None)
    with logged() as log:
        async with connecting() as connector, running(source, doubts=options, labels=SECRETS) as bot:
            chat = Chat(bot, connector, log, fields)
            await chat.ask(QUESTION)
            yield chat


SAYS = "Perhaps not supported by source 2: “Noon is early."


@pytest.mark.parametrize("fields", [{"channelId": "webchat"}, {"channelId": "directline"}, PERSONAL])
async def test_the_message_is_updated_and_keeps_its_citations_label_and_votes(fields: dict[str, Any]) -> None:
    async with asking(DoubtOptions(judge=doubt_noon), **fields) as chat:
        _, _, final = await chat.next()
        method, path, update = await chat.next()
    assert method == "PUT"
    assert "/v3/conversations/c1/activities/a" in path
    assert "Perhaps" not in final["text"]
    assert SAYS in update["text"].replace("&#46;", ".")
    assert update["text"].index("Perhaps") < update["text"].index("That is all")
    assert "Secret" in json.dumps(final["entities"])
    # The citations, the label and the votes of the graph are the same; a stream's final is still one there.
    graph, same = ([one for one in each["entities"] if "citation" in one] for each in (final, update))
    assert graph == same
    if fields["channelId"] == "msteams":
        assert update["channelData"]["feedbackLoop"] == final["channelData"]["feedbackLoop"]
        assert "streamType" not in update["channelData"]
    else:
        assert update.get("channelData") == final.get("channelData")


async def test_a_sentence_that_is_marked_is_not_marked_again() -> None:
    async def doubt_all(pairs: Sequence[ClaimAndPassage]) -> list[float | None]:
        return [0.1 for _ in pairs]

    text = "Refunds take 50 days [1].\n\nNoon is early [2]."
    async with asking(DoubtOptions(judge=doubt_all), text, channelId="webchat") as chat:
        _, _, final = await chat.next()
        _, _, update = await chat.next()
    assert "Source 1 does not say “50 days”" in final["text"]
    assert "Source 1 does not say “50 days”" in update["text"]
    assert update["text"].count("Perhaps") == 1
    assert SAYS in update["text"].replace("&#46;", ".")


async def test_the_update_is_of_the_message_that_a_stream_became() -> None:
    release = asyncio.Event()

    source = ScriptedSource()
    source.tell(QUESTION, FOUND, "Refunds are quick [1]. ", 0.5, "Noon is early [2].", None)
    options = DoubtOptions(judge=doubting_after(release))
    async with connecting() as connector, running(source, doubts=options, labels=SECRETS) as bot:
        await send(bot, message(connector.service_url, QUESTION, channelId="webchat"))
        sent: list[dict[str, Any]] = []
        while not sent or sent[-1]["type"] != "message":
            sent.append(json.loads((await connector.next_bytes())[1]))
        release.set()
        path, update = await connector.next_bytes()
    assert [one["type"] for one in sent].count("typing") >= 2
    assert sent[-1]["channelData"]["streamType"] == "final"
    assert json.loads(update)["channelData"] == sent[-1]["channelData"]
    assert path.endswith(f"/activities/{json.loads(update)['id']}")


@pytest.mark.parametrize("channel_id", ["sms", "emulator"])
async def test_a_channel_without_updates_gets_the_doubts_before_the_next_answer(channel_id: str) -> None:
    async with asking(DoubtOptions(judge=doubt_noon), channelId=channel_id) as chat:
        await chat.next()
        await chat.until_logged("doubts kept")
        await chat.ask("And then?")
        (method, _, told), (_, _, answer) = await chat.next(), await chat.next()
    assert method == "POST"
    assert "About the last answer: Perhaps not supported by source 2" in told["text"].replace("*", "")
    assert "Secret" in json.dumps(told), "the words of an answer have its label"
    assert "quick" not in told["text"]
    assert "Refunds take 5 days" in answer["text"]


async def test_an_update_that_is_refused_is_told_before_the_next_answer() -> None:
    async def refuse(pairs: Sequence[ClaimAndPassage]) -> list[float | None]:
        refusing[0].status = 405
        return await doubt_noon(pairs)

    refusing: list[Connector] = []
    source = ScriptedSource()
    source.tell(QUESTION, FOUND, TEXT, None)
    source.tell("And then?", FOUND, "Refunds take 5 days [1].", None)
    with logged() as log:
        async with connecting() as connector, running(source, doubts=DoubtOptions(judge=refuse)) as bot:
            refusing.append(connector)
            chat = Chat(bot, connector, log, {"channelId": "webchat"})
            await chat.ask(QUESTION)
            await chat.until_logged("doubts kept")
            connector.status = 200
            await chat.ask("And then?")
            found = [(await chat.next())[2]["text"] for _ in range(4)]
    assert [("Perhaps" in text, "last answer" in text) for text in found] == [
        (False, False),
        (True, False),
        (True, True),
        (False, False),
    ]


@pytest.mark.parametrize("channel_id", ["webchat", "emulator"])
async def test_a_conversation_that_was_forgotten_hears_of_no_doubt(channel_id: str) -> None:
    release = asyncio.Event()
    async with asking(DoubtOptions(judge=doubting_after(release)), channelId=channel_id) as chat:
        await chat.next()
        await send(
            chat.authority, message(chat.connector.service_url, "", type="deleteUserData", **chat.fields)
        )
        await chat.until_logged("forgotten")
        release.set()
        await chat.ask("And then?")
        method, _, answer = await chat.next()
    assert method == "POST"
    assert "Refunds take 5 days" in answer["text"]


@pytest.mark.parametrize("answered", [True, False])
async def test_doubts_are_not_told_of_another_answer(answered: bool) -> None:
    release = asyncio.Event()
    source = ScriptedSource()
    source.tell(QUESTION, FOUND, TEXT, None)
    source.tell("And then?", FOUND, "Refunds take 5 days [1].")
    source.tell("At last?", FOUND, "Orders leave [2].", None)
    options = DoubtOptions(judge=doubting_after(release))
    with logged() as log:
        async with connecting() as connector, running(source, doubts=options) as bot:
            chat = Chat(bot, connector, log, {"channelId": "emulator"})
            await chat.ask(QUESTION)
            await chat.next()
            asked = asyncio.create_task(chat.ask("And then?"))
            if answered:
                source.tell("And then?", None)
                await chat.next()
            else:
                # The second question is under way; its answer will be the last one.
                await connector.next("typing")
            release.set()
            await chat.until_logged("doubts dropped")
            if not answered:
                source.tell("And then?", None)
                await chat.next()
            await asked
            await chat.ask("At last?")
            assert "Orders leave" in (await chat.next())[2]["text"]


async def test_doubts_come_in_messages_that_the_channel_takes() -> None:
    text = " ".join(f"Noon {number} {'is early ' * 25}[2]." for number in range(12))
    async with asking(DoubtOptions(judge=doubt_noon), text, channelId="sms") as chat:
        await chat.until_logged("doubts kept")
        chat.connector.rest()
        await chat.ask("And then?")
        texts = [(await chat.next())[2]["text"]]
        while "5 days" not in texts[-1]:
            texts.append((await chat.next())[2]["text"])
    assert "About the last answer" in texts[0]
    assert len(texts) > 2
    assert max(map(len, texts)) <= 1600


async def test_an_update_that_may_have_arrived_is_not_told_again() -> None:
    async def cut(pairs: Sequence[ClaimAndPassage]) -> list[float | None]:
        cutting[0].cuts = True
        return await doubt_noon(pairs)

    cutting: list[Connector] = []
    source = ScriptedSource()
    source.tell(QUESTION, FOUND, TEXT, None)
    source.tell("And then?", FOUND, "Refunds take 5 days [1].", None)
    with logged() as log:
        async with connecting() as connector, running(source, doubts=DoubtOptions(judge=cut)) as bot:
            cutting.append(connector)
            chat = Chat(bot, connector, log, {"channelId": "webchat"})
            await chat.ask(QUESTION)
            await chat.until_logged("message not updated")
            connector.rest()
            connector.cuts = False
            await chat.ask("And then?")
            assert "5 days" in (await chat.next())[2]["text"]


async def test_no_excuse_comes_behind_a_good_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(AnswerReader, "annotate", fail)
    async with asking(DoubtOptions(judge=doubt_noon), channelId="webchat") as chat:
        await chat.next()
        await chat.until_logged("doubts not told")
        await chat.ask("And then?")
        assert "5 days" in (await chat.next())[2]["text"]


async def test_nothing_is_told_where_doubts_are_off() -> None:
    async with asking(DoubtOptions(marks=False, judge=doubt_noon), channelId="webchat") as chat:
        await chat.next()
        await chat.until_logged("support judged")
        await chat.ask("And then?")
        assert "5 days" in (await chat.next())[2]["text"]


async def test_the_end_of_the_process_waits_for_no_judge() -> None:
    given_up = asyncio.Event()

    async def never(pairs: Sequence[ClaimAndPassage]) -> list[float | None]:
        try:
            return await asyncio.Future()
        finally:
            given_up.set()

    async with asking(DoubtOptions(judge=never), channelId="webchat") as chat:
        assert "Perhaps" not in (await chat.next())[2]["text"]
    async with asyncio.timeout(60):
        await given_up.wait()
    assert "answers interrupted" not in chat.log.getvalue()


# Google's check grounding


@contextlib.asynccontextmanager
async def grounding(scores: Mapping[str, object]) -> AsyncIterator[tuple[str, list[Any]]]:
    """A server of Google's form, with the ``supportScore`` of each claim; its URL, and what it was asked."""
    asked: list[Any] = []

    async def check(request: web.Request) -> web.Response:
        body = await request.json()
        asked.append((request.headers["Authorization"], body))
        return web.json_response({"supportScore": scores.get(body["answerCandidate"])})

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


async def test_a_judge_gets_claims_and_passages(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = {"Refunds are quick.": 0.2, "Noon is early.": 0.9, "Berlin is far.": None}
    text = "Refunds are *quick* [1]. Noon is early [2]. Berlin is far [1][2]. Nothing is cited."
    async with grounding(claims) as (url, asked):
        monkeypatch.setenv("CHECK_GROUNDING_URL", url)
        monkeypatch.setenv("CHECK_GROUNDING_TOKEN", "t0ken")
        async with asking(DoubtOptions(judge=judge), text, channelId="webchat") as chat:
            await chat.next()
            update = (await chat.next())[2]["text"]
    assert update.count("Perhaps") == 1
    assert "Refunds are quick" in update.partition("Perhaps not supported by source 1")[2]
    assert {header for header, _ in asked} == {"Bearer t0ken"}
    assert next(body for _, body in asked) == {
        "answerCandidate": "Refunds are quick.",
        "facts": [{"factText": "Refunds take five days."}],
    }
    assert len(asked) == 3


async def fail(pairs: Sequence[ClaimAndPassage]) -> list[float | None]:
    raise RuntimeError(pairs[0].claim)


async def say_too_little(pairs: Sequence[ClaimAndPassage]) -> list[float | None]:
    return [0.0]


@pytest.mark.parametrize("failing", [fail, say_too_little])
async def test_a_judge_that_fails_is_logged_without_words(
    failing: Callable[[Sequence[ClaimAndPassage]], Awaitable[list[float | None]]],
) -> None:
    async with asking(DoubtOptions(judge=failing), channelId="sms") as chat:
        await chat.until_logged("support not judged")
        await chat.next()
        await chat.ask("And then?")
        assert "5 days" in (await chat.next())[2]["text"]
    assert "quick" not in chat.log.getvalue()


# A model of OpenAI's API


@contextlib.asynccontextmanager
async def judged_by(behave: Handler) -> AsyncIterator[tuple[Chat, list[Any]]]:
    """A chat whose answers this model judges, and what the model was asked over its socket."""
    async with model_server() as model:
        model.behave = behave
        options = DoubtOptions(model="judge", base_url=f"{model.url}/v1", api_key=KEY)
        text = "Refunds are quick [1]. Noon is early [2]. Refunds are slow [1]."
        async with asking(options, text, channelId="webchat") as chat:
            yield chat, model.bodies


async def test_a_model_is_asked_once_for_all_claims_of_an_answer() -> None:
    async with judged_by(streaming('["yes", "no", "unsure"]')) as (chat, bodies):
        await chat.next()
        update = (await chat.next())[2]["text"]
    assert SAYS.removesuffix(".") in update
    assert update.count("Perhaps") == 1
    (body,) = bodies
    assert body["model"] == "judge"
    asked = json.loads(body["messages"][-1]["content"])
    assert [(one["claim"], one["passage"]) for one in asked["claims"]] == [
        ("Refunds are quick.", 0),
        ("Noon is early.", 1),
        ("Refunds are slow.", 0),
    ]
    assert [one["text"] for one in asked["passages"]] == [one.text for one in FOUND.references]


@pytest.mark.parametrize(
    "behave",
    [
        streaming('["yes"]'),
        streaming("I cannot say."),
        streaming('["no", {"a": 1}'),
        saying({"error": {"message": "busy"}}, 500),
    ],
)
async def test_a_model_that_fails_changes_nothing(behave: Handler) -> None:
    async with judged_by(behave) as (chat, _):
        await chat.next()
        await chat.until_logged("support not judged")
        await chat.ask("And then?")
        assert "5 days" in (await chat.next())[2]["text"]
    assert KEY not in chat.log.getvalue()
