"""What is a marker and what isn't, as prose: ``tests/corpus/markers``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from markdown_it.utils import read_fixture_file

from citations import Answer, Dialect, Reference, channel, cite, render

CORPUS = Path(__file__).parent / "corpus" / "markers"
NUMBERED = tuple(
    Reference(id=name, name=f"Document {name}", url=f"https://example.com/{name}")
    for name in (*"123456789", "doc10")
)
NAMED = (
    *(
        Reference(id=name, text="A passage.")
        for name in ("a1b2c3d4-e5f6", "my file.pdf", "f(1).txt", "id(1", "f)1")
    ),
    Reference(id="https://example.com/Foo_(bar)", url="https://example.com/Foo_(bar)"),
)


def corpus(name: str) -> list[object]:
    cases = read_fixture_file(CORPUS / name)
    assert cases
    return [pytest.param(given, expected, id=title) for _, title, given, expected in cases]


def body(text: str, references: tuple[Reference, ...], dialect: Dialect | None) -> str:
    rendering = render(cite(Answer(text=text, references=references, dialect=dialect)), channel("webchat"))
    assert "formatting-dropped" not in {problem.code for problem in rendering.problems}
    return rendering.text.rpartition("\n\n[1]: ")[0] or rendering.text


def spaced(expected: str) -> str:
    """The corpus writes «|» for U+200B, which nobody sees."""
    return re.sub(r"(?<=\S)\|(?=[\[:&])", "\u200b", expected).rstrip("\n")


@pytest.mark.parametrize(("given", "expected"), corpus("numbered.md"))
def test_numbered(given: str, expected: str) -> None:
    assert body(given, NUMBERED, Dialect.NUMBERED).rstrip("\n") == spaced(expected)


@pytest.mark.parametrize(("given", "expected"), corpus("named.md"))
def test_named_links(given: str, expected: str) -> None:
    assert body(given, NAMED, Dialect.NAMED_LINK).rstrip("\n") == spaced(expected)
