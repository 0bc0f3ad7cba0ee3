"""A knowledge base of Azure AI Search as the source: what it is asked, and what a person reads."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from bot.app.answer_source import choose
from bot.app.settings import Settings
from bot.config.answer_sources import AzureSearchOptions
from bot.config.env import SettingsError
from bot.sources.azure_search import AzureSearchSource
from bot.sources.errors import KeyRefused, SignInEnded
from tests.web_server import serving_routes

from .asking import ask, ask_once
from .faults import FAULTS, Good, hurried, one_answer

KEY = "sk-secret-0123456789"
RESPONSE: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "examples" / "responses" / "azure-search.json").read_bytes()
)
OPEN: dict[str, Any] = {
    **RESPONSE,
    "references": [{**one, "searchSensitivityLabelInfo": None} for one in RESPONSE["references"]],
    "responseSensitivityLabelInfo": RESPONSE["references"][0]["searchSensitivityLabelInfo"],
}


def events(response: dict[str, Any]) -> tuple[bytes, ...]:
    told = (
        ("retrieval.started", {"requestId": "r", "knowledgeBaseName": "handbook"}),
        ("answer.completed", {"messageIndex": 0, "message": response["response"][0]}),
        ("references.completed", response["references"]),
        ("response.completed", {"statusCode": 200, "response": response}),
    )
    return tuple(f"event: {name}\ndata: {json.dumps(data)}\n\n".encode() for name, data in told)


class KnowledgeBase:
    """A server that answers as Azure's documentation says."""

    def __init__(self, response: dict[str, Any]) -> None:
        self.response = response
        self.asked: list[tuple[str, dict[str, str], Any]] = []

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.append((request.path_qs, dict(request.headers), await request.json()))
        return web.Response(body=b"".join(events(self.response)), content_type="text/event-stream")


def source_at(url: str) -> AzureSearchSource:
    options = AzureSearchOptions(endpoint=url, knowledge_base="handbook", api_key=KEY)
    return AzureSearchSource(options)


@pytest.fixture
async def base() -> AsyncIterator[tuple[KnowledgeBase, str]]:
    server = KnowledgeBase(OPEN)
    async with serving_routes(web.post("/{path:.+}", server.answer)) as url:
        yield server, url


async def test_what_is_asked_and_what_a_person_reads(base: tuple[KnowledgeBase, str]) -> None:
    server, url = base
    rendering = await ask_once(source_at(url), "Who reports a lost laptop?")
    [(path, headers, body)] = server.asked
    assert path == "/knowledgebases('handbook')/retrieve?api-version=2026-08-01-preview"
    assert (headers["api-key"], headers["Accept"]) == (KEY, "text/event-stream")
    said = {"role": "user", "content": [{"type": "text", "text": "Who reports a lost laptop?"}]}
    assert body == {"messages": [said], "outputMode": "answerSynthesis", "includeActivity": False}
    assert rendering.text.startswith("A lost laptop is reported within an hour [1]. It is insured if")
    assert rendering.entities[0]["usageInfo"]["name"] == "General"  # type: ignore[index]


async def test_without_a_persons_token_nothing_encrypted_is_quoted(base: tuple[KnowledgeBase, str]) -> None:
    server, url = base
    server.response = RESPONSE
    rendering = await ask_once(source_at(url))
    assert rendering.is_withheld
    assert "insured" not in rendering.text
    assert "Theft" not in json.dumps(rendering.entities)


async def test_a_persons_token_is_passed_on_and_nobody_elses(base: tuple[KnowledgeBase, str]) -> None:
    server, url = base
    server.response = RESPONSE
    source = source_at(url)
    rendering = await ask(source.for_person("token-of-alice"))
    # Azure has checked what this person may extract.
    assert "insured" in rendering.text
    await source.for_person("token-of-bob").answer("?").aclose()
    await ask(source)
    tokens = [headers.get("x-ms-query-source-authorization") for _, headers, _ in server.asked]
    await source.close()
    assert tokens == ["token-of-alice", None]


async def test_a_persons_token_that_is_refused_is_no_wrong_key() -> None:
    async def refuse(_: web.Request) -> web.Response:
        return web.Response(status=401)

    async with serving_routes(web.post("/{path:.+}", refuse)) as url:
        source = source_at(url)
        with pytest.raises(SignInEnded):
            await ask(source.for_person("token-of-alice"))
        with pytest.raises(KeyRefused):
            await ask(source)
        await source.close()


@pytest.mark.parametrize("name", ["none", "401", "429, then well", "HTML with 200", "an event named error"])
async def test_one_answer(name: str) -> None:
    good = Good(pieces=events(OPEN), piece=lambda text: text.encode(), beginning="A lost laptop is")
    await one_answer(FAULTS[name], good, lambda url: hurried(source_at(url)))


GIVEN = {
    "ANSWER_SOURCE": "azure-search",
    "AZURE_SEARCH_ENDPOINT": "https://contoso.search.windows.net",
    "AZURE_SEARCH_KNOWLEDGE_BASE": "handbook",
    "AZURE_SEARCH_API_KEY": KEY,
}


async def test_it_is_chosen_by_its_variables() -> None:
    source = choose(Settings.from_env(GIVEN), "127.0.0.1:1")
    assert await source.facts() == {
        "source": "azure-search",
        "answers": "not asked yet",
        "knowledge_base": "handbook",
    }
    await source.close()


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"AZURE_SEARCH_API_KEY": ""}, "ANSWER_SOURCE=azure-search needs AZURE_SEARCH_API_KEY"),
        ({"AZURE_SEARCH_ENDPOINT": "contoso"}, "is not the URL of a search service"),
        ({"AZURE_SEARCH_KNOWLEDGE_BASE": "a/b"}, "is not the name of a knowledge base"),
    ],
)
def test_what_is_missing_is_said(changed: dict[str, str], fault: str) -> None:
    with pytest.raises(SettingsError, match=fault):
        Settings.from_env(GIVEN | changed)
