"""What of references is quoted, given to a model, or only named: by a policy and the right EXTRACT."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from citations import LabelRanking, Reference
from citations.labels import NO_CATALOGUE


def split_by_extract_right(
    references: Sequence[Reference], ranking: LabelRanking | None
) -> tuple[tuple[Reference, ...], tuple[Reference, ...]]:
    """The references that may be quoted, and those that may only be named, without their text.

    "The user must have the EXTRACT usage right" to what a label encrypts (Microsoft Purview,
    "Considerations for Microsoft 365 Copilot"). Without this right, an answer may link to the document.
    """
    known = ranking or NO_CATALOGUE
    readable = tuple(one for one in references if one.extract or not _encrypts(one, known))
    sealed = (one for one in references if one not in readable)
    return readable, tuple(replace(one, text=None, only_named=True) for one in sealed)


def describe_for_policy(reference: Reference, ranking: LabelRanking | None) -> Reference:
    """The reference as an access policy gets it: with its label, without its text."""
    label = ranking.label_of(reference) if ranking else None
    return replace(reference, text=None, label=label.id if label else reference.label)


def _encrypts(reference: Reference, ranking: LabelRanking) -> bool:
    return any(given.label.encrypted for given in ranking.labels_given(reference))
