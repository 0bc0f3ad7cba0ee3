"""Finds the sensitivity label of a document, by the labels file and by its metadata."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from citations import LabelRanking, Reference
from citations.text import fold_name


@dataclass(frozen=True, slots=True)
class DocumentLabel:
    """The id of a document's highest label, or None; ``encrypts`` says whether any of its labels encrypts.

    ``is_withheld`` says whether any channel withholds the document's content.
    """

    id: str | None = None
    encrypts: bool = False
    is_withheld: bool = False


class FolderLabels:
    """Finds the label of each document, and caches it.

    Without a ``ranking`` the meaning of the ids in a file is unknown. Then the ids, joined by commas,
    are its label.
    """

    def __init__(self, ranking: LabelRanking | None) -> None:
        self._ranking = ranking
        # Files have GUIDs in upper and in lower case, which means the same.
        self._ids = {fold_name(label.id): label.id for label in ranking.labels} if ranking else {}
        self._found: dict[tuple[str, tuple[str, ...]], DocumentLabel] = {}

    def find(self, document: Reference, own_ids: Sequence[str]) -> DocumentLabel:
        """Find the label of ``document``, whose id is its path and whose metadata has ``own_ids``."""
        key = (document.id, tuple(own_ids))
        if key not in self._found:
            self._found[key] = self._look_up(document, own_ids)
        return self._found[key]

    def _look_up(self, document: Reference, own_ids: Sequence[str]) -> DocumentLabel:
        if self._ranking is None:
            return DocumentLabel(", ".join(own_ids) or None)
        ids = [self._ids.get(fold_name(label), label) for label in own_ids]  # in the catalogue's spelling
        labelled = [replace(document, label=label) for label in ids or (None,)]
        given = [one for reference in labelled for one in self._ranking.labels_given(reference)]
        highest = self._ranking.highest(one.label for one in given)
        if highest is None:
            return DocumentLabel()
        return DocumentLabel(
            # An id that the catalogue lacks stays as it is; the rendering reports it.
            next(one.asked for one in given if one.label == highest),
            any(one.label.encrypted for one in given),
            any(map(self._ranking.withholds_anywhere, labelled)),
        )

    def describe_unmatched_rules(self, documents: Iterable[Reference]) -> tuple[str, ...]:
        """Describe the rules of the labels file that match none of ``documents``."""
        ranking = self._ranking
        rules = ranking.unmatched_rules(documents) if ranking else ()
        return tuple(ranking.describe_rule(rule) for rule in rules) if ranking else ()
