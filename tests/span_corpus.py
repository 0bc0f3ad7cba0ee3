"""Answers with spans, written as ``⟦words⟧1,2;``, or ``⟦words⟧=1;`` where badges replace the words."""

from __future__ import annotations

import re
from functools import cache

from markdown_it.utils import read_fixture_file

from citations import Answer, Dialect, Reference, Span

from .marker_corpus import CORPUS

REFERENCES = tuple(
    Reference(id=str(number), name=f"Document {number}", url=f"https://example.com/{number}")
    for number in range(1, 6)
)
_SIGNS = re.compile(r"⟦|⟧(?P<replaces>=?)(?P<ids>[0-9,]+);")


def answer_of(written: str) -> Answer:
    """The answer that is written so."""
    text, behind, open_, spans = "", 0, list[int](), list[Span]()
    for sign in _SIGNS.finditer(written):
        text += written[behind : sign.start()]
        behind = sign.end()
        if sign["ids"]:
            ids = tuple(sign["ids"].split(","))
            spans.append(Span(open_.pop(), len(text), ids, bool(sign["replaces"])))
        else:
            open_.append(len(text))
    return Answer(
        text=text + written[behind:], references=REFERENCES, dialect=Dialect.NONE, spans=tuple(spans)
    )


@cache
def span_answers() -> dict[str, tuple[Answer, str]]:
    """Each answer by its title, with its text as it is cited."""
    rows = read_fixture_file(CORPUS / "spans.md")
    return {title: (answer_of(written.removesuffix("\n")), cited) for _, title, written, cited in rows}
