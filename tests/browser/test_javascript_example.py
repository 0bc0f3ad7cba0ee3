"""The example in JavaScript in real Chromium, which shows the same as in Node."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path

from ..javascript_example import EXAMPLE
from .browser import chromium

ROOT = Path(__file__).parents[2]
RENDERED = """
    async ([source, answers]) => {
        const { render } = await import(`data:text/javascript;base64,${source}`);
        return answers.map(answer => render(answer).text);
    }
"""


async def test_it_renders_the_vectors() -> None:
    vectors = json.loads((ROOT / "vectors/markers.json").read_text(encoding="utf-8"))["vectors"]
    source = b64encode(EXAMPLE.read_bytes()).decode()
    async with chromium() as browser:
        page = await (await browser.new_context()).new_page()
        texts = await page.evaluate(RENDERED, [source, [one["input"] for one in vectors]])
    for vector, text in zip(vectors, texts, strict=True):
        definitions = vector.get("definitions", [])
        assert text.split("\n")[len(text.split("\n")) - len(definitions) :] == definitions, vector["id"]
