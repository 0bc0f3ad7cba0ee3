"""The text of a stream that only grows at its end, of an answer that spans cite: it grows block by block."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from typing import Final

from ..markdown import Inline
from ..markers.positions import Positions
from ..markers.span_finder import find_spans, report_wordless
from ..model.answer import Span
from ..model.citation import CitedAnswer
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
        self._tail: list[str] = []
        """The text behind the settled part."""
        self._spans: list[Span] = []
        """The spans without badges yet, in order of their ends."""
        self._worded = False
        """Whether words have been written."""

    def add_text(self, text: str) -> None:
        """Take the next piece of the answer's text."""
        self._source.append(text)
        self._tail.append(text)
        self._reader.feed(text)

    def add_references(self, references: Sequence[Reference], *, complete: bool) -> None:
        """Add references. If they are ``complete``, no others are expected."""
        self._complete = complete
        self._positions.add(references)
        self._references.extend(references)

    def add_spans(self, spans: Iterable[Span]) -> None:
        """Add spans of the text so far."""
        for span in spans:
            if span.end > self.settled or not self._worded:
                insort(self._spans, span, key=_end)
            else:
                self._late.setdefault(SPAN_TOO_LATE)

    def close(self) -> CitedAnswer:
        """The citations of the complete answer."""
        text = "".join(self._source)
        layout = self._reader.close(text)
        self._late.update(dict.fromkeys(report_wordless(self._reader.inlines, self._spans)))
        self._write(self._reader.inlines[self._inlines :], self._spans, len(text))
        return self._cite_whole(text, layout)

    def _settle(self) -> None:
        self._write_blocks(*self._reader.whole_texts())

    def _write_blocks(self, count: int, following: int) -> None:
        """Write up to the end of the first ``count`` inline texts. Other words are ``following``."""
        if count <= self._inlines:
            return
        inlines = self._reader.inlines[self._inlines : count]
        end = inlines[-1].place_end(len(inlines[-1].content))
        # Spans in front of all words belong to the first ones.
        worded = self._worded or any(inline.is_shown for inline in inlines)
        due = bisect_right(self._spans, following, key=_end) if worded else 0
        spans = self._spans[:due]
        if not (self._complete or all(map(self._is_known, spans))):
            return
        del self._spans[:due]
        self._write(inlines, spans, end)

    def _is_known(self, span: Span) -> bool:
        return all(map(self._positions.knows, span.ids))

    def _write(self, inlines: Sequence[Inline], spans: Sequence[Span], end: int) -> None:
        """Write the text up to ``end``, which has these texts and spans."""
        markers = find_spans(inlines, spans, first=not self._worded) if spans else ()
        uses = list(self._positions.uses(markers))
        raws = self._reader.shown[self._raws :]
        raws = raws[: bisect_right(raws, end, key=lambda raw: raw[1])]
        marks = self._reader.marks[self._marks :]
        marks = marks[: bisect_right(marks, end, key=lambda mark: mark.end)]
        tail = "".join(self._tail)
        text, self._tail = tail[: end - self.settled], [tail[end - self.settled :]]
        self._written.append(self._text.write(text, inlines, raws, marks, uses))
        self._uses.extend(uses)
        self._worded = self._worded or any(inline.is_shown for inline in inlines)
        self._inlines += len(inlines)
        self._raws += len(raws)
        self._marks += len(marks)
        self.settled = end


def _end(span: Span) -> int:
    return span.end
