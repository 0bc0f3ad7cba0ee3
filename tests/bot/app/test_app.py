"""The command: starts with one line, ends when it is told to, and says in one line why it can't start."""

from __future__ import annotations

import asyncio
import signal
import socket
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.app import command
from bot.app.settings import Settings
from bot.config.env import SettingsError
from bot.config.language_model import LocalModelOptions
from tests.bot.command import ready, refused, refused_here, started
from tests.bot.direct_line_client import Client


async def read_by_now(session: aiohttp.ClientSession, url: str) -> dict[str, Any]:
    """What ``/readyz`` says as soon as all documents are read."""
    async with asyncio.timeout(60):
        while True:
            async with session.get(f"{url}readyz") as response:
                facts: dict[str, Any] = await response.json()
                if facts["ready"]:
                    return facts
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
async def test_it_serves_until_it_is_told_to_end(docs: Path, number: signal.Signals) -> None:
    async with started("--docs", str(docs), "--port", "0") as process:
        url = await ready(process)
        async with aiohttp.ClientSession() as session:
            await read_by_now(session, url)
            async with session.get(url) as response:
                assert '<h1 title="Ferns at home">Ferns at home</h1>' in await response.text()
                assert "1 document<" in await response.text()
            async with session.get(f"{url}readyz") as response:
                assert (response.status, (await response.json())["documents"]) == (200, 1)
            async with session.get(f"{url}healthz") as response:
                assert response.status == 200
            async with session.get(f"{url}documents/ferns.md") as response:
                assert "twice a week" in await response.text()
            # An open socket holds nobody up.
            async with session.post(f"{url}v3/directline/tokens/generate") as response:
                headers = {"Authorization": f"Bearer {(await response.json())['token']}"}
            async with session.post(f"{url}v3/directline/conversations", headers=headers) as response:
                stream = (await response.json())["streamUrl"]
            async with session.ws_connect(stream):
                process.send_signal(number)
                async with asyncio.timeout(60):
                    _, errors = await process.communicate()
    assert process.returncode == 0
    assert b"Traceback" not in errors


async def test_a_container_is_tried_where_only_this_machine_reaches_it(docs: Path) -> None:
    """As ``docker run -p 127.0.0.1:3978:3978`` publishes it: it listens on all its addresses."""
    everywhere = {"HOST": "0.0.0.0", "PUBLISHED_ON_LOOPBACK": "true"}
    async with started("--docs", str(docs), "--port", "0", **everywhere) as process:
        url = await ready(process)
        assert url.startswith("http://127.0.0.1:")
        async with aiohttp.ClientSession() as session:
            await read_by_now(session, url)
            client = Client(session, url.removeprefix("http://").removesuffix("/"))
            await client.start()
            await client.say("How often do I water a fern?")
            await client.until("twice a week")
            async with session.get(url, headers={"Host": "bot.example.com"}) as response:
                assert response.status == 403


def test_a_port_in_use_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        [line] = refused_here("--port", str(port))
        assert f"127.0.0.1 port {port} can't be used" in line


def test_an_address_that_is_none_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOST", "bücher..example")
    monkeypatch.setenv("PUBLISHED_ON_LOOPBACK", "true")
    [line] = refused_here("--port", "0")
    assert line.startswith("bücher..example port 0 can't be used: ")


def test_a_missing_folder_is_one_line(tmp_path: Path) -> None:
    [line] = refused_here("--docs", str(tmp_path / "nowhere"), "--port", "0")
    assert "nowhere does not exist" in line


UNREACHABLE = [
    ("sqlite:///nowhere/state.db", "the state can't be kept in nowhere"),
    ("redis://:s3cret@127.0.0.1:1/0", "the state can't be kept in redis://127.0.0.1:1/0: "),
]


@pytest.mark.parametrize(("url", "words"), UNREACHABLE)
async def test_a_store_that_is_not_there_is_one_line(docs: Path, url: str, words: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, pytest.raises(SettingsError) as refusal:
        await command.serve(
            Settings(docs=docs, state=url, local_models=LocalModelOptions(mode="off")), listener
        )
    [line] = refusal.value.faults
    assert words in line
    assert line.endswith("(STATE_URL)")
    assert "s3cret" not in line


async def test_all_faults_come_at_once() -> None:
    lines = await refused("--port", "many", HOST="0.0.0.0", OPENAI_MODEL="m", OPENAI_API_KEY="")
    assert [line.split("=")[0].split()[0] for line in lines] == ["--port", "OPENAI_MODEL", "HOST"]


async def test_documents_that_vanish_are_one_line(tmp_path: Path) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    with listener, pytest.raises(SettingsError, match="can't be opened"):
        await command.serve(Settings.model_construct(docs=tmp_path / "gone"), listener)


async def test_a_proxy_is_not_asked_for_this_machine(docs: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        port = proxy.getsockname()[1]
        nowhere = f"http://127.0.0.1:{port}"
        environ = {"HTTP_PROXY": nowhere, "http_proxy": nowhere, "NO_PROXY": "", "no_proxy": "example.com"}
        async with started("--docs", str(docs), "--port", "0", **environ) as process:
            url = await ready(process)
            async with aiohttp.ClientSession() as session:
                client = Client(session, url.removeprefix("http://").removesuffix("/"))
                await client.start()
                await client.until("Hello")
