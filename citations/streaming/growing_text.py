"""The text of an answer that is still being written.

Complete blocks are written once, and so are the complete items of a list that grows. The open block is
written anew each time, as far as it is settled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from ..markdown import MAX_HELD as MAX_INLINE
from ..markdown import (
    Block,
    BlockReader,
    Inline,
    Item,
    Leaf,
    List,
    MarkdownWriter,
    Text,
    inlines_of,
    is_closed,
    leaves,
    parse_blocks,
    place_in,
    positions_in,
)
from ..markdown.writer import Above
from ..markers.marker_reader import DialectReader
from ..markers.span_badges import order_of_spans, spans_of_leaves
from ..model.answer import Span
from .open_block import decided, first_open, last_leaf, without_empty_end
from .open_line import OpenLeaf, OpenLine, find_start

_PART: Final = re.compile(
    r"(?:(?<!`)`+|\{\s*(?:a(?:r(?:i(?:a(?:-(?:l(?:a(?:b(?:el?)?)?)?)?)?)?)?)?)?)\Z", re.IGNORECASE
)
"""The end of a line of code that more text may write otherwise."""
MAX_HELD: Final = 2 * MAX_INLINE
"""The most characters that are held back, besides a sixteenth of a large block, or half of one of signs."""
_MOST_OPEN: Final = 4096
"""Characters of an open block up to which it is written anew for every interim."""
_SIGN: Final = 40
"""Characters of ordinary words that take as long as a marker, an emphasis or the end of a line."""
_STUB: Final = "x"
"""Stands for the words of a leaf."""


@dataclass(slots=True)
class _OpenList:
    """The list that grows: its sign, the number of the next item, and the last item that was written."""

    sign: str
    number: int
    last: Item


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
        """The complete blocks. A list that grew is several of them."""
        self._appends = appends
        self._plain = plain
        self._may_write = may_write
        self._forced = False
        self._between = ""
        """What stands below ``written`` before the next block."""
        self._list: _OpenList | None = None
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
        goes_on = self._in_heading and "\n" not in self.source[self._read_to :]
        self._read_to = len(self.source)
        text = self.source if self._forced else decided(self.source, appends=self._appends)
        # A heading is shown with the end of its line, a block again once more of its last line is decided.
        if (goes_on or text == self._decided) and not (self.spans or self._forced):
            return self._body
        self._decided, self._in_heading = text, False
        tokens = self._parse(text)
        self._blanks = text[len(text.rstrip(" \t")) :]
        self.settled = self.start + (len(text) if self._forced else 0)
        self._open_badges = frozenset()
        if not tokens:
            return self.written
        block, item = first_open(tokens, worded=self._may_write is not None)
        found = self._own_spans(tokens, text)
        complete = [span for leaf in leaves(tokens[:item]) for span in found.get(id(leaf), ())]
        if self._may_write and not (item and self._may_write(complete)):
            # A span whose reference has not arrived would have no badge, and none can be added later.
            return self.written
        del self.spans[: len(complete)]
        self.reader.spans = found
        blocks = BlockReader(text.split("\n"), self._read_leaf)
        self._append(blocks.read(tokens, 0, block))
        opened = tokens[block:]
        if item > block:
            self._append_items(blocks, opened, item - block)
            opened = [opened[0], *tokens[item:]]
        body = self.written if self._may_write else self._with_open(blocks, opened, text)
        leaf = self._open_leaf
        if leaf and leaf.source and text == self.source and text.endswith(leaf.source):
            start = find_start(leaf, self.writer, body, partial(self._before_leaf, text, opened))
            self._line = OpenLine(self.reader, self.writer, leaf, start) if start else None
        self._leaf = self._open_leaf = None
        self._leave(tokens[item], text)
        if self._may_write:
            self.settled = self.start
        return body

    def close(self) -> str:
        """The text of the whole answer."""
        tokens = self._parse(self.source)
        self.reader.spans = self._own_spans(tokens, self.source)
        self._open_badges = frozenset()
        self._append(BlockReader(self.source.split("\n"), self._read_leaf).read(tokens))
        self.start += len(self.source)
        self.settled, self.source = self.start, ""
        return self.written

    def _own_spans(self, tokens: Sequence[Leaf], text: str) -> dict[int, list[Span]]:
        """The spans of each leaf of ``text``, which is the beginning of the source."""
        if not self.spans:
            return {}
        self.spans.sort(key=order_of_spans)
        start = self.start
        moved = (replace(one, start=one.start - start, end=one.end - start) for one in self.spans)
        return spans_of_leaves(leaves(tokens), text, moved)

    def _parse(self, text: str) -> Sequence[Leaf]:
        return parse_blocks(text, plain=self._plain).tokens

    def _append(self, blocks: Sequence[Block]) -> None:
        """Write complete blocks."""
        self._keep(blocks)
        for block in blocks:
            lines = self._lines(block, self.writer.above)
            self._list = None
            if lines:
                self.written += (self._between if self.written else "") + "\n".join(lines)
                self._between = "\n\n"

    def _keep(self, blocks: Sequence[Block]) -> None:
        """Note blocks that are complete."""
        self.blocks += blocks
        self._written_badges |= positions_in(inlines_of(blocks))

    def _lines(self, block: Block, above: Above) -> Sequence[str]:
        """The lines of a block, which may be the rest of the list that grows."""
        if self._list and isinstance(block, List):
            numbered = replace(block, start=None if block.start is None else self._list.number)
            above.block, above.sign = block, self._list.sign
            return self.writer.items(numbered, 0, self._list.sign)
        return self.writer.blocks((block,), 0, above)

    def _append_items(self, blocks: BlockReader, tokens: Sequence[Leaf], last: int) -> None:
        """Write the items of the list in front of ``tokens[last]``."""
        # The last token closes the list, so that these items are a list of their own.
        (block,) = blocks.read([*tokens[:last], tokens[-1]])
        if not isinstance(block, List):
            raise AssertionError("a list was read")
        self._keep((block,))
        above = self.writer.above
        lines = self._lines(block, above)
        self.written += (self._between if self.written else "") + "\n".join(lines)
        # A list that grew is written as several: the next one goes on with this number and this sign.
        number = (self._list.number if self._list else block.start or 0) + len(block.items)
        # Only the item below says whether a blank line stands between the two.
        item = Item((), blocks.is_apart(tokens[last]))
        self._between = "\n\n" if self.writer.is_apart(block.items[-1], item, above.sign) else "\n"
        self._list = _OpenList(above.sign, number, block.items[-1])

    def _with_open(self, blocks: BlockReader, tokens: Sequence[Leaf], text: str) -> str:
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
        self.settled = max(self.settled, self.start + len(text))
        read = blocks.read(tokens)
        block = without_empty_end(read[0]) if read else None
        if opened_leaf := self._open_leaf:
            self.settled = self.start + place_in(text, leaf, opened_leaf.start + opened_leaf.settled.end)
            if last_leaf(tokens, headings=False) is not leaf:
                # A heading is no paragraph.
                self._open_leaf = None
        if block is None:
            return self.written
        inlines = list(inlines_of((block,)))
        self._open_badges = positions_in(inlines)
        self._signs = sum(map(len, inlines))
        if opened_leaf := self._open_leaf:
            others = (inline for inline in inlines if inline is not opened_leaf.nodes)
            self._open_leaf = opened_leaf._replace(above=positions_in(others))
        above = self.writer.above
        lines = list(self._lines(block, Above(above.block, above.sign)))
        if self._appends and lines and leaf.type in ("fence", "code_block") and not is_closed(leaf, text):
            lines.pop()
            if lines and not whole:
                lines[-1] = _PART.sub("", lines[-1])
        opened = "\n".join(lines).rstrip()
        return self.written + (self._between + opened if self.written and opened else opened)

    def _is_held(self, leaf: Leaf) -> bool:
        return self._appends and self.writer.holds_tables and leaf.type in ("th_open", "td_open")

    def _before_leaf(self, text: str, tokens: Sequence[Leaf]) -> str:
        """What stands in front of the words of the open leaf."""

        def read(leaf: Leaf, start: int) -> Inline:
            return (Text(_STUB, 0, 1),) if leaf is self._leaf else self.reader.read_leaf(leaf, start)

        (block,) = BlockReader(text.split("\n"), read).read(tokens)
        lines = self._lines(block, Above(self.writer.above.block, self.writer.above.sign))
        between = self._between if self.written else ""
        return (self.written + between + "\n".join(lines)).removesuffix(_STUB)

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

    def _leave(self, token: Leaf, text: str) -> None:
        """Leave the lines in front of ``token`` behind."""
        first = token.map[0] if token.map else 0
        boundary = sum(len(line) + 1 for line in text.split("\n", first)[:first])
        self.source, self._decided = self.source[boundary:], text[boundary:]
        self.start += boundary
        self.settled = max(self.settled, self.start)
        self._read_to = len(self.source)
