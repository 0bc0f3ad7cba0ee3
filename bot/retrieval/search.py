"""A question to what one person may see of a folder: what answers, what may only be named, what is near."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from citations import Reference

from .composition import NumberedPassage, describe_document, describe_passage
from .extract import Quote, extract
from .index import FolderIndex
from .labels import FolderLabels
from .own_labels import UNREADABLE
from .part import IndexPart
from .query import SearchQuery, read_question
from .rank import CANDIDATES, RankedPassage, rank

DocumentTest = Callable[[Reference], bool]
"""Says of a document, given as a reference with its label, whether one person may see or quote it."""

PASSAGES: Final = 8
"""Passages from which an answer's sentences are chosen."""
_SHARED_WORDS: Final = 2
"""One word in common is chance: with two, the best passage's heading may be what was meant."""
_SUGGESTIONS: Final = 4
_CONSIDERED: Final = 40
"""Questions from headings that are tried for suggestions."""


@dataclass(frozen=True, slots=True)
class DescribedDocument:
    """A document without what it says, with its label; ``encrypts`` says whether a label of it does."""

    whole: Reference
    encrypts: bool


@dataclass(frozen=True, slots=True)
class Scope:
    """What is searched for one person; ``closed`` are the paths of what may be named and not quoted."""

    part: IndexPart
    unquotable: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Search:
    """What was found for one question: ``ranked`` may be quoted, ``closed`` only be named."""

    scope: Scope
    query: SearchQuery
    ranked: list[RankedPassage]
    quotes: tuple[Quote, ...]
    unquotable: tuple[str, ...]


@dataclass(slots=True)
class Documents:
    """The documents of an index as references, each with its label."""

    index: FolderIndex
    document_base: str
    labels: FolderLabels
    _everything: Scope | None = field(default=None, init=False)
    """The scope of who may see everything, as long as the index stays as it is."""

    def describe(self, part: IndexPart, path: str) -> DescribedDocument:
        """One document."""
        known = part.known.get(path)
        whole = describe_document(path, self.document_base, known.modified if known else None)
        # What is gone from the folder since has lost what was known of it.
        label = self.labels.find(whole, known.labels if known else (UNREADABLE,))
        return DescribedDocument(replace(whole, label=label.id), label.encrypts)

    def describe_passages(
        self, part: IndexPart, passages: Sequence[NumberedPassage]
    ) -> tuple[Reference, ...]:
        """Passages that may be quoted, and so were proven to be extractable where their label encrypts."""
        documents = (self.describe(part, one.passage.path) for one in passages)
        return tuple(
            describe_passage(one, replace(found.whole, extract=found.encrypts))
            for one, found in zip(passages, documents, strict=True)
        )

    def find_scope(
        self, may_see: DocumentTest | None = None, may_extract: DocumentTest | None = None
    ) -> Scope:
        """What one person may search; raises what the tests raise.

        Without ``may_see`` that is every document. ``may_extract`` is asked of the documents whose label
        encrypts; without it none of them is quoted.
        """
        part = self.index.whole
        if may_see is None and may_extract is None:
            if self._everything is None or self._everything.part is not part:
                self._everything = Scope(part, self._unquotable(part, None))
            return self._everything
        if may_see is not None:
            seen = (path for path in part.known if may_see(self.describe(part, path).whole))
            part = self.index.restrict_to(frozenset(seen))
        return Scope(part, self._unquotable(part, may_extract))

    def _unquotable(self, part: IndexPart, may_extract: DocumentTest | None) -> frozenset[str]:
        found = ((path, self.describe(part, path)) for path in part.known)
        return frozenset(
            path for path, one in found if one.encrypts and not (may_extract and may_extract(one.whole))
        )


def search(question: str, scope: Scope) -> Search:
    """Ask the passages in ``scope``."""
    query = read_question(question, scope.part.engine, scope.part.languages)
    ranked = rank(query, scope.part.engine, CANDIDATES)
    readable = [found for found in ranked if found.passage.path not in scope.unquotable][:PASSAGES]
    answering = extract(query, ranked[:PASSAGES]) if scope.unquotable else ()
    closed = dict.fromkeys(path for quote in answering if (path := quote.location[0]) in scope.unquotable)
    return Search(scope, query, readable, extract(query, readable), tuple(closed))


def suggest_near(found: Search) -> tuple[str, ...]:
    """The question that the best passage's heading asks, where they share words with the one asked."""
    if not found.ranked or len(found.ranked[0].terms) < _SHARED_WORDS:
        return ()
    best = found.ranked[0]
    place = (best.passage.path, best.passage.heading)
    asked = (question for path, question in found.scope.part.questions if (path, question) == place)
    return tuple(question for question in asked if search(question, found.scope).quotes)


def suggest(scope: Scope) -> tuple[str, ...]:
    """One question of each document in turn, as long as it is answered from that document."""
    found: dict[str, None] = {}
    for path, question in scope.part.questions[:_CONSIDERED]:
        quotes = search(question, scope).quotes if len(found) < _SUGGESTIONS else ()
        if quotes and max(quotes, key=lambda quote: quote.worth).location[0] == path:
            found[question] = None
    return tuple(found)
