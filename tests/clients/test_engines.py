"""Each engine reads what it is known to read: one that saw nothing would find nothing wrong."""

from __future__ import annotations

import pytest

from .reading import Reading
from .search import engines

PLAIN = {"markdown-it-12-plain", "markdown-it-14-plain"}
ALL = {
    "webchat", "webchat-main", "markdown-it-12", "markdown-it-14", *PLAIN, "commonmark.js", "micromark", "micromark-gfm",
    "remark-gfm", "teams-extended", "marked-4", "marked-18", "cmark-gfm", "pulldown-cmark",
}  # fmt: skip
MARKDOWN_IT = {"webchat", "markdown-it-12", "markdown-it-14", *PLAIN}
STRICT = {"commonmark.js", "micromark", "pulldown-cmark"}
"""Those that make no links of bare addresses."""


READ = {
    "a link": ("[x](https://e.com/a)", ALL),
    "a badge": ("[1]\n\n[1]: https://e.com/a", ALL),
    "an image": ("![x](https://e.com/a)", ALL),
    "HTML": ("a <b> c", ALL - PLAIN),
    "a block of HTML": ("<div>\nx", ALL - PLAIN),
    "an attribute": ("**x**{aria-label=y}", {"webchat"}),
    "an attribute in its own brackets": ("**x**⟬aria-label=y⟭", {"webchat"}),
    "HTML in a formula that KaTeX refuses": (
        "$$\\undefined \\<img src=x>$$",
        {"webchat-main", "teams-extended"},
    ),
    "a formula between dollars": ("$x$", {"teams-extended"}),
    "an app": ("``` html-widget\nx\n```", {"teams-extended"}),
    "a bare address": ("https://example.com/a", ALL - STRICT),
    "an address without a scheme": ("evil.com", MARKDOWN_IT),
    "an address with an entity": (
        "www&#46;example.com",
        {"markdown-it-12", "markdown-it-12-plain", "remark-gfm", "teams-extended"},
    ),
    "code behind runs without a partner": ("``` `` ` `` `[x](y)`", MARKDOWN_IT | {"cmark-gfm"}),
    "an indented line behind a table": (
        "a|b\n-|-\nc|d\n\t[x](y)",
        STRICT,
    ),
    "code": ("`[x](https://e.com)`\n\n    ![x](https://e.com)", set()),
}


@pytest.mark.parametrize(("text", "expected"), READ.values(), ids=READ.keys())
def test_who_finds_something_live(text: str, expected: set[str]) -> None:
    [readings] = engines().read([text])
    found = {engine for names, reading in readings.by_engines for engine in names if is_live(reading)}
    assert {engine for names, _ in readings.by_engines for engine in names} == ALL
    assert found == expected


def is_live(reading: Reading) -> bool:
    return bool(reading.links or reading.images or reading.html or reading.aria_labels)


def test_badges_are_seen_outside_code() -> None:
    [readings] = engines().read(["# [1]\n\n- **[2]** `[3]`\n\n      [4]\n\n| a |\n|---|\n| (5) |\n\n[\n6]"])
    text, table = ("[1]", "[2]"), ("(5)",)
    for names, reading in readings.by_engines:
        assert reading.shown == (*text, *table), names


def test_web_chat_lists_definitions_of_the_top_level() -> None:
    [readings] = engines().read(['> [2]: y\n\n[1]: x "t"\n[3]: <z>\n'])
    assert readings.definitions == (("1", "x", "t"), ("3", "z", ""))


def test_an_address_is_bare_where_it_leads_where_it_says() -> None:
    [readings] = engines().read(["www.evil.com/ü a@evil.com\n\n[https://good.example](https://evil.com)"])
    [said] = [reading for names, reading in readings.by_engines if "remark-gfm" in names]
    assert [link.bare for link in said.links] == [True, True, False]
