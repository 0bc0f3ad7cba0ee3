"""This module has the searchable part of an index: all documents, or those that one person may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .embedding import PassageEmbedding
from .engine import Entry, SearchEngine
from .known_file import KnownFile
from .meaning import PartMeaning
from .record import PASSAGE, read_entry
from .scan import Skipped
from .suggestions import HEADINGS
from .titles import name_documents

FILE = "file"
"""The kind of the entries that describe files."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The numbers of documents and passages in an index, and the files that were skipped."""

    documents: int
    passages: int
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class IndexPart:
    """Searchable passages, and the records of their files by path.

    ``languages`` are those of the documents, the one with the most passages first. ``names`` has the
    name of each document, by which a reader tells it apart. ``meaning`` has the vectors of the passages,
    or is None without an embedder.
    """

    engine: SearchEngine
    known: Mapping[str, KnownFile]
    languages: tuple[str, ...]
    names: Mapping[str, str]
    meaning: PartMeaning | None = None

    @property
    def questions(self) -> tuple[tuple[str, str], ...]:
        """Pairs of path and question, the best rank first.

        Within a rank the documents take turns. Those in the most frequent language come first.
        """
        return tuple((path, question) for _, path, question in self._rank_questions())

    @property
    def heading_questions(self) -> tuple[tuple[str, str], ...]:
        """Those of the questions that are headings, which need no search to be worth asking."""
        return tuple((path, question) for rank, path, question in self._rank_questions() if rank <= HEADINGS)

    def _rank_questions(self) -> Iterator[tuple[int, str, str]]:
        ranked = [
            (rank, turn, self.languages.index(file.language) if file.language else 99, file.path, question)
            for file in self.known.values()
            for turn, (rank, question) in enumerate(file.questions)
        ]
        return ((rank, path, question) for rank, _, _, path, question in sorted(ranked))

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


def make_part(
    engine: SearchEngine, known: Mapping[str, KnownFile], embedding: PassageEmbedding | None = None
) -> IndexPart:
    """Return everything that ``engine`` holds, with the records of its files, and their vectors."""
    counts = Counter[str]()
    for file in known.values():
        if file.language:
            counts[file.language] += file.passages
    languages = tuple(language for language, _ in counts.most_common())
    names = name_documents({file.path: file.title for file in known.values()})
    digests = frozenset(digest for file in known.values() for digest in file.digests)
    meaning = PartMeaning(embedding, digests) if embedding else None
    return IndexPart(engine, known, languages, names, meaning)


def copy_part(whole: IndexPart, paths: frozenset[str]) -> IndexPart:
    """Copy these files into an index of their own, in memory.

    Filtering the results of the whole index would reveal something of hidden documents. Word
    frequencies, known words and corrected typing errors all come from everything that is indexed.
    """
    engine = SearchEngine(None)
    engine.apply(_copy_entries(whole, paths))
    known = {path: file for path, file in whole.known.items() if path in paths}
    return make_part(engine, known, whole.meaning.embedding if whole.meaning else None)


def _copy_entries(whole: IndexPart, paths: frozenset[str]) -> Iterator[Entry]:
    records = [record for record in whole.engine.iter_records(PASSAGE) if record["path"] in paths]
    # Passages with equal scores rank in the order in which they were indexed.
    yield from map(read_entry, sorted(records, key=lambda one: (one["path"], one["start"])))
    for record in whole.engine.iter_records(FILE):
        if record["path"] in paths:
            yield Entry(FILE, record["path"], record)
