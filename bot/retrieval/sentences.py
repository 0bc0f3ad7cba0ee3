"""Text into units: sentences, list items, table rows and lines that stand for themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 600
"""Characters of a unit; a longer sentence is cut at the best place before."""

_TERMINATOR: Final = re.compile(
    # A Latin full stop needs a space behind it (and quotes or citations before); others do not.
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
"""A shorter line that ends without a full stop before a capital letter is an entry, not a wrapped line."""


@dataclass(frozen=True, slots=True)
class Unit:
    """``text[start:end]``: the smallest thing that an answer quotes.

    ``kind`` is ``sentence``, ``item`` (of a list), ``row`` (of a table) or ``code``.
    """

    start: int
    end: int
    kind: str = "sentence"


def split_units(text: str, start: int = 0, end: int | None = None) -> list[Unit]:
    """The units of ``text[start:end]`` in order; only white space, rules and fences lie between them."""
    found: list[Unit] = []
    for block_start, block_end, kind in _blocks(text, start, len(text) if end is None else end):
        found.extend(_cut(text, block_start, block_end, kind))
    return found


def _blocks(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Paragraphs, list items, rows and lines of code, as (start, end, kind)."""
    block: tuple[int, int, str] | None = None
    for line_start, line_end, is_code in _lines_and_code(text, start, end):
        line = text[line_start:line_end]
        if block and not is_code and _continues(text[block[0] : block[1]], line):
            block = (block[0], line_end, block[2])
            continue
        if block:
            yield _as_entry(text, block)
        block = None
        if is_code and line.strip():
            yield line_start, line_end, "code"
        elif line.strip() and not _RULE.match(line):
            block = (line_start, line_end, _kind(line))
    if block:
        yield _as_entry(text, block)


def _as_entry(text: str, block: tuple[int, int, str]) -> tuple[int, int, str]:
    """A short line that ends without a full stop, as lists without bullets have them, is an item."""
    start, end, kind = block
    written = text[start:end].strip()
    is_entry = kind == "sentence" and len(written) < _SHORT_LINE and not _ENDED.search(written)
    return start, end, "item" if is_entry else kind


def _lines_and_code(text: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """Lines, and whether each stands between fences; a fence itself comes as an empty line."""
    fence = ""
    for line_start, line_end in _lines(text, start, end):
        marks = _FENCE.match(text, line_start, line_end)
        if marks and (not fence or marks[1].startswith(fence)):
            fence = "" if fence else marks[1]
            yield line_start, line_start, False
        else:
            yield line_start, line_end, bool(fence)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        yield start, stop
        start = stop + 1


def _kind(line: str) -> str:
    if _ROW.match(line):
        return "row"
    return "item" if _BULLET.match(line) else "sentence"


def _continues(before: str, line: str) -> bool:
    """Whether a line goes on with a block rather than starting one of its own."""
    if not line.strip() or _RULE.match(line) or _kind(line) != "sentence" or _ROW.match(before):
        return False
    last = before.rsplit("\n", 1)[-1].rstrip()
    first = line.lstrip()[:1]
    return len(last) >= _SHORT_LINE or bool(_ENDED.search(last)) or not (first.isupper() or first.isdigit())


def _cut(text: str, start: int, end: int, kind: str) -> Iterator[Unit]:
    if kind in ("row", "code"):
        yield from _trim_and_split(text, start, end, kind)
        return
    place = start
    for stop in _ends(text, start, end):
        yield from _trim_and_split(text, place, stop, kind)
        place = stop
    yield from _trim_and_split(text, place, end, kind)


def _ends(text: str, start: int, end: int) -> Iterator[int]:
    """Where sentences end within a block."""
    begin = start
    if bullet := _BULLET.match(text, start, end):
        begin = bullet.end()
    for match in _TERMINATOR.finditer(text, begin, end):
        if match[0] == "." and _is_abbreviation(text, start, match.end(), end):
            continue
        yield match.end()


def _is_abbreviation(text: str, start: int, stop: int, end: int) -> bool:
    """Whether a full stop belongs to an abbreviation, an initial, or a number such as ``3. Mai``."""
    after = text[stop:end].lstrip()[:1]
    if after.islower():
        return True
    before = text[max(start, stop - 14) : stop]
    return bool(_ABBREVIATION.search(before) or (_ORDINAL.search(before) and after.isalpha()))


def _trim_and_split(text: str, start: int, end: int, kind: str) -> Iterator[Unit]:
    """Without white space around it, and in pieces where it is too long to quote."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > LONGEST:
        stop = _best_cut(text, start)
        yield Unit(start, stop, kind)
        start = stop
        while text[start].isspace():
            start += 1
    if start < end:
        yield Unit(start, end, kind)


def _best_cut(text: str, start: int) -> int:
    """After the last mark in the second half of the longest piece, else its last space, else there."""
    half, stop = start + LONGEST // 2, start + LONGEST
    places = [(match[0].isspace(), match.end()) for match in _CUT.finditer(text, half, stop)]
    marks = [place for space, place in places if not space]
    spaces = [place for space, place in places if space]
    return (marks or spaces or [stop])[-1]
