"""Searches the part of a folder that one person may see.

A search returns the passages and sentences that may be quoted, and the documents that may be named
only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from citations import AnswerKind

from ..index import Candidates
from ..passages import has_asking_heading, write_context, write_headings
from ..question import SearchQuery, SectionNumber, find_section, names_nothing, read_question
from ..words import is_stop_word, is_unsegmented, split_words, stem_words
from .decision import are_near, decide
from .documents import Scope
from .quotes import QuotedUnit, choose_excerpt, choose_quotes, is_asked_above, order_quotes, widen
from .rank import RankedPassage, drop_twins, order_closely, prefer_languages, rank, spread
from .section_search import search_section

_CANDIDATES: Final = 30
"""At most this many passages are ranked."""
PASSAGES: Final = 8
"""An answer's sentences come from this many passages at most."""
_EXCERPT: Final = 360
"""About so many characters of a passage are compared word by word. More take twice as long for as much."""
_SHARED_WORDS: Final = 2
"""The least number of common words for a similar question, since one may be chance."""
_SUGGESTIONS: Final = 4
_CANDIDATE_QUESTIONS: Final = 40
"""At most this many questions are tried for suggestions."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result for one question.

    ``ranked`` has the best passages that may be quoted, and ``quotes`` the sentences that answer.
    ``kind`` says how far they answer; only where they do are there quotes. ``unquotable`` has the paths
    of answering documents that may be named only.
    """

    candidates: Candidates
    scope: Scope
    query: SearchQuery
    ranked: list[RankedPassage]
    quotes: tuple[QuotedUnit, ...]
    unquotable: tuple[str, ...]
    kind: AnswerKind
    missing: str = ""
    """The name of a section that the question asks for and no document has, such as ``§ 99``."""

    @property
    def replaced(self) -> tuple[tuple[str, str], ...]:
        """The words that were replaced, each with the other word, as far as what is shown has that.

        A word that only documents in :attr:`Scope.withheld` have is not said: no citation stands beside it.
        """
        if self.kind is AnswerKind.NOTHING:
            return ()
        withheld = self.scope.withheld
        ranked = [quote.ranked for quote in self.quotes] or self.ranked
        shown = [one for one in ranked if one.passage.path not in withheld]
        terms = frozenset[int]().union(*(one.terms for one in shown))
        replaced = (one for one in self.query.replaced if one.term in terms)
        return tuple(
            (one.asked, one.shown)
            for one in replaced
            if not withheld or any(_has_word(found, one.shown) for found in shown)
        )

    @property
    def unknown(self) -> tuple[str, ...]:
        """The words of the question that no document has.

        It is empty where there are none, where not all were searched, or some are in :attr:`Scope.withheld`.
        """
        is_known = self.candidates.total and not self.candidates.are_near and not self.scope.withheld
        return self.query.unknown if is_known else ()


def _has_word(ranked: RankedPassage, word: str) -> bool:
    passage = ranked.passage
    return word.lower() in f"{passage.text} {write_context(passage)}".lower()


def search(
    question: str, candidates: Candidates, scope: Scope, *, taken_up: frozenset[str] = frozenset()
) -> SearchResult:
    """Search ``candidates``, which are passages of the documents in ``scope``.

    ``taken_up`` are the words of ``question`` that only the question before it has. Raises
    :class:`EngineError` where the index can't be read.
    """
    section = find_section(question)
    if section and (by_number := _search_section(question, section, candidates, scope)):
        return by_number
    query = read_question(question, candidates, taken_up)
    found = candidates.find(question, list(query.indexes), _CANDIDATES)
    if not query.terms:  # small words alone may be a heading
        having = candidates.find(question, stem_words(query.text, query.language), _CANDIDATES)
        found = [one for one in having if is_asked_above(query, one.indexed.passage)] or found
    ranked = rank(query, found)[:_CANDIDATES]
    readable = (one for one in ranked if one.passage.path not in scope.unquotable)
    distinct = drop_twins(readable, scope.withheld)
    quotable = distinct[:PASSAGES]
    answering = _find_answering(query, ranked[:PASSAGES]) if scope.unquotable else frozenset()
    unquotable = answering & scope.unquotable
    quotes = choose_quotes(query, quotable)
    kind = decide(query, quotable, quotes)
    languages = frozenset(filter(None, (query.language, *candidates.languages[:1])))
    nearest = spread(prefer_languages(distinct, languages))[:PASSAGES]
    if kind is AnswerKind.UNSURE:
        nearest = spread(_read_closely(query, nearest, candidates))
    if kind is AnswerKind.NOTHING and not unquotable and candidates.are_near:
        kind = AnswerKind.UNSURE if are_near(query, nearest, found) else kind
    shown = order_quotes(widen(query, quotes)) if kind is AnswerKind.ANSWERED else ()
    return SearchResult(candidates, scope, query, nearest, shown, tuple(sorted(unquotable)), kind)


def _read_closely(
    query: SearchQuery, nearest: Sequence[RankedPassage], candidates: Candidates
) -> Sequence[RankedPassage]:
    """Order the nearest passages by what their excerpts say, where a model knows their languages.

    The vector of a passage blurs what it says in single words. Comparing these takes up to a fifth of a
    second, so a question that is answered goes without.
    """
    language = query.language
    if language is None or not all(one.likeness for one in nearest):
        return nearest
    is_one = all(one.passage.language in (language, None) for one in nearest)
    texts = [_write_excerpt(query, one) for one in nearest]
    closenesses = candidates.compare_words(query.text, texts, language if is_one else None)
    return nearest if closenesses is None else order_closely(nearest, closenesses)


def _write_excerpt(query: SearchQuery, ranked: RankedPassage) -> str:
    text = ranked.passage.text
    units = (text[unit.start : unit.end] for unit in choose_excerpt(query, ranked, _EXCERPT))
    words = " ".join(" ".join(units).split())
    headings = write_headings(ranked.passage)
    return f"{headings}: {words}" if headings else words


def _find_answering(query: SearchQuery, ranked: Sequence[RankedPassage]) -> frozenset[str]:
    """The paths of the documents that answer, whether or not they may be quoted."""
    quotes = choose_quotes(query, ranked)
    if decide(query, ranked, quotes) is not AnswerKind.ANSWERED:
        return frozenset()
    return frozenset(quote.location[0] for quote in quotes)


def _search_section(
    question: str, section: SectionNumber, candidates: Candidates, scope: Scope
) -> SearchResult | None:
    """Search a section by its number. Return None for a bare number that is none of a section."""
    query = replace(read_question(section.rest, candidates), text=question)
    found = search_section(section, query, candidates.words)
    if found is None:
        missing = SearchResult(candidates, scope, query, [], (), (), AnswerKind.NOTHING, section.name)
        return missing if section.kind else None
    if not section.kind and not found.quotes:
        return None  # a decimal of the question that happens to be a section's number
    sealed = {one.passage.path for one in found.ranked} & scope.unquotable
    ranked = [one for one in found.ranked if one.passage.path not in sealed][:PASSAGES]
    quotes = tuple(quote for quote in found.quotes if quote.location[0] not in sealed)
    kind = AnswerKind.ANSWERED if quotes else AnswerKind.UNSURE if ranked or sealed else AnswerKind.NOTHING
    return SearchResult(candidates, scope, query, ranked, quotes, tuple(sorted(sealed)), kind)


def suggest_near(result: SearchResult) -> tuple[str, ...]:
    """Suggest the question of the best passage's heading, if it shares words with the one asked."""
    if not result.ranked or len(result.ranked[0].terms) < _SHARED_WORDS:
        return ()
    best = result.ranked[0].passage
    if best.path in result.scope.withheld:
        return ()
    asked = (question for _, question in result.scope.listing.known[best.path].questions)
    near = (question for question in asked if question == best.heading)
    return tuple(question for question in near if search(question, result.candidates, result.scope).quotes)


def suggest(candidates: Candidates, scope: Scope, language: str | None = None) -> tuple[str, ...]:
    """Suggest questions of several documents, each of which its own document answers best.

    Those of documents in ``language`` come first.
    """
    known = scope.listing.known
    suggestions: dict[str, None] = {}
    # Sorting is stable, so the order within each half stays.
    open_questions = (one for one in scope.listing.questions if one[0] not in scope.withheld)
    whole = (one for one in open_questions if _is_sentence(one[1], known[one[0]].language))
    asked = sorted(whole, key=lambda one: known[one[0]].language != language)
    for path, question in asked[:_CANDIDATE_QUESTIONS]:
        if len(suggestions) < _SUGGESTIONS and _is_answered_by(path, question, candidates, scope):
            suggestions[question] = None
    return tuple(suggestions)


def _is_sentence(question: str, language: str | None) -> bool:
    """Whether a question is one by itself: it has small words, and leans on nothing before it.

    ``Free software?`` asks for nothing, and ``Is it well?`` below its heading asks for what stands above.
    """
    small = (word for word in split_words(question) if language and is_stop_word(word, language))
    return is_unsegmented(question) or (any(small) and not names_nothing(question))


def _is_answered_by(path: str, question: str, candidates: Candidates, scope: Scope) -> bool:
    """Whether a document answers a question best, below the heading that asks it."""
    quotes = search(question, candidates, scope).quotes
    if not quotes or max(quotes, key=lambda quote: quote.score).location[0] != path:
        return False
    own = (quote for quote in quotes if quote.location[0] == path)
    return any(has_asking_heading(quote.ranked.passage, question) for quote in own)
