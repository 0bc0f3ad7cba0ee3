r"""Badges and tags inside ``$$…$$``, ``\(…\)`` and ``\[…\]``: mathematics in Web Chat's main build.

The beginning and end of a formula follow its ``mathExtension/tokenizer.ts``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...model.errors import Problem
from ..outcome import label_key, read_markdown
from .live_content import WEB_CHAT_MAIN, more_live
from .message_text import ReadLeaf, ReadText
from .rules import problem

# "Do not convert $$$$ into a formula"; "Ignore inline formulas … if the line ended".
_DOLLARS: Final = r"\$\$(?!\$\$)(?:\\[$\\]|[^$\\]|\$(?!\$)|\\(?![$\\])){1,1000}+\$\$"
_BRACKETS: Final = r"\\\[(?:[^\\]|\\(?![\])])){1,1000}+\\[\])]"
_PARENTHESES: Final = r"\\\((?:[^\\\n]|\\(?![\])\n])){1,1000}+\\[\])]"
_INLINE: Final = re.compile(f"{_DOLLARS}|{_BRACKETS}|{_PARENTHESES}")
# A formula that begins a line is a block, which interrupts a paragraph. It may contain line ends.
_BLOCK: Final = rf"(?:{_DOLLARS}|\\[\[(](?:[^\\]|\\(?![\])])){{1,1000}}+\\[\])](?=\s|\Z))"
# The character behind a block counts as a line end. So behind one block may stand the next.
_BLOCKS: Final = re.compile(
    rf"^(?P<markup>(?:[ \t>]|(?:[-+*]|\d{{1,9}}[.)])[ \t])*){_BLOCK}(?:. {{0,3}}{_BLOCK})*+.?", re.MULTILINE
)
_CLOSED: Final = re.compile("\0+")
_CONTAINER: Final = re.compile(r"\n {0,3}(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])")
_MARKER: Final = re.compile(r"[-+*]|\d{1,9}[.)]")
# `<b = c>` is a comparison and not a tag.
_TAG: Final = re.compile(r"<[a-z][\w-]*\s+[a-z][\w-]*\s*=[^<>]*>", re.IGNORECASE)
_BADGE: Final = re.compile(r"\[([^\[\]]{1,20})\]")


def check_formulas(path: str, read: ReadText) -> Iterator[Problem]:
    """Badges that are mathematics to one client, tags that are HTML to it, and code that isn't code."""
    blocks = list(_find_blocks(read))
    formulas = [formula for leaf in read.leaves for formula in _in_leaf(leaf)]
    formulas += (block[0] for block in blocks)
    numbers = (label_key(number) for formula in formulas for number in _BADGE.findall(formula))
    for number in dict.fromkeys(numbers):
        if number in read.resolved:
            yield problem("badge-in-formula", path, number=number, client=WEB_CHAT_MAIN)
    for tag in dict.fromkeys(tag for formula in formulas for tag in _TAG.findall(formula)):
        yield problem("html-in-formula", path, tag=tag[:60], client=WEB_CHAT_MAIN)
    if blocks:
        for what in more_live(read_markdown(_write_blocks(read.text, blocks)), read.outcome):
            yield problem("code-behind-formula", path, what=what, client=WEB_CHAT_MAIN)


def _in_leaf(leaf: ReadLeaf) -> Iterator[str]:
    shown = leaf.without("code", "autolink", "tag")
    behind = 0
    while match := _INLINE.search(leaf.content, behind):
        closed = _CLOSED.match(shown, match.start())
        behind = closed.end() if closed else match.end()
        if not closed:
            yield match[0]


def _find_blocks(read: ReadText) -> Iterator[re.Match[str]]:
    """The formulas that are blocks, outside other blocks than paragraphs."""
    if not _BLOCKS.search(read.text):
        return
    paragraphs = [block for block in read.outcome.blocks if block.kind in ("text", "heading")]
    firsts = {block.first for block in paragraphs}
    lines = {line for block in paragraphs for line in range(block.first, block.end)}
    number = behind = 0
    while found := _BLOCKS.search(read.text, behind):
        number += read.text.count("\n", behind, found.start())
        # A quote or a list item ends the formula, and the sign of a list inside a paragraph is text.
        is_block = number in lines and not _CONTAINER.search(found[0])
        if is_block and (number in firsts or not _MARKER.search(found["markup"])):
            yield found
            behind = found.end()
        else:
            behind = found.end("markup") + 1
        number += read.text.count("\n", found.start(), behind)


def _write_blocks(text: str, blocks: list[re.Match[str]]) -> str:
    """``text`` with a heading for each block, which every engine reads as one that interrupts a paragraph."""
    parts: list[str] = []
    behind = 0
    for block in blocks:
        markup = block["markup"]
        inside = _MARKER.sub(lambda found: " " * len(found[0]), markup)
        parts += text[behind : block.start()], markup, "#\n", inside
        behind = block.end()
    return "".join((*parts, text[behind:]))
