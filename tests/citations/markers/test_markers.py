"""What is a marker and what isn't, as prose: ``tests/corpus/markers``."""

from __future__ import annotations

import re

import pytest
from markdown_it.utils import read_fixture_file

from citations import Answer, Dialect, Reference, channel, cite, render
from tests.marker_corpus import CORPUS, LINKED, NAMED, NUMBERED, PRIVATE, TOKENS
from tests.normal_html import normal_html


def corpus(name: str) -> list[object]:
    cases = read_fixture_file(CORPUS / name)
    assert cases
    return [pytest.param(given, expected, id=title) for _, title, given, expected in cases]


def body(text: str, references: tuple[Reference, ...], dialect: Dialect | None) -> str:
    rendering = render(cite(Answer(text=text, references=references, dialect=dialect)), channel("webchat"))
    return rendering.text.rpartition("\n\n[1]: ")[0] or rendering.text


def spaced(expected: str) -> str:
    """The corpus writes «|» for U+200B, which nobody sees."""
    return re.sub(r"(?<=\S)\|(?=[\[(:&])", "\u200b", expected).rstrip("\n")


@pytest.mark.parametrize(("given", "expected"), corpus("numbered.md"))
def test_numbered(given: str, expected: str) -> None:
    assert normal_html(body(given, NUMBERED, Dialect.NUMBERED)) == normal_html(spaced(expected))


@pytest.mark.parametrize(("given", "expected"), corpus("named.md"))
def test_named_links(given: str, expected: str) -> None:
    assert normal_html(body(given, NAMED, Dialect.NAMED_LINK)) == normal_html(spaced(expected))


@pytest.mark.parametrize(("given", "expected"), corpus("links.md"))
def test_links_to_sources(given: str, expected: str) -> None:
    assert normal_html(body(given, LINKED, None)) == normal_html(spaced(expected))


@pytest.mark.parametrize(("given", "expected"), corpus("tokens.md"))
def test_tokens_of_models(given: str, expected: str) -> None:
    assert normal_html(body(given.translate(PRIVATE), TOKENS, None)) == normal_html(spaced(expected))


SHOWN = {
    "webchat": "See the 2026 travel policy [1] of Paris [2] &#40;p&#46; 3&#41;.",
    "msteams": "See the 2026 travel policy [1] of Paris [2] &#40;p. 3&#41;.",
    "email": "See the 2026 travel policy [(1)](https://example.com/1) of Paris [(2)](https://example.com/a.pdf) (p. 3).",
    "sms": "See the 2026 travel policy (1) of Paris (2) (p. 3).",
}


@pytest.mark.parametrize(("channel_id", "shown"), SHOWN.items(), ids=SHOWN)
def test_words_of_links_and_tokens_on_each_family_of_channels(channel_id: str, shown: str) -> None:
    text = 'See the [2026 travel policy](https://example.com/1) of «entity¦["city","Paris"]» [a.pdf#page=3]turn0search9.'
    answer = Answer(text=text.translate(PRIVATE), references=LINKED)
    found = render(cite(answer), channel(channel_id)).text.partition("\n\n")[0]
    assert normal_html(found) == normal_html(shown)


def test_a_number_in_a_formula_is_a_part_of_it_and_no_problem() -> None:
    text = r"Where $$x \in [0, 1]$$, and \(a[5] = 2\), the proxy is used [1]."
    assert cite(Answer(text=text, references=NUMBERED[:1])).problems == ()
