"""People sign in, and read what they may: over sockets, by the SDK's adapter and the bot's own handler."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from aiohttp import web

from bot.config.answer_sources import AzureSearchOptions, Microsoft365Options
from bot.config.sign_in import SignInOptions
from bot.config.telemetry import TelemetryOptions
from bot.conversation.doubt_options import ClaimAndPassage, DoubtOptions
from bot.languages import Sentence, say, speaking
from bot.sources import AnswerSource
from bot.sources.azure_search import AzureSearchSource
from bot.sources.microsoft365 import Microsoft365Source
from citations import Reference, ReferencesFound
from tests.bot.collector import collecting
from tests.bot.fake_entra import PASSWORD
from tests.bot.metrics_reading import numbers
from tests.bot.microsoft365_services import CONNECTION, LABEL, Microsoft365, hit, microsoft365_running
from tests.bot.running import PROMPT, Connector, connecting, logged, message, running, send
from tests.bot.scripted_source import ScriptedSource
from tests.ports import free_port
from tests.web_server import serving_routes

ALICE, BOB = "graph-token-of-alice", "graph-token-of-bob"
VPN = "How do I configure the VPN?"
OPEN = "To configure the VPN, click the Wi-Fi icon on your corporate device."


@pytest.fixture
async def services() -> AsyncIterator[Microsoft365]:
    async with microsoft365_running() as one:
        one.readable[ALICE] = [hit("VPN Access", OPEN, "The VPN needs a second factor.", label=LABEL)]
        one.readable[BOB] = [hit("VPN for Guests", "Guests configure the VPN at the front desk.")]
        yield one


@pytest.fixture
async def connector() -> AsyncIterator[Connector]:
    async with connecting() as one:
        yield one


@contextlib.asynccontextmanager
async def bot(
    services: Microsoft365,
    *,
    groups: bool | Literal["private"] = False,
    source: AnswerSource | None = None,
    **settings: Any,
) -> AsyncIterator[str]:
    source = source or Microsoft365Source(Microsoft365Options(), graph=services.url)
    options = SignInOptions(connection=CONNECTION, groups=groups)
    async with running(
        source, credentials=PASSWORD, cloud=services.cloud, sign_in=options, **settings
    ) as authority:
        yield authority


class Talk:
    """One person in one conversation."""

    def __init__(
        self,
        services: Microsoft365,
        connector: Connector,
        authority: str,
        channel: str = "webchat",
        **fields: Any,
    ) -> None:
        self._services, self._connector, self._bot = services, connector, authority
        user = fields.pop("user", "alice")
        self.fields = {
            "channelId": channel,
            "from": {"id": user},
            "conversation": {"id": fields.pop("conversation", "c1"), **fields.pop("place", {})},
            **fields,
        }
        self._count = 0

    async def post(self, text: str | None = None, **fields: Any) -> tuple[int, str]:
        self._count += 1
        url = self._connector.service_url
        sender = self.fields["from"]["id"]
        body = message(url, text or "", **self.fields | {"id": f"{sender}{self._count}"} | fields)
        return await send(self._bot, body, Authorization=self._services.entra.bearer(url))

    async def ask(self, text: str, **fields: Any) -> dict[str, Any]:
        """The reply to a message."""
        assert (await self.post(text, **fields))[0] == 201
        return await self._connector.next()

    async def invoke(self, name: str, value: dict[str, Any]) -> tuple[int, Any]:
        status, body = await self.post(type="invoke", name=name, value=value)
        return status, json.loads(body) if body else None


async def until_logged(log: io.StringIO, event: str, times: int) -> None:
    async with asyncio.timeout(60):
        while log.getvalue().count(event) < times:
            await asyncio.sleep(0.01)


def card_of(activity: dict[str, Any]) -> dict[str, Any]:
    [attachment] = activity["attachments"]
    assert attachment["contentType"] == "application/vnd.microsoft.card.oauth"
    content: dict[str, Any] = attachment["content"]
    return content


async def test_in_web_chat_a_code_brings_the_answer(services: Microsoft365, connector: Connector) -> None:
    async with bot(services) as authority:
        person = Talk(services, connector, authority)
        card = card_of(await person.ask(VPN))
        assert card["connectionName"] == CONNECTION
        assert card["text"] == say(Sentence.SIGN_IN)
        assert [one["type"] for one in card["buttons"]] == ["signin"]
        assert services.asked == []
        services.codes["alice", "webchat"] = ("123456", ALICE)
        assert (await person.ask("654321"))["text"] == say(Sentence.SIGN_IN_CODE_REFUSED)
        # Without a question that waits, a number is a question: nobody can try one code after the other.
        card_of(await person.ask("123456"))
        card_of(await person.ask(VPN))
        answer = await person.ask("123456")
    [(token, asked)] = services.asked
    assert (token, asked["queryString"]) == (ALICE, VPN)
    assert "To configure the VPN, click the Wi-Fi icon" in answer["text"]
    # A slow machine had begun a stream.
    [graph] = [one for one in answer["entities"] if one["type"] != "streaminfo"]
    [claim] = graph["citation"]
    assert claim["appearance"]["usageInfo"]["name"] == "Confidential\\Any User (No Protection)"
    assert claim["appearance"]["url"] == "https://contoso.sharepoint.com/sites/HR/VPNAccess.docx"
    assert claim["appearance"]["name"] == "VPN Access"


async def test_in_teams_single_sign_on_brings_the_answer_once(
    services: Microsoft365, connector: Connector
) -> None:
    services.exchanges["teams-token"] = ALICE
    async with bot(services) as authority:
        place = {"conversationType": "personal"}
        person = Talk(services, connector, authority, "msteams", place=place, locale="de-DE")
        card = card_of(await person.ask(VPN))
        assert card["text"].startswith("Ich durchsuche, was Sie lesen dürfen.")
        assert card["buttons"][0]["value"].startswith("https://token.botframework.com/")
        assert card["tokenExchangeResource"]["id"] == "exchange-1"
        given = {"id": "exchange-1", "connectionName": CONNECTION, "token": "teams-token"}
        assert (await person.invoke("signin/tokenExchange", given | {"token": "no consent"}))[0] == 412
        assert (await person.invoke("signin/tokenExchange", given | {"connectionName": "x"}))[0] == 400
        # Each of the person's open clients sends its token.
        for _ in range(2):
            status, body = await person.invoke("signin/tokenExchange", given)
            assert (status, body) == (200, {"id": "exchange-1", "connectionName": CONNECTION})
        answer = await connector.next()
        assert "To configure the VPN" in answer["text"]
        [graph] = [one for one in answer["entities"] if one["type"] != "streaminfo"]
        assert graph["usageInfo"]["name"] == "Confidential\\Any User (No Protection)"
        assert (await person.ask("1"))["text"].startswith("**VPN Access**")
    assert [token for token, _ in services.asked] == [ALICE]


async def test_only_teams_sends_invokes(services: Microsoft365, connector: Connector) -> None:
    services.codes["alice", "directline"] = ("123456", ALICE)
    async with bot(services) as authority:
        person = Talk(services, connector, authority, "directline")
        assert (await person.invoke("signin/verifyState", {"state": "123456"}))[0] == 501
    assert services.tokens == {}


async def test_in_teams_the_window_of_the_sign_in_brings_the_answer(
    services: Microsoft365, connector: Connector
) -> None:
    async with bot(services) as authority:
        person = Talk(services, connector, authority, "msteams", place={"conversationType": "personal"})
        card_of(await person.ask(VPN))
        services.codes["alice", "msteams"] = ("123456", ALICE)
        assert (await person.invoke("signin/verifyState", {"state": "CancelledByUser"}))[0] == 404
        assert (await person.invoke("signin/verifyState", {"state": "123456"}))[0] == 200
        assert "To configure the VPN" in (await connector.next())["text"]


async def test_direct_line_tells_of_the_sign_in_and_its_token_is_not_believed(
    services: Microsoft365, connector: Connector
) -> None:
    async with bot(services) as authority:
        person = Talk(services, connector, authority, "directline")
        card_of(await person.ask(VPN))
        told: dict[str, Any] = {"type": "event", "name": "tokens/response", "value": {"token": BOB}}
        assert (await person.post(**told))[0] == 201
        services.tokens["alice", "directline"] = ALICE
        assert (await person.post(**told))[0] == 201
        assert "To configure the VPN" in (await connector.next())["text"]
    assert [token for token, _ in services.asked] == [ALICE]


async def test_two_people_in_a_group_have_each_their_own(
    services: Microsoft365, connector: Connector
) -> None:
    services.tokens |= {("alice", "msteams"): ALICE, ("bob", "msteams"): BOB}
    place = {"conversationType": "groupChat", "isGroup": True}
    async with bot(services, groups=True) as authority:
        alice, bob, carol = (
            Talk(services, connector, authority, "msteams", place=place, user=user)
            for user in ("alice", "bob", "carol")
        )
        assert "Wi-Fi" in (await alice.ask(VPN))["text"]
        # "1" and "more" are about their own last answer, and Bob has none yet.
        assert "Wi-Fi" not in (await bob.ask("1"))["text"]
        assert "front desk" in (await bob.ask(VPN))["text"]
        assert "front desk" in (await bob.ask("1"))["text"]
        assert "Wi-Fi" in (await alice.ask("1"))["text"]
        card_of(await carol.ask("1"))
        # Bob's sign-in is not Carol's, whose question still waits.
        assert (await bob.invoke("signin/verifyState", {"state": "123456"}))[0] == 200
        assert (await connector.next())["text"] == say(Sentence.SIGNED_IN)
    assert {token for token, _ in services.asked} == {ALICE, BOB}


@pytest.mark.parametrize(
    ("channel", "place"),
    [("msteams", {"conversationType": "groupChat", "isGroup": True}), ("sms", {}), ("email", {})],
)
async def test_where_others_read_along_nobody_is_answered(
    services: Microsoft365, connector: Connector, channel: str, place: dict[str, Any]
) -> None:
    services.tokens["alice", channel] = ALICE
    async with bot(services) as authority:
        person = Talk(services, connector, authority, channel, place=place)
        assert (await person.ask(VPN))["text"] == say(Sentence.SIGN_IN_ELSEWHERE)
    assert services.asked == []


@pytest.mark.parametrize(
    ("locale", "words"),
    [("en", "Sign out."), ("de", "abmelden"), ("fr", "Se déconnecter"), ("es", "Cerrar sesión")],
)
async def test_signing_out(services: Microsoft365, connector: Connector, locale: str, words: str) -> None:
    services.tokens["alice", "webchat"] = ALICE
    async with bot(services) as authority:
        person = Talk(services, connector, authority, locale=locale)
        assert "Wi-Fi" in (await person.ask(VPN))["text"]
        with speaking(locale):
            assert (await person.ask(words))["text"] == say(Sentence.SIGNED_OUT)
        assert services.tokens == {}
        card_of(await person.ask("1"))
        services.tokens["alice", "webchat"] = BOB
        # Whoever signs in next has nothing of the answer before.
        assert "Wi-Fi" not in (await person.ask("more"))["text"]


FOUND = ReferencesFound(
    (Reference(id="1", name="Pay", text="Alice earns 90.", complete=True),), complete=True
)
SECRET = "Alice earns 90 a year [1]."


async def test_what_was_kept_for_one_account_is_not_told_to_the_next(
    services: Microsoft365, connector: Connector
) -> None:
    async def doubt(pairs: Sequence[ClaimAndPassage]) -> list[float | None]:
        connector.status = 405  # to the update, as the Direct Line of Azure
        return [0.1 for _ in pairs]

    source = ScriptedSource()
    for question in ("pay?", "and then?"):
        source.tell(question, FOUND, SECRET, None)
    source.tell("bob?", "Nothing.", None)
    services.tokens["alice", "webchat"] = ALICE
    with logged() as log:
        async with bot(services, source=source, doubts=DoubtOptions(judge=doubt)) as authority:
            person = Talk(services, connector, authority)
            for times, question in enumerate(("pay?", "and then?"), start=1):
                assert (await person.post(question))[0] == 201
                await until_logged(log, "doubts kept", times)
                connector.status = 200
            texts = [one["text"] for one in connector.rest() if one["type"] == "message"]
            # The same account is told before its next answer.
            assert ["last answer" in text for text in texts] == [False, False, True, False, False]
            assert (await person.ask("sign out"))["text"] == say(Sentence.SIGNED_OUT)
            services.tokens["alice", "webchat"] = BOB
            assert (await person.ask("bob?"))["text"] == "Nothing."


async def test_signing_out_ends_the_answer_under_way(services: Microsoft365, connector: Connector) -> None:
    source = ScriptedSource()
    source.tell("pay?", FOUND, f"{SECRET} ")
    services.tokens["alice", "webchat"] = ALICE
    async with bot(services, source=source, timeouts=replace(PROMPT, farewell=60.0)) as authority:
        person = Talk(services, connector, authority)
        asking = asyncio.create_task(person.post("pay?"))
        while "90" not in (await connector.next("typing")).get("text", ""):
            pass
        assert (await person.post("sign out"))[0] == 201
        assert (await asking)[0] == 201
        texts = [(await connector.next())["text"] for _ in range(2)]
        assert "90" in texts[0]
        assert texts[1] == say(Sentence.SIGNED_OUT)
        source.tell("pay?", "The rest.", None)
        services.tokens["alice", "webchat"] = BOB
        source.tell("1", "Nothing.", None)
        assert (await person.ask("1"))["text"] == "Nothing."


async def test_signing_out_ends_an_answer_that_the_channel_does_not_take(
    services: Microsoft365, connector: Connector
) -> None:
    source = ScriptedSource()
    source.tell("pay?", FOUND, SECRET, None)
    source.tell("bob?", "Nothing.", None)
    services.tokens["alice", "webchat"] = ALICE
    with logged() as log:
        async with bot(services, source=source) as authority:
            person = Talk(services, connector, authority)
            connector.open.clear()
            asking = asyncio.create_task(person.post("pay?"))
            await connector.next()
            leaving = asyncio.create_task(person.post("sign out"))
            await until_logged(log, "answer kept", 1)
            connector.open.set()
            assert (await leaving)[0] == 201
            await asyncio.gather(asking, return_exceptions=True)
            assert (await connector.next())["text"] == say(Sentence.SIGNED_OUT)
            services.tokens["alice", "webchat"] = BOB
            assert (await person.ask("bob?"))["text"] == "Nothing."


async def test_a_judge_of_one_account_tells_the_next_nothing(
    services: Microsoft365, connector: Connector
) -> None:
    ended = asyncio.Event()

    async def never(pairs: Sequence[ClaimAndPassage]) -> list[float | None]:
        try:
            return await asyncio.Future()
        finally:
            ended.set()

    source = ScriptedSource()
    source.tell("pay?", FOUND, SECRET, None)
    services.tokens["alice", "webchat"] = ALICE
    async with bot(services, source=source, doubts=DoubtOptions(judge=never)) as authority:
        person = Talk(services, connector, authority)
        assert "90" in (await person.ask("pay?"))["text"]
        assert (await person.ask("sign out"))["text"] == say(Sentence.SIGNED_OUT)
        assert ended.is_set()


async def test_a_question_waits_for_its_own_sign_in_alone(
    services: Microsoft365, connector: Connector
) -> None:
    async with bot(services) as authority:
        person = Talk(services, connector, authority, "directline")
        told: dict[str, Any] = {"type": "event", "name": "tokens/response"}
        # Whoever has signed in elsewhere asks anew, and whoever signs out asks no more.
        for leaving, reply in (("And the VPN?", "Wi-Fi"), ("sign out", say(Sentence.SIGNED_OUT))):
            services.tokens.clear()
            card_of(await person.ask(VPN))
            services.tokens["alice", "directline"] = ALICE
            assert reply in (await person.ask(leaving))["text"]
            services.tokens["alice", "directline"] = ALICE
            assert (await person.post(**told))[0] == 201
            assert connector.rest() == []
    assert [asked["queryString"] for _, asked in services.asked] == ["And the VPN?"]


@pytest.mark.parametrize(
    ("status", "headers", "sentence"),
    [
        (401, {}, Sentence.SIGN_IN_ENDED),
        (403, {}, Sentence.PERSON_REFUSED),
        (429, {"Retry-After": "3600"}, Sentence.PERSON_THROTTLED),
        (503, {"Retry-After": "3600"}, Sentence.SOURCE_FAILED),
    ],
)
async def test_one_sentence_says_what_the_person_can_do(
    services: Microsoft365, connector: Connector, status: int, headers: dict[str, str], sentence: Sentence
) -> None:
    services.tokens["alice", "webchat"] = ALICE
    services.status, services.headers = status, headers
    async with bot(services) as authority:
        person = Talk(services, connector, authority)
        for locale in ("en", "de", "fr", "es"):
            with speaking(locale):
                assert (await person.ask(VPN, locale=locale))["text"] == say(sentence)
        services.status = 200
        # What one person may not ask is no reason to leave others without an answer.
        assert "Wi-Fi" in (await person.ask(VPN))["text"]


async def test_without_the_sign_in_service_nothing_is_searched(
    services: Microsoft365, connector: Connector
) -> None:
    services.tokens["alice", "webchat"] = ALICE
    services.down = True
    async with bot(services) as authority:
        person = Talk(services, connector, authority)
        assert (await person.ask(VPN, locale="fr"))["text"].startswith("La connexion est impossible")
        assert (await person.ask("sign out"))["text"] == say(Sentence.SIGN_IN_UNAVAILABLE)
    assert services.asked == []


async def test_no_token_and_no_code_is_logged_or_kept(
    services: Microsoft365, connector: Connector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, state = free_port(), tmp_path / "state.db"
    services.exchanges["teams-token-in-the-invoke"] = ALICE
    observed: dict[str, Any] = {
        "telemetry": TelemetryOptions(metrics_port=port, traces=True),
        "state": f"sqlite:///{state}",
    }
    async with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint)
        with logged() as log:
            async with bot(services, **observed) as authority:
                place = {"conversationType": "personal"}
                person = Talk(services, connector, authority, "msteams", place=place)
                card_of(await person.ask(VPN))
                given = {"id": "x", "connectionName": CONNECTION, "token": "teams-token-in-the-invoke"}
                assert (await person.invoke("signin/tokenExchange", given))[0] == 200
                await connector.next()
                web_chat = Talk(services, connector, authority, conversation="c2")
                card_of(await web_chat.ask(VPN))
                services.codes["alice", "webchat"] = ("907183", ALICE)
                assert "Wi-Fi" in (await web_chat.ask("907183"))["text"]
                for services.status in (401, 403, 500):
                    await web_chat.ask(VPN)
                services.down = True
                await web_chat.ask(VPN)
                metrics = str(await numbers(port))
    kept = b"".join(one.read_bytes() for one in tmp_path.iterdir())
    assert collector.spans
    assert b"Wi-Fi" in kept
    for secret in (ALICE, "teams-token-in-the-invoke", "907183", "token-1"):
        assert secret not in log.getvalue() + metrics
        assert secret.encode() not in kept + collector.raw
    assert VPN not in log.getvalue()


async def test_azure_search_gets_the_token_of_the_person_who_asks(
    services: Microsoft365, connector: Connector
) -> None:
    asked: list[str | None] = []

    async def answer(request: web.Request) -> web.Response:
        asked.append(request.headers.get("x-ms-query-source-authorization"))
        said = {"role": "assistant", "content": [{"type": "text", "text": "By the Wi-Fi icon."}]}
        return web.json_response({"response": [said], "references": [], "activity": []})

    services.tokens["alice", "webchat"] = ALICE
    with logged() as log:
        async with serving_routes(web.post("/{path:.+}", answer)) as url:
            options = AzureSearchOptions(endpoint=url, knowledge_base="handbook", api_key="key")
            async with running(
                AzureSearchSource(options),
                credentials=PASSWORD,
                cloud=services.cloud,
                sign_in=SignInOptions(connection=CONNECTION),
            ) as authority:
                assert "everybody" not in log.getvalue()
                person = Talk(services, connector, authority)
                assert "Wi-Fi" in (await person.ask(VPN))["text"]
                card_of(await Talk(services, connector, authority, user="bob", conversation="c2").ask(VPN))
    assert asked == [ALICE]


@pytest.mark.parametrize("way", ["verify", "exchange", "code"])
async def test_a_targeted_question_in_a_group_is_answered_to_its_person_alone(
    way: str, services: Microsoft365, connector: Connector
) -> None:
    """The sign-in comes as an activity of its own, which nothing marks as targeted."""
    place = {"conversationType": "groupChat", "isGroup": True}
    alone = {"recipient": {"id": "bot", "name": "Bot", "isTargeted": True}}
    async with bot(services, groups=way == "code") as authority:
        person = Talk(services, connector, authority, "msteams", place=place)
        assert (await person.post(VPN, **alone))[0] == 201
        requests = [await next_message(connector)]
        services.codes["alice", "msteams"] = ("123456", ALICE)
        services.exchanges["token-of-teams"] = ALICE
        if way == "verify":
            await person.invoke("signin/verifyState", {"state": "123456"})
        elif way == "exchange":
            value = {"id": "exchange-1", "connectionName": CONNECTION, "token": "token-of-teams"}
            await person.invoke("signin/tokenExchange", value)
        else:
            await person.post("123456")
        requests.append(await next_message(connector))
        await person.post("sign out", **alone)
        requests.append(await next_message(connector))
    card, answer, bye = (body for _, body in requests)
    assert card_of(card)["connectionName"] == CONNECTION
    assert "To configure the VPN, click the Wi-Fi icon" in answer["text"]
    assert answer["entities"][-1] == {"type": "targetedMessageInfo", "messageId": "alice1"}
    assert bye["text"] == say(Sentence.SIGNED_OUT)
    for path, body in requests:
        assert path.endswith("/activities?isTargetedActivity=true")
        assert body["recipient"] == {"id": "alice", "isTargeted": True}


async def test_people_sign_in_and_are_answered_alone_although_the_group_read_their_question(
    services: Microsoft365, connector: Connector
) -> None:
    place = {"conversationType": "groupChat", "isGroup": True}
    async with bot(services, groups="private") as authority:
        person = Talk(services, connector, authority, "msteams", place=place)
        assert (await person.post(VPN))[0] == 201
        requests = [await next_message(connector)]
        services.codes["alice", "msteams"] = ("123456", ALICE)
        await person.invoke("signin/verifyState", {"state": "123456"})
        requests.append(await next_message(connector))
    card, answer = (body for _, body in requests)
    assert card_of(card)["connectionName"] == CONNECTION
    assert "To configure the VPN, click the Wi-Fi icon" in answer["text"]
    for path, body in requests:
        assert path.endswith("/activities?isTargetedActivity=true")
        assert body["recipient"] == {"id": "alice", "isTargeted": True}
        assert "targetedMessageInfo" not in json.dumps(body)


async def next_message(connector: Connector) -> tuple[str, dict[str, Any]]:
    """The path and the body of the next message."""
    while True:
        path, body = await connector.next_bytes()
        activity: dict[str, Any] = json.loads(body)
        if activity["type"] == "message":
            return path, activity
