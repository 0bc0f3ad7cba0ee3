"""A link's target and title read at once are what markdown-it-py reads character by character."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it.helpers import parseLinkDestination, parseLinkTitle

from citations.markdown.tails import Tails

TEXTS = (
    'https://example.com/a?b=c#d "A title"',
    'https://example.com/a(b)c "A \\"title\\""',
    "https://example.com/?a=1&copy=2 'A title'",
    "<a b> (A title)",
    "a<b",
    "a\\ b",
    '"a\\',
    '"over\ntwo lines"',
    "",
)


def read(found: Any) -> tuple[bool, int, str]:
    return found.ok, found.pos, found.str


def assert_same(text: str, start: int, end: int) -> None:
    target = parseLinkDestination(text, start, end)
    assert read(Tails.parseLinkDestination(text, start, end)) == read(target)
    title = parseLinkTitle(text, start, end)
    ours = Tails.parseLinkTitle(text, start, end)
    assert (*read(ours), ours.can_continue) == (*read(title), title.can_continue)


@pytest.mark.parametrize("text", TEXTS)
def test_every_part_of_these_is_read_the_same(text: str) -> None:
    for start in range(len(text) + 2):
        for end in range(len(text) + 1):
            assert_same(text, start, end)


@settings(max_examples=1000, deadline=None)
@given(st.text("ab<>()&;\\\"' \n\x01\x7fé:/", max_size=12), st.integers(0, 12), st.integers(0, 12))
@example('"b"a\\\x7f', 2, 5)
def test_any_text_is_read_the_same(text: str, start: int, end: int) -> None:
    assert_same(text, start, min(end, len(text)))
