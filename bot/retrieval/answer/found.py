"""Describes what a search has found as references, and writes it as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from citations import AnswerKind, Reference

from ..passages import Passage
from .composition import (
    NumberedPassage,
    describe_unquotable,
    number_passages,
    number_quotes,
    write_quotes,
)
from .documents import Documents
from .nearest import find_nearest, find_others, renumber, write_excerpts
from .search_result import SearchResult, suggest_near


@dataclass(frozen=True, slots=True)
class Quotation:
    """Quoted sentences with their markers, all ``references``, and those ``others`` that only come near."""

    text: str
    references: tuple[Reference, ...]
    others: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found in ``documents``: each method describes or writes a part of it."""

    result: SearchResult
    documents: Documents

    @property
    def kind(self) -> AnswerKind:
        """How far it answers the question."""
        return self.result.kind

    def quote(self, most: int) -> Quotation:
        """Quote the sentences that answer, and name at most ``most`` of the nearest sources beside them.

        Those are of documents with no other label. Else a title below an answer could raise the label of
        all of it, and have a channel withhold it.
        """
        quotes = self.result.quotes
        quoted = number_quotes((quote.ranked.passage, quote.unit) for quote in quotes)
        labels = {self._find_label(one) for one in quoted}
        others = [
            one
            for one in self._drop_withheld(find_others(self.result, quoted))
            if self._find_label(one) in labels
        ]
        described = self._describe((*quoted, *renumber(others[:most], len(quoted))))
        return Quotation(write_quotes(quotes, quoted), described, described[len(quoted) :])

    def describe_nearest(self) -> tuple[Reference, ...]:
        """Describe the nearest passages, whose beginnings :meth:`write_excerpts` writes."""
        return self._describe(find_nearest(self.result))

    def describe_open(self, most: int) -> tuple[Reference, ...]:
        """Describe at most ``most`` of the nearest passages, of documents that no channel withholds."""
        return self._describe(renumber(self._drop_withheld(find_nearest(self.result))[:most]))

    def describe_ranked(self, most: int) -> tuple[Reference, ...]:
        """Describe the best ``most`` passages; the first are those of :meth:`describe_nearest`."""
        ranked = self.result.ranked[:most]
        return self._describe(number_passages(((one.passage, ()) for one in ranked), Passage.find_places))

    def describe_unquotable(self, before: int) -> tuple[Reference, ...]:
        """Describe the answering documents that may only be named, behind ``before`` other references."""
        listing = self.result.scope.listing
        named = (self.documents.describe(listing, path) for path in self.result.unquotable)
        return tuple(describe_unquotable(number, one) for number, one in enumerate(named, before + 1))

    def count_nearest(self) -> int:
        """Count the sources of :meth:`describe_nearest`."""
        return len(find_nearest(self.result))

    def write_excerpts(self, *, is_brief: bool) -> list[str]:
        """Write excerpts of the first of the nearest passages; in brief, of one."""
        return write_excerpts(self.result, find_nearest(self.result), is_brief=is_brief)

    def suggest_near(self) -> tuple[str, ...]:
        """Suggest a question like the one that was asked, which the documents answer."""
        return suggest_near(self.result)

    def _drop_withheld(self, sources: Iterable[NumberedPassage]) -> list[NumberedPassage]:
        return [one for one in sources if one.passage.path not in self.result.scope.withheld]

    def _find_label(self, source: NumberedPassage) -> str | None:
        return self.documents.describe(self.result.scope.listing, source.passage.path).label_name

    def _describe(self, sources: Sequence[NumberedPassage]) -> tuple[Reference, ...]:
        return self.documents.describe_passages(self.result.scope.listing, sources)
