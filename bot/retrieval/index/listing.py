"""The list of the documents that one person may search, without their passages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from ..passages import ASKING, KnownFile, name_documents
from ..reading import Skipped


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The numbers of documents and passages in an index, and the files that were skipped."""

    documents: int
    passages: int
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """The records of files by path.

    ``languages`` are those of the documents, the one with the most passages first. ``names`` has the
    name of each document, by which a reader tells it apart.
    """

    known: Mapping[str, KnownFile]
    languages: tuple[str, ...]
    names: Mapping[str, str]

    @property
    def questions(self) -> tuple[tuple[str, str], ...]:
        """Pairs of path and question.

        The documents take turns. Those in the most frequent language come first.
        """
        ranked = [
            (turn, self.languages.index(file.language) if file.language else 99, file.path, question)
            for file in self.known.values()
            for turn, (rank, question) in enumerate(file.questions)
            if rank == ASKING
        ]
        return tuple((path, question) for *_, path, question in sorted(ranked))

    def restrict(self, paths: Container[str]) -> Listing:
        """The listing of those of the documents that are at these paths."""
        return list_documents({path: file for path, file in self.known.items() if path in paths})

    def report(self, skipped: Iterable[Skipped] = ()) -> IndexReport:
        """Count documents and passages; ``skipped`` are further files, which have no record.

        What of a document was not read, such as a hidden sheet, is named with the files that were skipped.
        """
        files = self.known.values()
        documents = [file for file in files if file.reason is None]
        unreadable = [Skipped(file.path, file.reason) for file in files if file.reason]
        unread = [Skipped(file.path, reason) for file in files for reason in file.unread]
        all_skipped = sorted((*skipped, *unreadable, *unread), key=lambda file: file.path)
        return IndexReport(len(documents), sum(file.passages for file in documents), tuple(all_skipped))


def list_documents(known: Mapping[str, KnownFile]) -> Listing:
    """The listing of these files."""
    counts = Counter[str]()
    for file in known.values():
        if file.language:
            counts[file.language] += file.passages
    names = name_documents({file.path: file.title for file in known.values()})
    return Listing(known, tuple(language for language, _ in counts.most_common()), names)
