"""This module searches the part of a folder that one person may see.

A search returns the passages and sentences that may be quoted, and the documents that may be named
only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from citations import AnswerKind, Reference

from .composition import NumberedPassage, describe_document, describe_passage, tell_apart
from .decision import decide
from .extract import Quote, choose_quotes, order_quotes, widen
from .index import FolderIndex
from .labels import FolderLabels
from .meaning import ComparedQuestion
from .part import IndexPart
from .query import Replacement, SearchQuery, read_question
from .rank import RankedPassage, add_alike, drop_copies, rank
from .section_number import SectionNumber, find_section
from .section_search import search_section
from .suggestions import is_from

DocumentTest = Callable[[Reference], bool]
"""Returns whether one person may see, or quote, a document, given as a reference with its label."""

PASSAGES: Final = 8
"""An answer's sentences come from this many passages at most."""
_SHARED_WORDS: Final = 2
"""The least number of common words for a similar question, since one may be chance."""
_SUGGESTIONS: Final = 4
_CANDIDATE_QUESTIONS: Final = 40
"""At most this many questions are tried for suggestions."""


@dataclass(frozen=True, slots=True)
class DescribedDocument:
    """A document without its text, with its label; ``encrypts`` says whether one of its labels encrypts."""

    reference: Reference
    encrypts: bool


@dataclass(frozen=True, slots=True)
class Scope:
    """The documents that are searched for one person; those in ``unquotable`` may be named only."""

    part: IndexPart
    unquotable: frozenset[str] = frozenset()

    def may_quote(self, paths: Iterable[str]) -> bool:
        """Return whether all of these documents exist in it and may be quoted."""
        return all(path in self.part.known and path not in self.unquotable for path in paths)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result for one question.

    ``ranked`` has the best passages that may be quoted, and ``quotes`` the sentences that answer.
    ``kind`` says how far they answer; only where they do are there quotes. ``unquotable`` has the paths
    of answering documents that may be named only.
    """

    scope: Scope
    query: SearchQuery
    ranked: list[RankedPassage]
    quotes: tuple[Quote, ...]
    unquotable: tuple[str, ...]
    kind: AnswerKind
    missing: str = ""
    """The name of a section that the question asks for and no document has, such as ``§ 99``."""

    @property
    def replaced(self) -> tuple[Replacement, ...]:
        """The words that were replaced, as far as what is shown has the other word."""
        if self.kind is AnswerKind.NOTHING:
            return ()
        shown = [quote.ranked for quote in self.quotes] or self.ranked
        terms = frozenset[int]().union(*(passage.terms for passage in shown))
        return tuple(one for one in self.query.replaced if one.term in terms)


@dataclass(slots=True)
class Documents:
    """The documents of an index as references, each with its label."""

    index: FolderIndex
    document_base: str
    labels: FolderLabels
    _everything: Scope | None = field(default=None, init=False)
    """The cached scope of people who may see everything, for the current state of the index."""

    def describe(self, part: IndexPart, path: str) -> DescribedDocument:
        """Describe one document, with its label."""
        known = part.known[path]
        reference = describe_document(path, self.document_base, known.modified)
        label = self.labels.find(reference, known.labels)
        return DescribedDocument(replace(reference, label=label.id), label.encrypts)

    def describe_passages(
        self, part: IndexPart, passages: Sequence[NumberedPassage]
    ) -> tuple[Reference, ...]:
        """Describe passages that may be quoted; where a label encrypts, extraction was permitted."""
        return tell_apart(self._describe_passage(part, numbered) for numbered in passages)

    def _describe_passage(self, part: IndexPart, numbered: NumberedPassage) -> Reference:
        path = numbered.passage.path
        document = self.describe(part, path)
        whole = replace(document.reference, extract=document.encrypts)
        return describe_passage(numbered, whole, part.names[path])

    def find_scope(
        self, may_see: DocumentTest | None = None, may_extract: DocumentTest | None = None
    ) -> Scope:
        """Return the documents that one person may search. Errors of the tests propagate.

        Without ``may_see`` these are all documents. ``may_extract`` decides for the documents whose
        label encrypts whether they may be quoted; without it none of them may.
        """
        part = self.index.whole
        if may_see is None and may_extract is None:
            if self._everything is None or self._everything.part is not part:
                self._everything = self.limit(part, None)
            return self._everything
        if may_see is not None:
            visible = (path for path in part.known if may_see(self.describe(part, path).reference))
            part = self.index.restrict_to(frozenset(visible))
        return self.limit(part, may_extract)

    def limit(self, part: IndexPart, may_extract: DocumentTest | None) -> Scope:
        """Return the scope of a part that one person may see; ``may_extract`` as in :meth:`find_scope`."""
        documents = ((path, self.describe(part, path)) for path in part.known)
        unquotable = frozenset(
            path
            for path, document in documents
            if document.encrypts and not (may_extract and may_extract(document.reference))
        )
        return Scope(part, unquotable)


def search(
    question: str,
    scope: Scope,
    *,
    taken_up: frozenset[str] = frozenset(),
    compared: ComparedQuestion | None = None,
) -> SearchResult:
    """Search the passages in ``scope``. Raises :class:`EngineError` where the index can't be read.

    Where the passages have vectors they are found by meaning too; ``compared`` is given where the vectors
    are elsewhere. ``taken_up`` are the words of ``question`` that only the question before it has.
    """
    section = find_section(question)
    if section and (by_number := _search_section(question, section, scope)):
        return by_number
    query = read_question(question, scope.part.engine, scope.part.languages, taken_up)
    meaning = scope.part.meaning.ask(question) if scope.part.meaning else compared
    ranked = rank(query, scope.part.engine, meaning)
    candidates = drop_copies(one for one in ranked if one.passage.path not in scope.unquotable)
    quotable = candidates[:PASSAGES]
    answering = _find_answering(query, ranked[:PASSAGES]) if scope.unquotable else frozenset()
    unquotable = answering & scope.unquotable
    found = choose_quotes(query, quotable)
    kind = decide(query, quotable, found)
    shown = order_quotes(widen(found)) if kind is AnswerKind.ANSWERED else ()
    nearest = add_alike(candidates)[:PASSAGES]
    return SearchResult(scope, query, nearest, shown, tuple(sorted(unquotable)), kind)


def _find_answering(query: SearchQuery, ranked: Sequence[RankedPassage]) -> frozenset[str]:
    """Return the paths of the documents that answer, whether or not they may be quoted."""
    quotes = choose_quotes(query, ranked)
    if decide(query, ranked, quotes) is not AnswerKind.ANSWERED:
        return frozenset()
    return frozenset(quote.location[0] for quote in quotes)


def _search_section(question: str, section: SectionNumber, scope: Scope) -> SearchResult | None:
    """Search a section by its number. Return None for a bare number that is none of a section."""
    engine = scope.part.engine
    query = replace(read_question(section.rest, engine, scope.part.languages), text=question)
    found = search_section(section, query, engine)
    if found is None:
        missing = SearchResult(scope, query, [], (), (), AnswerKind.NOTHING, section.name)
        return missing if section.kind else None
    if not section.kind and not found.quotes:
        return None  # a decimal of the question that happens to be a section's number
    sealed = {one.passage.path for one in found.ranked} & scope.unquotable
    ranked = [one for one in found.ranked if one.passage.path not in sealed][:PASSAGES]
    quotes = tuple(quote for quote in found.quotes if quote.location[0] not in sealed)
    kind = AnswerKind.ANSWERED if quotes else AnswerKind.UNSURE if ranked or sealed else AnswerKind.NOTHING
    return SearchResult(scope, query, ranked, quotes, tuple(sorted(sealed)), kind)


def suggest_near(result: SearchResult) -> tuple[str, ...]:
    """Suggest the question of the best passage's heading, if it shares words with the one asked."""
    if not result.ranked or len(result.ranked[0].terms) < _SHARED_WORDS:
        return ()
    best = result.ranked[0].passage
    asked = (question for _, question in result.scope.part.known[best.path].questions)
    near = (question for question in asked if question == best.heading)
    return tuple(question for question in near if search(question, result.scope).quotes)


def suggest(scope: Scope, language: str | None = None) -> tuple[str, ...]:
    """Suggest questions of several documents, each of which its own document answers best.

    Those of documents in ``language`` come first.
    """
    known = scope.part.known
    suggestions: dict[str, None] = {}
    # Sorting is stable, so the order within each half stays.
    asked = sorted(scope.part.questions, key=lambda one: known[one[0]].language != language)
    for path, question in asked[:_CANDIDATE_QUESTIONS]:
        if len(suggestions) < _SUGGESTIONS and _is_answered_by(path, question, scope):
            suggestions[question] = None
    return tuple(suggestions)


def _is_answered_by(path: str, question: str, scope: Scope) -> bool:
    """Return whether a document answers a question best, with what the question was made from."""
    quotes = search(question, scope).quotes
    if not quotes or max(quotes, key=lambda quote: quote.score).location[0] != path:
        return False
    own = (quote for quote in quotes if quote.location[0] == path)
    return any(is_from(question, quote.ranked.passage, quote.unit) for quote in own)
