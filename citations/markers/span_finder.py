"""Spans become markers: each at a place where CommonMark shows text.

An end inside code, a link, emphasis, HTML or a formula moves outwards, behind it. An end between blocks, or
in a block without text of its own, moves to the end of the text before it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from ..markdown import Inline, find_emphasis
from ..model.answer import Span
from ..model.dialect import Dialect
from ..model.errors import Problem
from ..model.reference import Reference
from ..text.grapheme import divides
from .grammar import Key, Marker
from .source_identity import spellings_of

_WHOLE: Final = re.compile(
    # Runs whose length matters, and addresses.
    r"`{2,}|\${2,}|(?i:\b[a-z][a-z0-9+.-]{0,31}://|\bwww\.)[!-;=?-~]*[\w/]|[\w.+-]{1,64}@[!-;=?-~]*\w"
)
_SHORT: Final = re.compile(r"\S{0,60}")
"""The inside of brackets that no badge divides, such as ``[^1]``."""
_CLOSING: Final = re.compile(r"(?<=\s)#+\s*\Z")
"""The "optional closing sequence of #s" of a heading (CommonMark § 4.2)."""
_BLANKS: Final = " \t"
_BETWEEN: Final = re.compile(r"[ \t,;·|]*")
"""What stands between citations of one group."""
_AROUND: Final = {"(": ")", "[": "]", "（": "）", "【": "】", "［": "］"}
_WORDS_END: Final = re.compile(r"(?<=\S)(?!\S)")
_LONGEST: Final = 64
_LETTERS: Final = re.compile(rf"[0-9A-Za-z\u00c0-\u024f\u0300-\u058f]{{1,{_LONGEST}}}")
"""Letters of scripts that put blanks between words, which a badge doesn't divide."""
_MOVES: Final = 8
"""The most moves of one badge: the time must stay linear."""


def lies_in(span: Span, text: str) -> bool:
    """Whether the offsets of ``span`` are a place in ``text``."""
    return 0 <= span.start <= span.end <= len(text)


def report_spans(spans: Sequence[Span], text: str, references: Iterable[Reference]) -> Iterator[Problem]:
    """The faults of ``spans``: offsets that are no place in ``text``, and ids that no reference has."""
    known = {spelling for one in references for spelling in spellings_of(one)} if spans else frozenset()
    for number, span in enumerate(spans):
        path = f"$.spans[{number}]"
        if not lies_in(span, text):
            place = f"{span.start} to {span.end} is no place in the {len(text)} characters of the text"
            yield Problem("citation-not-placed", path, f"{place}: its sources have no badge there")
        for index, identifier in enumerate(span.ids):
            if identifier not in known:
                message = f"no reference has the id {identifier!r}: it has no badge"
                yield Problem("unknown-reference", f"{path}.ids[{index}]", message)


def report_wordless(inlines: Iterable[Inline], spans: Sequence[Span]) -> Iterator[Problem]:
    """The problem of spans of a text in which no badge can stand: it is empty, or all code or HTML."""
    if spans and not any(inline.is_shown for inline in inlines):
        message = "the text has no words outside code and HTML, so that no badge can stand there"
        yield Problem("citation-not-placed", "$.spans", message)


def merge(markers: Iterable[Marker]) -> Iterator[Marker]:
    """``markers`` of the text and of spans in order. A span that ends where a marker begins comes first."""
    return iter(sorted(markers, key=lambda marker: (marker.start, marker.keys[0].end > marker.start)))


@dataclass(slots=True)
class _Group:
    """The spans whose badges stand in place of ``content[start:end]``."""

    start: int
    end: int
    spans: list[Span] = field(default_factory=list)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its spans, in order of the spans."""
        return tuple(dict.fromkeys(one for span in sorted(self.spans, key=_order) for one in span.ids))


def find_spans(inlines: Sequence[Inline], spans: Iterable[Span], *, first: bool = True) -> list[Marker]:
    """The markers of ``spans`` in ``inlines``, in order. Each span has its offsets in the cleaned text.

    Spans that end at one place are one marker. A span has none if there is no text; or before ``inlines``
    if they are not the ``first`` of their answer.
    """
    shown = [inline for inline in inlines if inline.is_shown]
    starts = [inline.first_word for inline in shown]
    by_inline: dict[int, list[Span]] = {}
    for span in sorted(spans, key=_order):
        place = bisect_left(starts, span.end) - 1
        if shown and (place >= 0 or first):
            by_inline.setdefault(place, []).append(span)
    markers: list[Marker] = []
    for place, own in by_inline.items():
        markers.extend(_InlineSpans(shown[max(0, place)]).markers(own, in_front=place < 0))
    # A span in front of all text comes before those in the first text.
    return sorted(markers, key=lambda marker: marker.start)


class _InlineSpans:
    """The places of an inline text at which a badge may stand."""

    def __init__(self, inline: Inline) -> None:
        self._inline = inline
        self._content = content = inline.content
        self._end = len(content.rstrip())
        if closing := _CLOSING.search(content, 0, self._end):
            self._end = len(content[: closing.start()].rstrip()) or self._end
        self._atoms = _joined(self._constructs())
        emphasis, self._alone = find_emphasis(content, self._atoms)
        self._closed = _joined((*self._atoms, *emphasis))
        self._emphasised = {(start + 1, end - 1) for start, end in emphasis}
        """The ranges between delimiters."""
        self._partners = {a: b for start, end in emphasis for a, b in ((start, end - 1), (end - 1, start))}
        """The offset of each delimiter's partner."""
        self._delimiters = sorted(self._partners)
        self._inside_strong = _inside_strong(content, emphasis)

    def _constructs(self) -> Iterator[tuple[int, int]]:
        """What no badge may divide, besides emphasis."""
        for _, start, end in self._inline.spans:
            yield start, end
        for bracket in self._inline.brackets:
            end = max((bracket.end, *(tail.end for tail in bracket.lenient)))
            if end > bracket.close or _SHORT.fullmatch(self._content, bracket.start, bracket.close):
                yield bracket.start, end
        for found in _WHOLE.finditer(self._content):
            yield found.span()

    def markers(self, spans: Sequence[Span], *, in_front: bool) -> Iterator[Marker]:
        """The markers of spans that end in this text, or behind it and before the next."""
        if in_front:
            place = len(self._content) - len(self._content.lstrip())
            if self._content.startswith("[", place) or not self._is_free(place):
                # The brackets may be those of a task.
                place = self._end
            groups = [_Group(place, place, list(spans))]
        else:
            ranges = [self._range(span) if span.replaces else None for span in spans]
            groups = self._replaced((words, span) for words, span in zip(ranges, spans, strict=True) if words)
            self._insert(groups, [span for words, span in zip(ranges, spans, strict=True) if not words])
        for group in sorted(groups, key=lambda group: group.start):
            if ids := group.ids:
                yield self._marker(group, ids)

    def _marker(self, group: _Group, ids: Iterable[str]) -> Marker:
        inline = self._inline
        end = inline.place_end(group.end)
        start = inline.place(group.start) if group.start < group.end else end
        return Marker(dialect=Dialect.NONE, start=start, keys=tuple(Key((one,), end, one) for one in ids))

    def _insert(self, groups: list[_Group], spans: Iterable[Span]) -> None:
        """Add the spans whose words stay to ``groups``."""
        replaced = sorted(groups, key=lambda group: group.start)
        starts = [group.start for group in replaced]
        inserted: dict[int, _Group] = {}
        for span in spans:
            place = self._behind(self._offset(span.end))
            before = bisect_right(starts, place) - 1
            if before >= 0 and place <= replaced[before].end:
                group = replaced[before]
            else:
                group = inserted.setdefault(place, _Group(place, place))
            group.spans.append(span)
        groups.extend(inserted.values())

    # Places

    def _offset(self, source: int) -> int:
        """The offset in the content of ``source``, or of the end of the line before it."""
        rows = self._inline.rows
        number = bisect_right(rows, source, key=lambda row: row.source) - 1
        if number < 0:
            return 0
        end = rows[number + 1].start if number + 1 < len(rows) else len(self._content)
        return min(rows[number].start + source - rows[number].source, end)

    def _behind(self, offset: int) -> int:
        """The nearest offset from ``offset`` on, behind a word, at which a badge divides nothing."""
        content = self._content
        offset = min(self._behind_word(offset), self._end)
        if self._is_escape(offset):
            offset = self._behind_word(offset - 1) or offset
        for _ in range(_MOVES):
            start = offset
            offset = self._behind_letters(self._outside(offset))
            if offset < self._end and (self._is_escape(offset) or not self._is_free(offset)):
                ends = _WORDS_END.search(content, offset + 1)
                offset = min(ends.start() if ends else self._end, self._end)
            if offset == start:
                return offset
        return self._end

    def _behind_word(self, offset: int) -> int:
        while offset and self._content[offset - 1].isspace():
            offset -= 1
        return offset

    def _behind_letters(self, offset: int) -> int:
        """``offset``, or the end of the word or the character that it is in."""
        content, last = self._content, self._end
        if (
            0 < offset < last
            and _LETTERS.match(content, offset - 1)
            and (word := _LETTERS.match(content, offset))
        ):
            offset = min(word.end(), last)
        for _ in range(_LONGEST):
            if offset >= last or not divides(content, offset):
                break
            offset += 1
        return offset

    def _outside(self, offset: int) -> int:
        before = bisect_left(self._closed, (offset, -1)) - 1
        return max(offset, self._closed[before][1]) if before >= 0 else offset

    def _is_escape(self, offset: int) -> bool:
        """Whether a badge at ``offset`` would be escaped by a backslash before it."""
        before = bisect_left(self._atoms, (offset, -1)) - 1
        ends = before >= 0 and self._atoms[before][1] == offset
        return self._content[offset - 1] == "\\" and not ends

    def _is_free(self, offset: int) -> bool:
        """Whether a badge at ``offset`` gives no partner to a delimiter that has none."""
        near = bisect_left(self._alone, offset - 1)
        return not any(place in (offset - 1, offset) for place in self._alone[near : near + 2])

    # Replaced words

    def _range(self, span: Span) -> tuple[int, int] | None:
        """The words that ``span`` replaces; None if a badge can't take their place."""
        inline, content = self._inline, self._content
        if span.start < inline.rows[0].source or span.end > inline.place_end(len(content)):
            return None
        start, end = self._offset(span.start), self._offset(span.end)
        words = content[start:end]
        if words.strip():
            start, end = start + len(words) - len(words.lstrip()), end - len(words) + len(words.rstrip())
        whole = self._is_whole(start, end) and self._inside_strong.isdisjoint((start, end))
        return (start, end) if whole else None

    def _replaced(self, found: Iterable[tuple[tuple[int, int], Span]]) -> list[_Group]:
        """The spans whose words are replaced: neighbours together, without the brackets around them."""
        ordered = sorted(found, key=lambda one: one[0])
        groups = self._joined_groups(_Group(*words, [span]) for words, span in ordered)
        for group in groups:
            self._widen(group)
        return self._joined_groups(groups)

    def _joined_groups(self, groups: Iterable[_Group]) -> list[_Group]:
        """``groups``, which are in order, with neighbours joined."""
        joined: list[_Group] = []
        for group in groups:
            last = joined[-1] if joined else None
            if last and (group.start <= last.end or _BETWEEN.fullmatch(self._content, last.end, group.start)):
                last.end = max(last.end, group.end)
                last.spans += group.spans
            else:
                joined.append(group)
        return joined

    def _widen(self, group: _Group) -> None:
        """Take along the brackets and emphasis that hold nothing else, and the blank before."""
        content = self._content
        while True:
            start, end = self._before_blanks(group.start), group.end
            while content[end : end + 1] in _BLANKS and end < len(content):
                end += 1
            wrapped = start > 0 and _AROUND.get(content[start - 1]) == content[end : end + 1]
            if not (wrapped or (start, end) in self._emphasised) or not self._is_whole(start - 1, end + 1):
                break
            group.start, group.end = start - 1, end + 1
        start = self._before_blanks(group.start)
        if not content[group.end : group.end + 1].isalnum() and self._is_whole(start, group.end):
            group.start = start

    def _before_blanks(self, offset: int) -> int:
        while offset and self._content[offset - 1] in _BLANKS:
            offset -= 1
        return offset

    def _is_whole(self, start: int, end: int) -> bool:
        """Whether ``content[start:end]`` divides no construct, and is inside of none but emphasis."""
        for first, last in _overlapping(self._atoms, start, end):
            if first < start or end < last:
                return False
        inside = slice(bisect_left(self._delimiters, start), bisect_left(self._delimiters, end))
        return all(start <= self._partners[place] < end for place in self._delimiters[inside])


def _overlapping(ranges: Sequence[tuple[int, int]], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Those of ``ranges``, which are in order and apart, that reach into ``[start:end]`` or over it."""
    number = max(0, bisect_left(ranges, start, key=lambda one: one[0]) - 1)
    while number < len(ranges) and ranges[number][0] < end:
        if ranges[number][1] > start:
            yield ranges[number]
        number += 1


def _inside_strong(content: str, emphasis: Sequence[tuple[int, int]]) -> set[int]:
    """The offsets inside the ``**`` of strong text. Of ``***`` the two next to the words are strong."""
    ranges, inside = set(emphasis), set[int]()
    for start, end in reversed(emphasis):
        double = (start - 1, end + 1) in ranges and content[start - 1] == content[start]
        if double and start + 1 not in inside:
            inside.update((start, end))
    return inside


def _order(span: Span) -> tuple[int, int, tuple[str, ...]]:
    return span.end, span.start, span.ids


def _joined(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """``ranges`` in order, those that overlap joined into one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found
