"""Microsoft 365 as the source: what is asked as which person, and what comes of the documented responses."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web

from bot.app.answer_source import choose
from bot.app.settings import Settings
from bot.config.answer_sources import Microsoft365Options
from bot.config.env import SettingsError
from bot.languages import Sentence, say
from bot.sources.errors import SignInNeeded
from bot.sources.microsoft365 import Microsoft365Source
from bot.sources.permission import Permission
from citations import AnswerFormatError, LabelRanking
from citations.readers import read_retrieval_hits
from tests.bot.microsoft365_services import LABEL, hit
from tests.model_server import model_server, streaming
from tests.web_server import serving_routes

from .asking import ask

ENCRYPTED = {**LABEL, "isEncrypted": True}
CONNECTOR = {
    "webUrl": "https://contoso.service-now.com/sp?id=kb_article&sys_id=2gge30c",
    "extracts": [{"text": "Ask the service desk to reset the VPN."}],
    "resourceType": "externalItem",
    "resourceMetadata": {},
}
GIVEN = {
    "ANSWER_SOURCE": "microsoft365",
    "SIGN_IN_CONNECTION": "graph",
    "MicrosoftAppId": "0c3d4b55-1111-4222-8333-000000000001",
    "MicrosoftAppPassword": "s3cret",
}


class Graph:
    def __init__(self) -> None:
        self.hits: dict[str, list[Any]] = {
            "sharePoint": [hit("VPN Access", "To configure the VPN, click the Wi-Fi icon.", label=LABEL)],
            "externalItem": [CONNECTOR],
        }
        self.asked: list[tuple[str, dict[str, Any]]] = []

    async def retrieve(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.asked.append((request.headers["Authorization"], body))
        return web.json_response({"retrievalHits": self.hits.get(body["dataSource"], [])})


@pytest.fixture
async def graph() -> AsyncIterator[tuple[Graph, str]]:
    server = Graph()
    async with serving_routes(web.post("/v1.0/copilot/retrieval", server.retrieve)) as url:
        yield server, url


async def test_what_is_asked_and_what_a_person_reads(graph: tuple[Graph, str]) -> None:
    server, url = graph
    options = Microsoft365Options(search=("sharePoint", "externalItem"), filter='path:"https://a.example/"')
    source = Microsoft365Source(options, graph=url).for_person("token")
    rendering = await ask(source, "How do I configure the VPN? " + "x" * 2000)
    assert sorted((body["dataSource"], body) for _, body in server.asked) == [
        (
            name,
            {
                "queryString": ("How do I configure the VPN? " + "x" * 2000)[:1500],
                "dataSource": name,
                "resourceMetadata": ["title"],
                "maximumNumberOfResults": 25,
                "filterExpression": 'path:"https://a.example/"',
            },
        )
        for name in ("externalItem", "sharePoint")
    ]
    assert {token for token, _ in server.asked} == {"Bearer token"}
    assert "click the Wi-Fi icon" in rendering.text
    await source.close()


async def test_smalltalk_costs_no_request_and_without_a_person_nothing_is_asked(
    graph: tuple[Graph, str],
) -> None:
    server, url = graph
    source = Microsoft365Source(Microsoft365Options(), graph=url)
    assert (await ask(source.for_person("token"), "Hello")).text.startswith("I answer questions")
    with pytest.raises(SignInNeeded):
        await ask(source, "How do I configure the VPN?")
    assert server.asked == []
    await source.close()


async def test_a_model_words_the_answer(graph: tuple[Graph, str]) -> None:
    async with model_server() as models:
        models.behave = streaming("Click the Wi-Fi icon [1].")
        writer = models.writer()
        source = Microsoft365Source(Microsoft365Options(), graph=graph[1], writer=writer)
        rendering = await ask(source.for_person("token"), "How do I configure the VPN?")
        await source.close()
    assert rendering.text.startswith("Click the Wi-Fi icon [1].")
    [prompt] = models.bodies
    assert "To configure the VPN, click the Wi-Fi icon." in json.dumps(prompt)
    assert "token" not in json.dumps(prompt).replace("max_tokens", "").replace("max_completion_tokens", "")


async def test_what_a_label_encrypts_is_named_only_unless_the_policy_grants_extraction(
    graph: tuple[Graph, str],
) -> None:
    server, url = graph
    server.hits["sharePoint"] = [hit("VPN Access", "To configure the VPN, click the icon.", label=ENCRYPTED)]
    source = Microsoft365Source(Microsoft365Options(), graph=url).for_person("token")
    rendering = await ask(source, "How do I configure the VPN?")
    assert "VPN Access" in rendering.text
    assert "icon" not in rendering.text + json.dumps(rendering.entities)
    granted = Permission(extracts=lambda _: True)
    assert "icon" in (await ask(source, "How do I configure the VPN?", permission=granted)).text
    await source.close()


async def test_a_policy_hides_documents(graph: tuple[Graph, str]) -> None:
    source = Microsoft365Source(Microsoft365Options(), graph=graph[1]).for_person("token")
    hidden = Permission(sees=lambda one: "/sites/HR/" not in (one.url or ""))
    assert (await ask(source, "How do I configure the VPN?", permission=hidden)).text == say(
        Sentence.NOTHING_FOUND
    )
    await source.close()


def test_hits_are_read() -> None:
    late = hit("Later", "", "b", "a")
    late["extracts"] = [
        {"text": "b", "relevanceScore": 0.1},
        {"text": "a", "relevanceScore": 0.2},
        {"text": " "},
    ]
    untitled = hit("VPN  Access", "c", resourceMetadata=None, sensitivityLabel=None)
    found = read_retrieval_hits(
        [{"retrievalHits": [CONNECTOR, late]}, {"retrievalHits": [untitled, {}, None]}]
    )
    assert [(one.id, one.name, one.text) for one in found] == [
        ("1", "VPNAccess.docx", "c"),
        ("2", "Later", "a\n\nb"),
        ("3", None, "Ask the service desk to reset the VPN."),
    ]
    [labelled] = read_retrieval_hits([{"retrievalHits": [hit("a", "b", label=LABEL)]}])
    assert labelled.label_name == "Confidential\\Any User (No Protection)"
    assert not labelled.extract
    assert read_retrieval_hits([{"retrievalHits": []}]) == ()
    with pytest.raises(AnswerFormatError):
        read_retrieval_hits(["no JSON object"])


@pytest.mark.parametrize("score", [10**400, float("nan"), "0.5", True, None])
def test_a_score_that_is_no_number_counts_as_none(score: object) -> None:
    odd, scored = hit("Odd", "a", "b"), hit("Scored", "c")
    odd["extracts"][0]["relevanceScore"] = score
    odd["extracts"][1]["relevanceScore"] = 0.2
    found = read_retrieval_hits(json.loads(json.dumps([{"retrievalHits": [odd, scored]}])))
    assert [(one.name, one.text) for one in found] == [("Scored", "c"), ("Odd", "b\n\na")]


async def test_titles_are_named_where_no_extract_has_a_word(graph: tuple[Graph, str]) -> None:
    server, url = graph
    server.hits = {"sharePoint": [hit("VPN Access", "* * *"), hit("Rates", "---")]}
    source = Microsoft365Source(Microsoft365Options(), graph=url)
    shown = (await ask(source.for_person("token"), "How do I configure the VPN?")).text
    await source.close()
    assert shown.startswith(f"{say(Sentence.NEAREST)}\n\n*VPN Access* [1]\n\n*Rates* [2]")


async def test_the_labels_file_holds_for_what_comes_from_microsoft(graph: tuple[Graph, str]) -> None:
    ranking = LabelRanking.from_toml(
        """
        [[label]]
        id = "general"
        name = "General"
        priority = 0
        [[label]]
        id = "secret"
        name = "Secret"
        priority = 9
        encrypted = true
        [[rule]]
        url_prefix = "https://contoso.sharepoint.com/sites/HR/"
        label = "secret"
        """
    )
    source = Microsoft365Source(Microsoft365Options(), graph=graph[1], ranking=ranking).for_person("token")
    assert "Wi-Fi" not in (await ask(source, "How do I configure the VPN?")).text
    await source.close()


async def test_it_is_chosen_by_its_variables() -> None:
    settings = Settings.from_env(
        GIVEN | {"MICROSOFT365_SEARCH": "sharepoint, externalItem", "SIGN_IN_GROUPS": "true"}
    )
    assert settings.uses_model
    assert settings.sign_in
    assert (settings.sign_in.connection, settings.sign_in.groups) == ("graph", True)
    assert settings.cloud.sign_in_service == "https://token.botframework.com"
    source = choose(settings, "127.0.0.1:1")
    assert await source.facts() == {
        "source": "microsoft365",
        "answers": "not asked yet",
        "searches": "sharePoint, externalItem",
    }
    await source.close()


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"SIGN_IN_CONNECTION": ""}, "ANSWER_SOURCE=microsoft365 needs SIGN_IN_CONNECTION"),
        ({"MicrosoftAppId": "", "MicrosoftAppPassword": ""}, "SIGN_IN_CONNECTION needs MicrosoftAppId"),
        ({"ChannelService": "https://botframework.azure.us"}, "is for the public cloud alone"),
        ({"SIGN_IN_SERVICE": "europe"}, "SIGN_IN_SERVICE is not an http or https URL such as"),
        ({"MICROSOFT365_SEARCH": "teams"}, "use sharePoint, oneDriveBusiness or externalItem"),
    ],
)
def test_what_is_missing_is_said(changed: dict[str, str], fault: str) -> None:
    with pytest.raises(SettingsError, match=fault):
        Settings.from_env(GIVEN | changed)


def test_the_app_package_needs_no_credentials() -> None:
    without = {name: value for name, value in GIVEN.items() if not name.startswith("Microsoft")}
    with contextlib.suppress(SettingsError):
        assert Settings.from_env(without, serves=False).sign_in
