"""The last line of the open paragraph, of which each settled part is read and written once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple, Self

from ..markdown import (
    INSIDE,
    LOOSE,
    Formula,
    Inline,
    Mark,
    MarkdownWriter,
    Node,
    Settled,
    Text,
    has_signs,
    settled,
)
from ..markers.marker_reader import DialectReader

_OTHER_BLOCK: Final = re.compile(r"[\n|]")
"""What may end the line, or make a table of it."""
_MOST_INSIDE: Final = 200
"""Characters in which nothing open has become too long."""
_UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u3041-\u9fff\uac00-\ud7a3]{2}")
"""Letters of scripts without blanks. None of them is a sign, nor next to one what its meaning depends on."""
_ADDRESS: Final = re.compile(r"//|www\.", re.IGNORECASE)


class OpenLeaf(NamedTuple):
    """The inline text of the open paragraph: as it has arrived, what it shows, and its nodes."""

    source: str
    settled: Settled
    nodes: Inline


class OpenLine:
    """``written`` is the text in front of ``tail``, which is the end of the source.

    Between the two is a place at which an inline text can be read, and written, in two parts. With
    ``strong``, an emphasis that is open shows (:func:`~citations.markdown.settled`).
    """

    def __init__(
        self, reader: DialectReader, writer: MarkdownWriter, written: str, tail: str, *, strong: bool
    ) -> None:
        self._reader, self._writer, self._strong = reader, writer, strong
        self._written = written
        self._body = written
        self.tail = tail
        self.held = 0
        """The characters of the source that the text doesn't show."""
        self._is_inside = False
        """Whether more words settle nothing (:class:`~citations.markdown.Settled`)."""

    @classmethod
    def begin(
        cls, reader: DialectReader, writer: MarkdownWriter, leaf: OpenLeaf, body: str, *, strong: bool
    ) -> Self | None:
        """The line at the end of ``body``, which shows ``leaf`` last; None if it has no such place."""
        last_line = leaf.source.rfind("\n") + 1
        place = _last_place(leaf.nodes, leaf.settled)
        if place is None or place.offset < last_line or _OTHER_BLOCK.search(leaf.source, last_line):
            return None
        shown = writer.run(place.behind).rstrip()
        if not body.endswith(shown):
            return None
        return cls(reader, writer, body[: len(body) - len(shown)], leaf.source[place.offset :], strong=strong)

    def grow(self, more: str) -> str | None:
        """The text with ``more`` at its end; None if the block must be read anew."""
        if self._is_inside and INSIDE.fullmatch(more) and self.held < _MOST_INSIDE:
            self.tail += more
            self.held += len(more)
            return self._body
        if _OTHER_BLOCK.search(more):
            return None
        self.tail += more
        if not has_signs(self.tail):
            return self._go_on()
        found = settled(self.tail, strong=self._strong)
        self.held = len(self.tail) - found.end
        self._is_inside = found.inside
        nodes: Sequence[Node] = self._reader.read_words(found.shown)
        if place := _last_place(nodes, found):
            self._written += self._writer.run(place.before)
            self.tail = self.tail[place.offset :]
            nodes = place.behind
        self._body = self._written + self._writer.run(nodes).rstrip()
        return self._body

    def _go_on(self) -> str:
        """The text with a tail of words alone."""
        shown = self.tail.rstrip(LOOSE)
        self.held, self._is_inside = len(self.tail) - len(shown), False
        cut = _between_words(shown, len(shown), shown)
        if cut > 0:
            self._written += self._writer.words(shown[:cut])
            self.tail, shown = self.tail[cut:], shown[cut:]
        self._body = self._written + self._writer.words(shown)
        return self._body


class _Place(NamedTuple):
    """A place between two words, outside of emphasis and links, and the nodes before and behind it."""

    offset: int
    before: Sequence[Node]
    behind: Sequence[Node]


def _last_place(nodes: Sequence[Node], found: Settled) -> _Place | None:
    """The last place at which the text can be divided."""
    depth = 0
    for number in range(len(nodes) - 1, -1, -1):
        node = nodes[number]
        if isinstance(node, Mark):
            depth += -1 if node.opens else 1
        elif not depth and isinstance(node, Text) and node.start < found.firm:
            text, start, end = node
            cut = _between_words(text, min(found.firm, end) - start, found.shown)
            if cut > 0 or (cut == 0 < number and not isinstance(nodes[number - 1], Formula)):
                before, behind = Text(text[:cut], start, start + cut), Text(text[cut:], start + cut, end)
                return _Place(start + cut, (*nodes[:number], before), (behind, *nodes[number + 1 :]))
    return None


def _between_words(text: str, end: int, around: str) -> int:
    """The last offset in ``text[:end]`` between two words; -1 if there is none."""
    place = text.rfind(" ", 0, end)
    while place > 0 and text[place - 1].isspace():
        place -= 1
    if place <= 0 and end > 1 and _UNSPACED.fullmatch(text, end - 2, end) and not _ADDRESS.search(around):
        return end - 1
    return place
