"""Describes the documents of a listing, each with its label, and limits them to one person's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from citations import Reference

from ...retrieval import Scope
from ...retrieval.answer import NumberedPassage, SearchResult, find_place
from ...retrieval.index import FolderIndex, IndexPart, Listing
from ...retrieval.passages import KnownFile, Passage
from .labels import DocumentLabel, FolderLabels
from .references import count_headings, describe_document, describe_passage, describe_unquotable, tell_apart

DocumentTest = Callable[[Reference], bool]
"""Returns whether one person may see, or quote, a document, given as a reference with its label."""


@dataclass(slots=True)
class Documents:
    """Describes documents as references, each with its label and a URL below ``document_base``."""

    document_base: str
    labels: FolderLabels
    _limited: Scope | None = field(default=None, init=False)
    """The last scope of those who may extract nothing, which is most people's, and takes long to find."""

    def describe(self, listing: Listing, path: str) -> Reference:
        """Describe one document without its text, with its label."""
        return self._describe_labelled(listing, path)[0]

    def _describe_labelled(self, listing: Listing, path: str) -> tuple[Reference, DocumentLabel]:
        known = listing.known[path]
        reference = describe_document(path, self.document_base, known.modified)
        label = self.labels.find(reference, known.labels)
        return describe_document(path, self.document_base, known.modified, label.id), label

    def encrypts(self, known: KnownFile) -> bool:
        """Whether a label of a document encrypts, so that its text is for those with the right EXTRACT."""
        reference = describe_document(known.path, self.document_base, known.modified)
        return self.labels.find(reference, known.labels).encrypts

    def describe_unmatched_rules(self, listing: Listing) -> tuple[str, ...]:
        """Describe the rules of the labels file that match no document of ``listing``."""
        known = listing.known.items()
        documents = [describe_document(path, self.document_base, one.modified) for path, one in known]
        return self.labels.describe_unmatched_rules(documents)

    def find_key(self, passage: Passage) -> object:
        """A key that the passages of one source share: what a reader could not tell apart."""
        return find_place(passage)

    def find_label(self, result: SearchResult, path: str) -> str | None:
        """The name of a document's label."""
        return self.describe(result.scope.listing, path).label_name

    def describe_sources(
        self, result: SearchResult, sources: Sequence[NumberedPassage]
    ) -> tuple[Reference, ...]:
        """Describe passages that may be quoted; where a label encrypts, extraction was permitted."""
        listing = result.scope.listing
        counts = count_headings([numbered.best.passage for numbered in sources])
        described = zip(sources, counts, strict=True)
        return tell_apart(self._describe_source(listing, numbered, count) for numbered, count in described)

    def _describe_source(self, listing: Listing, numbered: NumberedPassage, headings: int) -> Reference:
        reference, label = self._describe_labelled(listing, numbered.path)
        whole = replace(reference, extract=True) if label.encrypts else reference
        return describe_passage(numbered, whole, listing.names[numbered.path], headings)

    def describe_unquotable(self, result: SearchResult, before: int) -> tuple[Reference, ...]:
        """Describe the answering documents that may only be named, behind ``before`` other references."""
        named = (self.describe(result.scope.listing, path) for path in result.unquotable)
        return tuple(describe_unquotable(number, one) for number, one in enumerate(named, before + 1))

    def find_visible(self, listing: Listing, may_see: DocumentTest) -> frozenset[str]:
        """The paths of the documents that one person may see. Errors of the test propagate."""
        return frozenset(path for path in listing.known if may_see(self.describe(listing, path)))

    def limit(self, listing: Listing, may_extract: DocumentTest | None) -> Scope:
        """The scope of documents that one person may see.

        ``may_extract`` decides for the documents whose label encrypts whether they may be quoted; without
        it none of them may. Its errors propagate.
        """
        if may_extract is None and self._limited and self._limited.listing is listing:
            return self._limited
        documents = {path: self._describe_labelled(listing, path) for path in listing.known}
        unquotable = frozenset(
            path
            for path, (reference, label) in documents.items()
            if label.encrypts and not (may_extract and may_extract(reference))
        )
        withheld = frozenset(path for path, (_, label) in documents.items() if label.is_withheld)
        scope = Scope(listing, unquotable, withheld)
        if may_extract is None:
            self._limited = scope
        return scope

    def select(
        self,
        index: FolderIndex,
        may_see: DocumentTest | None = None,
        may_extract: DocumentTest | None = None,
    ) -> tuple[IndexPart, Scope]:
        """The part of an index that one person may search, and the scope of its documents.

        Without ``may_see`` these are all documents; ``may_extract`` as in :meth:`limit`.
        """
        part = index.whole
        if may_see is not None:
            part = index.restrict(part, self.find_visible(part.listing, may_see))
        return part, self.limit(part.listing, may_extract)
