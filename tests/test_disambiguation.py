"""What some engine would take for other blocks is written so that all find the same, and keeps its formatting."""

from __future__ import annotations

import pytest

from citations import Answer, Reference, channel, cite, render

WRITTEN = {
    "an empty item in an item": ("*x* [1]\n- -", "*x* [1]\n\n- -"),
    "a second item in a quote": ("> x [1]\n> > 2. y", "> x [1]\n>\n> > 2. y"),
    "a second item below code": ("x [1]\n\n    y\n\n2. z", "x [1]\n\n    y\n\n\u200b\n\n2. z"),
    "a second item below a table": ("a|b\n-|-\n[1]|c\n2. z", "a|b\n-|-\n[1]|c\n\n2. z"),
    "code below a table": ("a|b\n-|-\n[1]|c\n\t<b>", "a|b\n-|-\n[1]|c\n\n\t<b>"),
    "a task without a name": ("- [ ] \n- [x] y [1]", "- &#91; ] \n- [x] y [1]"),
    "a blank line below an empty item": ("-\n  \n\t<b>\n\n[1]", "-\n\n\t<b>\n\n[1]"),
    "an indented line below quotes": (">> *x* [1]\n\t# y", ">> *x* [1] # y"),
}
UNCHANGED = {
    "a list below a paragraph": "x [1]\n- y\n- z",
    "the items of a list with code": "1. x [1]\n\n       y\n2. z",
    "a list that begins later": "x [1]\n\n2. y\n3. z",
    "an item's number on a line of its own": "> x [1]\n2. y",
    "an indented line below a quote": "> x [1]\n    - y",
    "tasks": "- [ ] x [1]\n- [x] y",
}


def write_text(text: str) -> str:
    rendering = render(cite(Answer(text=text, references=(Reference(id="1", name="S"),))), channel("webchat"))
    assert not rendering.problems
    return rendering.text.rsplit("\n\n", 1)[0]


@pytest.mark.parametrize(("text", "expected"), WRITTEN.values(), ids=WRITTEN)
def test_a_block_is_written_apart(text: str, expected: str) -> None:
    assert write_text(text) == expected


@pytest.mark.parametrize("text", UNCHANGED.values(), ids=UNCHANGED)
def test_a_block_that_all_engines_find_stays(text: str) -> None:
    assert write_text(text) == text
