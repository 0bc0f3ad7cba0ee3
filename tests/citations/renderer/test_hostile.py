"""Hostile answers, names, URLs and passages: what they try, and that nothing of it comes through.

Each case is judged by a CommonMark reader that is not ours, and by one that makes links of bare
addresses as Web Chat does.
"""

from __future__ import annotations

import json

import pytest

from citations import Answer, Dialect, Reference, channel, cite, render
from citations.markdown import sanitize
from citations.text.line import clean_name
from citations.text.url import safe_url
from tests.hostile_answers import ANSWERS, COMMONMARK, GOOD, REFERENCE, WEB_CHAT, browsed, targets


@pytest.mark.parametrize("dialect", [Dialect.NUMBERED, Dialect.NAMED_LINK, None], ids=str)
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
def test_a_hostile_answer_reaches_only_what_was_found(answer: str, dialect: Dialect | None) -> None:
    rendering = render(
        cite(Answer(text=answer, references=(REFERENCE,), dialect=dialect)), channel("webchat")
    )
    for markdown in (COMMONMARK, WEB_CHAT):
        assert set(targets(rendering.text, markdown)) <= {GOOD}, rendering.text
        assert not browsed(rendering.text, markdown).tags & {
            "img",
            "button",
            "script",
            "svg",
            "iframe",
            "xmp",
        }
    environment: dict[str, dict[str, dict[str, object]]] = {}
    COMMONMARK.parse(rendering.text, environment)
    assert {found["href"] for found in environment.get("references", {}).values()} <= {GOOD}
    assert "duplicate_refs" not in environment
    if dialect is not Dialect.NAMED_LINK and "[1]" in answer.replace("see [1]", ""):
        assert "1" in environment["references"], "the citation itself must survive"
        assert GOOD in targets(rendering.text, WEB_CHAT)
    json.dumps(rendering.to_activity()).encode("utf-8")


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
def test_a_hostile_passage_is_inert(answer: str) -> None:
    for markdown in (COMMONMARK, WEB_CHAT):
        assert targets(sanitize(answer), markdown) == []


NAMES = {
    "T1 a quote": ('A" B', "A” B"),
    "T1 quotes": ('The "best" (and "worst")', "The “best” (and “worst”)"),
    "T2 lines": ('A\n\n# PWNED\n\n[2]: https://evil.example "x"', "A # PWNED [2]: https://evil.example “x”"),
    "T3 a backslash at the end": ("x\\", "x\\"),
    "T3 brackets": ("](u) ` [1]: x", "](u) ` [1]: x"),
    "T13 bidi": ("report\u202efdp.exe", "reportfdp.exe"),
    "T13 zero width and tags": ("a\u200bb\U000e0041c", "abc"),
    "T13 joiners stay": ("👩\u200d🔬 می\u200cخواهم", "👩\u200d🔬 می\u200cخواهم"),
    "T36 NUL and surrogates": ("a\x00b\ud800", "ab"),
    "entities": ("a &quot; b &amp; c", "a &quot; b &amp; c"),
    "HTML": ("<b>x</b>", "<b>x</b>"),
    "NFC": ("Cafe\u0301", "Café"),
    "spaces": ("  a \t b\u00a0 c ", "a b c"),
}


@pytest.mark.parametrize(("name", "expected"), NAMES.values(), ids=NAMES.keys())
def test_a_name_is_one_line_and_the_same_in_text_and_graph(name: str, expected: str) -> None:
    assert clean_name(name) == expected
    rendering = render(
        cite(Answer(text="See [1].", references=(Reference(id="1", name=name, url=GOOD),))),
        channel("webchat"),
    )
    environment: dict[str, dict[str, dict[str, object]]] = {}
    COMMONMARK.parse(rendering.text, environment)
    assert environment["references"] == {
        "1": {"href": GOOD, "title": expected, "map": environment["references"]["1"]["map"]}
    }
    entity = json.loads(json.dumps(rendering.entities[0]))
    assert entity["citation"][0]["appearance"]["name"] == expected


URLS = {
    "https://example.com": "https://example.com",
    "HTTPS://Example.COM/Path?q=1#f": "https://example.com/Path?q=1#f",
    " https://example.com/ ": "https://example.com/",
    "http://example.com:8080/a": "http://example.com:8080/a",
    "https://example.com/a b": "https://example.com/a%20b",
    "https://example.com/My File (1).pdf?v=a b#c d": "https://example.com/My%20File%20%281%29.pdf?v=a%20b#c%20d",
    "https://example.com/a\nb": None,
    "https://example.com/a\tb": None,
    "https://example.com/a\\b": None,
    "https://example.com/a%20b": "https://example.com/a%20b",
    "https://example.com/Foo_(bar)": "https://example.com/Foo_%28bar%29",
    "https://example.com/100%": "https://example.com/100%25",
    "https://example.com/ü?ö=[1]": "https://example.com/%C3%BC?%C3%B6=%5B1%5D",
    "https://example.com/?a=1&copy;=2": "https://example.com/?a=1&copy%3B=2",
    "https://example.com/?&#34;": "https://example.com/?&#34%3B",
    'https://example.com/`<>"{}|^': "https://example.com/%60%3C%3E%22%7B%7D%7C%5E",
    "https://www.аpple.com/": "https://www.xn--pple-43d.com/",
    "https://münchen.example/": "https://xn--mnchen-3ya.example/",
    "javascript:alert(1)": None,
    " java\tscript:alert(1)": None,
    "data:text/html,x": None,
    "vbscript:x": None,
    "file:///etc/passwd": None,
    "cite:1": None,
    "//evil.example/unc": None,
    "\\\\evil\\share": None,
    "https://login.microsoft.com@evil.example/": None,
    "https://user:pw@evil.example/": None,
    "https://evil.example\\@good.example/": None,
    "https:///x": None,
    "https://": None,
    "https://exa mple.com/": None,
    "https://example.com:99999/": None,
    "https://[::1]/": None,
    "https://a..b/": None,
    "https://example.com/\x00": None,
    "https://example.com/\ud800": None,
    "ftp://example.com/": None,
    "example.com": None,
    "": None,
    "https://example.com/" + "a" * 4076: "https://example.com/" + "a" * 4076,
    "https://example.com/" + "a" * 4077: None,
}


@pytest.mark.parametrize(("url", "expected"), URLS.items(), ids=lambda value: repr(value)[:40])
def test_a_url_is_safe_or_it_is_none(url: str, expected: str | None) -> None:
    assert safe_url(url) == expected
    if expected:
        assert safe_url(expected) == expected
        assert COMMONMARK.normalizeLink(expected) == expected


@pytest.mark.parametrize("url", [url for url, safe in URLS.items() if safe is None and url])
def test_an_unsafe_url_leaves_nowhere(url: str) -> None:
    """T9, T10, T11: such a source is a non-URL citation, whose own text the badge opens."""
    references = (Reference(id="1", name="Doc", url=url, text="Passage one."), Reference(id="2", text="Two."))
    rendering = render(cite(Answer(text="See [1] and [2].", references=references)), channel("webchat"))
    [dropped] = [one for one in rendering.problems if one.code == "url-dropped"]
    assert dropped.path == "$.references[0].url"
    assert dropped.message.startswith("reference '1' has no link to ")
    assert rendering.text.splitlines()[-2:] == ['[1]: cite:1 "Doc"', '[2]: cite:2 "2"']
    claims = json.loads(json.dumps(rendering.entities[0]))["citation"]
    assert [claim["@id"] for claim in claims] == ["_:c1", "_:c2"]
    assert [claim["appearance"]["text"] for claim in claims] == ["Passage one.", "Two."]
    assert not any("url" in claim["appearance"] for claim in claims)
    plain = render(cite(Answer(text="See [1].", references=references)), channel("sms"))
    assert plain.text == "See (1).\n\n(1) Doc"


@pytest.mark.parametrize("channel_id", ["webchat", "msteams", "sms"])
def test_a_date_that_is_not_shown_is_a_problem(channel_id: str) -> None:
    one = Reference(id="1", text="One.", modified="3.5.2024", accessed="yesterday")
    well = Reference(id="2", text="Two.", modified="2024-05-03", accessed="2024-05-03T10:00:00Z")
    uncited = Reference(id="3", modified="never")
    answer = Answer(text="See [2] and [1].", references=(well, one, uncited))
    rendering = render(cite(answer), channel(channel_id))
    assert [(one.code, one.path) for one in rendering.problems] == [
        ("date-dropped", "$.references[1].modified"),
        ("date-dropped", "$.references[1].accessed"),
    ]
    assert rendering.problems[0].message == (
        "reference '1' has no date '3.5.2024': give it a date of ISO 8601, such as 2024-05-03"
    )


@pytest.mark.parametrize(
    "tail", ["(\nhttps://good.example/x)", "(https://good.example/x\n'y')", "(\nhttps://good.example/x\n)"]
)
@pytest.mark.parametrize("channel_id", ["webchat", "email"])
def test_a_link_over_lines_to_a_live_host_is_written_on_one(tail: str, channel_id: str) -> None:
    answer = cite(Answer(text=f"See [a]{tail} *b*."))
    rendering = render(answer, channel(channel_id), live_hosts=frozenset({"good.example"}))
    assert not rendering.problems
    assert rendering.text == "See [a](https://good.example/x) *b*."
    elsewhere = render(answer, channel(channel_id), live_hosts=frozenset({"other.example"}))
    assert targets(elsewhere.text, COMMONMARK) == []
