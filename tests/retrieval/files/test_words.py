"""Every word of a document is in a section, or in a heading above one."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.retrieval.document import SourceDocument
from bot.retrieval.files import read
from bot.retrieval.files.outline import Outline

from ..document_formats import FORMATS

WORD = re.compile(r"w\d+")
STEPS = st.lists(
    st.tuples(st.sampled_from(("heading", "text", "end", "item", "code", "row")), st.integers(1, 7))
)


def told(document: SourceDocument) -> str:
    """What is said by the sections of a document, and the headings above them."""
    words = [document.text[one.start : one.end] for one in document.sections]
    return " ".join((*words, *(heading for one in document.sections for heading in one.headings)))


def write(steps: list[tuple[str, int]], outline: Outline) -> None:
    for number, (kind, level) in enumerate(steps):
        match kind:
            case "heading":
                outline.add_heading(level, f"w{number}")
            case "text":
                outline.add_paragraph(f"w{number} is here.")
            case "end":
                outline.end_headings(level)
            case "item":
                outline.add_item(f"w{number}", level)
            case "code":
                outline.add_code(f"w{number}")
            case _:
                outline.add_rows([f"w{number}", "b"], [])


@given(STEPS, st.booleans(), st.booleans())
def test_no_word_of_an_outline_is_lost(steps: list[tuple[str, int]], apart: bool, marks: bool) -> None:
    outline = Outline(apart=apart, marks=marks)
    write(steps, outline)
    written = {f"w{number}" for number, (kind, _) in enumerate(steps) if kind != "end"}
    document = outline.build()
    assert set(WORD.findall(told(document))) == written
    spans = [(one.start, one.end) for one in document.sections]
    assert spans == sorted(spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


@given(STEPS)
def test_no_word_of_a_document_within_another_is_lost(steps: list[tuple[str, int]]) -> None:
    inner, outer = Outline(), Outline()
    write(steps, inner)
    document = inner.build()
    outer.add_heading(1, "w999")
    outer.add_document(document, 2)
    assert set(WORD.findall(told(outer.build()))) == {*WORD.findall(told(document)), "w999"}


@pytest.mark.parametrize("name", FORMATS)
def test_each_character_is_told(name: str) -> None:
    document = read(FORMATS[name], name)
    said = "".join(told(document).split())
    assert all(
        "".join(line.split()).lstrip("#") in said
        for line in document.text.split("\n")
        if set(line) - set("=-| ")
    )


BARE = {
    "a.rtf": (rb"{\rtf1\ansi\pard\outlinelevel0 The lift is closed\par}", "The lift is closed"),
    "a.html": (b"<h1>Office</h1><p>Open.</p><h2>Dogs stay outside</h2>", "Dogs stay outside"),
    "a.md": (b"# Rules\n\n## Dogs stay outside\n\n## Bikes, too ##\n", "Bikes, too"),
    "a.txt": (b"Dogs stay outside\n-----------------\n", "Dogs stay outside"),
}


@pytest.mark.parametrize(("name", "case"), BARE.items(), ids=BARE)
def test_a_heading_with_nothing_below_is_text(name: str, case: tuple[bytes, str]) -> None:
    document = read(case[0], name)
    assert case[1] in [document.text[one.start : one.end].strip() for one in document.sections]
