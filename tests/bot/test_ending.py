"""SIGTERM under load: whoever has asked is answered, or told why not, once; and then it is over."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import AsyncIterator

import aiohttp
import pytest

from bot.conversation.outcome import CLOSING
from bot.languages import say

from .command import ROOT
from .fake_entra import APP_ID, SECRET, entra_running
from .running import Connector, connecting, message, running
from .slow_process import started
from .table_source import TableSource

QUESTIONS = 20


@pytest.fixture
async def connector() -> AsyncIterator[Connector]:
    async with connecting() as one:
        yield one


async def ask(
    session: aiohttp.ClientSession, authority: str, connector: Connector, number: int, authorization: str = ""
) -> int:
    """The status, in the end; 0 where there is none."""
    body = message(connector.service_url, f"q{number}", conversation={"id": f"c{number}"})
    headers = {"Authorization": authorization} if authorization else {}
    with contextlib.suppress(aiohttp.ClientError):
        async with session.post(f"http://{authority}/api/messages", json=body, headers=headers) as response:
            return response.status
    return 0


async def all_heard(connector: Connector) -> None:
    """Every question has had a sign of life."""
    signs: set[str] = set()
    while len(signs) < QUESTIONS:
        signs.add((await connector.next("typing"))["conversation"]["id"])


async def ended(process: asyncio.subprocess.Process, limit: float = 40) -> str:
    """What it has logged; it has ended well."""
    async with asyncio.timeout(limit):
        _, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    assert "Traceback" not in errors.decode()
    return errors.decode()


def collect_messages(connector: Connector) -> dict[str, list[str]]:
    """The messages by question."""
    messages = defaultdict(list)
    for activity in connector.rest():
        if activity["type"] == "message":
            messages[activity["conversation"]["id"].replace("c", "q")].append(activity["text"])
    return messages


async def status(session: aiohttp.ClientSession, url: str) -> int:
    try:
        async with session.get(url) as response:
            return response.status
    except aiohttp.ClientConnectionError:
        return 0


async def test_in_production_it_leaves_the_balancer_then_drains_then_ends(connector: Connector) -> None:
    limit = aiohttp.ClientTimeout(total=60)
    async with entra_running() as entra, aiohttp.ClientSession(timeout=limit) as session:
        environ = {
            "MicrosoftAppId": APP_ID,
            "MicrosoftAppPassword": SECRET,
            "SERVICE_URL_HOSTS": "127.0.0.1",
            "CLOUD": entra.url,
            "SECONDS": "6",
            "MAX_ANSWERS": "15",
        }
        async with started(**environ) as (process, bot):
            while await status(session, f"http://{bot}/readyz") != 200:
                await asyncio.sleep(0.1)
            bearer = entra.bearer(connector.service_url)
            asking = [
                asyncio.create_task(ask(session, bot, connector, number, bearer))
                for number in range(QUESTIONS)
            ]
            await all_heard(connector)
            process.send_signal(signal.SIGTERM)
            # First it isn't ready any more, then it doesn't listen any more.
            while await status(session, f"http://{bot}/readyz") == 200:
                await asyncio.sleep(0.02)
            assert await status(session, f"http://{bot}/healthz") == 200
            while await status(session, f"http://{bot}/healthz"):
                await asyncio.sleep(0.1)
            assert not any(task.done() and task.result() != 201 for task in asking)
            assert Counter(await asyncio.gather(*asking)) == {201: QUESTIONS}
            await ended(process)
    messages = collect_messages(connector)
    answered = [question for question, texts in messages.items() if texts == [f"Answer {question}."]]
    declined = [question for question, texts in messages.items() if texts == [say(CLOSING.message)]]
    assert (len(answered), len(declined)) == (15, 5)


@pytest.mark.parametrize("stuck", ["", "1"], ids=["a source that hangs", "a thread that can't be cancelled"])
async def test_a_source_that_hangs_holds_nobody_up(connector: Connector, stuck: str) -> None:
    environ = {"SECONDS": "6" if stuck else "600", "STUCK": stuck}
    async with aiohttp.ClientSession() as session, started(**environ) as (process, bot):
        asking = [asyncio.create_task(ask(session, bot, connector, number)) for number in range(QUESTIONS)]
        await all_heard(connector)
        process.send_signal(signal.SIGTERM)
        assert Counter(await asyncio.gather(*asking)) == {201: QUESTIONS}
        await ended(process)
    assert collect_messages(connector) == {
        f"q{number}": [say(CLOSING.message)] for number in range(QUESTIONS)
    }


async def test_a_connector_that_hangs_holds_nobody_up(connector: Connector) -> None:
    async with aiohttp.ClientSession() as session, started(SECONDS="0") as (process, bot):
        connector.open.clear()
        asking = [asyncio.create_task(ask(session, bot, connector, number)) for number in range(QUESTIONS)]
        for _ in range(QUESTIONS):
            await connector.next()
        process.send_signal(signal.SIGTERM)
        await ended(process)  # and nothing has been answered yet
        await asyncio.gather(*asking)
        connector.open.set()


async def test_what_cannot_end_is_ended() -> None:
    code = "import threading, time; from bot.app import command; command._exit_after(0.3); threading.Thread(target=time.sleep, args=(60,)).start()"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, cwd=ROOT)
    async with asyncio.timeout(60):
        assert await process.wait() == 0


async def test_who_is_connected_before_the_end_gets_an_answer_and_is_told_that_it_is_the_last() -> None:
    async with contextlib.AsyncExitStack() as stack:
        bot = await stack.enter_async_context(running(TableSource(), moment=2.0))
        async with aiohttp.ClientSession() as session, session.get(f"http://{bot}/healthz") as response:
            assert "Connection" not in response.headers
        reader, writer = await asyncio.open_connection(*bot.split(":"))
        ending = asyncio.create_task(stack.aclose())
        async with aiohttp.ClientSession() as session:
            while await status(session, f"http://{bot}/healthz"):
                await asyncio.sleep(0.01)
        writer.write(f"GET /healthz HTTP/1.1\r\nHost: {bot}\r\n\r\n".encode())
        answer = await reader.read()  # to the end of the connection
        assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
        assert b"\r\nConnection: close\r\n" in answer
        writer.close()
        await ending
