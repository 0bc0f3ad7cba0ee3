"""What is always true of a rendering, whatever the answer and its references are; the tests and the fuzzer ask it."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from dataclasses import replace
from html import unescape
from typing import Any
from urllib.parse import unquote

from citations import Answer, Reference, Rendering, RenderingStream, channel, check, cite, render
from citations.graph.message import describe
from citations.graph.schema_org import to_json
from citations.inspection.json_ld import lost_terms
from citations.markdown import sanitize
from citations.model.link_definition import define
from citations.model.wording import ENGLISH
from citations.text.url import safe_url

from .agreement import COMMONMARK, LINKIFYING, STRUCTURE, Page, assert_text_and_graph_agree
from .sample_message import RANKING
from .schema_org_messages import absent
from .streams import (
    badges,
    events,
    pieces,
)


def rendered(answer: Answer) -> tuple[Rendering, list[dict[str, Any]]]:
    rendering = render(cite(answer), channel("webchat"))
    entity = json.loads(json.dumps(rendering.entities[0]))
    return rendering, entity.get("citation", [])


def assert_text_and_graph_agree_and_nothing_else_is_live(answer: Answer) -> None:
    """Each position has one claim and one link, and nothing else in the text can be followed."""
    rendering, claims = rendered(answer)
    assert [claim["position"] for claim in claims] == [str(number) for number in range(1, len(claims) + 1)]
    assert_text_and_graph_agree(rendering)


def assert_positions_are_in_order_of_first_use(answer: Answer) -> None:
    """Positions count from 1, in the order in which the text cites, and no two have one URL."""
    cited = cite(answer)
    order = list(dict.fromkeys(position for use in cited.uses for position in use.positions))
    assert order == [citation.position for citation in cited.citations] == list(range(1, len(order) + 1))
    ids = Counter(part.id for citation in cited.citations for part in citation.parts)
    assert sum(ids.values()) <= len(answer.references)
    urls = [url for citation in cited.citations if (url := safe_url(citation.reference.url or ""))]
    assert len(urls) == len(set(urls))


def assert_the_graph_is_clean_json(answer: Answer) -> None:
    """The graph is flat JSON without nulls, and its blank-node ids are ours."""
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


def assert_sanitizing_is_idempotent(text: str) -> None:
    """A sanitized text has nothing left to sanitize."""
    sanitized = sanitize(text)
    assert sanitize(sanitized) == sanitized
    for markdown in (COMMONMARK, LINKIFYING):
        page = Page(sanitized, markdown)
        assert not page.links
        assert page.tags <= STRUCTURE


def assert_the_graph_expands_and_loses_nothing(answer: Answer) -> None:
    """JSON-LD expansion keeps every property."""
    for entity in render(cite(answer), channel("webchat"), ranking=RANKING).entities:
        assert lost_terms(entity, "$") == ()


def described(answer: Answer, **options: Any) -> dict[str, Any]:
    cited = cite(answer)
    message: dict[str, Any] = json.loads(
        json.dumps(to_json(describe(cited, define(cited, ENGLISH), **options)))
    )
    return message


def assert_blank_node_ids_are_ours(answer: Answer) -> None:
    """Blank-node ids count the claims, and no property is empty."""
    message = described(answer, ranking=RANKING)
    opaque = [claim["@id"] for claim in message.get("citation", ()) if claim["@id"].startswith("_:")]
    assert opaque == [f"_:c{number}" for number in range(1, len(opaque) + 1)]
    assert not absent({key: value for key, value in message.items() if key != "@id"})


def codes(activity: object, channel_id: str = "webchat") -> list[str]:
    return [problem.code for problem in check(activity, channel_id=channel_id)]


def assert_our_check_is_clean(answer: Answer) -> None:
    """The checks find no problem in a rendering. One of no words is named."""
    for channel_id in ("webchat", "msteams"):
        activity = render(cite(answer), channel(channel_id)).to_activity()
        expected = [] if str(activity["text"]).strip() else ["message-empty"]
        assert codes(activity, channel_id) == expected


def assert_plain_text_makes_no_link(answer: Answer) -> None:
    """A text for a channel without Markdown has no link, image or tag if it is read as Markdown."""
    html = COMMONMARK.render(render(cite(answer), channel("sms")).text)
    assert "<a " not in html
    assert "<img" not in html
    assert not re.search(
        r"<(?!/?(?:p|h[1-6]|ul|ol|li|blockquote|pre|code|em|strong|hr|br|table|thead|tbody|tr|th|td)\b)", html
    )


def assert_an_email_links_to_its_sources_only(answer: Answer) -> None:
    """An e-mail links to its sources and nowhere else."""
    cited = cite(answer)
    rendering = render(cited, channel("email"))
    html = COMMONMARK.render(rendering.text)
    targets = {unescape(target) for target in re.findall(r'href="([^"]*)"', html)}
    assert targets == {definition.destination for definition in define(cited, ENGLISH) if definition.is_url}
    assert "<img" not in html


def assert_speech_has_nothing_to_look_at(answer: Answer) -> None:
    """Speech has no URL and no tag."""
    spoken = render(cite(answer), channel("directlinespeech")).speak
    assert spoken is not None
    assert not re.search(r"https?://", spoken)
    assert not re.search(r"<[A-Za-z/!?]|\x02", spoken)


def strip_tags(text: str) -> str:
    """What is left of a text that a connector reads as Markdown, without its tags."""
    return unescape(re.sub(r"<[^>]*>", "", COMMONMARK.render(text)))


def letters(text: str) -> list[str]:
    return re.findall(r"[^\W_]", text)


def assert_sources_are_readable(answer: Answer, channel_id: str) -> None:
    """Titles and URLs of sources are readable, also after a connector has read the text as Markdown."""
    cited = cite(answer)
    rendering = render(cited, channel(channel_id))
    raw, read = rendering.text, strip_tags(rendering.text)
    for definition in define(cited, ENGLISH, pages=False):
        for text in (raw, read):
            [line] = [line for line in text.split("\n") if line.startswith(f"({definition.label}) ")][-1:]
            title = letters(unescape(definition.title))
            assert letters(unescape(line))[1:][: len(title)] == title
            if definition.is_url:
                assert unquote(line).endswith(unquote(definition.destination)) or "too long" in line
    for use in cited.uses:
        assert all(f"({position})" in read for position in use.positions)


def calls(text: str) -> int:
    """How many functions are called to render ``text``: a clock that no other process disturbs."""
    count = 0

    def profile(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    references = tuple(
        Reference(id=str(number), url=f"https://example.com/{number}") for number in range(1, 4)
    )
    sys.setprofile(profile)
    try:
        render(cite(Answer(text=text, references=references)), channel("webchat"))
    finally:
        sys.setprofile(None)
    return count


def assert_twice_the_text_is_twice_the_work(piece: str) -> None:
    """Work grows linearly with the text."""
    # Above MAX_CODE: what is a code span up to there is text beyond, of which each character may be an edit.
    text = piece * (1_100 // max(1, len(piece)) + 1)
    assert calls(text * 2) <= 2.3 * calls(text) + 1_000


def bytes_of(rendering: Rendering, channel_id: str) -> int:
    if channel_id == "msteams":
        return len(json.dumps(rendering.to_activity(), ensure_ascii=False).encode("utf-16-le"))
    return len(json.dumps(rendering.to_activity()))


def assert_agrees(rendering: Rendering, channel_id: str) -> None:
    """Text and graph say the same."""
    if channel_id == "webchat":
        assert check(rendering.to_activity(), channel_id=channel_id) == ()
        assert_text_and_graph_agree(rendering)
    elif channel_id == "msteams":
        claims = rendering.entities[0].get("citation", [])
        assert isinstance(claims, list)
        assert {str(claim["position"]) for claim in claims} <= badges(rendering.text)


def assert_what_is_cut_agrees(answer: Answer, gap: int, cuts: list[float]) -> None:
    """An answer that is cut to size is the same whole and streamed, and its graph agrees with it."""
    small = replace(channel("msteams"), limit=replace(channel("msteams").limit, most=12_000))
    piece = answer.text + "x" * gap
    long = replace(answer, text=(piece * (7_000 // len(piece) + 1))[: 7_000 + gap])
    stream, shown = RenderingStream(small, dialect=answer.dialect), ""
    for event in events(long, pieces(long.text, (round(cut * len(long.text)) for cut in cuts))):
        stream.feed(event)
        if interim := stream.interim():
            assert interim.text.startswith(shown)
            shown = interim.text
    final = stream.close()
    assert final == render(cite(long), small)
    assert final.text.startswith(shown)
    assert bytes_of(final, "msteams") <= 12_000
    assert_agrees(final, "msteams")
