"""The text of a stream that only grows at its end, of an answer that spans cite: it grows block by block."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from typing import Final

from ..markdown import Inline
from ..markers.positions import Positions
from ..markers.span_finder import find_spans, report_wordless
from ..model.answer import Span
from ..model.dialect import Dialect
from ..model.errors import Problem
from ..model.reference import Reference
from .append_only_text import AppendOnlyText

SPAN_TOO_LATE: Final = Problem(
    "citation-too-late",
    "$.spans",
    "a span came after its words were shown where what is shown stays: its sources have no badge there",
)


class BlockStream(AppendOnlyText):
    """Writes a text that only grows at its end, block by block.

    Each span arrives before any text behind it. The place of its badge depends on its whole block, and on
    blocks without words behind that. So a block is written once the words of the next have come, and once
    the references of its spans have.
    """

    def __init__(self) -> None:
        super().__init__(Positions(Dialect.NONE))
        self._complete = False
        """Whether all references have arrived."""
        self._spans: list[Span] = []
        """The spans without badges yet, in order of their ends."""
        self._worded = False
        """Whether words have been written."""

    def add_references(self, references: Sequence[Reference], *, complete: bool) -> None:
        """Add references. If they are ``complete``, no others are expected."""
        self._complete = complete
        super().add_references(references, complete=complete)

    def add_spans(self, spans: Iterable[Span]) -> None:
        """Add spans of the text so far."""
        for span in spans:
            if span.end > self.settled or not self._worded:
                insort(self._spans, span, key=_end)
            else:
                self._late.setdefault(SPAN_TOO_LATE)

    def _settle(self) -> None:
        """Write the blocks whose badges have their places."""
        # The words behind these texts begin at ``following``.
        count, following = self._reader.whole_texts()
        if count <= self._inlines:
            return
        inlines = self._reader.inlines[self._inlines : count]
        # Spans in front of all words belong to the first ones.
        due = bisect_right(self._spans, following, key=_end) if self._has_words(inlines) else 0
        spans = self._spans[:due]
        if self._complete or all(map(self._is_known, spans)):
            del self._spans[:due]
            self._write_spans(inlines, spans, inlines[-1].place_end(len(inlines[-1].content)))

    def _write_rest(self, end: int) -> None:
        self._late.update(dict.fromkeys(report_wordless(self._reader.inlines, self._spans)))
        self._write_spans(self._reader.inlines[self._inlines :], self._spans, end)

    def _write_spans(self, inlines: Sequence[Inline], spans: Sequence[Span], end: int) -> None:
        """Write the text up to ``end``, which has these texts and spans."""
        markers = find_spans(inlines, spans, first=not self._worded) if spans else ()
        self._write(inlines, list(self._positions.uses(markers)), end)
        self._worded = self._has_words(inlines)

    def _has_words(self, inlines: Sequence[Inline]) -> bool:
        """Whether words have been written, with ``inlines``."""
        return self._worded or any(inline.is_shown for inline in inlines)

    def _is_known(self, span: Span) -> bool:
        return all(map(self._positions.knows, span.ids))


def _end(span: Span) -> int:
    return span.end
