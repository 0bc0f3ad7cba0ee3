"""Gemini's grounding metadata: chunks are sources, and supports say which words rest on which chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..model.answer import AnswerEvent
from ..model.reference import Reference
from .anchor import OffsetUnit, not_placed
from .google_sources import grounding_source
from .loose_json import Members, inner, items, member, number, objects, text, whole_numbers
from .spanned_text import SpannedText, TextPart, place_of


def grounding_sources(grounding: Members) -> Iterator[Reference]:
    """The sources of an answer, cited or not."""
    found = map(grounding_source, items(member(grounding, "grounding_chunks")))
    return (one for one in found if one)


def cite_grounding(
    answer: SpannedText,
    grounding: Members,
    part_of: Callable[[Members], TextPart],
    whole: TextPart,
) -> Iterator[AnswerEvent]:
    """Cite what the supports say. ``part_of`` gives the part that a segment counts in.

    Words that this part doesn't have are sought in the ``whole`` answer.
    """
    chunks = items(member(grounding, "grounding_chunks"))
    for index, support in enumerate(objects(member(grounding, "grounding_supports"))):
        segment = inner(support, "segment")
        named = whole_numbers(member(support, "grounding_chunk_indices"))
        found = (grounding_source(chunks[one]) for one in named if 0 <= one < len(chunks))
        words, start = text(segment, "text"), number(segment, "start_index")
        part = part_of(segment)
        place = place_of(part, words, start, number(segment, "end_index"), OffsetUnit.UTF_8)
        if place is None:
            part, place = whole, place_of(whole, words, start, None, OffsetUnit.UTF_8)
        path = f"$.candidates[0].groundingMetadata.groundingSupports[{index}]"
        yield from answer.cite(part, place, (one for one in found if one), missing=not_placed(path, words))
