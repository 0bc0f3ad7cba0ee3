"""The places of the badges of spans: between the nodes of an inline text, where they divide nothing."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from ..markdown import Break, Leaf, Mark, Marker, MarkerKind, Name, Node, Text
from ..model.answer import Span
from ..text.grapheme import divides

_ADDRESS: Final = re.compile(
    r"(?i:\b[a-z][a-z0-9+.-]{0,31}://|\bwww\.)[!-'*-;=?-Z^-z~]*[\w/]|[\w.+-]{1,64}+@[!-'*-;=?-Z^-z~]{0,255}\w"
)
"""A bare address. One that begins in brackets ends with them."""
_SHORT: Final = re.compile(r"\[\S{0,60}?\]")
"""Brackets that no badge divides, such as ``[^1]``."""
_BETWEEN: Final = re.compile(r"[ \t,;·|]*")
"""What stands between citations of one group."""
_AROUND: Final = {"(": ")", "[": "]", "（": "）", "【": "】", "［": "］"}
_LETTERS: Final = re.compile(r"[0-9A-Z_a-z\u00c0-\u024f\u0300-\u058f]{1,64}")
"""Letters of scripts that put blanks between words, which a badge doesn't divide."""
_BLANKS: Final = re.compile(r"[ \t]+")
_SPACE: Final = re.compile(r"\s+")
_MOVES: Final = 8
"""The most moves of one badge: the time must stay linear."""

Range = tuple[int, int]


def spans_of_leaves(leaves: Iterable[Leaf], text: str, spans: Iterable[Span]) -> dict[int, list[Span]]:
    """The spans of each inline text of ``text``, by the identity of its leaf.

    Their offsets are those in the leaf's content. A span between two of them belongs to the first.
    """
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    taken: dict[int, int] = {}
    rows = [(_rows(one, lines, starts, taken), one) for one in leaves if one.content.strip()]
    firsts = [one[0][1] for one, _ in rows]
    found: dict[int, list[Span]] = {}
    for span in sorted(spans, key=order_of_spans) if rows else ():
        own, leaf = rows[max(0, bisect_left(firsts, span.end) - 1)]
        start, end = (_offset(own, place, leaf.content) for place in (span.start, span.end))
        inside = own[0][1] <= span.start and span.end <= own[-1][1] + len(leaf.content) - own[-1][0]
        moved = Span(start, end, span.ids, span.replaces and inside)
        found.setdefault(id(leaf), []).append(moved if end else Span(-1, -1, span.ids))
    return found


def _rows(
    leaf: Leaf, lines: Sequence[str], starts: Sequence[int], taken: dict[int, int]
) -> list[tuple[int, int]]:
    """Where the words of each line of an inline text begin: the offsets in the content and in the text.

    ``taken`` has the column behind the last inline text in each line: cells of a table share theirs.
    """
    rows: list[tuple[int, int]] = []
    offset = 0
    first = leaf.map[0] if leaf.map else 0
    for number, line in enumerate(leaf.content.split("\n"), first):
        at = min(number, len(lines) - 1)
        # Blanks of the content may stand for a part of a tab.
        words = line.lstrip(" \t")
        before = taken.get(at, 0)
        column = lines[at].find(words, before)
        if column < 0:
            # The pipe of a cell is escaped in the text (GFM § 4.10).
            column = max(before, lines[at].find(words.partition("|")[0], before))
        taken[at] = column + len(words)
        rows.append((offset + len(line) - len(words), starts[at] + column))
        offset += len(line) + 1
    return rows


def _offset(rows: Sequence[tuple[int, int]], source: int, content: str) -> int:
    """The offset in the content of an offset in the text, or of the end of the line before it."""
    number = bisect_right(rows, source, key=lambda row: row[1]) - 1
    if number < 0:
        return 0
    end = rows[number + 1][0] - 1 if number + 1 < len(rows) else len(content)
    return min(rows[number][0] + source - rows[number][1], end)


@dataclass(slots=True)
class _Group:
    """The spans whose badges stand in place of ``content[start:end]``."""

    start: int
    end: int
    spans: list[Span] = field(default_factory=list)

    def marker(self) -> Marker:
        ids = dict.fromkeys(one for span in sorted(self.spans, key=order_of_spans) for one in span.ids)
        return Marker(MarkerKind.SPAN, tuple(Name((one,), one) for one in ids), self.start, self.end)


def place_spans(
    nodes: Sequence[Node], content: str, spans: Sequence[Span], knows: Callable[[str], bool]
) -> list[Node]:
    """``nodes`` of ``content`` with a marker for each group of ``spans`` that ``knows`` says may cite.

    A span with negative offsets stands in front of all words.
    """
    known = [span for span in spans if any(map(knows, span.ids))]
    return _Leaf(nodes, content).place(known) if known else list(nodes)


class _Leaf:
    """An inline text and the places in it at which a badge may stand."""

    def __init__(self, nodes: Sequence[Node], content: str) -> None:
        self._nodes = nodes
        self._content = content
        self._end = len(content.rstrip())
        self._divided = 0, 0
        """The last offsets that were in a character."""
        self._blanks = [found.span() for found in _BLANKS.finditer(content)]
        self._space = [found.span() for found in _SPACE.finditer(content)]
        self._breaks = {node.start + 1: node.start for node in nodes if isinstance(node, Break)}
        self._pairs = list(_pairs(nodes))
        self._around = {(first.end, last.start): (first.start, last.end) for first, last in self._pairs}
        """The range of each pair of marks, by the range between them."""
        partners = {a: b for first, last in self._pairs for a, b in ((first, last), (last, first))}
        self._marks = sorted((one.start, other.start) for one, other in partners.items())
        """Where each mark begins, and its partner."""
        self._atoms = _joined(self._constructs())
        self._closed = _joined((*self._atoms, *((first.start, last.end) for first, last in self._pairs)))

    def _constructs(self) -> Iterator[Range]:
        """What no badge may divide, besides emphasis."""
        content = self._content
        for node in self._nodes:
            if not isinstance(node, Text | Mark) or (
                isinstance(node, Text) and content[node.start : node.end] != node.text
            ):
                yield node.start, node.end
        for pattern in (_ADDRESS, _SHORT):
            for found in pattern.finditer(content):
                yield found.span()
        for first, last in self._pairs:
            yield first.start, first.end
            yield last.start, last.end

    def place(self, spans: Sequence[Span]) -> list[Node]:
        """The nodes with the markers of ``spans``."""
        ranges = [(self._range(span), span) for span in spans if span.replaces]
        groups = self._replaced((words, span) for words, span in ranges if words)
        kept = {id(span) for words, span in ranges if words}
        self._insert(groups, [span for span in spans if id(span) not in kept])
        return self._write(sorted(groups, key=lambda group: group.start))

    def _insert(self, groups: list[_Group], spans: Iterable[Span]) -> None:
        """Add the spans whose words stay to ``groups``."""
        replaced = sorted(groups, key=lambda group: group.start)
        starts = [group.start for group in replaced]
        inserted: dict[int, _Group] = {}
        for span in spans:
            place = self._behind(span.end) if span.end >= 0 else self._in_front()
            before = bisect_right(starts, place) - 1
            if before >= 0 and place <= replaced[before].end:
                group = replaced[before]
            else:
                group = inserted.setdefault(place, _Group(place, place))
            group.spans.append(span)
        groups.extend(inserted.values())

    def _in_front(self) -> int:
        return len(self._content) - len(self._content.lstrip())

    def _behind(self, offset: int) -> int:
        """The nearest offset from ``offset`` on, behind a word, at which a badge divides nothing."""
        offset = _before(self._space, min(offset, self._end))
        offset = self._breaks.get(offset, offset)
        for _ in range(_MOVES):
            start = offset
            offset = self._behind_letters(_outside(self._closed, offset))
            if offset == start:
                return offset
        return self._end

    def _behind_letters(self, offset: int) -> int:
        """``offset``, or the end of the word or the character that it is in."""
        content, last = self._content, self._end
        if 0 < offset < last and _LETTERS.match(content, offset - 1):
            word = _LETTERS.match(content, offset)
            offset = min(word.end(), last) if word else offset
        start = offset
        while offset < last and divides(content, offset):
            known = self._divided[0] <= offset < self._divided[1]
            offset = self._divided[1] if known else offset + 1
        self._divided = (start, offset) if offset > start else self._divided
        return offset

    # Replaced words

    def _range(self, span: Span) -> Range | None:
        """The words that ``span`` replaces; None if a badge can't take their place."""
        start, end = span.start, span.end
        words = self._content[start:end]
        if words.strip():
            start, end = start + len(words) - len(words.lstrip()), end - len(words) + len(words.rstrip())
        return (start, end) if self._is_whole(start, end) else None

    def _replaced(self, found: Iterable[tuple[Range, Span]]) -> list[_Group]:
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
            start, end = _before(self._blanks, group.start), _behind(self._blanks, group.end)
            wrapped = start > 0 and _AROUND.get(content[start - 1]) == content[end : end + 1]
            if wrapped and self._is_whole(start - 1, end + 1):
                group.start, group.end = start - 1, end + 1
            elif marks := self._around.get((start, end)):
                group.start, group.end = marks
            else:
                break
        start = _before(self._blanks, group.start)
        if not content[group.end : group.end + 1].isalnum() and self._is_whole(start, group.end):
            group.start = start

    def _is_whole(self, start: int, end: int) -> bool:
        """Whether ``content[start:end]`` divides no construct, and is inside of none but emphasis."""
        if _outside(self._atoms, start) != start or _outside(self._atoms, end) != end:
            return False
        inside = slice(bisect_left(self._marks, (start,)), bisect_left(self._marks, (end,)))
        return all(start <= partner < end for _, partner in self._marks[inside])

    # The nodes anew

    def _write(self, groups: Sequence[_Group]) -> list[Node]:
        """The nodes with a marker in place of each group's words. ``groups`` are in order."""
        written: list[Node] = []
        number, behind = 0, 0
        for node in self._in_parts({place for group in groups for place in (group.start, group.end)}):
            while number < len(groups) and groups[number].start < node.end:
                written.append(groups[number].marker())
                behind = groups[number].end
                number += 1
            if node.start >= behind:
                written.append(node)
        written.extend(group.marker() for group in groups[number:])
        return written

    def _in_parts(self, places: set[int]) -> Iterator[Node]:
        """The nodes, with texts divided at ``places``."""
        cuts = sorted(places)
        for node in self._nodes:
            rest = node
            if isinstance(rest, Text):
                for cut in cuts[bisect_right(cuts, rest.start) : bisect_left(cuts, rest.end)]:
                    before, rest = _divide(rest, cut)
                    yield before
            yield rest


def _divide(node: Text, offset: int) -> tuple[Text, Text]:
    """Two texts of one, before and from ``offset`` on."""
    cut = offset - node.start
    return Text(node.text[:cut], node.start, offset), Text(node.text[cut:], offset, node.end)


def _pairs(nodes: Iterable[Node]) -> Iterator[tuple[Mark, Mark]]:
    """The marks of emphasis and links, as they belong together."""
    opened: list[Mark] = []
    for node in nodes:
        if isinstance(node, Mark) and node.opens:
            opened.append(node)
        elif isinstance(node, Mark) and opened:
            yield opened.pop(), node


def _before(ranges: Sequence[Range], offset: int) -> int:
    """``offset``, or the beginning of the range that it is in or behind."""
    number = bisect_left(ranges, (offset, -1)) - 1
    return ranges[number][0] if number >= 0 and offset <= ranges[number][1] else offset


def _behind(ranges: Sequence[Range], offset: int) -> int:
    """``offset``, or the end of the range that it is in or in front of."""
    number = bisect_right(ranges, offset, key=lambda one: one[0]) - 1
    return max(offset, ranges[number][1]) if number >= 0 else offset


def _outside(ranges: Sequence[Range], offset: int) -> int:
    """``offset``, or the end of the range that it is in."""
    before = bisect_left(ranges, (offset, -1)) - 1
    return max(offset, ranges[before][1]) if before >= 0 else offset


def _joined(ranges: Iterable[Range]) -> list[Range]:
    """``ranges`` in order, those that overlap joined into one."""
    found: list[Range] = []
    for start, end in sorted(ranges):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        elif start < end:
            found.append((start, end))
    return found


def order_of_spans(span: Span) -> tuple[int, int, tuple[str, ...]]:
    """The key by which spans are in order."""
    return span.end, span.start, span.ids
