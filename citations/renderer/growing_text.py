"""The text of an answer that is still being written.

Complete blocks are written once, and so are the complete items of a list that grows. The open block is
written anew each time, as far as it is settled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..markdown import (
    MAX_HELD as MAX_INLINE,
)
from ..markdown import (
    Block,
    BlockReader,
    Inline,
    Item,
    Leaf,
    List,
    MarkdownWriter,
    Paragraph,
    Quote,
    closing,
    leaves,
    parse_blocks,
    settled,
)
from ..markdown.writer import Above
from ..markers.marker_reader import DialectReader
from ..markers.spans import order_of_spans, spans_of_leaves
from ..model.answer import Span
from .decided_text import decided
from .open_line import OpenLeaf, OpenLine

_PART: Final = re.compile(
    r"(?:`+|\{\s*(?:a(?:r(?:i(?:a(?:-(?:l(?:a(?:b(?:el?)?)?)?)?)?)?)?)?)?)\Z", re.IGNORECASE
)
"""The end of a line of code that more text may write otherwise."""
MAX_HELD: Final = 2 * MAX_INLINE
"""The most characters that are held back, besides a sixteenth of a large block."""
_MOST_OPEN: Final = 4096
"""Characters of an open block up to which it is written anew for every interim."""


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
        self._settled_content = ""
        """What the open leaf shows."""
        self._open_leaf: OpenLeaf | None = None
        self._line: OpenLine | None = None
        """The last line of the open leaf, while it grows."""
        self._waits_for_end = False
        """Whether nothing changes before the last line ends."""
        self._blanks = ""
        """The blanks at the end of what is read."""
        self._body = ""
        """What was written last."""
        self._read_to = 0
        """The length of ``source`` when it was last read."""

    def may_have_grown(self) -> bool:
        """Whether enough has arrived to write the open block anew: a large one grows by a sixteenth first."""
        new = len(self.source) - self._read_to
        rewritten = len(self._line.tail if self._line else self.source)
        return new > 0 and new >= (rewritten - _MOST_OPEN) // 16

    def read_anew(self) -> None:
        """Read the open block anew: its markers may have other positions."""
        self._line, self._waits_for_end = None, False

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
        if self._line and not self.spans and not more.strip("\n"):
            return True
        if self.spans or "\n" in more:
            return False
        if self._line:
            body = self._line.grow(more)
            if body is None:
                return False
            self._body = body
            self.settled = self.start + len(self.source) - self._line.held
        elif not self._waits_for_end:
            return False
        self._read_to = len(self.source)
        return True

    def _interim(self) -> str:
        self._line = None
        text, self._waits_for_end = self.source, False
        if not self._forced:
            text, self._waits_for_end = decided(text, appends=self._appends)
        tokens = self._parse(text)
        self._blanks = text[len(text.rstrip(" \t")) :]
        self._read_to = len(self.source)
        self.settled = self.start + (len(text) if self._forced else 0)
        if not tokens:
            return self.written
        block, item = self._first_open(tokens)
        found = self._own_spans(tokens, text)
        complete = [span for leaf in leaves(tokens[:item]) for span in found.get(id(leaf), ())]
        if self._may_write and not (item and self._may_write(complete)):
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
        if self._open_leaf and text == self.source and text.endswith(self._open_leaf.source):
            self._line = OpenLine.begin(
                self.reader, self.writer, self._open_leaf, body, strong=not self._appends
            )
        self._open_leaf = None
        self._leave(tokens[item], text)
        if self._may_write:
            self.settled = self.start
        return body

    def _first_open(self, tokens: Sequence[Leaf]) -> tuple[int, int]:
        """The indices at which the block that may still grow begins, and its last item if it is a list.

        Where spans are waited for, that is the last one with words: those in front of it are complete.
        """
        if self._may_write is None:
            block = _last_block(tokens)
            items = _items(tokens[block:])
        else:
            worded = [place for place in _top_level(tokens) if _has_words(tokens, place)]
            block = worded[-1] if worded else 0
            items = [place for place in _items(tokens[block:]) if _has_words(tokens, block + place)]
        ends = len(items) > 1 and closing(tokens, block) == len(tokens) - 1
        return block, block + items[-1] if ends else block

    def close(self) -> str:
        """The text of the whole answer."""
        tokens = self._parse(self.source)
        self.reader.spans = self._own_spans(tokens, self.source)
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
        self.blocks += blocks
        for block in blocks:
            lines = self._lines(block, self.writer.above)
            self._list = None
            if lines:
                self.written += (self._between if self.written else "") + "\n".join(lines)
                self._between = "\n\n"

    def _lines(self, block: Block, above: Above) -> Sequence[str]:
        """The lines of a block, which may be the rest of the list that grows."""
        if self._list and isinstance(block, List):
            numbered = replace(block, start=None if block.start is None else self._list.number)
            above.block, above.sign = block, self._list.sign
            return self.writer.items(numbered, 0, self._list.sign)
        return self.writer.blocks((block,), 0, above)

    def _append_items(self, blocks: BlockReader, tokens: Sequence[Leaf], last: int) -> None:
        """Write the items of the list in front of ``tokens[last]``."""
        (block,) = blocks.read([*tokens[:last], tokens[-1]])
        if not isinstance(block, List):
            raise AssertionError("a list was read")
        self.blocks.append(block)
        above = self.writer.above
        lines = self._lines(block, above)
        self.written += (self._between if self.written else "") + "\n".join(lines)
        number = (self._list.number if self._list else block.start or 0) + len(block.items)
        item = Item((), blocks.is_apart(tokens[last]))
        self._between = "\n\n" if self.writer.is_apart(block.items[-1], item, above.sign) else "\n"
        self._list = _OpenList(above.sign, number, block.items[-1])

    def _with_open(self, blocks: BlockReader, tokens: Sequence[Leaf], text: str) -> str:
        """The text with as much of the open block as is settled."""
        leaf = _last_leaf(tokens, headings=not self._appends)
        whole = text.endswith("\n") or self._forced
        if leaf is None or (tokens[0].type == "definition" and not self._forced):
            return self.written
        if leaf.type == "inline" and not self._forced:
            self._leaf = leaf
        elif leaf.type not in ("inline", "fence") and not whole:
            self._waits_for_end = leaf.type == "heading_open" and text == self.source
            return self.written
        self.settled = max(self.settled, self.start + len(text))
        read = blocks.read(tokens)
        block = _without_empty_end(read[0]) if read else None
        if self._leaf:
            self.settled = self.start + self._source_end(text)
        self._leaf = None
        if block is None:
            return self.written
        above = self.writer.above
        lines = list(self._lines(block, Above(above.block, above.sign)))
        if self._appends and lines and leaf.type in ("fence", "code_block") and not _is_closed(leaf, text):
            lines.pop()
            if lines and not whole:
                lines[-1] = _PART.sub("", lines[-1])
        opened = "\n".join(lines).rstrip()
        return self.written + (self._between + opened if self.written and opened else opened)

    def _read_leaf(self, leaf: Leaf, start: int) -> Inline:
        if leaf is not self._leaf:
            return self.reader.read_leaf(leaf, start)
        # A blank behind `[1]` says that it is no definition.
        source = leaf.content[start:] + self._blanks
        found = settled(source, strong=not self._appends)
        self._settled_content = leaf.content[:start] + found.shown
        nodes = self.reader.read_leaf(leaf, start, found.shown)
        self._open_leaf = OpenLeaf(source, found, nodes)
        return nodes

    def _source_end(self, text: str) -> int:
        """The offset in ``text`` of the end of what the open leaf shows."""
        if self._leaf is None or not self._leaf.map:
            return len(text)
        above, _, line = self._settled_content.rpartition("\n")
        number = self._leaf.map[0] + above.count("\n") + ("\n" in self._settled_content)
        lines = text.split("\n")
        column = lines[number].rfind(line.rstrip("*_~")) if number < len(lines) else -1
        return sum(len(one) + 1 for one in lines[:number]) + max(column, 0) + len(line.rstrip("*_~"))

    def _leave(self, token: Leaf, text: str) -> None:
        """Leave the lines in front of ``token`` behind."""
        first = token.map[0] if token.map else 0
        boundary = sum(len(line) + 1 for line in text.split("\n", first)[:first])
        self.source = self.source[boundary:]
        self.start += boundary
        self._waits_for_end = self._waits_for_end and not boundary
        self._read_to = len(self.source)


def _top_level(tokens: Sequence[Leaf]) -> list[int]:
    """The indices of the tokens with which the outermost blocks begin."""
    return [place for place, token in enumerate(tokens) if token.level == 0 and token.nesting >= 0]


def _last_block(tokens: Sequence[Leaf]) -> int:
    """The index at which the last of the outermost blocks begins.

    A definition goes on with the lines directly below it, which may become its title.
    """
    *others, last = _top_level(tokens)
    for place in reversed(others):
        above, below = tokens[place].map, tokens[last].map
        if tokens[place].type != "definition" or not above or not below or above[1] < below[0]:
            break
        last = place
    return last


def _has_words(tokens: Sequence[Leaf], first: int) -> bool:
    # What may still become a definition or HTML has no words.
    return any(settled(leaf.content).shown for leaf in leaves(tokens[first : closing(tokens, first) + 1]))


def _items(tokens: Sequence[Leaf]) -> list[int]:
    """The indices at which the items of an outermost list begin."""
    if not tokens[0].type.endswith("list_open"):
        return []
    return [
        place for place, token in enumerate(tokens) if token.type == "list_item_open" and token.level == 1
    ]


def _last_leaf(tokens: Sequence[Leaf], *, headings: bool) -> Leaf | None:
    """The last token with content: an inline text of a paragraph, else the block itself.

    With ``headings``, the text of a heading counts as that of a paragraph.
    """
    for place in range(len(tokens) - 1, -1, -1):
        token = tokens[place]
        if token.type == "inline":
            above = tokens[place - 1]
            grows = above.type == "paragraph_open" or (headings and above.type == "heading_open")
            return token if grows else above
        if token.nesting == 0:
            return token
    return None


def _without_empty_end(block: Block) -> Block | None:
    """``block`` without an item or a quote at its end whose text has not come yet."""
    match block:
        case List(items=(*items, last)):
            blocks = _without_empty_last(last.blocks)
            kept = (*items, replace(last, blocks=blocks)) if blocks else tuple(items)
            return replace(block, items=kept) if kept else None
        case Quote(blocks=inside):
            blocks = _without_empty_last(inside)
            return replace(block, blocks=blocks) if blocks else None
        case Paragraph(inline=()):
            return None
    return block


def _without_empty_last(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    if not blocks:
        return ()
    last = _without_empty_end(blocks[-1])
    return (*blocks[:-1], last) if last else blocks[:-1]


def _is_closed(fence: Leaf, text: str) -> bool:
    """Whether the line that ends a block of code has come."""
    first, end = fence.map or (0, 0)
    lines = text.split("\n")
    return (
        fence.type == "fence"
        and end - first > 1
        and end <= len(lines)
        and lines[end - 1].lstrip(" \t>").startswith(fence.markup)
        and text.count("\n") >= end
    )
