"""What is printed of a rendering: its activities, its problems and doubts, a note on an unknown channel."""

from __future__ import annotations

from ..channels import channel_ids
from ..model.citation import CitedAnswer
from ..model.errors import Problem
from ..model.rendering import Rendering
from ..text.name import did_you_mean
from .console import say


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


def say_unknown(channel_id: str) -> None:
    """Print a note for an unknown channel id, whose answers are plain text."""
    if channel_id.lower() not in channel_ids():
        say(f"{describe_unknown(channel_id)}: plain text")


def describe_unknown(channel_id: str) -> str:
    """Words for an id that no channel has, with the one that may be meant."""
    return f"the channel {channel_id!r:.80} isn't known{did_you_mean(channel_id, channel_ids())}"
