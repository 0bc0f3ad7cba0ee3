"""Says which brackets of an answer are markers: those of its dialect that a reference has, or may have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ..markdown import (
    Break,
    Document,
    Inline,
    Leaf,
    LinkTarget,
    Mark,
    Marker,
    MarkerKind,
    MarkerReader,
    Name,
    Node,
    Settled,
    Text,
    Typed,
    Where,
    read_document,
    read_inline,
    read_settled,
    words_of,
)
from ..model.answer import Dialect, Span
from .grammar import MarkerForm, Names, PossibleMarker, is_bare_number, split_identifier, split_numbered
from .positions import Positions
from .source_identity import target_spellings
from .span_badges import place_spans, spans_of_leaves

_ENDS_WORD: Final = re.compile(r"[\s.,;:!?)\]}…”’»。，、；：！？）】]")
"""What stands directly behind a word."""


class DialectReader(MarkerReader):
    """Reads the markers of ``dialect``; None reads all (:class:`~citations.markdown.MarkerReader`)."""

    def __init__(self, positions: Positions, dialect: Dialect | None) -> None:
        self._positions = positions
        self._numbers = dialect not in (Dialect.NAMED_LINK, Dialect.NONE)
        self._names = dialect not in (Dialect.NUMBERED, Dialect.NONE)
        self._any = dialect is not Dialect.NONE
        self.spans: dict[int, list[Span]] = {}
        """The spans of each leaf, by its identity."""
        self._possible: list[PossibleMarker] = []
        """What may be markers in the last reading: :meth:`cite` notes them once their words are settled."""

    def number(self, inside: str, start: int, end: int, *, where: Where = Where.TEXT) -> Marker | None:
        """The marker ``[inside]``; None if it cites nothing."""
        if not self._numbers:
            return None
        if parts := split_numbered(inside):
            return self._marker(*parts, start, end, where=where)
        return self._identifier(inside, start, end) if where is Where.TEXT else None

    def _identifier(self, inside: str, start: int, end: int) -> Marker | None:
        """The marker ``[file.pdf#page=3]``, if a source has such an id or such a file."""
        found = split_identifier(inside)
        if found is None:
            return None
        name, page = found
        self._possible.append(PossibleMarker(end - 1, MarkerForm.IDENTIFIER, (name,)))
        if not self._positions.identifier(name):
            return None
        return Marker(MarkerKind.NUMBER, (name,), start, end, locator=f"p. {page}" if page else "")

    def token(self, ids: Sequence[tuple[str, ...]], start: int, end: int) -> Marker:
        """The marker of a model's own token, in any dialect."""
        names = tuple(Name(spellings, spellings[0]) for spellings in ids)
        self._possible.append(PossibleMarker(end - 1, MarkerForm.TOKEN, names))
        return Marker(MarkerKind.CLIENT, names, start, end)

    def group(self, insides: Sequence[str], start: int, end: int) -> Marker | None:
        """The marker that consists of several brackets in one more pair: ``[[1], [2]]``."""
        parts = [split_numbered(inside) for inside in insides] if self._numbers else []
        found = [part for part in parts if part]
        if not found or len(found) < len(insides):
            return None
        names = tuple(name for part in found for name in part[0])
        return self._marker(names, "; ".join(part[1] for part in found if part[1]), start, end)

    def name(self, inside: str, targets: Sequence[LinkTarget], start: int) -> Marker | None:
        """The marker ``[inside](target)``. A number that links to its own source is one in any dialect."""
        # Some models link a number as `[[1]](url)`.
        inner = inside[1:-1] if inside.startswith("[") and inside.endswith("]") else inside
        parts = split_numbered(inner)
        if not self._any or not (self._names or parts):
            return None
        names = tuple(Name(target_spellings(one.address), one.address) for one in targets)
        self._possible.append(PossibleMarker(start, MarkerForm.LINK, names, inside))
        name = self._positions.link(names)
        if name is None:
            return None
        page = self._positions.page_of(name)
        locator = (parts[1] if parts else "") or (f"p. {page}" if page else "")
        return Marker(MarkerKind.NAME, (name,), start, targets[names.index(name)].end, inside, locator)

    def read(self, text: str, spans: Sequence[Span] = ()) -> Document:
        """The tree of ``text``, with the badges of its markers and of ``spans``."""

        def assign(found: Iterable[Leaf]) -> None:
            self.spans = spans_of_leaves(found, text, spans)

        return read_document(text, self.read_leaf, assign if spans else None)

    def read_words(self, content: str) -> Inline:
        """An inline text with badges."""
        self._possible.clear()
        return self.cite(read_inline(content, self), len(content))

    def settled(self, source: str, *, strong: bool) -> Settled:
        """What ``source`` shows while it may grow (:func:`~citations.markdown.read_settled`)."""
        self._possible.clear()
        return read_settled(source, self, strong=strong)

    def read_leaf(self, leaf: Leaf, start: int, found: Settled | None = None) -> Inline:
        """The inline text of a leaf from ``start`` on with badges, or what was found to be settled of it."""
        content = found.shown if found else leaf.content[start:]
        if found:
            nodes = found.nodes
        else:
            self._possible.clear()
            nodes = read_inline(content, self)
        if spans := self.spans.get(id(leaf)):
            moved = [
                replace(one, start=max(0, one.start - start), end=max(0, one.end - start))
                if one.end >= 0
                else one
                for one in spans
                # The words of the others are not shown yet.
                if one.end <= start + len(content)
            ]
            nodes = place_spans(nodes, content, moved, self._may_cite)
        return self.cite(nodes, found.end if found else len(content))

    def _may_cite(self, identifier: str) -> bool:
        return self._positions.waits or self._positions.knows(identifier)

    def cite(self, nodes: Sequence[Node], end: int) -> Inline:
        """The nodes that were read up to ``end``, with badges. The sources get their positions in order."""
        for one in self._possible:
            if one.offset < end:
                self._positions.note(one)
        if Marker not in map(type, nodes):
            return tuple(nodes)
        return self._cite(nodes)

    def _cite(self, nodes: Sequence[Node]) -> Inline:
        cited: list[Node] = []
        links = _find_links(nodes)
        place = 0
        hidden = False
        while place < len(nodes):
            shown: Inline = (node := nodes[place],)
            if place in links:
                begins = _begins_line(nodes, place)
                place, inside = links[place], nodes[place : links[place]]
                shown = self._cite_link(inside, nodes[place], begins=begins)
            elif isinstance(node, Marker):
                shown = (badge,) if (badge := self._positions.cite(node)) else ()
            if hidden and shown:
                shown = _close_up(cited, shown)
            hidden = not shown
            cited += shown
            place += 1
        return tuple(cited)

    def _cite_link(self, inside: Sequence[Node], marker: Node, *, begins: bool) -> Inline:
        """The badge of a named link, behind the words that a reader would miss."""
        if not isinstance(marker, Marker):
            raise AssertionError("a link ends in its marker")
        words = words_of(inside)
        same = [self._positions.is_same(one, marker) for one in inside if isinstance(one, Marker)]
        kept = not all(same) or self._positions.keeps_words(marker, words, begins=begins)
        if not kept and (badge := self._positions.cite_name(marker, words)):
            return (badge,)
        if is_bare_number(words):
            return ()
        shown = self._cite([_in_words(node) for node in inside])
        badge = self._positions.cite_name(marker, words)
        if badge is None or (any(same) and not badge.rest):
            return shown
        # The blank has no characters of the text.
        return (*shown, Text(" ", marker.end, marker.end), badge)

    def _marker(
        self, names: Names, locator: str, start: int, end: int, *, where: Where = Where.TEXT
    ) -> Marker | None:
        form = MarkerForm.INTERVAL if where is Where.FORMULA else MarkerForm.NUMBER
        self._possible.append(PossibleMarker(end - 1, form, names))
        if not self._positions.number(names, where=where):
            return None
        return Marker(MarkerKind.NUMBER, names, start, end, locator=locator)


def _find_links(nodes: Sequence[Node]) -> Mapping[int, int]:
    """Where the marker of each named link is, by the place of the mark with which its words begin."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for place, node in enumerate(nodes):
        if isinstance(node, Mark):
            if node.opens:
                opened.append(place)
            elif opened:
                first = opened.pop()
                behind = nodes[place + 1] if place + 1 < len(nodes) else None
                if isinstance(behind, Marker) and behind.kind is MarkerKind.NAME and behind.end == node.end:
                    found[first] = place + 1
    return found


def _close_up(above: list[Node], shown: Inline) -> Inline:
    """``shown`` behind a marker that shows nothing: one of the blanks around that goes."""
    first = shown[0]
    if not isinstance(first, Text) or not _ENDS_WORD.match(first.text):
        return shown
    if not above or isinstance(above[-1], Break):
        words = first.text.lstrip(" \t")
        return (Text(words, first.end - len(words), first.end), *shown[1:])
    if isinstance(last := above[-1], Text):
        above[-1] = Text(last.text.rstrip(" \t"), last.start, last.end)
    return shown


def _begins_line(nodes: Sequence[Node], place: int) -> bool:
    """Whether nothing is shown in front of ``place`` in its block, or behind a hard line break."""
    for number in range(place - 1, -1, -1):
        node = nodes[number]
        if not (isinstance(node, Mark) or (isinstance(node, Text) and not node.text)):
            return isinstance(node, Break) and node.hard
    return True


def _in_words(node: Node) -> Node:
    """``node`` in the words of a link, where an image is its description."""
    if isinstance(node, Typed) and node.typed.startswith("!"):
        return Text(node.words, node.start, node.end)
    return node
