"""What is searched: all that an index holds, or only what one person may see of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .engine import Entry, SearchEngine
from .record import PASSAGE, read_entry
from .scan import Skipped

FILE = "file"
"""The kind of the entries that say what is known of a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFile:
    """What the index knows of a file; ``reason`` is why it was skipped, or None.

    ``labels`` are the ids of the sensitivity labels in its metadata.
    """

    path: str
    modified: int
    size: int
    changed: int
    sha256: str
    passages: int = 0
    language: str | None = None
    questions: Sequence[tuple[int, str]] = ()
    labels: Sequence[str] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What an index holds: how many documents in how many passages, and what was skipped and why."""

    documents: int
    passages: int
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class IndexPart:
    """Passages that can be searched, and what is known of their files.

    ``languages`` are those of the documents, the one with the most passages first.
    """

    engine: SearchEngine
    known: Mapping[str, KnownFile]
    languages: tuple[str, ...]

    @property
    def questions(self) -> tuple[tuple[str, str], ...]:
        """Questions that documents' headings ask, each with its path, those that read best first.

        Each document has its turn, those in the language of most passages before the others.
        """
        turns = [
            (rank, turn, self.languages.index(one.language) if one.language else 99, one.path, question)
            for one in self.known.values()
            for turn, (rank, question) in enumerate(one.questions)
        ]
        return tuple((path, question) for *_, path, question in sorted(turns))

    def report(self, skipped: Iterable[Skipped] = ()) -> IndexReport:
        """What there is in it; ``skipped`` are files that nothing is known of."""
        read_ones = [known for known in self.known.values() if known.reason is None]
        unread = [Skipped(known.path, known.reason) for known in self.known.values() if known.reason]
        every = sorted((*skipped, *unread), key=lambda one: one.path)
        return IndexReport(len(read_ones), sum(known.passages for known in read_ones), tuple(every))


def make_part(engine: SearchEngine, known: Mapping[str, KnownFile]) -> IndexPart:
    """All that ``engine`` holds."""
    passages_in = Counter[str]()
    for one in known.values():
        if one.language:
            passages_in[one.language] += one.passages
    return IndexPart(engine, known, tuple(language for language, _ in passages_in.most_common()))


def copy_part(whole: IndexPart, paths: frozenset[str]) -> IndexPart:
    """An index of its own, in memory, of nothing but these files.

    How rare a word is, which words there are and what a slip of a finger may have meant come from all
    that is indexed: searching everything and hiding some of it would tell of what is hidden.
    """
    engine = SearchEngine(None)
    engine.apply(_copy(whole, paths))
    return make_part(engine, {path: known for path, known in whole.known.items() if path in paths})


def _copy(whole: IndexPart, paths: frozenset[str]) -> Iterator[Entry]:
    passages = [record for record in whole.engine.iter_records(PASSAGE) if record["path"] in paths]
    files = [record for record in whole.engine.iter_records(FILE) if record["path"] in paths]
    # Equals rank in the order in which they were indexed.
    for record in sorted(passages, key=lambda one: (one["path"], one["start"])):
        yield read_entry(record)
    for record in files:
        yield Entry(FILE, record["path"], record)
