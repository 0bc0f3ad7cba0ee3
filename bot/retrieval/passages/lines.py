"""Splits text into lines, and finds the blocks of code among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

BULLET: Final = re.compile(r"[ \t]*(?:[-*+•‣▪◦–—o]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+(?=\S)")
_FENCE: Final = re.compile(r"(?P<indent>[ \t]*+)(?P<marks>`{3,}+(?=[^`\n]*$)|~{3,}+)", re.MULTILINE)
INDENT: Final = 4
"""Code is indented by at least this many columns where it has no fences (CommonMark § 4.4)."""
_CODE_LINE: Final = re.compile(
    r"""^(?:[$%>]\s|>>>\s|\#!|//|/\*|<[/!?]?\w|@\w+$|[\w.-]+=|(?:import|from)\s+[\w.]+(?:\s+import\s.*)?$)
    |^(?:sudo|cd|ls|cp|mv|rm|mkdir|git|npm|npx|yarn|pipx?|pip3|uv|python3?|docker|kubectl|helm|curl|wget|ssh
        |scp|cargo|apt|apt-get|brew|chmod|chown|systemctl|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER)\s
    |^(?:def|class|return|if|elif|else|for|while|try|with|function|var|let|const|public|static|void|echo)\b
    |[;{}\\]$|\s[-+*/:!=<>]?=\s\S|^["']?[\w.-]+["']?:(?:\s\S+)?$|\s--?\w[\w-]+(?:[=\s]|$)""",
    re.VERBOSE,
)
_CALL: Final = re.compile(r"\w\(")
_WORDS: Final = re.compile(r"(?<![^\W\d_])(?:[^\W\d_]{2,}+[,’']?\s++){5}")
_WORD_END: Final = re.compile(r"[^\W\d_]{2}[.!?:,]?$")


class Block(NamedTuple):
    """A paragraph, an item, a row or a block of code; ``indent`` counts columns."""

    start: int
    end: int
    kind: str
    indent: int = 0


def mark_code(text: str, start: int, end: int, *, may_indent: bool) -> Iterator[Block]:
    """Yield blocks of code, and every other line with an empty kind. Fences are left out."""
    lines = list(split_lines(text, start, end))
    index = prose_end = 0
    after_blank, in_list = True, False
    while index < len(lines):
        line_start, line_end = lines[index]
        if fence := _FENCE.match(text, line_start, line_end):
            stop = _find_closing_fence(text, lines, index, fence["marks"])
            yield from _make_code(text, lines[index + 1 : stop], len(fence["indent"].expandtabs(INDENT)))
            index = stop + 1
            continue
        line = text[line_start:line_end]
        if line.strip() and after_blank and not in_list and index >= prose_end:
            stop = _find_end_of_indented(text, lines, index)
            if _is_indented_code(text, lines[index:stop], may_indent=may_indent):
                yield from _make_code(text, lines[index:stop], INDENT)
                index = stop
                continue
            prose_end = stop
        in_list = bool(BULLET.match(line)) or (
            in_list and (not line.strip() or line[0] in " \t" or not after_blank)
        )
        after_blank = not line.strip()
        yield Block(line_start, line_end, "")
        index += 1


def _find_closing_fence(text: str, lines: list[tuple[int, int]], opening: int, marks: str) -> int:
    """The index of the line that closes a fence: the same marks, as many or more."""
    for index in range(opening + 1, len(lines)):
        line = text[slice(*lines[index])].strip()
        if line.startswith(marks) and not line.strip(marks[0]):
            return index
    return len(lines)


def _find_end_of_indented(text: str, lines: list[tuple[int, int]], first: int) -> int:
    """The index behind the indented lines from ``first`` on, without empty lines at their end."""
    end = first
    for index in range(first, len(lines)):
        line = text[slice(*lines[index])].expandtabs(INDENT)
        if line.strip():
            if not line.startswith(" " * INDENT):
                break
            end = index + 1
    return end


def _is_indented_code(text: str, lines: list[tuple[int, int]], *, may_indent: bool) -> bool:
    """Whether indented lines are code: in Markdown unless they are prose, elsewhere by their look."""
    stripped = [line for span in lines if (line := text[slice(*span)].strip())]
    prose = sum(map(reads_as_prose, stripped))
    code = sum(_has_code(line) and not reads_as_prose(line) for line in stripped)
    return 2 * code > len(stripped) or (may_indent and bool(stripped) and not prose)


def reads_as_prose(line: str) -> bool:
    """Whether a line has several words in a row, as code has in comments only."""
    words = _WORDS.search(line)
    return bool(words and _WORD_END.search(line, max(words.end(), len(line) - 3)))


def _has_code(line: str) -> bool:
    """Whether a line has a mark of code, such as a call at its end."""
    is_call = line.endswith((")", ");", "):")) and _CALL.search(line)
    return bool(is_call or _CODE_LINE.search(line))


def _make_code(text: str, lines: list[tuple[int, int]], indent: int) -> Iterator[Block]:
    if lines and text[lines[0][0] : lines[-1][1]].strip():
        yield Block(lines[0][0], lines[-1][1], "code", indent)


def split_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where each line of ``text[start:end]`` begins and ends."""
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        yield start, stop
        start = stop + 1


def count_indent(line: str) -> int:
    """The columns of white space before a line."""
    expanded = line.expandtabs(INDENT)
    return len(expanded) - len(expanded.lstrip())
