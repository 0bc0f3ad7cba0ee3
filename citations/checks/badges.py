"""Badges: ``[1]`` in the text that a client shows as something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ..markdown import Bracket, Inline
from ..model.errors import Problem
from .definitions import TEXT, is_link
from .html import check_loads
from .live_content import number_of, without
from .rules import problem
from .text import ReadText, identifier

_NUMBER: Final = re.compile(r"\s*\d{1,9}\s*", re.ASCII)
_ESCAPED: Final = re.compile(r"\\\[(\d{1,9})\\?\]", re.ASCII)
_BARE_URL: Final = re.compile(r"(?:https?://|www\.)[^\s<]*", re.IGNORECASE)
_FOREIGN: Final = re.compile(r"\[docs?\d{1,3}\]|\[\^\d{1,3}\]|【[^【】\n]{1,60}】", re.ASCII)
_YEAR: Final = 1000
"""A number from here on is probably a year."""


def check_badges(read: ReadText, positions: frozenset[str]) -> Iterator[Problem]:
    """Every badge that is lost; ``positions`` are those of the claims."""
    numbered = any(name.isdecimal() for name in read.resolved)
    shown = frozenset(name for name, _ in read.badges())
    for inline in read.layout.inlines:
        yield from _check_brackets(read, inline, positions, numbered=numbered)
        yield from _check_text(read, inline, shown)
    if positions - shown:
        for marker in foreign_markers(read):
            yield problem("foreign-marker", TEXT, marker=marker)
    yield from _check_outcome(read)


def _check_brackets(
    read: ReadText, inline: Inline, positions: frozenset[str], *, numbered: bool
) -> Iterator[Problem]:
    urls = tuple(_bare_urls(inline))
    brackets = sorted(
        (bracket for bracket in inline.brackets if _inner(inline, bracket) is not None), key=_start
    )
    number = 0
    while number < len(brackets):
        bracket = brackets[number]
        following = brackets[number + 1] if number + 1 < len(brackets) else None
        joined = following if following and following.start == bracket.close and not bracket.link else None
        label = _inner(inline, joined) if joined else None
        number += 2 if label is not None and (not label or identifier(label) in read.resolved) else 1
        name = _inner(inline, bracket) or ""
        if _NUMBER.fullmatch(name):
            found = (
                _find_image(read, name, bracket, inline)
                or _find_joined(read, name, label)
                or _find_link(name, bracket)
                or _find_glued(read, name, bracket, urls)
                or _find_missing(read, name, positions, numbered=numbered)
            )
            if found:
                yield found


def _start(bracket: Bracket) -> int:
    return bracket.start


def _inner(inline: Inline, bracket: Bracket | None) -> str | None:
    """The text between a bracket and its partner; None if it contains brackets."""
    inner = inline.content[bracket.start + 1 : bracket.close - 1] if bracket else "["
    square = bracket is not None and inline.content[bracket.start] == "["
    return inner if square and "[" not in inner and "]" not in inner else None


def _find_image(read: ReadText, name: str, bracket: Bracket, inline: Inline) -> Problem | None:
    """``![1]`` is an image, whose source the reader's browser fetches."""
    before = bracket.start - 1
    if before < 0 or inline.content[before] != "!" or identifier(name) not in read.resolved:
        return None
    if any(span.end == bracket.start for span in inline.spans if span.kind == "literal"):
        return None
    return problem("badge-image", TEXT, number=name)


def _find_joined(read: ReadText, name: str, label: str | None) -> Problem | None:
    """``[1][2]`` is a link with the text 1 to source 2; ``[1][sic]`` is text."""
    if (
        label is None
        or not label
        or identifier(label) == identifier(name)
        or identifier(name) not in read.resolved
    ):
        return None
    shown = f"one link to source {label}" if identifier(label) in read.resolved else "text"
    return problem("joined-badges", TEXT, number=name, label=label, shown=shown)


def _find_link(name: str, bracket: Bracket) -> Problem | None:
    """``[1](…)`` is a link to the target in parentheses."""
    if bracket.link is None:
        return None
    return problem("badge-with-target", TEXT, number=name, url=bracket.link.target)


def _find_glued(
    read: ReadText, name: str, bracket: Bracket, urls: Sequence[tuple[int, int]]
) -> Problem | None:
    """``https://example.com/x[1]``: the badge becomes a part of the URL, even behind U+200B."""
    if identifier(name) in read.resolved and any(start < bracket.start < end for start, end in urls):
        return problem("badge-in-url", TEXT, number=name)
    return None


def _find_missing(read: ReadText, name: str, positions: frozenset[str], *, numbered: bool) -> Problem | None:
    number = identifier(name)
    if number in read.resolved:
        if name != name.strip():
            return problem("badge-with-spaces", TEXT, label=name, number=number)
        return None
    if number in positions or (numbered and int(number) < _YEAR):
        return problem("missing-definition", TEXT, number=number)
    return None


def _bare_urls(inline: Inline) -> Iterator[tuple[int, int]]:
    """The spans of URLs that are linked without brackets, outside code, tags and targets of links."""
    taken = [(span.start, span.end) for span in inline.spans]
    taken += [(bracket.close, bracket.link.end) for bracket in inline.brackets if bracket.link]
    taken.sort()
    index = 0
    for match in _BARE_URL.finditer(inline.content):
        while index < len(taken) and taken[index][1] <= match.start():
            index += 1
        if index == len(taken) or taken[index][0] > match.start():
            yield match.span()


def _check_text(read: ReadText, inline: Inline, shown: frozenset[str]) -> Iterator[Problem]:
    code = [(span.start, span.end) for span in inline.spans if span.kind == "code"]
    for match in _ESCAPED.finditer(inline.content):
        # A number that is a badge elsewhere is intended as text here.
        lost = match[1] in read.resolved and match[1] not in shown
        if lost and not any(start <= match.start() < end for start, end in code):
            yield problem("badge-escaped", TEXT, marker=match[0], number=match[1])


def foreign_markers(read: ReadText) -> Iterator[str]:
    """The markers that models write and no client shows as a badge, outside code, each once."""
    found = (
        match[0] for inline in read.layout.inlines for match in _FOREIGN.finditer(without(inline, "code"))
    )
    yield from (marker for marker in dict.fromkeys(found) if identifier(marker[1:-1]) not in read.resolved)


def _check_outcome(read: ReadText) -> Iterator[Problem]:
    sources = {definition.url for definition in read.resolved.values()}
    yield from check_loads(TEXT, read.outcome, sources)
    for link in dict.fromkeys(read.outcome.links):
        number = None if _NUMBER.fullmatch(link.text.strip("[]")) else number_of(link.text)
        if number and link.url not in sources:
            yield problem("badge-with-target", TEXT, number=number, url=link.url)
    for url in dict.fromkeys(link.url for link in read.outcome.links):
        if url not in sources and not is_link(url):
            yield problem("dead-link", TEXT, url=url)
