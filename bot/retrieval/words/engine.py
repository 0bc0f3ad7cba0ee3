"""The only module that uses tantivy: for its stemmers, and for an index of stems on disk.

The engine receives stems and builds its queries from terms. So a person's question is never parsed
in tantivy's query language.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

import tantivy

STEMMED: Final = (
    "english", "german", "french", "spanish", "italian", "portuguese", "dutch", "swedish", "danish",
    "norwegian", "finnish", "hungarian", "romanian", "russian", "turkish", "arabic", "greek", "tamil",
)  # fmt: skip
"""The languages that tantivy stems, by its names. In a tied vote the first one wins."""
_SHOULD: Final = tantivy.Occur.Should
_HEAP: Final = 64_000_000
"""Bytes that a writer buffers before it writes a segment."""
_FREQUENCIES: Final = 10_000
"""The frequencies of at most so many stems are remembered."""
_TERMS: Final = 1000
"""At most so many stems with one beginning are looked at."""


class EngineError(Exception):
    """The index can't be used: it is missing, damaged, or written by another version."""


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except (ValueError, OSError) as error:  # tantivy reports every failure with one of these
        raise EngineError(str(error)) from error


@cache
def _build_analyzer(language: str, kind: str) -> tantivy.TextAnalyzer:
    step = tantivy.Filter.stemmer if kind == "stem" else tantivy.Filter.stopword
    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw()).filter(step(language)).build()


def stem(word: str, language: str) -> str:
    """The stem of a lower-case word by the Snowball rules of a language in :data:`STEMMED`.

    In any other language it is the word itself.
    """
    if language not in STEMMED:
        return word
    tokens: list[str] = _build_analyzer(language, "stem").analyze(word)
    return tokens[0] if tokens else word


def is_builtin_stop_word(word: str, language: str) -> bool:
    """Whether tantivy's list has the word; False for a language without a list."""
    try:
        return not _build_analyzer(language, "stop").analyze(word)
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the index, with what finds it and the record that it stores.

    ``body`` has the stems of the text, ``context`` those of its headings, title and file name.
    Entries are listed by ``kind`` and removed by ``kind`` and ``path``. ``record`` is plain JSON. Where it
    has a ``digest``, that finds the entry too.
    """

    kind: str
    path: str
    record: dict[str, Any]
    body: Sequence[str] = ()
    context: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Removal:
    """A change that removes all entries of a kind and path."""

    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result: its BM25 score and the entry's record."""

    score: float
    record: dict[str, Any]


def _build_schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("kind", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("key", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("digest", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("body", tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("context", tokenizer_name="whitespace", index_option="freq")
    builder.add_bytes_field("record", stored=True)
    return builder.build()


class SearchEngine:
    """An index of entries in a directory, or in memory where ``directory`` is None.

    Opening, changing and searching it raise :class:`EngineError` where tantivy fails.
    """

    def __init__(self, directory: Path | None) -> None:
        self._schema = _build_schema()
        tokenizer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
        with _errors():
            self._index = tantivy.Index(self._schema, path=str(directory) if directory else None)
            self._index.register_tokenizer("whitespace", tokenizer)
            self._searcher = self._index.searcher()
        self._writer: tantivy.IndexWriter | None = None
        self._keeps_writer = False
        self._frequencies: dict[str, int] = {}

    @contextmanager
    def keep_writer(self) -> Iterator[None]:
        """Make all changes within the block with one writer, which is opened with the first of them.

        Each writer has new threads, and each thread may leave 20 MB that nothing uses.
        """
        if self._keeps_writer:
            yield
            return
        self._keeps_writer = True
        try:
            yield
        finally:
            writer, self._writer, self._keeps_writer = self._writer, None, False
            if writer:
                with _errors():
                    writer.wait_merging_threads()

    def apply(self, changes: Iterable[Entry | Removal]) -> None:
        """Make the changes in their order, in one commit: all of them or, where one fails, none."""
        with self.keep_writer(), _errors():
            self._writer = writer = self._writer or self._index.writer(heap_size=_HEAP, num_threads=1)
            try:
                for change in changes:
                    if isinstance(change, Entry):
                        writer.add_document(_write_document(change))
                    else:
                        writer.delete_documents_by_term("key", _write_key(change))
                writer.commit()
            except BaseException:
                writer.rollback()
                raise
        self.reload()

    def reload(self) -> None:
        """Make everything visible that any process has committed."""
        with _errors():
            self._index.reload()
            self._searcher, self._frequencies = self._index.searcher(), {}

    def take_snapshot(self) -> SearchEngine:
        """An engine for searches that stays as it is now, whatever is committed later."""
        snapshot = copy.copy(self)
        snapshot._writer, snapshot._keeps_writer = None, False
        return snapshot

    def search(self, terms: Sequence[tuple[str, float]], context_boost: float, limit: int) -> list[Hit]:
        """The best ``limit`` entries that hold any of the weighted terms, in body or context."""
        clauses = self._build_clauses(terms, context_boost)
        return self._run(tantivy.Query.boolean_query(clauses), limit) if clauses else []

    def rate(
        self, digests: Sequence[int], terms: Sequence[tuple[str, float]], context_boost: float
    ) -> list[Hit]:
        """The entries of these digests with the scores that :meth:`search` would give them.

        An entry without any of the terms has the score 0. Equal texts of several documents have one
        digest; at most four entries of each are returned.
        """
        if not digests:
            return []
        among = tantivy.Query.const_score_query(self._query_digests(digests), 0.0)
        clauses = [(tantivy.Occur.Must, among), *self._build_clauses(terms, context_boost)]
        return self._run(tantivy.Query.boolean_query(clauses), 4 * len(digests))

    def find_record(self, digest: int) -> dict[str, Any] | None:
        """The record of an entry of this digest; None where there is none."""
        return next((hit.record for hit in self._run(self._query_digests([digest]), 1)), None)

    def _query_digests(self, digests: Sequence[int]) -> tantivy.Query:
        return tantivy.Query.term_set_query(self._schema, "digest", [str(digest) for digest in digests])

    def _build_clauses(
        self, terms: Sequence[tuple[str, float]], context_boost: float
    ) -> list[tuple[tantivy.Occur, tantivy.Query]]:
        return [
            (_SHOULD, self._query_term(field, term, weight * boost))
            for term, weight in terms
            for field, boost in (("body", 1.0), ("context", context_boost))
        ]

    def _query_term(self, field: str, term: str, boost: float) -> tantivy.Query:
        query = tantivy.Query.term_query(self._schema, field, term, index_option="freq")
        return tantivy.Query.boost_query(query, boost)

    def iter_records(self, kind: str) -> Iterator[dict[str, Any]]:
        """The records of all entries of a kind."""
        query = tantivy.Query.term_query(self._schema, "kind", kind, index_option="basic")
        return (hit.record for hit in self._iter_hits(query, max(1, len(self))))

    def _run(self, query: tantivy.Query, limit: int) -> list[Hit]:
        return list(self._iter_hits(query, limit))

    def _iter_hits(self, query: tantivy.Query, limit: int) -> Iterator[Hit]:
        searcher = self._searcher  # after a reload an address may be another document's
        with _errors():
            for score, address in searcher.search(query, limit, count=False).hits:
                data: Any = searcher.doc(address).get_first("record")
                yield Hit(score, json.loads(bytes(data)))

    def frequency(self, term: str) -> int:
        """How many entries hold the term, in body or context.

        They are counted, since tantivy counts the removed ones, too, until it merges their segments. A
        question asks several times for each of its words.
        """
        if len(self._frequencies) >= _FREQUENCIES:
            self._frequencies.clear()
        found = self._frequencies.get(term)
        if found is None:
            found = self._frequencies[term] = max(self._count("body", term), self._count("context", term))
        return found

    def _count(self, field: str, term: str) -> int:
        query = tantivy.Query.term_query(self._schema, field, term, index_option="basic")
        with _errors():
            found: Any = self._searcher.search(query, 1, count=True)
            return int(found.count)

    def find_entries_with(self, terms: Sequence[Sequence[str]], limit: int) -> list[Hit]:
        """Up to ``limit`` entries that hold a spelling of each of the terms in their body or context."""

        def query_spellings(spellings: Sequence[str]) -> tantivy.Query:
            pairs = ((field, one) for one in spellings for field in ("body", "context"))
            return tantivy.Query.boolean_query([(_SHOULD, self._query_term(*pair, 1.0)) for pair in pairs])

        clauses = [(tantivy.Occur.Must, query_spellings(spellings)) for spellings in terms]
        return self._run(tantivy.Query.boolean_query(clauses), limit)

    def find_similar(self, term: str, limit: int) -> list[Hit]:
        """Up to ``limit`` entries that have a stem within two changes of letters from ``term``."""
        similar = (tantivy.Query.fuzzy_term_query(self._schema, one, term, 2) for one in ("body", "context"))
        return self._run(tantivy.Query.boolean_query([(_SHOULD, query) for query in similar]), limit)

    def find_stems(self, prefix: str, limit: int) -> list[str]:
        """Up to ``limit`` stems, of bodies before those of contexts, that begin with ``prefix``."""
        found = (self._searcher.terms_with_prefix(one, prefix, limit=_TERMS) for one in ("body", "context"))
        stems = dict.fromkeys(term for terms in found for term, _ in terms)
        return list(islice(filter(self.frequency, stems), limit))

    def __len__(self) -> int:
        return int(self._searcher.num_docs)


def _write_key(entry: Entry | Removal) -> str:
    return f"{entry.kind}/{entry.path}"


def _write_document(entry: Entry) -> tantivy.Document:
    document = tantivy.Document()
    document.add_text("kind", entry.kind)
    document.add_text("key", _write_key(entry))
    if "digest" in entry.record:
        document.add_text("digest", str(entry.record["digest"]))
    document.add_text("body", " ".join(entry.body))
    document.add_text("context", " ".join(entry.context))
    document.add_bytes("record", json.dumps(entry.record, ensure_ascii=False).encode())
    return document
