"""The text of a stream whose interims replace each other: its settled part with the definitions.

Complete top-level blocks are written once. Only the open block is written again.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..channels import Channel
from ..markdown import Layout, LayoutReader, read_layout
from ..markers.finder import find_markers
from ..markers.grammar import Marker
from ..markers.positions import Positions
from ..markers.span_finder import find_spans, merge
from ..model.answer import Origin, Span
from ..model.citation import CitedAnswer, Use
from ..model.dialect import Dialect
from ..model.link_definition import LinkDefinition
from ..model.reference import Reference

STEP: Final = 1024
"""Characters by which a block grows that is too large to be written again for every word."""
_LARGE: Final = 32_768
"""Characters of such a block."""


@dataclass(slots=True)
class _SettledPart:
    """Some top-level blocks of an answer. ``body`` is their written form, once it is known."""

    layout: Layout
    own: tuple[Marker, ...]
    """The markers that the text itself has."""
    start: int = 0
    """The offset of the part in the answer."""
    markers: Sequence[Marker] = ()
    """Those, and the markers of spans."""
    body: str | None = None
    uses: tuple[Use, ...] = ()
    """The uses in ``body``."""


_NOTHING_YET: Final = _SettledPart(read_layout(""), (), body="")


class ReplacingStream:
    """Writes all of the text that is settled, each time anew.

    ``settled`` is the length of that text in the answer.
    """

    def __init__(self, channel: Channel, dialect: Dialect | None, live_hosts: frozenset[str]) -> None:
        self.origin = Origin()
        self.settled = 0
        self._channel = channel
        self._dialect = dialect
        self._live_hosts = live_hosts
        self._reader = LayoutReader()
        self._positions = Positions(dialect, waits=True)
        self._references: list[Reference] = []
        self._spans: list[Span] = []
        """The spans, in order of their ends."""
        self._late: set[int] = set()
        """The numbers of closed parts that have got spans since the last interim."""
        self._outdated = False
        """Whether references or spans have arrived since the last interim, or become complete."""
        self._renumbers = False
        """Whether a span has arrived that is not behind all uses with a position."""
        self._cited_to = -1
        """The offset of the last use that has a position."""
        self._closed: list[_SettledPart] = []
        self._above = ""
        """The written form of the first ``_joined`` closed parts."""
        self._joined = 0
        self._open = _NOTHING_YET
        self._start = 0
        """The offset of the open part."""
        self._source: list[str] = []
        """The text from ``_start`` on."""

    def add_text(self, text: str) -> None:
        """Take the next piece of the answer's text."""
        self._source.append(text)
        self._reader.feed(text)

    def add_references(self, references: Sequence[Reference], *, complete: bool) -> None:
        """Add references. If they are ``complete``, or come before the text, no others are expected."""
        self._positions.waits = bool(self._source) and not complete
        self._positions.forget_uncertain()
        self._positions.add(references)
        self._references.extend(references)
        self._outdated = True
        self._above, self._joined = "", 0
        for part in self._closed:
            part.body = None

    def add_spans(self, spans: Iterable[Span]) -> None:
        """Add spans of the text so far. Their badges come with the next interim."""
        for span in spans:
            insort(self._spans, span, key=_end)
            if span.end <= self._start:
                self._late.add(bisect_left(self._closed, span.end, key=lambda part: part.start) - 1)
            self._renumbers = self._renumbers or span.end <= self._cited_to
        self._outdated = True

    def interim(self) -> CitedAnswer | None:
        """The citations so far; None if there is nothing new to show."""
        settled = self._reader.settle()
        step = STEP if settled - self._start > _LARGE else 1
        if not self._outdated and settled - self.settled < step:
            return None
        self.settled, self._outdated = settled, False
        for number in self._late:
            if number >= 0:
                self._closed[number].markers = self._markers(self._closed[number])
                self._above, self._joined = "", 0
        self._late.clear()
        source = "".join(self._source)
        boundary = self._reader.boundary - self._start
        if boundary > 0 and _is_apart(source, boundary):
            self._closed.append(self._part(source[:boundary]))
            self._start += boundary
            source = source[boundary:]
        self._source = [source]
        self._open = self._part(source[: settled - self._start])
        if self._renumbers:
            self._number_again()
        for part in (*self._closed[self._joined :], self._open):
            # Positions follow the order of the text.
            for use in self._positions.uses(part.markers):
                self._cited_to = max(self._cited_to, part.start + use.start)
        return self._cite_part(self._open)

    def write(self, cited: CitedAnswer, definitions: tuple[LinkDefinition, ...]) -> str:
        """The settled text; ``cited`` has the citations that may be shown."""
        if self._closed:
            bodies = [self._body(part, cited, definitions) for part in self._closed[self._joined :]]
            self._above = "".join((self._above, *bodies))
            self._joined = len(self._closed)
        return self._above + close_strong(self._open.layout, self._body(self._open, cited, definitions))

    def _number_again(self) -> None:
        """Give all positions anew: they follow the order of the text, which a late span has changed."""
        self._positions = Positions(self._dialect, waits=self._positions.waits)
        self._positions.add(self._references)
        self._above, self._joined, self._renumbers = "", 0, False

    def _part(self, text: str) -> _SettledPart:
        if not text:
            return _NOTHING_YET
        layout = read_layout(text)
        part = _SettledPart(layout, find_markers(layout, self._dialect), self._start)
        part.markers = self._markers(part)
        return part

    def _markers(self, part: _SettledPart) -> Sequence[Marker]:
        """The markers of a part, and those of the spans that end in it."""
        start = part.start
        first = bisect_right(self._spans, start, key=_end) if start else 0
        last = bisect_right(self._spans, start + len(part.layout.text), key=_end)
        if first == last:
            return part.own
        spans = [
            replace(one, start=one.start - start, end=one.end - start) for one in self._spans[first:last]
        ]
        return tuple(merge((*part.own, *find_spans(part.layout.inlines, spans, first=not start))))

    def _body(self, part: _SettledPart, cited: CitedAnswer, definitions: tuple[LinkDefinition, ...]) -> str:
        uses = self._uses(part)
        if part.body is None or part.uses != uses:
            part.uses = uses
            own = replace(cited, text=part.layout.text, layout=part.layout, uses=uses, problems=())
            part.body = self._channel.write(own, definitions, self._live_hosts, self._channel.wording).text
        return part.body

    def _uses(self, part: _SettledPart) -> tuple[Use, ...]:
        """The uses of a part. Uncertain ones aren't shown, but separate their neighbours."""
        known = {citation.position for citation in self._positions.certain()}
        uses: list[Use] = []
        for use in self._positions.uses(part.markers):
            positions = tuple(position for position in use.positions if position in known)
            rest = use.rest if positions or not use.positions else use.rest or _NOTHING
            uses.append(replace(use, positions=positions, rest=rest))
        return tuple(uses)

    def _cite_part(self, part: _SettledPart) -> CitedAnswer:
        return CitedAnswer(
            text=part.layout.text,
            layout=part.layout,
            citations=self._positions.certain(),
            references=tuple(self._references),
            origin=self.origin,
        )


def _is_apart(source: str, boundary: int) -> bool:
    """Whether every client starts a new block with the line at ``boundary``.

    Some clients take rows, definitions or HTML for text, which an indented line below continues.
    """
    return source.endswith("\n\n", 0, boundary) or _INTERRUPTS.match(source, boundary) is not None


def close_strong(layout: Layout, body: str) -> str:
    """``body`` with a closing ``**`` for a strong emphasis that the text leaves open."""
    text = layout.text.rstrip()
    last = layout.inlines[-1] if layout.inlines else None
    if last is None or last.place_end(len(last.content.rstrip())) != len(text):
        return body
    runs = [
        run
        for run in _STRONG.finditer(last.content.rstrip())
        if not any(start <= run.start() < end for _, start, end in last.spans)
    ]
    if len(runs) % 2 == 0:
        return body
    shown = body.rstrip().rstrip("*")
    dangling = runs[-1].end() == len(last.content.rstrip())
    return shown if dangling else f"{shown}**"


def _end(span: Span) -> int:
    return span.end


_INTERRUPTS: Final = re.compile(r" {0,3}(?:[-+*][ \t]+[^-+*>\d\s]|#{1,6}[ \t]|`{3}|~{3})")
"""Lines that can interrupt a paragraph (CommonMark § 4.2, 4.5, 5.2), without another container."""
_NOTHING: Final = "\u200b"
_STRONG: Final = re.compile(r"\*\*(?!\s)|(?<!\s)\*\*")
