"""tantivy, the embedded search engine: its stemmers, and an index of stems on disk.

The engine is handed stems and builds its queries from terms, so nothing that a person types is ever
parsed as a query.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import tantivy

STEMMED: Final = (
    "english", "german", "french", "spanish", "italian", "portuguese", "dutch", "swedish", "danish",
    "norwegian", "finnish", "hungarian", "romanian", "russian", "turkish", "arabic", "greek", "tamil",
)  # fmt: skip
"""The languages that the engine stems, by its names for them; a tie in a vote goes to the first."""
_HEAP: Final = 64_000_000
"""Bytes that a writer gathers before it writes a segment."""


_FAULTS: Final = (ValueError, OSError)
"""What the engine raises, whatever happened."""


class EngineError(Exception):
    """The index on disk can't be used: it is damaged, or another version wrote it."""


@cache
def _analyzer(language: str, kind: str) -> tantivy.TextAnalyzer:
    step = tantivy.Filter.stemmer if kind == "stem" else tantivy.Filter.stopword
    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw()).filter(step(language)).build()


def stem(word: str, language: str) -> str:
    """The stem of one lower-case word by the Snowball rules of a language in :data:`STEMMED`."""
    found: list[str] = _analyzer(language, "stem").analyze(word)
    return found[0] if found else word


def is_builtin_stop_word(word: str, language: str) -> bool:
    """Whether the engine's own list has the word; False for a language without a list."""
    try:
        return not _analyzer(language, "stop").analyze(word)
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to index: stems of its body and of what stands above it, and a record to keep.

    Entries are found again by ``kind``, and removed by kind and path together; ``record`` is plain
    JSON.
    """

    kind: str
    path: str
    record: dict[str, Any]
    body: Sequence[str] = ()
    context: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Removal:
    """All entries of a kind and path go."""

    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class Hit:
    """What a search found: the engine's BM25 score and the entry's record."""

    score: float
    record: dict[str, Any]


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("kind", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("key", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("body", tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("context", tokenizer_name="whitespace", index_option="freq")
    builder.add_bytes_field("record", stored=True)
    return builder.build()


class SearchEngine:
    """An index of entries, in a directory or (``directory`` None) in memory."""

    def __init__(self, directory: Path | None) -> None:
        self._schema = _schema()
        try:
            self._index = tantivy.Index(self._schema, path=str(directory) if directory else None)
            self._index.register_tokenizer("whitespace", _whitespace())
            self._searcher = self._index.searcher()
        except _FAULTS as error:
            raise EngineError(str(error)) from error

    def apply(self, changes: Iterable[Entry | Removal]) -> None:
        """Make changes in their order, in one commit: all of them, or (if one can't be made) none."""
        try:
            writer = self._index.writer(heap_size=_HEAP, num_threads=1)
            try:
                for change in changes:
                    if isinstance(change, Entry):
                        writer.add_document(_document(change))
                    else:
                        writer.delete_documents_by_term("key", _key(change))
                writer.commit()
            finally:
                writer.wait_merging_threads()
        except _FAULTS as error:
            raise EngineError(str(error)) from error
        self.reload()

    def reload(self) -> None:
        """See what any process has committed."""
        try:
            self._index.reload()
            self._searcher = self._index.searcher()
        except _FAULTS as error:
            raise EngineError(str(error)) from error

    def search(self, terms: Sequence[tuple[str, float]], context_boost: float, limit: int) -> list[Hit]:
        """The best entries that hold any of the terms, each with its weight, in body or context."""
        clauses = [
            (tantivy.Occur.Should, self._term(field, term, weight * boost))
            for term, weight in terms
            for field, boost in (("body", 1.0), ("context", context_boost))
        ]
        return self._hits(tantivy.Query.boolean_query(clauses), limit) if clauses else []

    def _term(self, field: str, term: str, boost: float) -> tantivy.Query:
        query = tantivy.Query.term_query(self._schema, field, term, index_option="freq")
        return tantivy.Query.boost_query(query, boost)

    def iter_records(self, kind: str) -> Iterator[dict[str, Any]]:
        """The records of every entry of a kind."""
        query = tantivy.Query.term_query(self._schema, "kind", kind, index_option="basic")
        limit = max(1, self._searcher.num_docs)
        return (hit.record for hit in self._hits(query, limit))

    def _hits(self, query: tantivy.Query, limit: int) -> list[Hit]:
        searcher = self._searcher  # an address is another document's once the index is read anew
        try:
            found = searcher.search(query, limit, count=False).hits
            return [Hit(score, self._record(searcher, address)) for score, address in found]
        except _FAULTS as error:
            raise EngineError(str(error)) from error

    def _record(self, searcher: tantivy.Searcher, address: tantivy.DocAddress) -> dict[str, Any]:
        stored: Any = searcher.doc(address).get_first("record")
        record: dict[str, Any] = json.loads(bytes(stored))
        return record

    def count_entries_with(self, term: str) -> int:
        """In how many entries the term stands, in body or context."""
        return max(self._searcher.doc_freq("body", term), self._searcher.doc_freq("context", term))

    def find_stems(self, prefix: str, limit: int) -> list[str]:
        """Stems of bodies that begin with ``prefix``."""
        return [term for term, _ in self._searcher.terms_with_prefix("body", prefix, limit=limit)]

    def __len__(self) -> int:
        return int(self._searcher.num_docs)


def _key(entry: Entry | Removal) -> str:
    return f"{entry.kind}/{entry.path}"


def _document(entry: Entry) -> tantivy.Document:
    document = tantivy.Document()
    document.add_text("kind", entry.kind)
    document.add_text("key", _key(entry))
    document.add_text("body", " ".join(entry.body))
    document.add_text("context", " ".join(entry.context))
    document.add_bytes("record", json.dumps(entry.record, ensure_ascii=False).encode())
    return document


def _whitespace() -> tantivy.TextAnalyzer:
    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
