"""A text for a reader without Markdown: its words in order, without syntax.

HTML and definitions are shown as they were typed, because readers of Markdown see them so, too. An image
becomes its description.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ..markdown import (
    Badge,
    Block,
    Break,
    Code,
    CodeBlock,
    Document,
    Formula,
    Heading,
    Inline,
    Item,
    List,
    Mark,
    MarkKind,
    Paragraph,
    Quote,
    Table,
    Text,
    Typed,
    TypedLines,
)

_EATEN: Final = re.compile(
    # A tag or an autolink; the target of a link; a definition. In Markdown their words disappear.
    r"(<)(?=[A-Za-z/!?])|(\])(?=\()|(^[ >-]*(?:[0-9]{1,9}[.)] +)?\[[^\]\n]*\])(?=:)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """The signs that stand for the structure of a text.

    ``bullet`` begins an item of a list, ``quote`` each line of a quotation. ``cell`` separates the cells
    of a table, ``line`` is a line end inside a paragraph. ``code`` says whether blocks of code are kept.
    ``address`` returns the URL to show behind a link, if any. ``badge`` writes a badge behind a character,
    which is empty at the beginning of a block.
    """

    badge: Callable[[Badge, str], str]
    bullet: str = "- "
    quote: str = "> "
    cell: str = " | "
    line: str = "\n"
    code: bool = True
    address: Callable[[str], str | None] = lambda _: None


def write_words(document: Document, signs: Signs) -> str:
    """The words of ``document`` in order, with a blank line between blocks.

    A row of a table is a block, because many clients show a line end as a space.
    """
    return _blocks(document.blocks, signs)


def keep_words(text: str) -> str:
    """``text`` with a space where a Markdown reading would drop words."""
    return _EATEN.sub(r"\g<0> ", text)


def _blocks(blocks: Iterable[Block], signs: Signs, between: str = "\n\n") -> str:
    return between.join(words for block in blocks if (words := _block(block, signs)))


def _block(block: Block, signs: Signs) -> str:  # noqa: PLR0911 - one for each kind
    match block:
        case Paragraph(inline, task):
            return task + _inline(inline, signs)
        case Heading(_, inline):
            return _inline(inline, signs)
        case CodeBlock(text):
            return text.strip("\n") if signs.code else ""
        case Quote(blocks):
            return _prefix(_blocks(blocks, signs), signs.quote, signs.quote)
        case List():
            return _list(block, signs)
        case Table(header, _, rows):
            return "\n\n".join(filter(None, (_row(row, signs) for row in (header, *rows))))
        case TypedLines(lines):
            return "\n".join(lines).strip()
    return ""


def _row(row: Sequence[Inline], signs: Signs) -> str:
    cells = [_inline(cell, signs) for cell in row]
    while cells and not cells[-1]:
        cells.pop()
    return signs.cell.join(cells)


def _list(block: List, signs: Signs) -> str:
    between = "\n" if is_tight(block) else "\n\n"
    items: list[str] = []
    for number, item in enumerate(block.items, block.start or 0):
        sign = signs.bullet if block.start is None else f"{number}. "
        items.append(_prefix(_blocks(item.blocks, signs, between), sign, " " * len(sign)))
    return between.join(items)


def is_tight(block: List) -> bool:
    """Whether no blank line stands between the items of a list, or in one (CommonMark § 5.3)."""
    return not any(item.apart for item in block.items[1:]) and not any(map(_is_loose, block.items))


def _is_loose(item: Item) -> bool:
    return any(
        block.apart if isinstance(block, CodeBlock | Quote | List) else isinstance(block, Paragraph)
        for block in item.blocks[1:]
    )


def _prefix(text: str, first: str, others: str) -> str:
    """``text`` with one prefix for its first line and another for the others, except for empty lines."""
    lines = text.split("\n")
    behind = (f"{others}{line}" if line else line for line in lines[1:])
    return "\n".join((f"{first}{lines[0]}".rstrip(), *behind))


def _inline(inline: Inline, signs: Signs) -> str:
    parts: list[str] = []
    opened: list[int] = []
    behind_badge = False
    for node in inline:
        match node:
            case Text(text) | Code(text) | Typed(words=text):
                parts.append(text)
            case Formula(closing, text):
                ends = {"$$": ("$$", "$$"), "\\)": ("(", ")"), "\\]": ("[", "]")}[closing]
                parts.append(text.join(ends))
            case Break():
                parts.append(signs.line)
            case Badge():
                parts.append(signs.badge(node, "" if behind_badge else _last(parts)))
            case Mark(MarkKind.STRUCK):
                parts.append("~~")
            case Mark(MarkKind.LINK, opens, target=target):
                if opens:
                    opened.append(len(parts))
                elif opened:
                    shown = "".join(parts[opened.pop() :])
                    address = signs.address(target)
                    parts.append(f" ({address})" if address and address != shown else "")
        behind_badge = isinstance(node, Badge)
    return "".join(parts).strip()


def _last(parts: list[str]) -> str:
    """The last character so far."""
    return next((part[-1] for part in reversed(parts) if part), "")
