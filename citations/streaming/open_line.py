"""The last line of the open paragraph, of which each settled part is read and written once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from ..markdown import (
    Break,
    Formula,
    Inline,
    Mark,
    MarkdownWriter,
    Node,
    Settled,
    Text,
    positions_in,
)
from ..markers.marker_reader import DialectReader

_OTHER_BLOCK: Final = re.compile(r"[\n|]")
"""What may end the line, or make a table of it."""
_UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u3041-\u9fff\uac00-\ud7a3]{2}")
"""Letters of scripts without blanks. None of them is a sign, nor next to one what its meaning depends on."""
_ADDRESS: Final = re.compile(r"//|www\.", re.IGNORECASE)


class OpenLeaf(NamedTuple):
    """The inline text of the open paragraph: as it has arrived, what it shows, and its nodes.

    ``start`` is its offset in the paragraph, behind the box of a task. With ``strong``, an emphasis that is
    open shows (:func:`~citations.markdown.read_settled`). ``above`` are the positions of the badges in
    front of it in its block.
    """

    source: str
    settled: Settled
    nodes: Inline
    start: int
    strong: bool
    above: frozenset[int] = frozenset()


class LineStart(NamedTuple):
    """A place at which an inline text can be read, and written, in two parts.

    ``offset`` is the place in the source of a leaf, ``written`` the text in front of it, and ``body`` the
    whole text. ``badges`` are the positions of those in front of it in the open block. At the beginning of a
    leaf, ``begins`` is True.
    """

    body: str
    written: str
    offset: int
    badges: frozenset[int]
    begins: bool = False


def find_start(leaf: OpenLeaf, writer: MarkdownWriter, body: str) -> LineStart | None:
    """The last such place in the last line of ``leaf``, which ``body`` shows last; None if there is none."""
    breaks = (node.end for node in leaf.nodes if isinstance(node, Break))
    last_line = max(leaf.source.rfind("\n") + 1, max(breaks, default=0))
    if _OTHER_BLOCK.search(leaf.source, last_line):
        return None
    place = _last_place(leaf.nodes, leaf.settled)
    if place and place.offset >= last_line:
        shown = writer.run(place.behind).rstrip()
        if not body.endswith(shown):
            return None
        badges = leaf.above | positions_in((place.before,))
        return LineStart(body, body.removesuffix(shown), place.offset, badges)
    # A bracket may still become the box of a task, or a definition.
    if last_line or leaf.start or leaf.source.startswith("["):
        return None
    shown = "\n".join(writer.lines(writer.inline(leaf.nodes))).rstrip()
    if not shown or not body.endswith(shown):
        return None
    return LineStart(body, body.removesuffix(shown), 0, leaf.above, begins=True)


class OpenLine:
    """The end of an open leaf, from a place between two of its words on."""

    def __init__(
        self, reader: DialectReader, writer: MarkdownWriter, leaf: OpenLeaf, start: LineStart
    ) -> None:
        self._reader, self._writer, self._strong = reader, writer, leaf.strong
        self.body, self._written, offset, self._badges, self._begins = start
        self.badges = leaf.above | positions_in((leaf.nodes,))
        """The positions of the badges in the open block, as far as it is written."""
        self.tail = leaf.source[offset:]
        """The source from the place on, of which all in front is written."""
        self.signs = leaf.settled.signs
        """The nodes of the tail, when it was read last."""
        self.held = len(leaf.source) - leaf.settled.end
        """The characters of the source that the text doesn't show."""

    def grow(self, more: str) -> bool:
        """Add ``more`` to :attr:`body`. Returns False if the block must be read anew."""
        if _OTHER_BLOCK.search(more):
            return False
        self.tail += more
        shown = self._read()
        if shown is None:
            return False
        if self._begins and not shown:
            return False
        self.body = self._written + self._lines(shown)
        return True

    def _read(self) -> str | None:
        """What the tail shows; None if the line has ended in it."""
        found = self._reader.settled(self.tail, strong=self._strong)
        self.held, self.signs = len(self.tail) - found.end, found.signs
        if any(isinstance(node, Break) for node in found.nodes):
            return None
        nodes: Sequence[Node] = self._reader.cite(found.nodes, found.end)
        if place := _last_place(nodes, found):
            before = self._lines(self._writer.run(place.before))
            self._written += before
            self._badges |= positions_in((place.before,))
            self._begins = self._begins and not before
            self.tail, nodes = self.tail[place.offset :], place.behind
            self.signs -= len(place.before)
        self.badges = self._badges | positions_in((nodes,))
        return self._writer.run(nodes).rstrip()

    def _lines(self, text: str) -> str:
        return "\n".join(self._writer.lines(text.lstrip(" "))) if self._begins else text


class _Division(NamedTuple):
    """A place between two words, outside of emphasis and links, and the nodes before and behind it."""

    offset: int
    before: Sequence[Node]
    behind: Sequence[Node]


def _last_place(nodes: Sequence[Node], found: Settled) -> _Division | None:
    """The last place at which the text can be divided."""
    depth = 0
    for number in range(len(nodes) - 1, -1, -1):
        node = nodes[number]
        if isinstance(node, Mark):
            depth += -1 if node.opens else 1
        elif not depth and isinstance(node, Text) and node.start < found.firm and _is_as_typed(node):
            text, start, end = node
            cut = _between_words(text, min(found.firm, end) - start, found.shown)
            if cut > 0 or (cut == 0 < number and not isinstance(nodes[number - 1], Formula)):
                before, behind = Text(text[:cut], start, start + cut), Text(text[cut:], start + cut, end)
                return _Division(start + cut, (*nodes[:number], before), (behind, *nodes[number + 1 :]))
    return None


def _is_as_typed(node: Text) -> bool:
    """Whether each character of a text stands for one of the source."""
    return len(node.text) == node.end - node.start


def _between_words(text: str, end: int, around: str) -> int:
    """The last offset in ``text[:end]`` between two words; -1 if there is none."""
    place = text.rfind(" ", 0, end)
    while place > 0 and text[place - 1].isspace():
        place -= 1
    if place <= 0 and end > 1 and _UNSPACED.fullmatch(text, end - 2, end) and not _ADDRESS.search(around):
        return end - 1
    return place
