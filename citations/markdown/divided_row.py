"""Rows of tables that engines divide into different cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

_PIPE: Final = re.compile(r"(?<!\\)((?:\\\\)*)\|")
"""A pipe behind an even number of backslashes. To micromark they escape each other, and not the pipe."""


def divided_cells(text: str, tables: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The cells of micromark in those rows of ``tables`` that it divides as others don't.

    To other engines each pipe behind a backslash is a part of its cell, also in code (GFM § "Tables").
    ``tables`` are the lines of each, as ``(first, behind the last)``.
    """
    lines = text.split("\n") if tables and "\\\\|" in text else []
    for first, last in tables if lines else ():
        for line in lines[first:last]:
            pipes = list(_PIPE.finditer(line))
            if any(pipe[1] for pipe in pipes):
                bounds = [0, *(pipe.end() for pipe in pipes), len(line) + 1]
                yield from (line[start : end - 1] for start, end in pairwise(bounds))
