"""What is doubtful about an activity's words, beside the passages in its graph."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...doubts import find_doubts
from ...markdown import Document, Paragraph
from ...markers.marker_reader import DialectReader
from ...markers.positions import Positions
from ...model.answer import Dialect
from ...model.citation import CitedAnswer
from ...model.errors import Problem
from ...model.reference import Reference
from .claims import ReadClaim, read_claims
from .definitions import TEXT
from .roots import find_root
from .rules import problem
from .text import ReadText, read_text
from .values import Node, first

_BRACKET: Final = re.compile(r"[\[【［]")


def check_doubts(activity: Node, read: ReadText | None, *, complete: bool) -> Iterator[Problem]:
    """The doubts; those about numbers and quotations only where the passages are ``complete``.

    ``read`` is the text, if it is Markdown.
    """
    text, root = activity.get("text"), find_root(activity)
    if root is None or not isinstance(text, str):
        return
    references = tuple(
        Reference(id=claim.position, text=passage, complete=complete)
        for claim in read_claims(root)
        if claim.position and (passage := _passage(claim))
    )
    if not references:
        return
    read = read or read_text(text)
    positions = Positions()
    positions.add(references)
    reader = DialectReader(positions, Dialect.NUMBERED)
    # Only sentences with a badge are compared, whatever blocks they stand in.
    citing = (leaf.content for leaf in read.leaves if _BRACKET.search(leaf.content))
    paragraphs = tuple(Paragraph(reader.read_words(content)) for content in citing)
    cited = CitedAnswer(
        text=read.text,
        document=Document(paragraphs),
        citations=positions.citations(),
        references=references,
    )
    ids = {one.position: one.reference.id for one in cited.citations}
    for doubt in find_doubts(cited):
        cited_ids = ", ".join(ids[position] for position in doubt.positions)
        yield problem(doubt.code.value, TEXT, words=doubt.words, cited=cited_ids)


def _passage(claim: ReadClaim) -> str | None:
    abstract = first((claim.appearance or {}).get("abstract"))
    return claim.text or (abstract if isinstance(abstract, str) else None)
