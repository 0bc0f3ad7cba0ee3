"""What a page of another origin learns of the documents in real Chromium: not even whether there is one."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from bot.direct_line.bundle import Bundle
from tests.bot.running import running
from tests.bot.table_source import TableSource

from .browser import chromium

ASK = """async url => {
    const fetched = async options => {
        try { const answer = await fetch(url, options); return `${answer.type} ${answer.status}`; }
        catch (error) { return `${error}`; }
    };
    const embedded = (tag, attribute) => new Promise(done => {
        const element = document.createElement(tag);
        const say = what => {
            let inside = "";
            try { inside = `${element.contentWindow?.length} ${element.contentDocument}`; }
            catch (error) { inside = error.name; }
            element.remove();
            done(`${what} ${inside}`);
        };
        element.onload = () => say("load");
        element.onerror = () => say("error");
        setTimeout(() => say("nothing"), 3000);
        if (tag === "link") element.rel = "stylesheet";
        element[attribute] = url;
        document.body.append(element);
    });
    const found = {
        "no-cors": await fetched({mode: "no-cors"}),
        "cors": await fetched({mode: "cors"}),
        "HEAD": await fetched({mode: "no-cors", method: "HEAD"}),
    };
    for (const [tag, attribute] of [["img", "src"], ["script", "src"], ["link", "href"], ["video", "src"],
                                    ["iframe", "src"], ["object", "data"], ["embed", "src"]])
        found[tag] = await embedded(tag, attribute);
    return found;
}"""


@contextlib.asynccontextmanager
async def foreign_page() -> AsyncIterator[int]:
    """The port of another program of this machine, which serves an empty page."""

    async def page(_: web.Request) -> web.Response:
        return web.Response(text="<!doctype html><title>x</title><body>", content_type="text/html")

    app = web.Application()
    app.router.add_get("/", page)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


async def test_it_can_not_frame_the_page(tmp_path: Path) -> None:
    async with (
        running(TableSource(), docs=tmp_path, bundle=Bundle(None)) as authority,
        foreign_page() as port,
        chromium() as browser,
    ):
        page = await (await browser.new_context()).new_page()
        refused: list[str] = []
        page.on("console", lambda entry: refused.append(entry.text))
        await page.goto(f"http://127.0.0.1:{port}/")
        frame = f"<iframe src='http://{authority}/'></iframe>"
        await page.evaluate("frame => document.body.innerHTML = frame", frame)
        async with asyncio.timeout(60):
            while not any("frame-ancestors" in words for words in refused):
                await asyncio.sleep(0.05)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"], ids=["same-site", "cross-site"])
async def test_it_can_not_tell_a_document_from_none(tmp_path: Path, host: str) -> None:
    names = ("there.md", "there.html", "there.pdf", "there.docx")
    for name in names:
        (tmp_path / name).write_text("<p>confidential</p>", encoding="utf-8")
    async with (
        running(TableSource(), docs=tmp_path) as authority,
        foreign_page() as port,
        chromium() as browser,
    ):
        page = await (await browser.new_context()).new_page()
        await page.goto(f"http://{host}:{port}/")

        async def ask(name: str) -> dict[str, Any]:
            found: dict[str, Any] = await page.evaluate(ASK, f"http://{authority}/documents/{name}")
            return found

        for name in names:
            there, missing = await asyncio.gather(ask(name), ask(f"no-{name}"))
            assert there == missing, name
            assert there["no-cors"] == "TypeError: Failed to fetch"
