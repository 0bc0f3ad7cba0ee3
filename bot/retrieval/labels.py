"""Which sensitivity label each document of a folder has: by the labels file, and by its own metadata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from citations import LabelRanking, Reference


@dataclass(frozen=True, slots=True)
class DocumentLabel:
    """The id of a document's highest label; ``encrypts`` says whether any of its labels does."""

    id: str | None = None
    encrypts: bool = False


class FolderLabels:
    """Finds the labels of documents, each once.

    Without a ``ranking`` nobody knows what the ids in a file mean: they are its label as they are.
    """

    def __init__(self, ranking: LabelRanking | None) -> None:
        self._ranking = ranking
        # A GUID is the same in either case, and files have it in both.
        self._ids = {label.id.lower(): label.id for label in ranking.labels} if ranking else {}
        self._found: dict[tuple[str, tuple[str, ...]], DocumentLabel] = {}

    def find(self, document: Reference, own: Sequence[str]) -> DocumentLabel:
        """The label of ``document``, whose id is its path in the folder and whose metadata has ``own``."""
        key = (document.id, tuple(own))
        if key not in self._found:
            self._found[key] = self._look_up(document, own)
        return self._found[key]

    def _look_up(self, document: Reference, own: Sequence[str]) -> DocumentLabel:
        if self._ranking is None:
            return DocumentLabel(", ".join(own) or None)
        as_labelled = [replace(document, label=label) for label in self._catalogue_ids(own)]
        given = [one for reference in as_labelled for one in self._ranking.labels_given(reference)]
        highest = self._ranking.highest(one.label for one in given)
        if highest is None:
            return DocumentLabel()
        return DocumentLabel(
            # As it was given: of an id that the catalogue doesn't know, whoever renders it says so.
            next(one.asked for one in given if one.label == highest),
            any(one.label.encrypted for one in given),
        )

    def _catalogue_ids(self, own: Sequence[str]) -> Sequence[str | None]:
        """The labels of a file by the catalogue's ids, where it has them; None for a file without one."""
        return [self._ids.get(label, label) for label in own] or [None]
