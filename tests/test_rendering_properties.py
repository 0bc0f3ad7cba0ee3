"""What is always true of a rendering for Web Chat, whatever the answer and its references are."""

from __future__ import annotations

import json
from collections import Counter
from html.parser import HTMLParser
from typing import Any

from hypothesis import HealthCheck, assume, example, given, settings
from markdown_it import MarkdownIt

from citations import Answer, Rendering, channel, cite, render, sanitize
from citations.markdown import read_layout
from citations.markdown.sanitizer import is_inert, write_closing_fence
from citations.text.url import safe_url

from .strategies import answers, hostile_texts, many_sources, plain_texts, texts_
from .test_commonmark import html, is_plain

COMMONMARK = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
LINKIFYING = MarkdownIt("default", {"html": True, "linkify": True})
STRUCTURE = {
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "hr", "br",
    "table", "thead", "tbody", "tr", "th", "td", "a", "s",
}  # fmt: skip
many = settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])


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


def rendered(answer: Answer) -> tuple[Rendering, list[dict[str, Any]]]:
    rendering = render(cite(answer), channel("webchat"))
    entity = json.loads(json.dumps(rendering.entities[0]))
    return rendering, entity.get("citation", [])


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


@many
@given(answers)
def test_text_and_graph_agree_and_nothing_else_is_live(answer: Answer) -> None:
    rendering, claims = rendered(answer)
    assert [claim["position"] for claim in claims] == [str(number) for number in range(1, len(claims) + 1)]
    assert_text_and_graph_agree(rendering)


@many
@given(answers)
def test_positions_are_in_order_of_first_use(answer: Answer) -> None:
    cited = cite(answer)
    order = list(dict.fromkeys(position for use in cited.uses for position in use.positions))
    assert order == [citation.position for citation in cited.citations] == list(range(1, len(order) + 1))
    ids = Counter(part.id for citation in cited.citations for part in citation.parts)
    assert sum(ids.values()) <= len(answer.references)
    urls = [url for citation in cited.citations if (url := safe_url(citation.reference.url or ""))]
    assert len(urls) == len(set(urls))


@given(many_sources)
def test_at_most_twenty_sources_and_the_rest_is_reported(answer: Answer) -> None:
    rendering, claims = rendered(answer)
    assert len(claims) == min(20, len(answer.references))
    reported = [problem for problem in rendering.problems if problem.code == "too-many-citations"]
    assert len(reported) == max(0, len(answer.references) - 20)


@many
@given(answers)
def test_the_graph_is_clean_json(answer: Answer) -> None:
    rendering, _ = rendered(answer)
    entity = json.loads(json.dumps(rendering.entities[0]).encode("utf-8"))
    assert (entity["@context"], entity["@id"], entity["@type"]) == ("https://schema.org", "", "Message")

    def values(node: Any, depth: int = 0) -> None:
        assert depth <= 5
        for key, value in node.items():
            assert value is not None
            assert value != "" or (depth == 0 and key == "@id")
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, dict):
                    values(item, depth + 1)

    values(entity)
    minted = {claim["@id"] for claim in entity.get("citation", []) if claim["@id"].startswith("_:")}
    assert minted <= {f"_:c{number}" for number in range(1, 21)}


@many
@given(plain_texts)
@example("\\\\[ ]word[ ][ ]")
def test_a_plain_answer_is_shown_as_it_was(text: str) -> None:
    assume(is_plain(text))
    rendering = render(cite(Answer(text=text)), channel("webchat"))
    assert html(rendering.text) == html(text)


@many
@given(texts_)
@example("\u2028\r\n**bold**")
@example("---\u2028")
@example("![www.evil.com]")
def test_making_inert_is_done_once_and_for_all(text: str) -> None:
    inert = sanitize(text)
    assert sanitize(inert) == inert
    for markdown in (COMMONMARK, LINKIFYING):
        page = Page(inert, markdown)
        assert not page.links
        assert page.tags <= STRUCTURE


@many
@given(texts_ | plain_texts)
@example("1. 1. 1. a")
@example("a\n- ```\nb")
def test_what_is_left_as_it_was_needs_nothing(text: str) -> None:
    assume(sanitize(text) == text)
    layout = read_layout(text)
    assert layout.complete
    assert not write_closing_fence(layout)
    assert is_inert(text, frozenset())


@many
@given(hostile_texts)
def test_nobody_but_the_host_list_keeps_a_link(text: str) -> None:
    link = "[here](http://localhost:3978/documents/a%20b.md)"
    inert = sanitize(f"{link}\n\n{text}", live_hosts=frozenset({"localhost:3978"}))
    targets = {target for _, target in Page(inert, COMMONMARK).links}
    assert targets <= {"http://localhost:3978/documents/a%20b.md"}
