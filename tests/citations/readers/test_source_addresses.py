"""What a source's URL becomes is the same whichever provider sends it, and what is dropped is a problem."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest

from citations import channel, cite, render
from citations.readers import FORMATS
from tests.written_provider_answers import block, choice, claude, cohere, gemini, knowledge_base, support


def _chat(**more: Any) -> dict[str, Any]:
    return choice("It is [1].") | more


SENT: Final[Mapping[str, Callable[[str], Any]]] = {
    "answer": lambda url: {"text": "It is [1].", "references": [{"id": "1", "url": url}]},
    "writer": lambda url: {
        "answer": f"It is [A]({url}).",
        "references": {"web": [{"url": url, "title": "A"}]},
    },
    "llamaindex": lambda url: {
        "response": "It is [1].",
        "source_nodes": [{"node": {"text": "P.", "metadata": {"url": url}}}],
    },
    "open-webui": lambda url: _chat(
        sources=[
            {"source": {"name": "s"}, "document": ["P."], "metadata": [{"source": "f", "source_url": url}]}
        ]
    ),
    "perplexity": lambda url: _chat(citations=[url], search_results=[{"url": url, "title": "A"}]),
    "openai": lambda url: choice(
        "It is.",
        annotations=[
            {
                "type": "url_citation",
                "url_citation": {"start_index": 0, "end_index": 5, "url": url, "title": "A"},
            }
        ],
    ),
    "anthropic": lambda url: claude(
        block("It is.", {"type": "web_search_result_location", "url": url, "title": "A", "cited_text": "P."})
    ),
    "gemini": lambda url: gemini(
        ["It is."], support(0, 6, "It is."), chunks=[{"web": {"uri": url, "title": "A"}}]
    ),
    "bedrock": lambda url: knowledge_base("It is.", "It is.", 0, 5, url),
    "cohere": lambda url: cohere(
        "It is.",
        {
            "start": 0,
            "end": 6,
            "text": "It is.",
            "type": "TEXT_CONTENT",
            "sources": [{"type": "document", "id": "d", "document": {"id": "d", "title": "A", "url": url}}],
        },
    ),
    "mistral": lambda url: choice(
        [
            {"type": "text", "text": "It is."},
            {"type": "tool_reference", "tool": "web_search", "title": "A", "url": url},
        ]
    ),
    "langchain": lambda url: {
        "type": "ai",
        "content": [
            {
                "type": "text",
                "text": "It is.",
                "annotations": [
                    {"type": "citation", "url": url, "title": "A", "start_index": 0, "end_index": 5}
                ],
            }
        ],
    },
    "azure-on-your-data": lambda url: choice(
        "It is [doc1].", context={"citations": [{"title": "A", "url": url, "content": "P."}]}
    ),
    "azure-search": lambda url: {
        "response": [{"content": [{"type": "text", "text": "It is [ref_id:0]."}]}],
        "references": [{"type": "web", "id": "0", "activitySource": 0, "title": "A", "url": url}],
    },
    "copilot-chat": lambda url: {
        "turnCount": 1,
        "messages": [
            {"text": "Is it?"},
            {
                "text": "It is[^1^].",
                "attributions": [
                    {"attributionType": "citation", "providerDisplayName": "A", "seeMoreWebUrl": url}
                ],
            },
        ],
    },
    "ragflow": lambda url: choice(
        "It is [ID:0].", reference={"chunks": {"0": {"document_name": "A", "url": url, "content": "P."}}}
    ),
    "ai-sdk": lambda url: {
        "id": "m",
        "role": "assistant",
        "parts": [
            {"type": "source-url", "sourceId": "s", "title": "A", "url": url},
            {"type": "text", "text": "It is [1]."},
        ],
    },
}
"""A response of each provider that cites the page at a URL."""

LINKS: Final = {
    "https://contoso.example/My File.pdf": "https://contoso.example/My%20File.pdf",
    "https://contoso.example/ä(1)?q=a b": "https://contoso.example/%C3%A4%281%29?q=a%20b",
}
DROPPED: Final = (
    "javascript:alert(1)",
    "s3://bucket/f.pdf",
    "https://[::1]/x",
    "https://e.com/a\\b",
    "//e.com/x",
)


def test_every_provider_is_here() -> None:
    assert SENT.keys() == FORMATS.keys()


@pytest.mark.parametrize("url", LINKS)
@pytest.mark.parametrize("provider", SENT)
def test_a_link_is_encoded(provider: str, url: str) -> None:
    rendering = render(cite(FORMATS[provider].read(SENT[provider](url))), channel("webchat"))
    assert f"\n[1]: {LINKS[url]} " in rendering.text
    assert [one.code for one in rendering.problems] == []


@pytest.mark.parametrize("url", DROPPED)
@pytest.mark.parametrize("provider", SENT)
def test_what_is_no_link_is_a_problem_that_names_the_reference(provider: str, url: str) -> None:
    rendering = render(cite(FORMATS[provider].read(SENT[provider](url))), channel("webchat"))
    assert "\n[1]: cite:1 " in rendering.text
    [dropped] = [one for one in rendering.problems if one.code == "url-dropped"]
    assert dropped.path == "$.references[0].url"
    assert repr(url)[1:-1] in dropped.message or url in dropped.message
