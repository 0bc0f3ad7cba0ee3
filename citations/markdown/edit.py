"""Replacements in a text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Edit(NamedTuple):
    """Replaces ``text[start:end]`` by ``new``."""

    start: int
    end: int
    new: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """``text`` with its edits applied, which are in order and don't overlap."""
    parts: list[str] = []
    behind = 0
    for edit in edits:
        parts.append(text[behind : edit.start])
        parts.append(edit.new)
        behind = edit.end
    parts.append(text[behind:])
    return "".join(parts)
