"""Describes what a search has found as references, and writes it as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from citations import AnswerKind, Reference

from ..passages import Passage
from .excerpts import NumberedPassage, find_sources, number_passages, renumber, write_excerpts
from .search_result import SearchResult


class Describer(Protocol):
    """Describes the documents that were searched, wherever they are."""

    def find_key(self, passage: Passage) -> object:
        """A key that the passages of one source share."""

    def find_label(self, result: SearchResult, path: str) -> str | None:
        """The name of a document's sensitivity label."""

    def describe_sources(
        self, result: SearchResult, sources: Sequence[NumberedPassage]
    ) -> tuple[Reference, ...]:
        """Describe sources that may be quoted."""
        ...

    def describe_unquotable(self, result: SearchResult, before: int) -> tuple[Reference, ...]:
        """Describe what may only be named, behind ``before`` other references."""
        ...


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found in documents, which ``describer`` describes."""

    result: SearchResult
    describer: Describer

    @property
    def kind(self) -> AnswerKind:
        """How far it answers the question."""
        return self.result.kind

    def find_shown(self) -> tuple[NumberedPassage, ...]:
        """The sources of an answer or, of a question without a clear one, the nearest."""
        return find_sources(self.result, self.describer.find_key)

    def find_answering(self, most: int) -> tuple[NumberedPassage, ...]:
        """The source that answers, and at most ``most`` of the nearest beside it.

        Those are of documents with the same label. Else a title below an answer could raise the label of
        all of it, and have a channel withhold it.
        """
        first, *others = self.find_shown()
        label = self._find_label(first)
        beside = [one for one in self._drop_withheld(others) if self._find_label(one) == label]
        return renumber((first, *beside[:most]))

    def find_open(self, most: int) -> tuple[NumberedPassage, ...]:
        """At most ``most`` of the nearest sources, of documents that no channel withholds."""
        return renumber(self._drop_withheld(self.find_shown())[:most])

    def find_given(self, most: int) -> tuple[NumberedPassage, ...]:
        """The sources of the best ``most`` passages, for a model; the first are those that are shown."""
        return number_passages(self.result, self.describer.find_key, most)

    def describe(self, sources: Sequence[NumberedPassage]) -> tuple[Reference, ...]:
        """Describe sources as references."""
        return self.describer.describe_sources(self.result, sources)

    def describe_unquotable(self, before: int) -> tuple[Reference, ...]:
        """Describe the answering documents that may only be named, behind ``before`` other references."""
        return self.describer.describe_unquotable(self.result, before)

    def write_excerpts(self, sources: Sequence[NumberedPassage], *, is_brief: bool) -> list[str]:
        """Write excerpts of the first of the sources; in brief, of one."""
        return write_excerpts(self.result, sources, is_brief=is_brief)

    def _drop_withheld(self, sources: Sequence[NumberedPassage]) -> list[NumberedPassage]:
        return [one for one in sources if one.path not in self.result.scope.withheld]

    def _find_label(self, source: NumberedPassage) -> str | None:
        return self.describer.find_label(self.result, source.path)
