"""What is printed of a rendering: its activities, its problems and its doubts."""

from __future__ import annotations

from ..model.citation import CitedAnswer
from ..model.errors import Problem
from ..model.rendering import Rendering


def problems_of(rendering: Rendering, cited: CitedAnswer) -> tuple[Problem, ...]:
    """The problems of a rendering, and the doubts about its text, unless that is withheld."""
    parts = (part for one in cited.citations for part in one.parts or (one.reference,))
    if rendering.is_withheld or not any(part.text for part in parts):
        return rendering.problems
    from ..doubts import find_doubts  # noqa: PLC0415 - only what a source says is compared

    return (*rendering.problems, *(doubt.problem for doubt in find_doubts(cited)))


def in_messages(rendering: Rendering) -> object:
    """The activity, or a list of activities if the answer needs several messages."""
    return rendering.to_activity() if len(rendering.parts) < 2 else list(rendering.to_activities())
