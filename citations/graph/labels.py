"""The labels of one message: each citation's own, and the message's."""

from __future__ import annotations

from dataclasses import dataclass

from ..labels.catalogue import LabelRanking, SensitivityLabel, highest_label, message_label
from ..model.citation import CitedAnswer


@dataclass(frozen=True, slots=True)
class Labels:
    """``carried[i]`` is the label of ``cited.citations[i]``; ``message`` that of all that was found."""

    carried: tuple[SensitivityLabel | None, ...]
    message: SensitivityLabel | None


def read_labels(cited: CitedAnswer, ranking: LabelRanking | None) -> Labels:
    """A citation's label is the highest of the references that were joined into it."""
    carried = (
        highest_label(citation.parts or (citation.reference,), ranking) for citation in cited.citations
    )
    return Labels(tuple(carried), message_label(cited, ranking))
