"""Take the pictures of docs/suppliers.md: ``python -m examples.provider_pictures [PROVIDER …]``.

Saved responses of providers that cite by place, in the real Web Chat. Needs the packages of the tests.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any, Final

from playwright.async_api import expect

from bot.direct_line.bundle import find_bundle
from citations import ReferencesFound, TextDelta
from citations.model import DialectKnown, SpanFound
from citations.readers import FORMATS
from examples.screenshots import DOCS
from tests.bot.running import running
from tests.bot.scripted_source import ScriptedSource
from tests.browser.browser import chatting

ROOT: Final = Path(__file__).parents[1]
RESPONSES: Final = {
    "openai": "tests/corpus/suppliers/openai/url-citation-2.json",
    "anthropic": "tests/corpus/suppliers/anthropic/two-passages.json",
    "gemini": "tests/corpus/suppliers/gemini/two-chunks.json",
    "bedrock": "examples/responses/bedrock.json",
    "cohere": "tests/corpus/suppliers/cohere/documents.json",
    "mistral": "examples/responses/mistral.json",
    "langchain": "examples/responses/langchain.json",
    "perplexity": "tests/corpus/perplexity/whole.json",
    "azure-on-your-data": "examples/responses/azure-on-your-data.json",
    "azure-search": "examples/responses/azure-search.json",
    "copilot-chat": "examples/responses/copilot-chat.json",
    "ragflow": "examples/responses/ragflow.json",
    "ai-sdk": "examples/responses/ai-sdk.json",
}
"""A saved response of each provider."""
PORT: Final = 39783
SCREEN: Final[dict[str, Any]] = {"viewport": {"width": 760, "height": 900}, "device_scale_factor": 1}


async def main(*providers: str) -> None:
    """Serve the response of each provider, or of all, as an answer and photograph it."""
    for provider in providers or RESPONSES:
        answer = FORMATS[provider].read(json.loads((ROOT / RESPONSES[provider]).read_bytes()))
        source = ScriptedSource(title=provider)
        source.tell(
            provider,
            *((DialectKnown(answer.dialect),) if answer.dialect else ()),
            ReferencesFound(answer.references),
            TextDelta(answer.text),
            *(SpanFound(one.start, one.end, one.ids, one.replaces) for one in answer.spans),
            None,
        )
        async with (
            running(source, bundle=find_bundle(), port=PORT) as bot,
            chatting(bot, reduced_motion="reduce", **SCREEN) as chat,
        ):
            await expect(chat.bubble("Hello")).to_be_visible()
            await chat.ask(provider)
            bubble = chat.bubble(answer.text[:12].strip("# *")).last
            await expect(bubble.locator(".webchat__link-definitions__list-item").first).to_be_visible()
            await chat.page.wait_for_timeout(600)  # Web Chat scrolls smoothly
            await bubble.screenshot(path=DOCS / f"supplier-{provider}.png")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
