"""Emphasis and strikethrough: which runs of ``*``, ``_`` and ``~`` belong together (CommonMark § 6.2).

Links are read as text here, because a sanitized text shows them so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

_RUNS: Final = re.compile(r"\*+|_+|~+")


class Emphasis(NamedTuple):
    """``content[start:end]`` is emphasised by delimiters of ``width`` characters at both ends."""

    start: int
    end: int
    width: int


@dataclass(slots=True)
class _DelimiterRun:
    sign: str
    start: int
    end: int
    opens: bool
    closes: bool
    length: int
    number: int = 0

    def fits(self, closer: _DelimiterRun) -> bool:
        """Whether this run opens what ``closer`` closes.

        "the sum of the lengths … must not be a multiple of 3 unless both lengths are multiples of 3".
        """
        if self.sign == "~":
            return self.length == closer.length <= 2
        if not (self.closes or closer.opens):
            return True
        return (self.length + closer.length) % 3 != 0 or self.length % 3 == closer.length % 3 == 0


def find_emphasis(content: str, opaque: Sequence[tuple[int, int]]) -> tuple[list[Emphasis], list[int]]:
    """What is emphasised in ``content``, and the offsets of delimiters without a partner.

    ``opaque`` are the ranges in which nothing is a delimiter, in order.
    """
    found: list[Emphasis] = []
    alone: list[int] = []
    openers: list[_DelimiterRun] = []
    bottoms: dict[tuple[str, bool, int], int] = {}
    for number, run in enumerate(_delimiter_runs(content, opaque), 1):
        run.number = number
        while run.closes and run.start < run.end:
            key = (run.sign, run.opens, run.length % 3)
            opener = _pop_opener(openers, run, bottoms.get(key, 0), alone)
            if opener is None:
                bottoms[key] = number - 1
                break
            width = min(2, opener.end - opener.start, run.end - run.start)
            opener.end -= width
            found.append(Emphasis(opener.end, run.start + width, width))
            run.start += width
            if opener.start < opener.end:
                openers.append(opener)
        if run.start < run.end and run.opens:
            openers.append(run)
        else:
            alone.extend(range(run.start, run.end))
    for opener in openers:
        alone.extend(range(opener.start, opener.end))
    return found, sorted(alone)


def _pop_opener(
    openers: list[_DelimiterRun], closer: _DelimiterRun, bottom: int, alone: list[int]
) -> _DelimiterRun | None:
    """The nearest opener that fits, without those above it, which stay alone."""
    for place in range(len(openers) - 1, -1, -1):
        opener = openers[place]
        if opener.number <= bottom:
            return None
        if opener.sign == closer.sign and opener.fits(closer):
            for passed in openers[place + 1 :]:
                alone.extend(range(passed.start, passed.end))
            del openers[place:]
            return opener
    return None


def _delimiter_runs(content: str, opaque: Sequence[tuple[int, int]]) -> Iterator[_DelimiterRun]:
    behind = 0
    for start, end in (*opaque, (len(content), len(content))):
        for found in _RUNS.finditer(content, behind, max(behind, start)):
            yield _delimiter_run(content, found[0][0], found.start(), found.end())
        behind = max(behind, end)


def _delimiter_run(content: str, sign: str, start: int, end: int) -> _DelimiterRun:
    """The run with its "left-flanking" and "right-flanking" sides."""
    before, after = content[start - 1] if start else "\n", content[end] if end < len(content) else "\n"
    marks_before, marks_after = _is_punctuation(before), _is_punctuation(after)
    left = not after.isspace() and (not marks_after or before.isspace() or marks_before)
    right = not before.isspace() and (not marks_before or after.isspace() or marks_after)
    if sign == "_":
        return _DelimiterRun(
            sign,
            start,
            end,
            left and (not right or marks_before),
            right and (not left or marks_after),
            end - start,
        )
    return _DelimiterRun(sign, start, end, left, right, end - start)


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"
