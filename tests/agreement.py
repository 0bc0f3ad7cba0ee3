"""Whether a rendering's text and graph say the same."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

from markdown_it import MarkdownIt

from citations import Rendering
from citations.text.url import safe_url

COMMONMARK = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
LINKIFYING = MarkdownIt("default", {"html": True, "linkify": True})


STRUCTURE = {
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "hr", "br",
    "table", "thead", "tbody", "tr", "th", "td", "a", "s",
}  # fmt: skip


class Page(HTMLParser):
    """The links and tags that a browser would make of a rendering, and the link definitions in it."""

    def __init__(self, text: str, markdown: MarkdownIt) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.tags: set[str] = set()
        self._target: str | None = None
        environment: dict[str, Any] = {}
        self.feed(markdown.render(text, environment))
        self.definitions: dict[str, Any] = environment.get("references", {})
        self.has_duplicates = "duplicate_refs" in environment

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._target = dict(attrs).get("href") if tag == "a" else self._target

    def handle_data(self, data: str) -> None:
        if self._target is not None:
            self.links.append((data, self._target))
            self._target = None


def assert_text_and_graph_agree(rendering: Rendering) -> dict[str, str]:
    """And that nothing else is live; the destinations by position."""
    claims = json.loads(json.dumps(rendering.entities[0])).get("citation", [])
    page = Page(rendering.text, COMMONMARK)
    definitions = page.definitions
    assert not page.has_duplicates
    assert list(definitions) == [claim["position"] for claim in claims]
    for claim in claims:
        definition, appearance = definitions[claim["position"]], claim["appearance"]
        assert definition["title"] == appearance["name"]
        if "url" in appearance:
            assert definition["href"] == claim["@id"] == appearance["url"] == safe_url(appearance["url"])
        else:
            assert definition["href"].startswith("cite:")
            assert claim["@id"] == "_:c" + definition["href"].removeprefix("cite:")
            assert appearance["text"].strip()
    badges = {(claim["position"], definitions[claim["position"]]["href"]) for claim in claims}
    for read in (page, Page(rendering.text, LINKIFYING)):
        assert read.tags <= STRUCTURE
        assert set(read.links) == badges
    assert len({claim["@id"] for claim in claims}) == len(claims)
    return {position: definition["href"] for position, definition in definitions.items()}
