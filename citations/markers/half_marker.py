"""A partial marker at the end of a truncated answer: ``[Acme-Product-Cat``, ``[1``, ``【3:0†so``."""

from __future__ import annotations

import re
from collections import deque
from typing import Final

from ..markdown import Mark, Text, leaves, parse_blocks, place_in, read_inline
from ..model.answer import Dialect
from ..text.languages import LANGUAGES, either
from .grammar import AND, PLACE

_LONGEST: Final = 300
"""Characters of a partial marker. Anything longer is text."""
_LONGEST_NUMBERED: Final = 120
_WORDS: Final = frozenset(LANGUAGES.words_of("markers", "sources"))
_BEGUN: Final = either(
    {word[:end] for word in LANGUAGES.words_of("markers", "and") for end in range(1, len(word) + 1)}
)
_WIDE: Final = re.compile(r"[【［][^\[\]【】［］]*\Z")
_TARGET: Final = re.compile(r"\]\([^()\n]*\Z")
_WRAPPED: Final = re.compile(r"\[(?:\[[^\[\]]*\][\s,;]*)+\Z")
_NUMBERED: Final = re.compile(
    r"[ \t]*+(?P<word>[^\W\d_]*+)(?P<sign>[ \t]*+[.:]?[ \t]*+\#?[ \t]*+)"
    rf"(?P<rest>\d{{1,9}}(?:[ \t]*(?:[\#,;:&†–—-].*|{_BEGUN}|{AND}\b.*|(?:{PLACE}|§).*)?)?)?",
    re.IGNORECASE | re.DOTALL,
)


def find_half_marker(text: str, dialect: Dialect | None) -> tuple[int, int] | None:
    """Where the partial marker at the end of ``text`` begins and ends; None if there is none.

    ``dialect`` None finds partial markers of all dialects, and :attr:`Dialect.NONE` finds none. None is
    found in code, nor behind an open code span.
    """
    if dialect is Dialect.NONE:
        return None
    shown = text.rstrip(" \t")
    last = next(iter(deque(leaves(parse_blocks(text).tokens), maxlen=1)), None)
    if last is None or not last.content or place_in(shown, last, len(last.content)) != len(shown):
        return None
    # A target follows its bracket directly, without a space or line break.
    tail = _tail(last.content)
    found = _half(tail + text[len(shown) :], dialect)
    if found is None or "`" in tail[: found[0]]:
        return None
    before = len(last.content) - len(tail)
    start, end = (place_in(shown, last, before + min(place, len(tail))) for place in found)
    return start, end


def _tail(content: str) -> str:
    """The end of a text, in which other characters replace brackets that belong to no marker."""
    start = max(0, len(content) - _LONGEST)
    tail = content[start:]
    for node in read_inline(content):
        whole = isinstance(node, Text | Mark) and (
            isinstance(node, Mark) or content[node.start : node.end] == node.text
        )
        if node.end > start and not whole:
            first, last = max(node.start, start) - start, node.end - start
            tail = f"{tail[:first]}{'x' * (last - first)}{tail[last:]}"
    return tail


def _half(tail: str, dialect: Dialect | None) -> tuple[int, int] | None:
    """The start and end of the partial marker in ``tail``."""
    numbers, names = dialect is not Dialect.NAMED_LINK, dialect is not Dialect.NUMBERED
    if numbers and (wide := _WIDE.search(tail)) and _is_numbered(tail[wide.start() + 1 :]):
        return wide.start(), len(tail)
    if names:
        target = _TARGET.search(tail)
        # `[name]` without its target is complete only in a dialect without targets.
        close = target.start() if target else len(tail) - 1 if tail.endswith("]") else -1
        named = dialect is Dialect.NAMED_LINK or target
        if close >= 0 and named and (start := _opener(tail[:close])) >= 0:
            return start, len(tail)
    start = _opener(tail)
    if start < 0:
        return None
    if numbers and _WRAPPED.match(tail, start):
        return start, start + 1
    return (start, len(tail)) if names or _is_numbered(tail[start + 1 :]) else None


def _opener(tail: str) -> int:
    """The offset of the last ``[`` that no ``]`` closes; -1 if there is none."""
    closed = 0
    for place in range(len(tail) - 1, -1, -1):
        if tail[place] == "]":
            closed += 1
        elif tail[place] == "[":
            if not closed:
                return place
            closed -= 1
    return -1


def _is_numbered(inside: str) -> bool:
    """Whether ``inside`` may be the beginning of ``[1, 2]``, ``[Source #1]`` or ``[1, p. 6]``."""
    found = _NUMBERED.fullmatch(inside) if len(inside) <= _LONGEST_NUMBERED else None
    if found is None:
        return False
    word = found["word"].lower()
    if found["sign"] or found["rest"]:
        return not word or word in _WORDS
    return any(one.startswith(word) for one in _WORDS)
