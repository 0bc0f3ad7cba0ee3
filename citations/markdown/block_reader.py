"""Reads the blocks of a text. markdown-it-py finds them; :mod:`.inline_reader` reads their inline texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common.utils import unescapeAll
from markdown_it.rules_block import StateBlock, html_block, lheading
from markdown_it.token import Token

from ..text.controls import without_turns
from .block_rules import RulesBySign
from .inline_reader import read_inline
from .inline_signs import LINE_BREAK
from .table_rows import find_table, keep_excess
from .tree import (
    Block,
    Break,
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

MAX_NESTING: Final = 60
"""Levels of tokens that markdown-it-py reads. It counts a list and its items separately."""
_DEEP: Final = MAX_NESTING - 8
_CONTAINERS: Final = frozenset(("blockquote_open", "bullet_list_open", "ordered_list_open"))
_WIDE: Final = 2
"""The level from which on a block's markup is measured."""
_LEVEL: Final = attrgetter("level")
_MOST: Final = 8
"""Characters that may be written for one that was typed: an entity has as many."""
_TASK: Final = re.compile(r"\[[ xX]\] +(?=\S)")
_MARKUP: Final = re.compile(r"(?:[ \t>]|(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t]))*")
"""The markup of the containers in front of a line."""
_PIPED: Final = re.compile(rf"{_MARKUP.pattern}\|")
"""The first line of a table that begins with a pipe."""
_UNDERLINE: Final = re.compile(r"(?m)^[ \t>]*+(?:=++|-++)[ \t]*+$")
_LINE_BREAKS: Final = re.compile(rf"(?:{LINE_BREAK}[ \t]*)+", re.IGNORECASE)
_IN_CELL: Final = " · "
"""Stands for a line end in a table's cell, which Markdown can't have."""
_ALIGNMENTS: Final = {"left": ":--", "right": "--:", "center": ":-:"}

Leaf = Token
"""A token of markdown-it-py that has an inline text, ``content``, and its lines, ``map``."""
ReadLeaf = Callable[[Leaf, int], Inline]
"""Reads the inline text of a leaf from an offset on."""


def _read_words(leaf: Leaf, start: int) -> Inline:
    return tuple(read_inline(leaf.content[start:]))


class ParsedBlocks(NamedTuple):
    """markdown-it-py's tokens of the blocks of a text, whose inline texts are not read.

    ``complete`` is False where a block is nested too deeply, or would be written with too much markup. A
    paragraph for each of its lines stands for it.
    """

    tokens: list[Token]
    complete: bool = True


def parse_blocks(text: str, *, plain: bool = False) -> ParsedBlocks:
    """Find the blocks of ``text``; with ``plain``, each line is a paragraph."""
    if plain:
        lines = text.split("\n")
        return ParsedBlocks(list(_paragraphs(lines, 0, len(lines))))
    tokens = _PARSER.parse(text, {"underlined": _UNDERLINE.search(text)})
    if max(map(_LEVEL, tokens), default=0) <= _WIDE:
        return ParsedBlocks(tokens)
    lines = text.split("\n")
    flat: list[Token] = []
    complete = True
    first = 0
    while first < len(tokens):
        end = closing(tokens, first) + 1
        block = tokens[first:end]
        if any(token.level > _DEEP for token in block) or _is_blown_up(block, lines):
            complete = False
            flat += _paragraphs(lines, *(block[0].map or (0, 0)))
        else:
            flat += block
        first = end
    return ParsedBlocks(flat, complete)


def _is_blown_up(block: Sequence[Token], lines: Sequence[str]) -> bool:
    """Whether the markup in front of its lines could make a block more than eight times as long.

    A "lazy continuation line" (CommonMark § 5.1) and one behind ``<br>`` were typed without any.
    """
    if block[0].type not in _CONTAINERS:
        return False
    first, end = block[0].map or (0, 0)
    room = _MOST * sum(len(line) + 1 for line in lines[first:end])
    widths: list[int] = []
    for token in block:
        if token.type in _CONTAINERS:
            widths.append(len(str(token.attrs["start"])) + 3 if "start" in token.attrs else 3)
        elif token.type in ("blockquote_close", "bullet_list_close", "ordered_list_close"):
            widths.pop()
        elif token.map and token.type in ("inline", "definition"):
            breaks = token.content.lower().count("<br")
            behind = token.map[1] - token.map[0] - 1
            room -= _MOST * (len(token.content) - behind - len("<br>") * breaks)
            room -= (sum(widths) + len("  \n")) * (behind + breaks)
    return room < 0


def _paragraphs(lines: Sequence[str], first: int, end: int) -> Iterator[Token]:
    """The tokens of a paragraph for each line."""
    for number in range(first, end):
        if content := lines[number].strip():
            yield Token("paragraph_open", "p", 1, map=[number, number + 1])
            yield Leaf("inline", "", 0, map=[number, number + 1], content=content, level=1)
            yield Token("paragraph_close", "p", -1)


def read_document(
    text: str, read_leaf: ReadLeaf = _read_words, prepare: Callable[[Iterable[Leaf]], None] | None = None
) -> Document:
    """The tree of ``text``, which :func:`~citations.markdown.clean_text` returned.

    ``prepare`` is told all leaves before any is read.
    """
    tokens, complete = parse_blocks(text)
    if prepare:
        prepare(leaves(tokens))
    return Document(BlockReader(text.split("\n"), read_leaf).read(tokens), complete)


class BlockReader:
    """Makes blocks of tokens. ``lines`` are those of the text, from the one that the tokens count as 0."""

    def __init__(self, lines: Sequence[str], read_leaf: ReadLeaf) -> None:
        self._lines = lines
        self._read_leaf = read_leaf

    def read(self, tokens: Sequence[Token], first: int = 0, end: int | None = None) -> tuple[Block, ...]:
        """The blocks of ``tokens[first:end]``."""
        blocks: list[Block] = []
        end = len(tokens) if end is None else end
        while first < end:
            behind = closing(tokens, first) + 1
            if block := self._block(tokens, first, behind):
                blocks.append(block)
            first = behind
        return tuple(blocks)

    def is_apart(self, token: Token) -> bool:
        """Whether a blank line stands above the block."""
        line = token.map[0] if token.map else 0
        return line == 0 or not self._lines[line - 1].strip(" \t>")

    def _block(self, tokens: Sequence[Token], first: int, end: int) -> Block | None:  # noqa: C901, PLR0911
        token = tokens[first]
        match token.type:
            case "paragraph_open":
                apart = not token.level or self.is_apart(token)
                return Paragraph(self._read_leaf(tokens[first + 1], 0), apart=apart)
            case "heading_open":
                underlined = token.markup in ("=", "-")
                return Heading(int(token.tag[1]), self._read_leaf(tokens[first + 1], 0), underlined)
            case "fence":
                info = without_turns(unescapeAll(token.info))
                return CodeBlock(token.content, info, len(token.markup), self.is_apart(token))
            case "code_block":
                return CodeBlock(token.content)
            case "blockquote_open":
                return Quote(self.read(tokens, first + 1, end - 1), self.is_apart(token))
            case "bullet_list_open" | "ordered_list_open":
                return self._list(tokens, first, end)
            case "table_open":
                return self._table(tokens[first:end])
            case "hr":
                return Rule()
            case "html_block":
                return TypedLines(tuple(token.content.split("\n")))
            case "definition":
                source = self._lines[slice(*(token.map or (0, 0)))]
                lines = tuple(_MARKUP.sub("", line, count=1) for line in source)
                return TypedLines(lines, definition=True)
        return None

    def _list(self, tokens: Sequence[Token], first: int, end: int) -> List:
        items: list[Item] = []
        place = first + 1
        while place < end - 1:
            behind = closing(tokens, place) + 1
            items.append(self._item(tokens, place, behind))
            place = behind
        opening = tokens[first]
        start = int(opening.attrs.get("start", 1)) if opening.type[0] == "o" else None
        return List(tuple(items), start, self.is_apart(opening))

    def _item(self, tokens: Sequence[Token], first: int, end: int) -> Item:
        apart = self.is_apart(tokens[first])
        task = None
        if tokens[first + 1].type == "paragraph_open":
            task = _TASK.match(tokens[first + 2].content)
        if task is None:
            return Item(self.read(tokens, first + 1, end - 1), apart)
        leaf = tokens[first + 2]
        named = Paragraph(self._read_leaf(leaf, task.end()), task[0])
        return Item((named, *self.read(tokens, first + 4, end - 1)), apart)

    def _table(self, tokens: Sequence[Token]) -> Table:
        rows: list[list[Inline]] = []
        alignments: list[str] = []
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "th_open":
                style = str(token.attrs.get("style", ""))
                alignments.append(_ALIGNMENTS.get(style.rpartition(":")[2], "---"))
            elif token.type == "inline":
                rows[-1].append(tuple(map(_in_cell, self._read_leaf(token, 0))))
        bare = _PIPED.match(self._lines[(tokens[0].map or (0,))[0]]) is None
        # A table that goes on has no header.
        header = tuple(rows.pop(0)) if alignments else ()
        return Table(header, tuple(alignments), tuple(map(tuple, rows)), bare)


def _in_cell(node: Node) -> Node:
    """``node`` on the one line of a cell."""
    return Text(_IN_CELL, node.start, node.end) if isinstance(node, Break) else node


def closing(tokens: Sequence[Token], first: int) -> int:
    """The index of the token that closes the block of ``tokens[first]``, which may be itself."""
    if tokens[first].nesting == 0:
        return first
    level = tokens[first].level
    place = first + 1
    while tokens[place].level != level:
        place += 1
    return place


def open_fence(text: str) -> str:
    """The line that closes the block of code in which ``text`` ends, or nothing.

    Text behind a quote or a list ends the code in it, too.
    """
    if "```" not in text and "~~~" not in text:
        return ""
    ends = "" if text.endswith("\n") else "\n"
    tokens = parse_blocks(text + ends).tokens
    if not tokens or tokens[-1].type != "fence" or tokens[-1].level or is_closed(tokens[-1], text + ends):
        return ""
    return ends + tokens[-1].markup


def is_closed(fence: Leaf, text: str) -> bool:
    """Whether a complete line of ``text`` closes the fence: it is neither its first line nor one of code."""
    first, end = fence.map or (0, 0)
    return fence.type == "fence" and text.count("\n") >= end > first + 1 + fence.content.count("\n")


def leaves(tokens: Iterable[Token]) -> Iterator[Leaf]:
    """The tokens that have an inline text, in order."""
    return (token for token in tokens if token.type == "inline")


def place_in(text: str, leaf: Leaf, offset: int) -> int:
    """The offset in ``text`` of an offset in the content of ``leaf``, which is the last in its lines."""
    above = leaf.content.count("\n", 0, offset)
    first = leaf.content.rfind("\n", 0, offset) + 1
    line = leaf.content[first:].partition("\n")[0]
    before = text.split("\n")[: (leaf.map[0] if leaf.map else 0) + above + 1]
    # Blanks of the content may stand for a part of a tab.
    words = line.lstrip(" \t")
    column = before[-1].rfind(words) - len(line) + len(words)
    return len("\n".join(before)) - len(before[-1]) + column + offset - first


def _find_html(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """Find a block of HTML. A line of ``<br>`` alone begins a paragraph, so that the lines below are read."""
    start = state.bMarks[line] + state.tShift[line]
    if _LINE_BREAKS.fullmatch(state.src, start, state.eMarks[line]):
        return False
    return html_block(state, line, end, silent)


def _find_underlined(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """Find a heading that is underlined. In a text without such a line, each paragraph is read once."""
    if state.env["underlined"]:
        return lheading(state, line, end, silent)
    state.parentType = "paragraph"  # as markdown-it-py leaves it, for its rule of lists
    return False


def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING, "inline_definitions": True}).enable("table")
    md.block.ruler.at("table", partial(find_table, fit=keep_excess), {"alt": ["paragraph", "reference"]})
    md.block.ruler.at("html_block", _find_html, {"alt": ["paragraph", "reference", "blockquote"]})
    md.block.ruler.at("lheading", _find_underlined)
    md.block.ruler = RulesBySign(md.block.ruler)
    md.core.ruler.enableOnly(["block"])
    # A definition may have any scheme: it is shown as it was typed.
    md.validateLink = lambda url: True  # type: ignore[method-assign] # noqa: ARG005
    md.normalizeLink = lambda url: url  # type: ignore[method-assign]
    return md


_PARSER: Final = _parser()
