"""The words of a text for a reader without Markdown, without its syntax.

markdown-it-py reads it. HTML and definitions count as text, because readers of Markdown see them as they
were typed, too. An image becomes its description.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

MAX_NESTING: Final = 40
"""Levels of tokens that are read. markdown-it-py counts a list and its items separately."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs that stand for the structure of a text.

    ``bullet`` begins an item of a list, ``quote`` each line of a quotation. ``cell`` separates the cells
    of a table, ``line`` is a line end inside a paragraph. ``code`` says whether blocks of code are kept.
    ``address`` returns the URL to show behind a link, if any.
    """

    bullet: str = "- "
    quote: str = "> "
    cell: str = " | "
    line: str = "\n"
    code: bool = True
    address: Callable[[str], str | None] | None = None


def read_words(text: str, signs: Signs) -> str | None:
    """The words of ``text`` in order, with a blank line between blocks; None if it is nested too deep.

    A row of a table is a block, because many clients show a line end as a space.
    """
    tokens = _PARSER.parse(text)
    if any(token.level > MAX_NESTING - 4 for token in tokens):
        return None
    return _blocks(SyntaxTreeNode(tokens), signs)


def _blocks(parent: SyntaxTreeNode, signs: Signs, between: str = "\n\n") -> str:
    return between.join(block for node in parent.children if (block := _block(node, signs)))


def _block(node: SyntaxTreeNode, signs: Signs) -> str:
    match node.type:
        case "fence" | "code_block":
            return node.content.strip("\n") if signs.code else ""
        case "blockquote":
            return _prefix(_blocks(node, signs), signs.quote, signs.quote)
        case "bullet_list" | "ordered_list":
            return _list(node, signs)
        case "tr":
            return signs.cell.join(_blocks(cell, signs) for cell in node.children)
        case "inline":
            return _inline(node.children, signs).strip()
        case _:
            return _blocks(node, signs)


def _list(node: SyntaxTreeNode, signs: Signs) -> str:
    # "A list is loose if any of its constituent list items are separated by blank lines."
    tight = all(
        child.hidden for item in node.children for child in item.children if child.type == "paragraph"
    )
    between = "\n" if tight else "\n\n"
    number = int(node.attrs.get("start", 1))
    items: list[str] = []
    for place, item in enumerate(node.children, number):
        sign = signs.bullet if node.type == "bullet_list" else f"{place}{item.markup} "
        items.append(_prefix(_blocks(item, signs, between), sign, " " * len(sign)))
    return between.join(items)


def _prefix(text: str, first: str, others: str) -> str:
    """``text`` with one prefix for its first line and another for the others, except for empty lines."""
    lines = text.split("\n")
    behind = (f"{others}{line}" if line else line for line in lines[1:])
    return "\n".join((f"{first}{lines[0]}".rstrip(), *behind))


def _inline(nodes: list[SyntaxTreeNode], signs: Signs) -> str:
    return "".join(_show(node, signs) for node in nodes)


def _show(node: SyntaxTreeNode, signs: Signs) -> str:
    match node.type:
        case "softbreak" | "hardbreak":
            return signs.line
        case "link":
            text = _inline(node.children, signs)
            address = signs.address(str(node.attrs.get("href", ""))) if signs.address else None
            return f"{text} ({address})".lstrip() if address and address != text else text
        case "text" | "code_inline":
            return node.content
        case _:
            return _inline(node.children, signs)


def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING, "html": False}).enable("table")
    md.disable(["reference", "html_block", "html_inline"])
    md.validateLink = lambda url: True  # type: ignore[method-assign] # noqa: ARG005
    md.normalizeLink = lambda url: url  # type: ignore[method-assign]
    return md


_PARSER: Final = _parser()
