"""Splits text into units: sentences, list items, table rows and pieces of code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from citations.text.languages import either

from ...languages import LANGUAGES
from .lines import BULLET, INDENT, Block, count_indent, mark_code

LONGEST: Final = 600
"""A unit has at most this many characters; a longer sentence is cut at the best mark before."""

_TERMINATOR: Final = re.compile(
    # A Latin full stop needs a space behind it, after quotes and citations; other scripts' do not.
    r"""(?<![.!?…])[.!?…]++["'”’»)\]*_]*+(?=\s)|[。！？｡]+[」』”’）]*|[।॥؟۔]+"""
)
_LETTER: Final = r"""(?:^|[\s(\[“"'])[^\W\d_]\."""
"""A single letter, as in ``z. B.``"""
_ABBREVIATION: Final = re.compile(
    rf"""{_LETTER}(?:\s?[^\W\d_]\.)+$
    |(?:^|[\s(\[“"'])(?:[A-ZÀ-Þ]|{either(LANGUAGES.words_of("text", "abbreviations"))})\.$""",
    re.VERBOSE,
)
_BEFORE_NUMBER: Final = re.compile(
    rf"""(?:^|[\s(\[“"'])(?:{either(LANGUAGES.words_of("text", "before_numbers"))})\.$"""
)
_FIRST_LETTER: Final = re.compile(rf"{_LETTER}\s[^\W\d_]\.$")
_ORDINAL: Final = re.compile(r"(?:^|\s)\d{1,2}\.$")
_CLAUSE: Final = re.compile(r"\s*\d{1,3}(?:\.\d{1,3})+\.\s*")
"""The number of a clause, as in ``2.16. Every person``."""
_ROW: Final = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_RULE: Final = re.compile(
    r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+$"
    r"|[ \t]*+([-*_=])(?:[ \t]*+\1){2,}+[ \t]*+$"
    # Breaks alone, which are an empty line.
    r"|[ \t]*+(?:<br ?/?>[ \t]*+)+$"
    # The fence of a container, tags of a template, and attributes, of which readers of a site see nothing.
    r"|[ \t]*+:{3,}.*$|[ \t]*+(?:\{%.*%\}|\{\{[<%].*[>%]\}\})[ \t]*+$|[ \t]*+\{:[^{}]*\}[ \t]*+$"
)
_SILENT: Final = re.compile(
    r"(?:<[/!?A-Za-z][^<>]*>|!\[[^\[\]\n]{0,60}\]\([^()\n]*\)|\]\([^()\s]*\)|&#?\w{1,8};|[^\w{}]|_)*+"
)
"""Signs, tags, blanks to be filled in, links without words, and pictures with few, such as their topic."""
_BLANK_LINE: Final = re.compile(r"\n[ \t]*(?=\n)")
_BREAK: Final = re.compile(r"(?:\\| {2}|<br ?/?>)$")
"""A break of lines that Markdown shows."""
_BEGINS: Final = re.compile(r"[ \t]*<br ?/?>")
"""A break before a line."""
_WORD_CUTS: Final = (re.compile(r"[;:,，、；](?=\s|[^\x00-\x7f])"), re.compile(r"\s"))
_LINE_CUTS: Final = (_BLANK_LINE, re.compile(r"\n"))
"""Where a text, and where code, is cut that is too long: the best places first."""
_ENDED: Final = re.compile(r"""[.!?…:;,。！？、，؟।][")\]”’»*_]*$""")
_SHORT_LINE: Final = 60
"""A shorter line without a full stop, before a capital letter, is an entry and not a wrapped line."""

_TAIL: Final = 1000
"""The characters before or behind a place that decide what stands there."""
_NARROW: Final = 70
"""The least width to which texts are wrapped."""


@dataclass(frozen=True, slots=True)
class Unit:
    """``text[start:end]``, the smallest part that an answer quotes.

    ``kind`` is ``sentence``, ``item`` (of a list), ``row`` (of a table) or ``code``. ``opens`` says
    whether the unit begins a paragraph, an item, a row or a block of code. ``indent`` is the number of
    columns by which that is indented. A unit of code has whole lines.
    """

    start: int
    end: int
    kind: str = "sentence"
    opens: bool = True
    indent: int = 0


def split_code(text: str, start: int, end: int) -> list[Unit]:
    """Split ``text[start:end]``, which is code as a whole, into units of whole lines."""
    return list(_split_block(text, Block(start, end, "code")))


def split_units(text: str, start: int = 0, end: int | None = None, *, may_indent: bool = False) -> list[Unit]:
    """Split ``text[start:end]`` into units; only white space, fences and what says nothing lie between them.

    ``may_indent`` says that indented lines are code as a rule, as in Markdown.
    """
    blocks = _split_blocks(text, start, len(text) if end is None else end, may_indent=may_indent)
    return [unit for block in blocks if not _is_silent(text, block) for unit in _split_block(text, block)]


def _is_silent(text: str, block: Block) -> bool:
    return block.kind in ("sentence", "item") and bool(_SILENT.fullmatch(text, block.start, block.end))


def _split_block(text: str, block: Block) -> Iterator[Unit]:
    cut = _cut_code(text, block) if block.kind == "code" else _cut_block(text, block)
    for number, (start, end) in enumerate(cut):
        yield Unit(start, end, block.kind, number == 0, block.indent)


def group_units(text: str, units: Sequence[Unit]) -> list[list[Unit]]:
    """Group units, in their order, into paragraphs, whole lists, whole tables and blocks of code."""
    groups: list[list[Unit]] = []
    for unit in units:
        if groups and _belongs_to_group(text, groups[-1], unit):
            groups[-1].append(unit)
        else:
            groups.append([unit])
    return groups


def split_items(units: Sequence[Unit]) -> list[list[Unit]]:
    """Divide the units of a list into items, and those of a table into rows."""
    items: list[list[Unit]] = []
    for unit in units:
        if unit.opens or not items:
            items.append([])
        items[-1].append(unit)
    return items


def _belongs_to_group(text: str, group: list[Unit], unit: Unit) -> bool:
    """Whether a unit stands in the same paragraph, list, table or code as the units before it."""
    before = group[-1]
    if unit.kind != before.kind:
        return False
    if unit.kind == "row":  # a blank line ends a table (GFM § 4.10)
        return not _BLANK_LINE.search(text[before.end : unit.start])
    if unit.kind == "item" and group[0].opens:  # a line without a bullet may introduce a list
        return not unit.opens or has_bullet(text, unit) == has_bullet(text, group[0])
    return unit.kind == "item" or not unit.opens


def has_bullet(text: str, unit: Unit) -> bool:
    """Whether an item begins with a bullet or a number."""
    return bool(BULLET.match(text, unit.start, unit.end))


def _split_blocks(text: str, start: int, end: int, *, may_indent: bool) -> Iterator[Block]:
    """Yield paragraphs, list items, rows and blocks of code."""
    block: Block | None = None
    for one in mark_code(text, start, end, may_indent=may_indent):
        line = text[one.start : one.end]
        if block and not one.kind and block.kind != "row" and _continues(text, block, line):
            block = block._replace(end=one.end)
            continue
        if block:
            yield _mark_entry(text, block)
        block = None
        if one.kind:
            yield one
        elif line.strip() and not _RULE.match(line):
            block = one._replace(kind=_find_kind(line), indent=count_indent(line))
    if block:
        yield _mark_entry(text, block)


def _mark_entry(text: str, block: Block) -> Block:
    """Make a short line without a full stop an item, as in lists without bullets."""
    line = text[block.start : block.end].strip()
    is_entry = block.kind == "sentence" and len(line) < _SHORT_LINE and not _ENDED.search(line)
    return block._replace(kind="item") if is_entry else block


def _find_kind(line: str) -> str:
    if _ROW.match(line):
        return "row"
    return "item" if BULLET.match(line) else "sentence"


def _continues(text: str, block: Block, line: str) -> bool:
    """Whether a line continues the ``block`` before it rather than starts a new one."""
    if not line.strip() or _RULE.match(line) or _BEGINS.match(line) or _find_kind(line) != "sentence":
        return False
    before = text[max(block.start, block.end - _TAIL) : block.end]
    bullet = BULLET.match(text, block.start, block.end)
    is_below = bullet and count_indent(line) >= len(bullet[0].expandtabs(INDENT))
    if is_below and not _BREAK.search(before):
        return True  # A line below the text of an item is a part of it (CommonMark § 5.2).
    lines = [one.rstrip() for one in before.split("\n")]
    word = line.split(maxsplit=1)[0]
    # A wrapped line ends where the next word would have made it longer than the others.
    width = max(_NARROW, len(line.rstrip()), *map(len, lines))
    is_wrapped = len(lines[-1]) >= _SHORT_LINE or len(lines[-1]) + 1 + len(word) > width
    return is_wrapped or bool(_ENDED.search(lines[-1])) or not (word[0].isupper() or word[0].isdigit())


def _cut_block(text: str, block: Block) -> Iterator[tuple[int, int]]:
    begin = block.start
    ends = () if block.kind == "row" else _find_ends(text, block.start, block.end)
    for stop in (*ends, block.end):
        yield from _trim_and_split(text, begin, stop)
        begin = stop


def _cut_code(text: str, block: Block) -> Iterator[tuple[int, int]]:
    """Yield pieces of whole lines, without empty lines around them."""
    start, end = block.start, block.end
    while start < end:
        stop = end if end - start <= LONGEST else _find_cut(text, start, _LINE_CUTS)
        while start < stop and not text[start : _find_line_end(text, start, stop)].strip():
            start = _find_line_end(text, start, stop) + 1
        if start < stop:
            yield start, start + len(text[start:stop].rstrip())
        start = stop


def _find_line_end(text: str, start: int, end: int) -> int:
    found = text.find("\n", start, end)
    return end if found < 0 else found


def _find_ends(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the offsets at which the sentences of a block end."""
    begin = start
    if bullet := BULLET.match(text, start, end):
        begin = bullet.end()
    for match in _TERMINATOR.finditer(text, begin, end):
        before = text[max(start, match.end() - 14) : match.end()]
        after = text[match.end() : min(end, match.end() + _TAIL)].lstrip()
        # Such as "an ellipsis (… or three dots)", or "Yahoo! is". A sentence begins with a capital letter.
        if after[:1].islower() or (match[0] == "." and _is_abbreviation(before, after)):
            continue
        if _SILENT.fullmatch(after):
            return
        if after and _CLAUSE.fullmatch(text, begin, match.end()):
            continue
        begin = match.end()
        yield begin


def _is_abbreviation(before: str, after: str) -> bool:
    """Whether a full stop ends an abbreviation, an initial, or a number such as ``3. Mai``."""
    if after[:1].isdigit() and _BEFORE_NUMBER.search(before):
        return True
    is_first = bool(_FIRST_LETTER.search(f"{before} {after[:2]}"))
    return is_first or bool(_ABBREVIATION.search(before) or (_ORDINAL.search(before) and after[:1].isalpha()))


def _trim_and_split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield spans without white space around them, in pieces where one is too long to quote."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > LONGEST:
        stop = _find_cut(text, start, _WORD_CUTS)
        yield start, stop
        start = stop
        while text[start].isspace():
            start += 1
    if start < end:
        yield start, end


def _find_cut(text: str, start: int, cuts: Iterable[re.Pattern[str]]) -> int:
    """Where to cut: behind the last of the best places in the piece's second half, or at its end."""
    half, stop = start + LONGEST // 2, start + LONGEST
    for cut in cuts:
        if found := [match.end() for match in cut.finditer(text, half, stop)]:
            return found[-1]
    return stop
