"""A sensitivity label, as a catalogue or a source describes it."""

from __future__ import annotations

from dataclasses import dataclass

from ..text.direction import without_turns


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitivityLabel:
    """A sensitivity label (CITATION.md § "Sensitivity label").

    ``priority`` counts from 0, the lowest, as in Office and Purview. It is None for a label that can't be
    ranked. ``color`` is a CSS colour, as ``#rgb`` or a name. ``encrypted`` adds a lock to its shield.
    """

    id: str
    name: str
    priority: int | None = None
    description: str | None = None
    color: str | None = None
    encrypted: bool = False

    def __post_init__(self) -> None:
        # What it says of itself is shown in many places, and in all of them as it is.
        object.__setattr__(self, "name", without_turns(self.name))
        object.__setattr__(self, "description", self.description and without_turns(self.description))


def label_name(label: SensitivityLabel | str | None) -> str | None:
    """What a reference's label is called, as far as the reference itself tells."""
    return label.name if isinstance(label, SensitivityLabel) else label
