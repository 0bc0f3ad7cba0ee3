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
    """The block above, of which the next one depends."""

    block: Block | None = None
    sign: str = ""
    """The sign of the last list."""


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
        self, blocks: Sequence[Block], depth: int, above: Above, *, in_item: bool = False
    ) -> list[str]:
        """The lines of ``blocks``, with a blank line between two of them where one is needed."""
        written: list[str] = []
        for block in blocks:
            lines = (
                self._list_below(block, above, depth) if isinstance(block, List) else self.block(block, depth)
            )
            if not lines:
                continue
            if written and not (in_item and self.follows(above.block, block)):
                written.append("")
            written += lines
            above.block = block
        return written

    def block(self, block: Block, depth: int) -> Sequence[str]:  # noqa: PLR0911 - one for each kind
        """The lines of a block that is no list."""
        match block:
            case Paragraph(inline, task):
                return self._task(task, inline) if task else self.lines(self.inline(inline))
            case Heading():
                return self.heading(block)
            case CodeBlock():
                return self.code_block(block)
            case Quote(blocks):
                lines = self.blocks(blocks, depth + 1, Above())
                return lines if depth >= MAX_DEPTH else [f"> {line}".rstrip() for line in lines or [""]]
            case Table():
                return self.table(block)
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

    def _list_below(self, block: List, above: Above, depth: int) -> list[str]:
        if block.start not in (None, 1) and not self.keeps_first_number:
            above.sign = _TYPED
            return self.items(block, depth, _TYPED)
        sign = "-" if block.start is None else "."
        # "Changing the bullet or ordered list delimiter starts a new list" (CommonMark § 5.3).
        touches = isinstance(above.block, List) and sign in (above.sign, _OTHER_SIGN.get(above.sign))
        above.sign = _OTHER_SIGN[above.sign] if touches else sign
        return self.items(block, depth, above.sign)

    def items(self, block: List, depth: int, sign: str) -> list[str]:
        """The lines of a list whose bullets, or delimiters behind numbers, are ``sign``."""
        if sign == _TYPED:
            return self._typed_items(block, depth)
        written: list[str] = []
        above: Item | None = None
        for number, item in enumerate(block.items, block.start or 0):
            lines = self.blocks(item.blocks, depth + 1, Above(), in_item=True)
            if depth >= MAX_DEPTH:
                written += ["", *lines] if lines and written else lines
                continue
            mark = f"{sign} " if block.start is None else f"{number}{sign} "
            if above and self.is_apart(above, item, sign):
                written.append("")
            first, *others = lines or [INVISIBLE]
            written.append(mark + first)
            written += (f"{' ' * len(mark)}{line}" if line else "" for line in others)
            above = item
        return written

    def _typed_items(self, block: List, depth: int) -> list[str]:
        """The blocks of the items. The number stands in front of the words of an item, or alone."""
        written: list[str] = []
        for number, item in enumerate(block.items, block.start or 0):
            lines = self.blocks(_numbered(item.blocks, number), depth + 1, Above())
            written += ["", *lines] if written else lines
        return written

    def is_apart(self, above: Item, item: Item, sign: str) -> bool:  # noqa: ARG002
        """Whether a blank line stands between two items of a list with ``sign``."""
        return item.apart or sign == _TYPED

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

    def table(self, table: Table) -> list[str]:
        """A row in each line. "If there are fewer … cells …, empty cells are inserted" (GFM § 4.10)."""
        header, *rows = (
            [self.inline(tuple(map(_in_cell, cell)), line=True) for cell in row]
            for row in (table.header, *map(_without_empty_end, table.rows))
        )
        return [f"| {' | '.join(row)} |" for row in (header, table.alignments, *rows)]


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
