"""Remarks about sentences of a finished answer: below their paragraph, or behind them in a plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from ..markdown import (
    Block,
    Document,
    Heading,
    Inline,
    List,
    Mark,
    MarkKind,
    Node,
    Paragraph,
    Quote,
    Table,
    Text,
    TextPlace,
    inlines_of,
    shown_words,
)

_BEGIN: Final = Mark(MarkKind.EMPHASIS, True, 0, 0)
_END: Final = Mark(MarkKind.EMPHASIS, False, 0, 0)


@dataclass(frozen=True, slots=True)
class Remark:
    """``words``, one plain sentence, about the sentence that ends at ``place``."""

    place: TextPlace
    words: str


def write_below(document: Document, remarks: Sequence[Remark]) -> Document:
    """The document, with a paragraph of the remarks below each block that has sentences with some."""
    blocks: list[Block] = []
    end, waiting = 0, sorted(remarks, key=lambda one: one.place)
    for block in document.blocks:
        blocks.append(block)
        end += sum(1 for _ in inlines_of((block,)))
        own = [one for one in waiting if one.place.inline < end]
        if own:
            blocks.append(in_one_line(own))
            del waiting[: len(own)]
    return replace(document, blocks=tuple(blocks))


def in_one_line(remarks: Sequence[Remark]) -> Paragraph:
    """A paragraph of the remarks, each once, which is set off by emphasis."""
    words = " ".join(dict.fromkeys(one.words for one in remarks))
    return Paragraph((_BEGIN, Text(words, 0, 0), _END))


def write_behind(document: Document, remarks: Sequence[Remark]) -> Document:
    """The document, with each remark in brackets behind its sentence."""
    ordered = sorted(remarks, key=lambda one: one.place)
    by_inline = {number: list(own) for number, own in groupby(ordered, lambda one: one.place.inline)}
    numbers = iter(range(len(by_inline) + sum(1 for _ in document.inlines())))

    def change(inline: Inline) -> Inline:
        for remark in reversed(by_inline.get(next(numbers), ())):
            inline = tuple(_insert(inline, remark))
        return inline

    return replace(document, blocks=_map_blocks(document.blocks, change))


def _insert(inline: Inline, remark: Remark) -> Iterator[Node]:
    """The nodes of ``inline``, with the remark behind the words that end at its place."""
    left, words = remark.place.end, f"({remark.words})"
    total = sum(len(shown_words(node)) for node in inline)
    for node in inline:
        own = len(shown_words(node))
        if isinstance(node, Text) and 0 <= left < own and remark.place.end < total:
            yield node._replace(text=f"{node.text[:left]}{words} {node.text[left:]}")
            left = -1
            continue
        yield node
        left = left - own if left >= 0 else left
    if remark.place.end >= total:
        yield Text(f" {words}", 0, 0)


def _map_blocks(blocks: Sequence[Block], change: Callable[[Inline], Inline]) -> tuple[Block, ...]:
    return tuple(_map_block(block, change) for block in blocks)


def _map_block(block: Block, change: Callable[[Inline], Inline]) -> Block:
    match block:
        case Paragraph(inline) | Heading(_, inline):
            return replace(block, inline=change(inline))
        case Quote(blocks=inside):
            return replace(block, blocks=_map_blocks(inside, change))
        case List(items=items):
            mapped = (replace(item, blocks=_map_blocks(item.blocks, change)) for item in items)
            return replace(block, items=tuple(mapped))
        case Table(header, _, rows):
            cells = tuple(change(cell) for cell in header)
            others = tuple(tuple(change(cell) for cell in row) for row in rows)
            return replace(block, header=cells, rows=others)
    return block
