"""A real Open WebUI, asked through the bot: ``python -m examples.open_webui [FOLDER] [--keep]``.

Installs Open WebUI into a virtual environment in FOLDER (3 GB, once), starts it there with a small model
that cites what it is shown, gives it documents and a pipe, and prints what the bot makes of its answers.
With ``--keep`` it goes on until Ctrl+C, and says how to start the bot for it. Open WebUI is not part of
this project: it has a licence of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import mimetypes
import os
import re
import socket
import subprocess
import sys
import venv
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import aiohttp
from aiohttp import web

from bot.app.settings import SAMPLES
from bot.config.answer_sources import OpenWebUIOptions
from bot.sources.open_webui.source import OpenWebUISource
from citations import Reference, ReferencesFound, RenderingStream, TextDelta, channel

OPEN_WEBUI: Final = "open-webui==0.12.4"
DOCUMENTS: Final = ("travel-policy.md", "aurora-user-guide.pdf")
QUESTION: Final = "From how many hours on may a train be booked in first class?"
WORD: Final = r"\w+"
PIPE: Final = """
class Pipe:
    async def pipe(self, body, __event_emitter__=None):
        yield "The speed of light is exactly 299,792,458 m/s [1]."
        await __event_emitter__({"type": "source", "data": {
            "source": {"name": "NASA"},
            "document": ["299,792,458 meters per second is the exact speed of light in vacuum."],
            "metadata": [{"source": "https://science.nasa.gov/ems/03_movinglight/"}],
        }})
"""


# A model: it quotes each passage that it is shown, with its number, and knows nothing else


async def complete(request: web.Request) -> web.StreamResponse:
    """``POST /v1/chat/completions``: the first words of each ``<source id="…">`` of the prompt."""
    body = await request.json()
    prompt = " ".join(str(message.get("content")) for message in body["messages"])
    # The instructions in front of the context have a tag for an example.
    context = prompt.partition("<context>")[2]
    shown = re.findall(r'<source id="(\d+)"[^>]*>(.+?)</source>', context, re.DOTALL)
    quotes = [f"{' '.join(re.findall(WORD, text)[:6])} [{number}]." for number, text in shown]
    text = " ".join(quotes) or "No sources were given to me."
    if not body.get("stream"):
        message = {"role": "assistant", "content": text}
        return web.json_response(_chunk(message=message, finish_reason="stop"))
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    for piece in re.findall(r".{1,7}", text):
        await response.write(_event(web.json_response(_chunk(delta={"content": piece})).text))
    await response.write(_event(web.json_response(_chunk(delta={}, finish_reason="stop")).text))
    await response.write(_event("[DONE]"))
    return response


def _chunk(**choice: Any) -> dict[str, Any]:
    kind = "chat.completion.chunk" if "delta" in choice else "chat.completion"
    return {"id": "x", "object": kind, "model": "citing", "choices": [{"index": 0, **choice}]}


def _event(data: str | None) -> bytes:
    return f"data: {data}\n\n".encode()


async def embed(request: web.Request) -> web.Response:
    """``POST /v1/embeddings``: the words of a text, counted in 256 places."""
    body = await request.json()
    texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
    found = [{"index": place, "embedding": _counts(text)} for place, text in enumerate(texts)]
    return web.json_response({"object": "list", "model": "counting", "data": found})


def _counts(text: str) -> list[float]:
    counts = [0.001] * 256
    for word in re.findall(r"\w+", text.lower()):
        counts[zlib.crc32(word.encode()) % 256] += 1
    return counts


async def models(_: web.Request) -> web.Response:
    """``GET /v1/models``."""
    return web.json_response({"object": "list", "data": [{"id": "citing", "object": "model"}]})


@contextlib.asynccontextmanager
async def model_server() -> AsyncIterator[str]:
    """The base URL of the model while it is being served."""
    app = web.Application()
    app.router.add_get("/v1/models", models)
    app.router.add_post("/v1/chat/completions", complete)
    app.router.add_post("/v1/embeddings", embed)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()


# Open WebUI


def installed(folder: Path) -> Path:
    """Open WebUI's program, installed where it is not yet."""
    scripts = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    if not (program := scripts / "open-webui").exists() and not program.with_suffix(".exe").exists():
        print(f"Installing {OPEN_WEBUI} into {folder}: this takes some minutes.")
        venv.create(folder / "venv", with_pip=True)
        pip = [str(scripts / "python"), "-m", "pip", "install", "--quiet", OPEN_WEBUI]
        subprocess.run(pip, check=True)  # noqa: S603 - both are of this file
    return program


@contextlib.asynccontextmanager
async def open_webui(folder: Path, model: str) -> AsyncIterator[str]:
    """The address of an Open WebUI with a new, empty database while it is being served."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    data = folder / f"data-{port}"
    data.mkdir(parents=True)
    environment = os.environ | {
        "DATA_DIR": str(data),
        "WEBUI_SECRET_KEY": "of-an-example",
        "ENABLE_API_KEYS": "true",
        "ENABLE_OLLAMA_API": "false",
        "OPENAI_API_BASE_URL": model,
        "OPENAI_API_KEY": "none",
        "RAG_EMBEDDING_ENGINE": "openai",
        "RAG_OPENAI_API_BASE_URL": model,
        "RAG_OPENAI_API_KEY": "none",
        "RAG_EMBEDDING_MODEL": "counting",
        "OFFLINE_MODE": "true",
        "HF_HUB_OFFLINE": "1",
    }
    command = [str(installed(folder)), "serve", "--host", "127.0.0.1", "--port", str(port)]
    with (folder / "open-webui.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=log, stderr=log)
    try:
        await _ready(f"http://127.0.0.1:{port}", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _ready(url: str, process: asyncio.subprocess.Process) -> None:
    async with aiohttp.ClientSession() as session:
        while process.returncode is None:
            with contextlib.suppress(aiohttp.ClientError):
                async with session.get(f"{url}/health") as response:
                    if response.status == 200:
                        return
            await asyncio.sleep(1)
    raise SystemExit("Open WebUI ended; open-webui.log says why")


class Administrator:
    """The first person who signs up: makes a key, knowledge and models."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self._session = session
        self._headers: dict[str, str] = {}

    async def sign_up(self) -> str:
        """The API key of a new administrator."""
        person = {"name": "Someone", "email": "someone@example.com", "password": "of an example"}
        token = (await self.post("/api/v1/auths/signup", json=person))["token"]
        self._headers = {"Authorization": f"Bearer {token}"}
        key: str = (await self.post("/api/v1/auths/api_key"))["api_key"]
        return key

    async def add_knowledge(self) -> str:
        """The id of a collection of documents."""
        made = await self.post("/api/v1/knowledge/create", json={"name": "Handbook", "description": ""})
        for name in DOCUMENTS:
            form = aiohttp.FormData()
            kind = mimetypes.guess_type(name)[0] or "text/markdown"
            form.add_field("file", (SAMPLES / name).read_bytes(), filename=name, content_type=kind)
            file = await self.post("/api/v1/files/?process_in_background=false", data=form)
            await self.post(f"/api/v1/knowledge/{made['id']}/file/add", json={"file_id": file["id"]})
        return str(made["id"])

    async def add_models(self, knowledge: str) -> None:
        """A model of the workspace that has the knowledge, and a pipe."""
        meta = {"knowledge": [{"id": knowledge, "name": "Handbook", "type": "collection"}]}
        model = {"id": "handbook", "name": "Handbook", "base_model_id": "citing", "meta": meta, "params": {}}
        await self.post("/api/v1/models/create", json=model)
        pipe = {"id": "light", "name": "Light", "content": PIPE, "meta": {"description": ""}}
        await self.post("/api/v1/functions/create", json=pipe)
        await self.post("/api/v1/functions/id/light/toggle")

    async def chats(self) -> int:
        """How many chats there are."""
        async with self._session.get("/api/v1/chats/", headers=self._headers) as response:
            return len(await response.json())

    async def post(self, path: str, **more: Any) -> Any:
        """What comes back; a refusal ends the program."""
        async with self._session.post(path, headers=self._headers, **more) as response:
            if response.status != 200:
                raise SystemExit(f"{path}: {response.status} {await response.text()}")
            return await response.json()


# The bot's side


async def show(title: str, options: OpenWebUIOptions, question: str = QUESTION) -> None:
    """Print what the bot sends to Web Chat, and what it says about its source."""
    source = OpenWebUISource(options)
    await source.open()
    stream = RenderingStream(channel("webchat"))
    references: list[Reference] = []
    text = failed = ""
    try:
        async for event in source.answer(question):
            stream.feed(event)
            match event:
                case TextDelta():
                    text += event.text
                case ReferencesFound():
                    references += event.references
    except Exception as error:  # noqa: BLE001 - it is shown
        failed = f"{type(error).__name__}: {error}"
    rendering = stream.close()
    print(f"\n## {title}\n\n{failed or rendering.text}\n\n{await source.facts()}")
    await source.close()
    for words, number in re.findall(r"([\w ]+) \[(\d+)\]\. ?", text) if references else ():
        passages = [" ".join(re.findall(WORD, one.text or "")) for one in references if one.id == number]
        print(f"[{number}] has the words that the model quoted:", any(words in one for one in passages))


async def main(folder: Path, *, keep: bool) -> None:
    """Ask in all the ways there are."""
    async with (
        model_server() as model,
        open_webui(folder, model) as url,
        aiohttp.ClientSession(url) as session,
    ):
        administrator = Administrator(session)
        key = await administrator.sign_up()
        knowledge = await administrator.add_knowledge()
        await administrator.add_models(knowledge)

        def options(
            model: str = "citing", *, ids: tuple[str, ...] = (), saved: bool = False
        ) -> OpenWebUIOptions:
            return OpenWebUIOptions(
                url=url, api_key=key, model=model, knowledge_ids=ids, public_url=url, saved_chats=saved
            )

        await show("A model, and knowledge of ours", options(ids=(knowledge,)))
        await show("A model of the workspace with its own knowledge", options("handbook"))
        await show("Knowledge that is not there", options(ids=("unknown",)))
        await show("A pipe", options("light"))
        await show("A pipe, in a saved chat", options("light", saved=True))
        await show("Knowledge, in a saved chat", options(ids=(knowledge,), saved=True))
        await show("A model that is not there", options("unknown"))
        print(f"\n{await administrator.chats()} chats are left.")
        if keep:
            print(
                f"\nANSWER_SOURCE=open-webui OPEN_WEBUI_URL={url} OPEN_WEBUI_API_KEY={key} "
                f"OPEN_WEBUI_MODEL=citing OPEN_WEBUI_KNOWLEDGE_IDS={knowledge} python app.py --open"
            )
            await asyncio.Event().wait()


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", nargs="?", type=Path, default=Path("build") / "open-webui")
    arguments.add_argument("--keep", action="store_true", help="go on until Ctrl+C")
    given = arguments.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(given.folder.resolve(), keep=given.keep))
