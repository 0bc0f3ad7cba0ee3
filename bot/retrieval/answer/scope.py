"""What one person may search."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..index import Listing


@dataclass(frozen=True, slots=True)
class Scope:
    """The documents that are searched for one person; those in ``unquotable`` may be named only.

    Nothing of the documents in ``withheld`` is said beside an answer that cites them, such as a suggestion:
    some channel withholds their content, and only a citation tells which one. Those in ``unquotable`` are
    among them. Where a question ``is_of_chosen`` documents, others may have what these do not.
    """

    listing: Listing
    unquotable: frozenset[str] = frozenset()
    withheld: frozenset[str] = frozenset()
    is_of_chosen: bool = False

    @property
    def has_unread(self) -> bool:
        """Whether something of these documents, or one of them, could not be read."""
        return any(one.unread or one.reason for one in self.listing.known.values())

    def has(self, path: str) -> bool:
        """Whether a document exists in it, and could be read."""
        known = self.listing.known.get(path)
        return known is not None and known.reason is None

    def may_tell(self, paths: Iterable[str]) -> bool:
        """Whether words of all of these documents may stand beside an answer that does not cite them."""
        return all(self.has(path) and path not in self.withheld for path in paths)
