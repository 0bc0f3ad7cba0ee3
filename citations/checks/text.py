"""The activity's text as Web Chat's Markdown engines read it: its definitions and its badges."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from ..markdown import Definition, Inline, Layout, MarkdownReading, clean_text, read_layout, read_markdown

_LINE_END: Final = re.compile(r"\n")
_DESTINATION: Final = re.compile(
    r"[ \t>*+\-]*\[(?:[^\[\]\\]|\\.)+\]:[ \t]*(?:<(?P<angled>[^<>]*)>|(?P<bare>\S+))"
)
_SPACES: Final = re.compile(r"\s+")
_CANDIDATE: Final = re.compile(r" {0,3}\[(?P<label>[^\[\]\\]{1,999})\]:[ \t]*\S")
_INDENTED: Final = re.compile(r"(?: {4}| {0,3}\t)[ \t]*\[(?P<label>\d{1,9})\]:[ \t]*\S", re.ASCII)
_FENCE: Final = re.compile(r" {0,3}(?:`{3}|~{3})")
_CLOSING_FENCE: Final = re.compile(r" {0,3}(?:`{3,}|~{3,})[ \t]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadText:
    """A text and its reading.

    ``resolved`` are the definitions that links use, by identifier: the first of each. ``listed`` are
    those that Web Chat lists below the message: the first of each at the top level. ``marked`` says
    whether the text began with a byte order mark, which is not in ``text``.
    """

    text: str
    lines: tuple[str, ...]
    layout: Layout
    outcome: MarkdownReading
    resolved: Mapping[str, Definition]
    listed: Mapping[str, Definition]
    marked: bool

    def raw_destination(self, definition: Definition) -> str | None:
        """The destination of a definition as it was written, if it stands on the label's line."""
        match = _DESTINATION.match(self.lines[definition.line]) if definition.line < len(self.lines) else None
        return (match["angled"] or match["bare"]) if match else None

    def badges(self) -> frozenset[tuple[str, str]]:
        """The identifier and URL of every link whose text is a label."""
        return frozenset((identifier(link.text), link.url) for link in self.outcome.links)


def read_text(text: str) -> ReadText:
    """Read a text with CommonMark's rules and GFM's tables, as both engines of Web Chat do."""
    cleaned = clean_text(text)
    outcome = read_markdown(cleaned, addresses=True)
    resolved: dict[str, Definition] = {}
    listed: dict[str, Definition] = {}
    for definition in outcome.definitions:
        resolved.setdefault(identifier(definition.label), definition)
        if not definition.nested:
            listed.setdefault(identifier(definition.label), definition)
    return ReadText(
        text=cleaned,
        lines=tuple(_LINE_END.split(cleaned)),
        layout=read_layout(cleaned),
        outcome=outcome,
        resolved=resolved,
        listed=listed,
        marked=text.startswith("\ufeff"),
    )


def identifier(label: str) -> str:
    """A label in the form that links compare.

    "Perform the Unicode case fold and collapse internal spaces" (CommonMark § 4.7).
    """
    return _SPACES.sub(" ", label).strip().casefold()


def lines_like_definitions(read: ReadText) -> Iterator[tuple[int, str]]:
    """The numbers, from 0, and labels of unindented lines that look like a definition."""
    for number, line in enumerate(read.lines):
        if match := _CANDIDATE.match(line):
            yield number, match["label"]


def indented_definitions(read: ReadText) -> Iterator[tuple[int, str]]:
    """The numbers, from 0, and labels of lines that only their indent keeps from being a definition."""
    fenced = False
    for number, line in enumerate(read.lines):
        fenced ^= _FENCE.match(line) is not None
        match = _INDENTED.match(line)
        if match and not fenced and match["label"] not in read.resolved:
            yield number, match["label"]


def lines_of_text(read: ReadText) -> frozenset[int]:
    """The numbers, from 0, of lines that begin as inline text and not as code or HTML."""
    starts = list(accumulate((len(line) + 1 for line in read.lines), initial=0))
    return frozenset(
        bisect_right(starts, row.source) - 1
        for inline in read.layout.inlines
        for closed in [spans_of(inline, "code", "html")]
        for row in inline.rows
        if not end_around(row.start, closed)
    )


def spans_of(inline: Inline, *kinds: str) -> Sequence[tuple[int, int]]:
    """The outermost constructs of these kinds, in order; ``target`` is the target of a link."""
    found = [(span.start, span.end) for span in inline.spans if span.kind in kinds]
    if "target" in kinds:
        found += [(bracket.close, bracket.link.end) for bracket in inline.brackets if bracket.link]
    outermost: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if not outermost or end > outermost[-1][1]:
            outermost.append((start, end))
    return outermost


def end_around(offset: int, spans: Sequence[tuple[int, int]]) -> int:
    """The end of the span that begins before ``offset`` and ends behind it; 0 without one."""
    before = bisect_left(spans, (offset,)) - 1
    return spans[before][1] if before >= 0 and spans[before][1] > offset else 0


def without(inline: Inline, *kinds: str) -> str:
    """The inline text with a space for each construct of these kinds."""
    edges = [0, *(edge for span in spans_of(inline, *kinds) for edge in span), len(inline.content)]
    return " ".join(inline.content[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))


def last_closing_fence(read: ReadText) -> int:
    """The number of the last line that closes a code fence, or -1."""
    closing = (number for number, line in enumerate(read.lines) if _CLOSING_FENCE.fullmatch(line))
    return max(closing, default=-1)
