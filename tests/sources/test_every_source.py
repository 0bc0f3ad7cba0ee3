"""What is the same for all providers: who asks them, what their pages quote, and that a reader who leaves hangs up."""

from __future__ import annotations

import asyncio
import contextlib
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.app.settings import Settings
from bot.conversation.outcome import UNREADABLE
from bot.languages import Sentence, say
from bot.sources import AnswerSource
from bot.sources.errors import (
    KeyRefused,
    NotFoundAtSource,
    SourceBusy,
    SourceError,
    SourceRefused,
    SourceTimedOut,
    SourceUnavailable,
)
from bot.sources.llamaindex.failure import EngineFailed
from citations import TextDelta

from ..bot.running import running
from ..model_server import ScriptedReply
from .faults import SOON
from .open_webui_server import open_webui_server
from .searching_server import searching_server
from .writer_server import GRAPH, chunk, event, question, writer_server

DOCS = Path(__file__).parents[2] / "docs"
CORPUS = Path(__file__).parents[1] / "corpus"
KEY = "sk-secret-0123456789"
SETTINGS: dict[str, dict[str, str]] = {
    "writer": {"WRITER_API_KEY": KEY, "WRITER_GRAPH_IDS": GRAPH},
    "open-webui": {
        "OPEN_WEBUI_URL": "http://localhost:8080",
        "OPEN_WEBUI_API_KEY": KEY,
        "OPEN_WEBUI_MODEL": "m",
    },
    "perplexity": {"PERPLEXITY_API_KEY": KEY},
    "azure-search": {
        "AZURE_SEARCH_ENDPOINT": "https://contoso.search.windows.net",
        "AZURE_SEARCH_KNOWLEDGE_BASE": "handbook",
        "AZURE_SEARCH_API_KEY": KEY,
    },
    "microsoft365": {
        "SIGN_IN_CONNECTION": "graph",
        "MicrosoftAppId": "0c3d4b55-1111-4222-8333-000000000001",
        "MicrosoftAppPassword": KEY,
    },
    "openai": {"OPENAI_API_KEY": KEY, "OPENAI_MODEL": "m"},
    "llamaindex": {"LLAMAINDEX_ENGINE": "examples.llamaindex_bm25:engine"},
}


@pytest.mark.parametrize("name", SETTINGS)
def test_only_who_chooses_a_source_asks_it(name: str) -> None:
    assert Settings.from_env(SETTINGS[name]).source_options is None
    chosen = Settings.from_env(SETTINGS[name] | {"ANSWER_SOURCE": name})
    assert chosen.source_options
    assert KEY not in repr(chosen)


def test_a_source_is_imported_where_it_is_chosen() -> None:
    optional = ("httpx", "bot.sources.open_webui.source", "llama_index", "workflows")
    program = f"import app, sys; sys.exit(any(name in sys.modules for name in {optional}))"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


KINDS: list[type[SourceError]] = [
    SourceUnavailable,
    SourceBusy,
    KeyRefused,
    NotFoundAtSource,
    SourceRefused,
    SourceTimedOut,
]
"""What a person may read, in the order of a page's table."""


def test_the_page_quotes_what_people_read() -> None:
    page = (DOCS / "running.md").read_text(encoding="utf-8")
    section = page.partition("## When the answer source fails")[2].partition("\n## ")[0]
    rows = [row.removesuffix(" …") for row in re.findall(r"\| “(.+)” \|$", section, re.MULTILINE)]
    keys = [*(one.message for one in KINDS), UNREADABLE.message]
    assert [row for row, key in zip(rows, keys, strict=True) if not say(key).startswith(row)] == []


def test_the_page_of_an_engine_quotes_what_people_read() -> None:
    page = " ".join((DOCS / "llamaindex.md").read_text(encoding="utf-8").split())
    assert all(f"“{say(key)}”" in page for key in (EngineFailed.message, Sentence.NOTHING_FOUND))


# What a server says first, by provider
BEGINNINGS = {
    "writer": event(question("It is")),
    "open-webui": event(chunk("It is")),
    "perplexity": event(chunk("It is")),
}
READY: dict[str, dict[str, str]] = {
    "writer": {"answers": "yes", "graphs": "Products"},
    "open-webui": {"answers": "yes", "model": "handbook", "knowledge": "Proxies"},
    "perplexity": {"answers": "not asked yet", "model": "sonar"},
}


@contextlib.asynccontextmanager
async def serving(name: str) -> AsyncIterator[tuple[AnswerSource, ScriptedReply]]:
    """A source, and what its server says."""
    servers: dict[str, Callable[[], Any]] = {
        "writer": writer_server,
        "open-webui": open_webui_server,
        "perplexity": lambda: searching_server("perplexity", CORPUS / "perplexity" / "stream.sse"),
    }
    async with servers[name]() as server:
        server.behave = told = ScriptedReply()
        yield server.source(), told


@pytest.mark.parametrize("name", BEGINNINGS)
async def test_closing_an_answer_hangs_up(name: str) -> None:
    async with serving(name) as (source, told), asyncio.timeout(SOON):
        told.send(BEGINNINGS[name])
        async with contextlib.aclosing(source.answer("What?")) as events:
            while not isinstance(await anext(events), TextDelta):
                pass
            assert not told.left.is_set()
        await told.left.wait()
        await source.close()


@pytest.mark.parametrize("name", READY)
async def test_ready_says_which_source_answers(name: str) -> None:
    async with (
        serving(name) as (source, _),
        running(source) as authority,
        aiohttp.ClientSession() as session,
        session.get(f"http://{authority}/readyz") as response,
    ):
        assert await response.json() == {"ready": True, "source": name, **READY[name]}
