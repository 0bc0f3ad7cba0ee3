"""Microsoft's own Direct Line client, in Node, holds a conversation with the local service."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.bot.running import running
from tests.bot.table_source import TableSource
from tests.programs import CACHE, alone, find_program

PROJECT = Path(__file__).parents[2] / "direct_line_js"


@pytest.fixture(scope="session")
def project() -> Path:
    """The Node project with its packages, installed once into the user's cache."""
    npm = find_program("npm")
    folder = CACHE / "direct_line_js"
    with alone():
        if not (is_current(folder, "package-lock.json") and (folder / "node_modules").is_dir()):
            folder.mkdir(exist_ok=True)
            for name in ("package.json", ".npmrc", "package-lock.json"):
                shutil.copy(PROJECT / name, folder / name)
            subprocess.run([npm, "ci"], cwd=folder, check=True, capture_output=True, timeout=300)
        if not is_current(folder, "converse.js"):
            shutil.copy(PROJECT / "converse.js", folder / "converse.js")
    return folder


def is_current(folder: Path, name: str) -> bool:
    """Whether the file in ``folder`` is the project's."""
    file = folder / name
    return file.is_file() and file.read_bytes() == (PROJECT / name).read_bytes()


async def converse(project: Path, way: str) -> dict[str, Any]:
    node = find_program("node")
    async with running(TableSource()) as authority:
        domain = f"http://{authority}/v3/directline"
        process = await asyncio.create_subprocess_exec(
            node,
            "converse.js",
            domain,
            way,
            cwd=project,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(60):
            out, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    found: dict[str, Any] = json.loads(out)
    return found


@pytest.mark.parametrize("way", ["socket", "polling"])
async def test_a_conversation(project: Path, way: str) -> None:
    found = await converse(project, way)
    messages = [activity for activity in found["seen"] if activity["type"] == "message"]
    assert [(message["from"]["role"], message["text"][:10]) for message in messages] == [
        ("bot", "Hello! I a"),
        ("user", "How often "),
        ("bot", "Water a fe"),
        ("user", "Who won th"),
        ("bot", "I found no"),
    ]
    assert max(Counter(activity["id"] for activity in found["seen"]).values()) == 1
    # Its echo carries the id that the client was given for what it sent.
    echoed = {message["text"]: message["id"] for message in messages if message["from"]["role"] == "user"}
    assert echoed == found["sent"]
    assert messages[2]["entities"][0]["citation"][0]["position"] == "1"
    assert found["sockets"] == (2 if way == "socket" else 0)
    assert "FailedToConnect" not in found["states"]
    assert "Online" in found["states"]


async def test_who_comes_late_to_a_stream_gets_what_there_is(project: Path) -> None:
    found = await converse(project, "late")
    greeting = found["watched"][0]
    # Who is there sees it grow; nobody is owed each of its pieces.
    assert found["watched"][-2:] == ["600", "end"]
    assert found["middle"] == [greeting, "1", "600"]
    assert found["end"] == [greeting, "end"]
