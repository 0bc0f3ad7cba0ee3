"""The sensitivity labels of one message: its own, and that of each citation."""

from __future__ import annotations

from dataclasses import dataclass

from ..labels.catalogue import LabelRanking, SensitivityLabel, highest_label, message_label
from ..model.citation import CitedAnswer


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of one message.

    ``carried[i]`` is the label of ``cited.citations[i]``, ``message`` the highest label of all sources.
    """

    carried: tuple[SensitivityLabel | None, ...]
    message: SensitivityLabel | None


def read_labels(cited: CitedAnswer, ranking: LabelRanking | None) -> Labels:
    """The labels of an answer.

    A citation has the highest label of the references that were joined into it.
    """
    carried = (
        highest_label(citation.parts or (citation.reference,), ranking) for citation in cited.citations
    )
    return Labels(tuple(carried), message_label(cited, ranking))
