"""This module splits text into units: sentences, list items, table rows and single lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 600
"""A unit has at most this many characters; a longer sentence is cut at the best mark before."""

_TERMINATOR: Final = re.compile(
    # A Latin full stop needs a space behind it, after quotes and citations; other scripts' do not.
    r"""[.!?…]+["'”’»)\]*_]*(?=\s)|[。！？｡]+[」』”’）]*|[।॥؟۔]+"""
)
_ABBREVIATION: Final = re.compile(
    r"""(?:^|[\s(\[“"'])(?:[A-ZÀ-Þ]|e\.g|i\.e|a\.m|p\.m|U\.S|U\.K|z\.\s?B|u\.\s?a|d\.\s?h|bzw|ca|etc|vs|cf|al|approx
    |Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|Inc|Ltd|Co|Corp|No|Nr|nos?|Fig|Figs|fig|figs|Eq|Eqs|Ref|Refs|Tab|Vol|vol|pp?|ed|eds
    |art|Art|Abs|Str|Tel|tel|max|min|inkl|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mme|Mlle|M|env|spp?|incl|resp)\.$""",
    re.VERBOSE,
)  # fmt: skip
_ORDINAL: Final = re.compile(r"(?:^|\s)\d{1,2}\.$")
_BULLET: Final = re.compile(r"[ \t]*(?:[-*+•‣▪◦–—o]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+(?=\S)")
_ROW: Final = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_RULE: Final = re.compile(
    r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$|[ \t]*([-*_=])(?:[ \t]*\1){2,}[ \t]*$"
)
_FENCE: Final = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})")
_CUT: Final = re.compile(r"[;:,，、；](?=\s|[^\x00-\x7f])|\s")
_ENDED: Final = re.compile(r"""[.!?…:;,。！？、，؟।][")\]”’»*_]*$""")
_SHORT_LINE: Final = 60
"""A shorter line without a full stop, before a capital letter, is an entry and not a wrapped line."""


@dataclass(frozen=True, slots=True)
class Unit:
    """``text[start:end]``, the smallest part that an answer quotes.

    ``kind`` is ``sentence``, ``item`` (of a list), ``row`` (of a table) or ``code``.
    """

    start: int
    end: int
    kind: str = "sentence"


def split_units(text: str, start: int = 0, end: int | None = None) -> list[Unit]:
    """Split ``text[start:end]`` into units; only white space, rules and fences lie between them."""
    units: list[Unit] = []
    for block_start, block_end, kind in _split_blocks(text, start, len(text) if end is None else end):
        units.extend(_cut_block(text, block_start, block_end, kind))
    return units


def _split_blocks(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Yield paragraphs, list items, rows and lines of code, as (start, end, kind)."""
    block: tuple[int, int, str] | None = None
    for line_start, line_end, is_code in _mark_code(text, start, end):
        line = text[line_start:line_end]
        if block and not is_code and _continues(text[block[0] : block[1]], line):
            block = (block[0], line_end, block[2])
            continue
        if block:
            yield _mark_entry(text, block)
        block = None
        if is_code and line.strip():
            yield line_start, line_end, "code"
        elif line.strip() and not _RULE.match(line):
            block = (line_start, line_end, _find_kind(line))
    if block:
        yield _mark_entry(text, block)


def _mark_entry(text: str, block: tuple[int, int, str]) -> tuple[int, int, str]:
    """Make a short line without a full stop an item, as in lists without bullets."""
    start, end, kind = block
    line = text[start:end].strip()
    is_entry = kind == "sentence" and len(line) < _SHORT_LINE and not _ENDED.search(line)
    return start, end, "item" if is_entry else kind


def _mark_code(text: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """Yield lines, and whether each stands between fences; a fence itself becomes an empty line."""
    fence = ""
    for line_start, line_end in _split_lines(text, start, end):
        marks = _FENCE.match(text, line_start, line_end)
        if marks and (not fence or marks[1].startswith(fence)):
            fence = "" if fence else marks[1]
            yield line_start, line_start, False
        else:
            yield line_start, line_end, bool(fence)


def _split_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        yield start, stop
        start = stop + 1


def _find_kind(line: str) -> str:
    if _ROW.match(line):
        return "row"
    return "item" if _BULLET.match(line) else "sentence"


def _continues(before: str, line: str) -> bool:
    """Return whether a line continues the block before it rather than starts a new one."""
    if not line.strip() or _RULE.match(line) or _find_kind(line) != "sentence" or _ROW.match(before):
        return False
    last = before.rsplit("\n", 1)[-1].rstrip()
    first = line.lstrip()[:1]
    return len(last) >= _SHORT_LINE or bool(_ENDED.search(last)) or not (first.isupper() or first.isdigit())


def _cut_block(text: str, start: int, end: int, kind: str) -> Iterator[Unit]:
    if kind in ("row", "code"):
        yield from _trim_and_split(text, start, end, kind)
        return
    begin = start
    for stop in _find_ends(text, start, end):
        yield from _trim_and_split(text, begin, stop, kind)
        begin = stop
    yield from _trim_and_split(text, begin, end, kind)


def _find_ends(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the offsets at which the sentences of a block end."""
    begin = start
    if bullet := _BULLET.match(text, start, end):
        begin = bullet.end()
    for match in _TERMINATOR.finditer(text, begin, end):
        if match[0] == "." and _is_abbreviation(text, start, match.end(), end):
            continue
        yield match.end()


def _is_abbreviation(text: str, start: int, stop: int, end: int) -> bool:
    """Return whether a full stop ends an abbreviation, an initial, or a number such as ``3. Mai``."""
    after = text[stop:end].lstrip()[:1]
    if after.islower():
        return True
    before = text[max(start, stop - 14) : stop]
    return bool(_ABBREVIATION.search(before) or (_ORDINAL.search(before) and after.isalpha()))


def _trim_and_split(text: str, start: int, end: int, kind: str) -> Iterator[Unit]:
    """Yield units without white space around them, in pieces where one is too long to quote."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > LONGEST:
        stop = _find_cut(text, start)
        yield Unit(start, stop, kind)
        start = stop
        while text[start].isspace():
            start += 1
    if start < end:
        yield Unit(start, end, kind)


def _find_cut(text: str, start: int) -> int:
    """Return where to cut: behind the last mark of the piece's second half, or its last space, or its end."""
    half, stop = start + LONGEST // 2, start + LONGEST
    cuts = [(match[0].isspace(), match.end()) for match in _CUT.finditer(text, half, stop)]
    marks = [end for is_space, end in cuts if not is_space]
    spaces = [end for is_space, end in cuts if is_space]
    return (marks or spaces or [stop])[-1]
