"""This module checks that a person who asks for more of the last answer may see its sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from citations import Reference

from ..sources.permission import EVERYTHING, NotForAsker, Permission
from .follow_up_request import FollowUpRequest, MoreRequest
from .last_answer import RememberedAnswer


def restrict_answer(
    answer: RememberedAnswer, request: FollowUpRequest, permission: Permission
) -> RememberedAnswer:
    """Return ``answer`` for a person who may not be the one that it was written for.

    Raises :class:`NotForAsker` where the reply would show a source that the person may not see.
    """
    if permission is EVERYTHING:
        return answer
    for reference in _iter_requested(answer, request):
        if not permission.may_see(reference):
            raise NotForAsker("what was asked for may not be seen")

    def restrict(reference: Reference) -> Reference:
        return replace(reference, extract=reference.extract and permission.may_extract(reference))

    citations = tuple(
        replace(citation, reference=restrict(citation.reference), parts=tuple(map(restrict, citation.parts)))
        for citation in answer.citations
    )
    return replace(answer, citations=citations, references=tuple(map(restrict, answer.references)))


def _iter_requested(answer: RememberedAnswer, request: FollowUpRequest) -> Iterator[Reference]:
    """Yield the references that the reply can show: of one source, or all that were found."""
    for citation in answer.citations:
        if isinstance(request, MoreRequest) or citation.position == request.number:
            yield from (citation.reference, *citation.parts)
    if isinstance(request, MoreRequest):
        yield from answer.references
