"""The searchable part of an index: all documents, or those that one person may see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..meaning import PartMeaning, PassageEmbedding
from ..passages import PASSAGE, KnownFile, read_entry
from ..words import Entry, SearchEngine
from .candidates import Candidate, FoundPassages, find_candidates
from .listing import Listing, list_documents

FILE = "file"
"""The kind of the entries that describe files."""


@dataclass(frozen=True, slots=True, eq=False)
class IndexPart:
    """Searchable passages, and the listing of their documents.

    ``words`` has their words, and counts the passages that have one. ``meaning`` has the vectors of the
    passages, or is None without an embedder.
    """

    words: SearchEngine
    listing: Listing
    meaning: PartMeaning | None = None

    @property
    def total(self) -> int:
        """The number of passages, and of files; a word that few of them have weighs the more."""
        return len(self.words)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the documents, the one with the most passages first."""
        return self.listing.languages

    @property
    def are_near(self) -> bool:
        """Whether something else than words chose them, as near to the question. No: these are all."""
        return False

    @property
    def know_meaning(self) -> bool:
        """Whether all passages have vectors; True without an embedder."""
        return self.meaning is None or self.meaning.is_complete

    def find(self, question: str, terms: Sequence[str], limit: int) -> list[Candidate]:
        """The best ``limit`` passages by the question's ``terms``, and as many by meaning, with vectors.

        Raises :class:`EngineError` where the index can't be read.
        """
        return find_candidates(self.words, self.meaning.ask(question) if self.meaning else None, terms, limit)

    def knows_word(self, word: str) -> bool:
        """Whether a word is one as it is written, where there are vectors and a model that tells."""
        return self.meaning is not None and self.meaning.embedding.knows_word(word)


Candidates = IndexPart | FoundPassages
"""Passages that a question may be answered from, wherever they are."""


def make_part(
    engine: SearchEngine, known: Mapping[str, KnownFile], embedding: PassageEmbedding | None = None
) -> IndexPart:
    """Everything that ``engine`` holds, with the records of its files, and their vectors."""
    meaning = None
    if embedding:
        files = filter(embedding.may_embed, known.values())
        meaning = PartMeaning(embedding, frozenset(digest for file in files for digest in file.digests))
    return IndexPart(engine, list_documents(known), meaning)


def copy_part(whole: IndexPart, paths: frozenset[str]) -> IndexPart:
    """Copy these files into an index of their own, in memory.

    Filtering the results of the whole index would reveal something of hidden documents. Word
    frequencies, known words and corrected typing errors all come from everything that is indexed.
    """
    engine = SearchEngine(None)
    engine.apply(_copy_entries(whole, paths))
    known = {path: file for path, file in whole.listing.known.items() if path in paths}
    return make_part(engine, known, whole.meaning.embedding if whole.meaning else None)


def _copy_entries(whole: IndexPart, paths: frozenset[str]) -> Iterator[Entry]:
    records = [record for record in whole.words.iter_records(PASSAGE) if record["path"] in paths]
    # Passages with equal scores rank in the order in which they were indexed.
    yield from map(read_entry, sorted(records, key=lambda one: (one["path"], one["start"])))
    for record in whole.words.iter_records(FILE):
        if record["path"] in paths:
            yield Entry(FILE, record["path"], record)
