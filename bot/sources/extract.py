"""What an encrypted label seals among the references that we give to a model, or quote, ourselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from citations import LabelRanking, Reference


def split_by_extract_right(
    references: Sequence[Reference], ranking: LabelRanking | None
) -> tuple[tuple[Reference, ...], tuple[Reference, ...]]:
    """Those that may be read, and those that may only be named, without what they say.

    "The user must have the EXTRACT usage right" to what a label encrypts (Microsoft Purview,
    "Considerations for Microsoft 365 Copilot"); without it an answer may link to the document.
    """
    if ranking is None:
        return tuple(references), ()
    readable = tuple(one for one in references if one.extract or not _encrypts(one, ranking))
    sealed = (one for one in references if one not in readable)
    return readable, tuple(replace(one, text=None, only_named=True) for one in sealed)


def _encrypts(reference: Reference, ranking: LabelRanking) -> bool:
    return any(given.label.encrypted for given in ranking.labels_given(reference))
