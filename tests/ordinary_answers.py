"""Ordinary answers, as assistants write them: ``tests/corpus/answers``.

Each begins with its references, one a line as ``id | name | URL`` (without a URL: a passage), below the
dialect of its markers where that isn't left open. The answer stands behind the first blank line.
"""

from __future__ import annotations

import functools
from pathlib import Path

from citations import Answer, Dialect, Reference

CORPUS = Path(__file__).parent / "corpus" / "answers"


@functools.cache
def ordinary_answers() -> dict[str, Answer]:
    """The answers by the names of their files."""
    found = {path.stem: read_page(path.read_text(encoding="utf-8")) for path in sorted(CORPUS.glob("*.md"))}
    assert len(found) >= 24
    return found


def read_page(page: str) -> Answer:
    """An answer with its references, written as those of the corpus are."""
    head, _, text = page.partition("\n\n")
    first, *lines = head.split("\n")
    dialect = Dialect(first.removeprefix("dialect ")) if first.startswith("dialect ") else None
    rows = [line.split(" | ") for line in (lines if dialect else (first, *lines))]
    references = tuple(
        Reference(id=row[0], name=row[1], url=row[2])
        if len(row) == 3
        else Reference(id=row[0], name=row[1], text=f"A passage of {row[1]}.")
        for row in rows
    )
    return Answer(text=text, references=references, dialect=dialect)
