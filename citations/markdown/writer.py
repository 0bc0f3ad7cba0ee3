"""Writes the blocks of a text anew, in a small dialect that all engines read alike.

Headings are ``#``, lists ``-`` and ``1.``, code stands between fences of backticks, and a row of a table
between pipes. Lists that touch have different signs. Quotes and lists are at most eight deep. There is no
HTML and no link definition.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, Final

from ..text.url import live_hosts_only
from .block_reader import read_document
from .clean import clean_text
from .escapes import INVISIBLE, NAME_IN_CODE, guard, in_code
from .inline_writer import InlineWriter
from .tree import (
    Badge,
    Block,
    Code,
    CodeBlock,
    Document,
    Heading,
    Inline,
    Item,
    List,
    Node,
    Paragraph,
    Quote,
    Rule,
    Table,
    Text,
    TypedLines,
)

MAX_DEPTH: Final = 8
"""Quotes and lists in each other. Deeper ones are written without their markup."""
_TICKS: Final = re.compile(r"^[ \t]*(`+)", re.MULTILINE)
_BLANKS: Final = re.compile(r"\n{3,}")
_OTHER_SIGN: Final = {"-": "*", "*": "-", ".": ")", ")": "."}
_TYPED: Final = ". "
"""The sign of a list whose numbers are words of paragraphs."""


@dataclass(slots=True)
class Above:
    """What a container has so far, of which the next block depends; with it, its last block can go on."""

    block: Block | None = None
    """The last block."""
    sign: str = ""
    """The sign of the last list."""
    number: int = 0
    """The number of its last item."""
    item: Item | None = None
    """Its last item, or the part of it that has a badge."""
    room: int = 0
    """The characters that the rows of the last table may still have."""
    inside: Above | None = None
    """The same of the last quote or item."""

    def copy(self) -> Above:
        """A copy, with which other blocks can be written."""
        return replace(self, inside=self.inside and self.inside.copy())


class MarkdownWriter(InlineWriter):
    """Writes for Web Chat. The channels whose forms differ are subclasses."""

    rule: ClassVar[str] = "___"
    """A thematic break. `- ---` would be one, and no list with one."""
    language: ClassVar[re.Pattern[str]] = re.compile(r"[^\s`~|{}<>&\\$⟬⟭]{1,30}(?!\S)")
    """The language of a block of code. One with another sign is left out."""
    holds_tables: ClassVar[bool] = False
    """Whether a badge changes how a table is written, so that what can't be taken back shows it whole."""
    keeps_first_number: ClassVar[bool] = False
    """Whether the client shows a list's first number. Web Chat 4.18.1 counts each list from 1."""

    def __init__(self, live_url: Callable[[str], str | None] = lambda _: None) -> None:
        super().__init__(live_url)
        self.above = Above()
        """The last block that was written outside of containers."""

    def document(self, document: Document) -> str:
        """The text of ``document``."""
        return "\n".join(self.blocks(document.blocks, 0, self.above))

    def blocks(
        self, blocks: Sequence[Block], depth: int, above: Above, *, in_item: bool = False, goes_on: int = 0
    ) -> list[str]:
        """The lines of ``blocks``, with a blank line between two of them where one is needed.

        With ``goes_on``, the first block is the rest of the last one above. Of a quote, a list or an item
        that goes on, so is the first block or item in it: it counts these levels.
        """
        written: list[str] = []
        for block in blocks:
            if isinstance(block, List):
                lines: Sequence[str] = self._list(block, depth, above, goes_on)
            else:
                lines = self.block(block, depth, above, goes_on)
            if goes_on:
                goes_on = 0
            elif lines:
                if above.block and not (in_item and self.follows(above.block, block)):
                    written.append("")
                above.block = block
            written += lines
        return written

    def block(  # noqa: PLR0911 - one for each kind
        self, block: Block, depth: int, above: Above, goes_on: int
    ) -> Sequence[str]:
        """The lines of a block that is no list."""
        match block:
            case Paragraph(inline, task):
                return self._task(task, inline) if task else self.lines(self.inline(inline))
            case Heading():
                return self.heading(block)
            case CodeBlock():
                return self.code_block(block)
            case Quote(blocks):
                if not (goes_on and above.inside):
                    above.inside = Above()
                lines = self.blocks(blocks, depth + 1, above.inside, goes_on=goes_on and goes_on - 1)
                if depth >= MAX_DEPTH:
                    return lines
                return [f"> {line}".rstrip() for line in lines or [""][goes_on:]]
            case Table():
                return self.table(block, above, goes_on=goes_on > 0)
            case TypedLines():
                return self.typed_lines(block)
            case Rule():
                return [self.rule]
            case _:
                raise AssertionError("a list is written by its own method")

    def lines(self, written: str) -> list[str]:
        """The lines of a paragraph, of which none begins a block."""
        return [line for line in map(guard, written.split("\n")) if line.strip()]

    def typed_lines(self, block: TypedLines) -> list[str]:
        """HTML or a definition as plain characters."""
        lines = "\n".join(guard(self.words(line.strip())) for line in block.lines).strip("\n")
        return _BLANKS.sub("\n\n", lines).split("\n") if lines else []

    def _task(self, task: str, inline: Inline) -> list[str]:
        first, *others = self.inline(inline).split("\n")
        return [f"{task}{first}" if first else task + INVISIBLE, *self.lines("\n".join(others))]

    def heading(self, heading: Heading) -> list[str]:
        """A heading on one line."""
        words = self.inline(heading.inline, line=True)
        # "The optional closing sequence of #s" would be left out (CommonMark § 4.2).
        bare = words.rstrip("#")
        words = bare + "&#35;" * (len(words) - len(bare))
        return [f"{'#' * heading.level} {words or INVISIBLE}"]

    def code_block(self, block: CodeBlock) -> list[str]:
        """A fence that is longer than all runs at the beginning of a line in it, and the code."""
        ticks = "`" * self.fence(block)
        found = self.language.match(block.info.strip())
        name = found[0] if found and "aria-label" not in found[0].lower() else ""
        return [ticks + name, *self.code_lines(block), ticks]

    def fence(self, block: CodeBlock) -> int:
        """The length of a block's fence."""
        return max(3, 1 + max((len(run) for run in _TICKS.findall(block.text)), default=0))

    def code_lines(self, block: CodeBlock) -> list[str]:
        """The lines of the code."""
        text = block.text.removesuffix("\n")
        return NAME_IN_CODE.sub(in_code, text).split("\n") if text else []

    def _list(self, block: List, depth: int, above: Above, goes_on: int) -> list[str]:
        """The lines of a list."""
        if not goes_on:
            self._begin_list(block, above)
        written: list[str] = []
        typed = above.sign == _TYPED
        for item in block.items:
            if goes_on > 1 and above.inside:
                lines = self.blocks(
                    item.blocks, depth + 1, above.inside, in_item=not typed, goes_on=goes_on - 2
                )
                mark = "" if typed else " " * len(_mark(block, above))
                written += (f"{mark}{line}" if line else "" for line in lines)
                if has_badge(item.blocks):
                    above.item = item
            else:
                written += self._item(block, item, depth, above)
            goes_on = 0
        return written

    def _begin_list(self, block: List, above: Above) -> None:
        """Find the sign of a list."""
        above.number, above.item = (block.start or 0) - 1, None
        if block.start not in (None, 1) and not self.keeps_first_number:
            above.sign = _TYPED
            return
        sign = "-" if block.start is None else "."
        # "Changing the bullet or ordered list delimiter starts a new list" (CommonMark § 5.3).
        touches = isinstance(above.block, List) and sign in (above.sign, _OTHER_SIGN.get(above.sign))
        above.sign = _OTHER_SIGN[above.sign] if touches else sign

    def _item(self, block: List, item: Item, depth: int, above: Above) -> list[str]:
        """The lines of the next item. Where a number is typed, its words are those of the first paragraph."""
        last, inside = above.item, Above()
        above.inside = inside
        above.number += 1
        typed = above.sign == _TYPED
        blocks = _numbered(item.blocks, above.number) if typed else item.blocks
        lines = self.blocks(blocks, depth + 1, inside, in_item=not typed)
        if typed or depth >= MAX_DEPTH:
            above.item = item if lines else last
            return ["", *lines] if lines and last else lines
        above.item = item
        mark = _mark(block, above)
        first, *others = lines or [INVISIBLE]
        apart = [""] if last and self.is_apart(last, item) else []
        return [*apart, mark + first, *(f"{' ' * len(mark)}{line}" if line else "" for line in others)]

    def is_apart(self, above: Item, item: Item) -> bool:  # noqa: ARG002
        """Whether a blank line stands between two items of a list."""
        return item.apart

    def follows(self, above: Block | None, block: Block) -> bool:
        """Whether ``block`` stood, and may stand, directly below another of its item.

        A blank line would make its list loose.
        """
        if isinstance(above, CodeBlock | Heading) and isinstance(block, Paragraph):
            return not block.apart
        if not isinstance(above, Paragraph):
            return False
        match block:
            case CodeBlock(apart=apart):
                return not apart
            case Quote(blocks, apart):
                return not apart and _begins_with_words(blocks)
            case List(items, start, apart):
                # "In order for a numbered list to interrupt a paragraph, it must start with 1."
                return not apart and start in (None, 1) and _begins_with_words(items[0].blocks)
        return False

    def table(self, table: Table, above: Above, *, goes_on: bool) -> list[str]:  # noqa: ARG002
        """A row in each line. "If there are fewer … cells …, empty cells are inserted" (GFM § 4.10).

        Of a table that goes on, these are more rows, and the header stands ``above``.
        """
        rows = [
            [self.inline(tuple(map(_in_cell, cell)), line=True) for cell in row]
            for row in (table.header, *map(_without_empty_end, table.rows))
        ]
        rows[:1] = [] if goes_on else [rows[0], [*table.alignments]]
        return [f"| {' | '.join(row)} |" for row in rows]


def _mark(block: List, above: Above) -> str:
    """The mark of the last item."""
    return f"{above.sign} " if block.start is None else f"{above.number}{above.sign} "


def _without_empty_end(row: Sequence[Inline]) -> Sequence[Inline]:
    """The cells of a row without the empty ones at its end, of which one stays in an empty row."""
    width = next((number for number in range(len(row), 1, -1) if row[number - 1]), 1)
    return row[:width]


def _in_cell(node: Node) -> Node:
    """``node`` as it is written in a table's cell."""
    if not isinstance(node, Code) or "|" not in node.text:
        return node
    # "It is possible to include a pipe in a cell's content by escaping it" (GFM § 4.10). To micromark,
    # two backslashes escape each other, and not the pipe behind them.
    return Text(*node) if "\\" in node.text else node._replace(text=node.text.replace("|", "\\|"))


def _begins_with_words(blocks: Sequence[Block]) -> bool:
    """Whether the first of ``blocks`` is no container.

    To micromark, a paragraph that a list or a quote interrupts is open for the next container of that line,
    too: `2.` is no list in it.
    """
    return not blocks or isinstance(blocks[0], Paragraph | Heading | CodeBlock)


def _numbered(blocks: Sequence[Block], number: int) -> list[Block]:
    """``blocks`` of which the first is a paragraph that begins with ``number``."""
    typed = Text(f"{number}. ", 0, 0)
    match blocks:
        case [Paragraph(inline, "") as first, *others]:
            return [replace(first, inline=(typed, *inline)), *others]
    return [Paragraph((typed,)), *blocks]


def has_badge(blocks: Iterable[Block]) -> bool:
    """Whether a badge stands in ``blocks``."""
    return any(isinstance(node, Badge) for inline in Document(tuple(blocks)).inlines() for node in inline)


@lru_cache(maxsize=256)  # answers from the same documents cite the same passages
def sanitize(markdown: str, *, live_hosts: frozenset[str] = frozenset()) -> str:
    """``markdown`` without anything that a client would load, follow or take for ours.

    Inline links to ``live_hosts`` (``example.com``, ``localhost:3978``) stay. Images, HTML, other links and
    definitions are shown as they were typed.
    """
    return MarkdownWriter(live_hosts_only(live_hosts)).document(read_document(clean_text(markdown)))
