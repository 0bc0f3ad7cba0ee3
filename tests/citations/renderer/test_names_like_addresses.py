"""A title that looks like the address of another site than its link is not shown: the link's host is."""

from __future__ import annotations

import json

import pytest

from citations import Answer, Reference, channel, cite, render
from citations.inspection import read_markdown

EVIL = "https://evil.example/x"
MISLEADING = [
    "https://good.example/login",
    "HTTPS://GOOD.EXAMPLE",
    "ｈttps://good.example/login",
    "http\u200bs://good.example",
    "www.good.example",
    "good.example/login",
    "accounts.good.com",
    "“https://good.example”",
    "ftp://good.example/f",
    "https://evil.example@good.example/",
    "https://evil.example.good.example/",
    "https://good.example@evil.example/",
    "https://[good.example/",
]
HONEST = [
    "https://evil.example/another",
    "www.evil.example",
    "evil.example/x",
    "How to sign in",
    "report.pdf",
    "v1.2/notes.md",
    "README.md",
    "node.js",
    "e.g. this",
]


def title_of(name: str, url: str | None = EVIL) -> str:
    answer = Answer(text="So [1].", references=(Reference(id="1", name=name, url=url, text="So."),))
    rendering = render(cite(answer), channel("webchat"))
    [definition] = read_markdown(rendering.text).definitions
    shown = definition.title
    assert f'"name": {json.dumps(shown)}' in json.dumps(rendering.entities)
    assert shown in json.dumps(render(cite(answer), channel("msteams")).entities, ensure_ascii=False)
    assert shown in render(cite(answer), channel("sms")).text
    return shown


@pytest.mark.parametrize("name", MISLEADING)
def test_the_host_is_shown_where_a_title_names_another(name: str) -> None:
    assert title_of(name) == "evil.example"


@pytest.mark.parametrize("name", HONEST)
def test_a_title_stays_where_it_is_none_or_is_true(name: str) -> None:
    assert title_of(name) == name


def test_a_title_without_a_link_leads_nowhere_else() -> None:
    assert title_of("https://good.example/login", None) == "https://good.example/login"
