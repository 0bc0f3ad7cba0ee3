"""The text of an answer that is still being written.

Complete blocks are written once, and so is what is complete of a quote, a list or a table that grows. The
open block is written anew each time, as far as it is settled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from ..markdown import MAX_HELD as MAX_INLINE
from ..markdown import (
    Block,
    BlockReader,
    Inline,
    Leaf,
    MarkdownWriter,
    inlines_of,
    is_closed,
    leaves,
    parse_blocks,
    place_in,
    positions_in,
)
from ..markdown.writer import MAX_DEPTH
from ..markers.marker_reader import DialectReader
from ..markers.span_badges import order_of_spans, spans_of_leaves
from ..model.answer import Span
from .open_block import decided, last_leaf, without_empty_end
from .open_containers import Opening, Stub, first_open, join
from .open_line import OpenLeaf, OpenLine, find_start

_PART: Final = re.compile(
    r"(?:(?<!`)`+|\{\s*(?:a(?:r(?:i(?:a(?:-(?:l(?:a(?:b(?:el?)?)?)?)?)?)?)?)?)?)\Z", re.IGNORECASE
)
"""The end of a line of code that more text may write otherwise."""
MAX_HELD: Final = 2 * MAX_INLINE
"""The most characters that are held back, besides a sixteenth of a large block, or half of one of signs."""
_MOST_OPEN: Final = 4096
"""Characters of an open block up to which it is written anew for every interim."""
_LONG: Final = 600
_MANY: Final = 60
"""Characters and tokens that are read anew at less cost than what is complete of them is left behind."""
_SIGN: Final = 40
"""Characters of ordinary words that take as long as a marker, an emphasis or the end of a line."""


class GrowingText:
    """``written`` is the text of the complete blocks, ``source`` what has arrived behind them.

    ``start`` is the offset of ``source`` in the answer. With ``appends``, what was written stays: the open
    block is written as far as nothing that follows changes it. With ``may_write``, complete blocks alone are
    written: it is asked with their spans, which have all arrived, since words came behind.
    """

    def __init__(
        self,
        reader: DialectReader,
        writer: MarkdownWriter,
        *,
        appends: bool,
        plain: bool = False,
        may_write: Callable[[Sequence[Span]], bool] | None = None,
    ) -> None:
        self.reader = reader
        self.writer = writer
        self.source = ""
        self.start = 0
        self.written = ""
        self._written_badges: frozenset[int] = frozenset()
        """The positions whose badges are in ``written``."""
        self._open_badges: frozenset[int] = frozenset()
        """The positions whose badges are in the open block, as it was written last."""
        self.settled = 0
        """The length of the answer that the last interim showed."""
        self.spans: list[Span] = []
        """The spans whose badges stand in no complete block yet, with their offsets in the answer."""
        self.blocks: list[Block] = []
        """The complete blocks, and what is complete of the one that grows."""
        self._appends = appends
        self._plain = plain
        self._may_write = may_write
        self._forced = False
        self._stub = Stub()
        """What opens the containers anew that grow."""
        self._leaf: Leaf | None = None
        """The last inline text, while it may still grow."""
        self._open_leaf: OpenLeaf | None = None
        """What was read of it."""
        self._line: OpenLine | None = None
        """The last line of the open leaf, while it grows."""
        self._decided: str | None = ""
        """What of ``source`` was read last; None if it must be read anew."""
        self._in_heading = False
        """Whether it ends in a heading, which is shown with the end of its line."""
        self._blanks = ""
        """The blanks at the end of what is read."""
        self._body = ""
        """What was written last."""
        self._signs = 0
        """The nodes of its inline texts."""
        self._read_to = 0
        """The length of ``source`` when it was last read."""

    @property
    def badges(self) -> frozenset[int]:
        """The positions whose badges are in the text so far."""
        return self._written_badges | self._open_badges

    def may_have_grown(self) -> bool:
        """Whether enough has arrived to write the open block anew: a large one grows by a sixteenth first.

        A text of many signs doubles, unless its paragraph ends: so it takes time that grows as it does.
        """
        new = len(self.source) - self._read_to
        rewritten = len(self._line.tail if self._line else self.source)
        if new <= 0 or new < (rewritten - _MOST_OPEN) // 16:
            return False
        signs = self._line.signs if self._line else self._signs
        if new >= min((_SIGN * signs - _MOST_OPEN) // 16, rewritten // 2):
            return True
        unsettled = self.start + len(self.source) - self.settled
        return unsettled > max(MAX_HELD, rewritten // 2) or "\n\n" in self.source[max(0, self._read_to - 1) :]

    def read_anew(self) -> None:
        """Read the open block anew: its markers may have other positions."""
        self._line, self._decided, self._in_heading = None, None, False

    def interim(self) -> str:
        """The text so far."""
        if not self._extend(self.source[self._read_to :]):
            self._body = self._interim()
        if not self._may_write and self.start + len(self.source) - self.settled > MAX_HELD:
            # No text waits for so long: it is shown as if it were complete.
            self._forced = True
            self._body = self._interim()
            self._forced = False
        return self._body

    def _extend(self, more: str) -> bool:
        """Write ``more`` if it goes on with the last line. Returns False if the block must be read anew."""
        line = self._line
        if line is None or self.spans:
            return False
        # The end of a line changes nothing before the next one.
        words = more.rstrip("\n")
        if words and not line.grow(words):
            return False
        self._body, self._open_badges = line.body, line.badges
        self._read_to += len(words)
        self.settled = self.start + self._read_to - line.held
        return True

    def _interim(self) -> str:
        self._line, self._signs = None, 0
        in_heading = self._in_heading and "\n" not in self.source[self._read_to :]
        self._read_to = len(self.source)
        source = self._stub.text + self.source
        text = source if self._forced else decided(source, appends=self._appends)
        # A heading is shown with the end of its line, a block again once more of its last line is decided.
        if (in_heading or text == self._decided) and not (self.spans or self._forced):
            return self._body
        self._decided, self._in_heading = text, False
        tokens, goes_on = self._parse(text)
        self._blanks = text[len(text.rstrip(" \t")) :]
        self.settled = self._origin + len(text) if self._forced else self.start
        self._open_badges = frozenset()
        if not tokens or not (found := self._append_complete(tokens, goes_on, text)):
            return self.written
        opening, stub = found
        _, opened = opening.divide(tokens)
        body = self.written if self._may_write else self._with_open(opened, len(opening.containers), text)
        leaf = self._open_leaf
        if leaf and leaf.source and text == source and text.endswith(leaf.source):
            start = find_start(leaf, self.writer, body)
            self._line = OpenLine(self.reader, self.writer, leaf, start) if start else None
        self._leaf = self._open_leaf = None
        self._leave(tokens[opening.place], text, stub)
        if self._may_write:
            self.settled = self.start
        return body

    @property
    def _origin(self) -> int:
        """The offset in the answer of what is read, which begins with the stub."""
        return self.start - len(self._stub.text)

    def close(self) -> str:
        """The text of the whole answer."""
        text = self._stub.text + self.source
        tokens, goes_on = self._parse(text)
        self.reader.spans = self._own_spans(tokens, text)
        self._open_badges = frozenset()
        self._append(BlockReader(text.split("\n"), self._read_leaf).read(tokens), goes_on)
        self.start += len(self.source)
        self.settled, self.source, self._stub = self.start, "", Stub()
        return self.written

    def _own_spans(self, tokens: Sequence[Leaf], text: str) -> dict[int, list[Span]]:
        """The spans of each leaf of ``text``, which is the beginning of the source, behind the stub."""
        if not self.spans:
            return {}
        self.spans.sort(key=order_of_spans)
        start = self._origin
        moved = (replace(one, start=one.start - start, end=one.end - start) for one in self.spans)
        return spans_of_leaves(leaves(tokens), text, moved)

    def _parse(self, text: str) -> tuple[Sequence[Leaf], int]:
        """The tokens of ``text``, and how many of the first are containers that go on."""
        return self._stub.without(parse_blocks(text, plain=self._plain).tokens)

    def _append_complete(
        self, tokens: Sequence[Leaf], goes_on: int, text: str
    ) -> tuple[Opening, Stub] | None:
        """Write what is complete. Returns what is left, or None if nothing may be written yet."""
        lines = text.split("\n")
        self.reader.spans = found = self._own_spans(tokens, text)
        worded, rows = self._may_write is not None, not self.writer.holds_tables
        large = len(text) > _LONG or len(tokens) > _MANY
        deepest = MAX_DEPTH if worded or goes_on or large else 0
        while True:
            opening = first_open(tokens, goes_on, worded=worded, rows=rows, deepest=deepest)
            complete = [span for leaf in leaves(tokens[: opening.place]) for span in found.get(id(leaf), ())]
            if self._may_write and not (opening.place > goes_on and self._may_write(complete)):
                # A span whose reference has not arrived would have no badge, and none can be added later.
                return None
            if opening.place == goes_on:
                # Nothing is complete, and the same lines open what goes on.
                return opening, self._stub
            stub = self._stub.move(opening, tokens, lines)
            closed, _ = opening.divide(tokens)
            if stub and self._append(BlockReader(lines, self._read_leaf).read(closed), goes_on, opening):
                break
            # No lines can open these containers, or nothing is written in one of them.
            deepest = len(opening.containers) - 1
        del self.spans[: len(complete)]
        return opening, stub

    def _append(self, blocks: Sequence[Block], goes_on: int, opening: Opening | None = None) -> bool:
        """Write complete blocks. Returns False if nothing is written in a container that grows."""
        above = self.writer.above.copy()
        lines = self.writer.blocks(blocks, 0, above, goes_on=goes_on)
        if opening and not opening.is_begun(above):
            return False
        self.writer.above = above
        self.written = self._with(lines)
        self.blocks = join(self.blocks, blocks, goes_on)
        self._written_badges |= positions_in(inlines_of(blocks))
        return True

    def _with(self, lines: Sequence[str]) -> str:
        """What is written, and ``lines`` below it."""
        below = "\n".join(lines)
        return f"{self.written}\n{below}" if self.written and lines else below or self.written

    def _with_open(self, tokens: Sequence[Leaf], goes_on: int, text: str) -> str:
        """The text with as much of the open block as is settled."""
        leaf = last_leaf(tokens, headings=not self._appends)
        if leaf is None or (tokens[0].type == "definition" and not self._forced):
            return self.written
        whole = self._forced or (text.endswith("\n") and not self._is_held(leaf))
        if leaf.type == "inline" and not self._forced:
            self._leaf = leaf
        elif leaf.type not in ("inline", "fence") and not whole:
            self._in_heading = leaf.type == "heading_open"
            return self.written
        self.settled = max(self.settled, self._origin + len(text))
        read = BlockReader(text.split("\n"), self._read_leaf).read(tokens)
        block = without_empty_end(read[0]) if read else None
        if opened_leaf := self._open_leaf:
            self.settled = self._origin + place_in(text, leaf, opened_leaf.start + opened_leaf.settled.end)
            if last_leaf(tokens, headings=False) is not leaf:
                # A heading is no paragraph.
                self._open_leaf = None
        if block is None:
            return self.written
        self._note_open(block)
        lines = self.writer.blocks((block,), 0, self.writer.above.copy(), goes_on=goes_on)
        if self._appends and lines and leaf.type in ("fence", "code_block") and not is_closed(leaf, text):
            lines.pop()
            if lines and not whole:
                lines[-1] = _PART.sub("", lines[-1])
        while lines and not lines[-1].strip():
            lines.pop()
        return self._with(lines).rstrip() if lines else self.written

    def _note_open(self, block: Block) -> None:
        """Note what the open block has: badges, signs, and what stands in front of its open leaf."""
        inlines = list(inlines_of((block,)))
        self._open_badges = positions_in(inlines)
        # The cells of the header of a table that goes on are read with it.
        self._signs = sum(map(len, inlines)) + self._stub.text.count("|")
        if opened_leaf := self._open_leaf:
            self._signs += opened_leaf.settled.signs - len(opened_leaf.nodes)
            others = (inline for inline in inlines if inline is not opened_leaf.nodes)
            self._open_leaf = opened_leaf._replace(above=positions_in(others))

    def _is_held(self, leaf: Leaf) -> bool:
        return self._appends and self.writer.holds_tables and leaf.type in ("th_open", "td_open")

    def _read_leaf(self, leaf: Leaf, start: int) -> Inline:
        if leaf is not self._leaf:
            return self.reader.read_leaf(leaf, start)
        # A blank behind `[1]` says that it is no definition.
        source = leaf.content[start:] + self._blanks
        strong = not self._appends
        found = self.reader.settled(source, strong=strong)
        nodes = self.reader.read_leaf(leaf, start, found)
        self._open_leaf = OpenLeaf(source, found, nodes, start, strong)
        return nodes

    def _leave(self, token: Leaf, text: str, stub: Stub) -> None:
        """Leave the lines in front of ``token`` behind."""
        first = token.map[0] if token.map else 0
        boundary = sum(len(line) + 1 for line in text.split("\n", first)[:first])
        left = boundary - len(self._stub.text)
        self.source, self._decided, self._stub = self.source[left:], stub.text + text[boundary:], stub
        self.start += left
        self.settled = max(self.settled, self.start)
        self._read_to = len(self.source)
