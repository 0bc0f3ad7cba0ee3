"""Controls that turn the writing, in documents, names, questions and models' answers: none leaves the bot."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch
from urllib.parse import quote

import aiohttp
import pytest

import app
from bot.sources.folder import FolderSource

from ..model_server import Handler, model_server, streaming
from .direct_line_client import Client
from .running import connecting, logged, message, running

TURNED = "annual-\u202efdp.md"
LEAVE = "The \u202eannual\u202c leave is \u206620\u2069 days &#x202e;a year&#8236; [1]."
FILES = {
    TURNED: f"# Annual \u202eleave\n\n{LEAVE}\n\n## How many days of \u2067leave\u2069 are there?\n\nThere are \u202a20\u202c.\n",
    "leave \u2068b\u2069.txt": f"ANNUAL LEAVE \u202bB\u202c\n\n{LEAVE} It is in `code \u202e`.\n",
    "c.html": f"<title>Leave \u202ec</title><h1>Annual \u202dleave</h1><p>{LEAVE} <bdo dir='rtl'>Annual leave.</bdo></p>",
    "d.csv": "Leave,Days\nannual \u202eleave,\u202e20\nsick leave,30\n",
    "e.py": '# annual \u202eleave days\nANNUAL_LEAVE = "\u20662\u20690"\n',
    "f\u202e.doc": "no document",
}
QUESTIONS = [
    "How many days of \u202eannual leave\u202c are there?", "How many days of anual\u2066 leeve?", "1", "source 1", "more",
    "Is there \u2067unobtainium\u2069 leave in the annual leave rules?", "annual leave", "What does \u202efoo say?",
]  # fmt: skip
NINE = re.compile("[\u202a-\u202e\u2066-\u2069]|(?<!\\\\)\\\\u(?:202[a-e]|206[6-9])", re.IGNORECASE)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def assert_straight(heard: bytes | str, least: str) -> None:
    text = heard if isinstance(heard, str) else heard.decode()
    assert least in text
    found = NINE.search(text)
    assert not found, ascii(text[max(0, found.start() - 200) : found.end() + 80])


@pytest.mark.parametrize(
    "model", [None, streaming(f"By the rules: {LEAVE}\n\n~\u202e~~\n\nSee [2].")], ids=["quoted", "worded"]
)
async def test_no_activity_and_no_line_of_the_log_has_one(
    model: Handler | None, docs: Path, tmp_path: Path
) -> None:
    async with model_server() as server, connecting() as connector:
        server.behave = model or server.behave
        writer = server.writer() if model else None
        source = FolderSource(docs, document_base="", cache=tmp_path / "cache", writer=writer)
        heard: list[bytes] = []
        with logged() as log:
            async with running(source, docs=docs) as authority, aiohttp.ClientSession() as session:
                for channel in ("webchat", "msteams", "sms", "email", "directlinespeech"):
                    for number, question in enumerate(QUESTIONS):
                        fields = {
                            "id": f"{channel}{number}",
                            "channelId": channel,
                            "conversation": {"id": channel},
                        }
                        body = message(connector.service_url, question, **fields)
                        async with session.post(f"http://{authority}/api/messages", json=body) as response:
                            heard.append(await response.read())
        while not connector.received.empty():
            heard.append(connector.received.get_nowait()[2])
        assert_straight(b"".join(heard), "20")
        assert_straight(log.getvalue(), "answered")


async def test_the_local_page_shows_none(docs: Path, tmp_path: Path) -> None:
    source = FolderSource(docs, document_base="", cache=tmp_path / "cache", may_add=True)
    async with running(source, docs=docs) as authority, aiohttp.ClientSession() as session:

        async def get(path: str) -> str:
            async with session.get(f"http://{authority}{path}") as response:
                return await response.text()

        assert_straight(await get("/local/documents"), "annual-fdp.md")
        for name in FILES:
            if not name.endswith("doc"):
                assert_straight(await get(f"/documents/{quote(name)}?view="), "20")
        assert NINE.search(await get(f"/documents/{quote(TURNED)}")), "the file itself is served as it is"
        client = Client(session, authority)
        await client.start()
        for question in QUESTIONS:
            await client.say(question, channelData={"said": "\u202e"})
        path = f"/v3/directline/conversations/{client.conversation}/activities"
        headers = {"Authorization": f"Bearer {client.token}"}
        async with session.get(f"http://{authority}{path}", headers=headers) as response:
            assert_straight(await response.text(), "annual leave")


@pytest.mark.parametrize(
    "arguments", [("ask", QUESTIONS[0]), ("ask", "--json", QUESTIONS[0]), ("index",)], ids=" ".join
)
def test_a_terminal_shows_none(
    arguments: Sequence[str], docs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with patch.dict(os.environ), logged(io.StringIO()):
        app.main([*arguments, "--docs", str(docs)])
    out, errors = capsys.readouterr()
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", out + errors)
    if "--json" in arguments:
        assert_straight(out, "20")
