"""What is doubtful about an activity's words, beside the passages in its graph."""

from __future__ import annotations

from collections.abc import Iterator

from ..doubts import find_doubts
from ..markers import cite
from ..model.answer import Answer
from ..model.dialect import Dialect
from ..model.errors import Problem
from ..model.reference import Reference
from .claims import ReadClaim, read_claims
from .definitions import TEXT
from .roots import find_root
from .rules import problem
from .values import Node, first


def check_doubts(activity: Node, *, complete: bool) -> Iterator[Problem]:
    """The doubts; those about numbers and quotations only where the passages are ``complete``."""
    text, root = activity.get("text"), find_root(activity)
    if root is None or not isinstance(text, str):
        return
    references = [
        Reference(id=claim.position, text=passage, complete=complete)
        for claim in read_claims(root)
        if claim.position and (passage := _passage(claim))
    ]
    if not references:
        return
    cited = cite(Answer(text=text, references=tuple(references), dialect=Dialect.NUMBERED))
    ids = {one.position: one.reference.id for one in cited.citations}
    for doubt in find_doubts(cited):
        positions = ", ".join(ids[position] for position in doubt.positions)
        yield problem(doubt.code.value, TEXT, words=doubt.words, cited=positions)


def _passage(claim: ReadClaim) -> str | None:
    abstract = first((claim.appearance or {}).get("abstract"))
    return claim.text or (abstract if isinstance(abstract, str) else None)
