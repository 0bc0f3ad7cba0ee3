"""The last answer, for whoever asks for more of it: another person perhaps than the one it was for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from citations import Reference

from ..sources.permission import EVERYTHING, NotForAsker, Permission
from .follow_up_request import AskedForMore, Followup
from .last_answer import RememberedAnswer


def restrict_answer(last: RememberedAnswer, asked: Followup, permission: Permission) -> RememberedAnswer:
    """``last`` for somebody who wants to know more about it, and may not be the one whom it was for.

    Raises :class:`NotForAsker` where that is made of what they may not see.
    """
    if permission is EVERYTHING:
        return last
    for reference in _find_asked(last, asked):
        if not permission.may_see(reference):
            raise NotForAsker("what was asked for may not be seen")

    def again(reference: Reference) -> Reference:
        return replace(reference, extract=reference.extract and permission.may_extract(reference))

    citations = tuple(
        replace(one, reference=again(one.reference), parts=tuple(map(again, one.parts)))
        for one in last.citations
    )
    return replace(last, citations=citations, references=tuple(map(again, last.references)))


def _find_asked(last: RememberedAnswer, asked: Followup) -> Iterator[Reference]:
    """What is said in reply: one source, or any of all that was found."""
    for citation in last.citations:
        if isinstance(asked, AskedForMore) or citation.position == asked.number:
            yield from (citation.reference, *citation.parts)
    if isinstance(asked, AskedForMore):
        yield from last.references
