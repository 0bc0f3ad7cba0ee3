r"""Badges and tags inside ``$$…$$``, ``\(…\)`` and ``\[…\]``: mathematics in Web Chat's main build.

The beginning and end of a formula follow its ``mathExtension/tokenizer.ts``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..markdown import Inline, read_markdown
from ..model.errors import Problem
from .live_content import WEB_CHAT_MAIN, more_live
from .rules import problem
from .text import ReadText, end_around, identifier, lines_of_text, spans_of

# "Do not convert $$$$ into a formula"; "Ignore inline formulas … if the line ended".
_DOLLARS: Final = r"\$\$(?!\$\$)(?:\\[$\\]|[^$\\]|\$(?!\$)|\\(?![$\\])){1,1000}+\$\$"
_BRACKETS: Final = r"\\\[(?:[^\\]|\\(?![\])])){1,1000}+\\[\])]"
_PARENTHESES: Final = r"\\\((?:[^\\\n]|\\(?![\])\n])){1,1000}+\\[\])]"
_INLINE: Final = re.compile(f"{_DOLLARS}|{_BRACKETS}|{_PARENTHESES}")
# A block formula may contain blank lines.
_FLOW: Final = re.compile(rf"^ {{0,3}}(?:{_DOLLARS}|{_BRACKETS})(?=\s|\Z)", re.MULTILINE)
# "$$" at the beginning of a line is a block, and the character behind a block counts as a line end. So behind
# one block stands the next.
_BEFORE_CODE: Final = re.compile(rf"^[ \t>]*{_DOLLARS}(?:.[ \t]*{_DOLLARS})*`(.*)", re.MULTILINE)
# `<b = c>` is a comparison and not a tag.
_TAG: Final = re.compile(r"<[a-z][\w-]*\s+[a-z][\w-]*\s*=[^<>]*>", re.IGNORECASE)
_BADGE: Final = re.compile(r"\[([^\[\]]{1,20})\]")


def check_formulas(path: str, read: ReadText) -> Iterator[Problem]:
    """Badges that are mathematics to one client, and tags that are HTML to it."""
    formulas = [formula for inline in read.layout.inlines for formula in _in_inline(inline)]
    if blocks := list(_FLOW.finditer(read.text)):
        shown = lines_of_text(read)
        formulas += [block[0] for block in blocks if read.text.count("\n", 0, block.start()) in shown]
    numbers = (identifier(number) for formula in formulas for number in _BADGE.findall(formula))
    for number in dict.fromkeys(numbers):
        if number in read.resolved:
            yield problem("badge-in-formula", path, number=number, client=WEB_CHAT_MAIN)
    for tag in dict.fromkeys(tag for formula in formulas for tag in _TAG.findall(formula)):
        yield problem("html-in-formula", path, tag=tag[:60], client=WEB_CHAT_MAIN)
    for found in _BEFORE_CODE.finditer(read.text):
        for what in more_live(read_markdown(found[1], addresses=True), read.outcome):
            yield problem("code-behind-formula", path, what=what, client=WEB_CHAT_MAIN)


def _in_inline(inline: Inline) -> Iterator[str]:
    closed = spans_of(inline, "code", "autolink", "html")
    behind = 0
    while match := _INLINE.search(inline.content, behind):
        behind = end_around(match.start(), closed)
        if not behind:
            behind = match.end()
            yield match[0]
