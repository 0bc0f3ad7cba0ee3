"""Badges: ``[1]`` in the text that a client shows as something else."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import Final, NamedTuple

from ...markers.grammar import split_numbered
from ...model.errors import Problem
from ..outcome import label_key
from .definitions import TEXT, is_link
from .live_content import check_loads, number_of
from .message_text import ReadLeaf, ReadText
from .rules import problem

_NUMBER: Final = re.compile(r"\s*\d{1,9}\s*", re.ASCII)
_BRACKETS: Final = re.compile(r"\[([^\[\]]*)\]")
_ESCAPED: Final = re.compile(r"\\\[(\d{1,9})\\?\]", re.ASCII)
_BARE_URL: Final = re.compile(r"(?:https?://|www\.)[^\s<\0]*", re.IGNORECASE)
_MARKER: Final = re.compile(r"\[[^\[\]\n]{1,60}\]|【[^【】\n]{1,60}】|［[^［］\n]{1,60}］")
_FOOTNOTE: Final = re.compile(r"\^\d{1,3}", re.ASCII)
_YEAR: Final = 1000
"""A number from here on is probably a year."""


def check_badges(read: ReadText, positions: frozenset[str]) -> Iterator[Problem]:
    """Every badge that is lost; ``positions`` are those of the claims."""
    numbered = any(name.isdecimal() for name in read.resolved)
    shown = frozenset(name for name, _ in read.badges())
    for leaf in read.leaves:
        if "[" in leaf.content:
            for badge in _read_badges(read, leaf):
                yield from _check_badge(read, badge, positions, numbered=numbered)
            yield from _check_escaped(read, leaf, shown)
    if positions - shown:
        for marker in foreign_markers(read):
            yield problem("foreign-marker", TEXT, marker=marker)
    yield from _check_outcome(read)


class _ShownBadge(NamedTuple):
    """A number in brackets, and what stands around it."""

    number: str
    label: str
    """What stands in the brackets directly behind it."""
    target: str | None
    is_image: bool
    is_glued: bool
    """Whether an address goes on into it, even behind U+200B."""


def _read_badges(read: ReadText, leaf: ReadLeaf) -> Iterator[_ShownBadge]:
    words = leaf.without("code", "tag", "autolink", "image", "target", "escape")
    typed = leaf.without("code", "tag", "autolink", "image", "target")
    targets = {part.start: part.address for part in leaf.parts if part.kind == "target"}
    linked = _BARE_URL.sub(lambda found: "\1" * len(found[0]), typed)
    used = -1
    for found in _BRACKETS.finditer(words):
        if found.start() == used:
            continue
        target = targets.get(found.end())
        behind = _BRACKETS.match(words, found.end())
        label = behind[1] if behind and target is None else None
        if label is not None and (not label or label_key(label) in read.resolved):
            used = found.end()
        if _NUMBER.fullmatch(found[1]):
            yield _ShownBadge(
                found[1],
                label or "",
                target,
                words[: found.start()].endswith("!"),
                linked[found.start()] == "\1",
            )


def _check_badge(
    read: ReadText, badge: _ShownBadge, positions: frozenset[str], *, numbered: bool
) -> Iterator[Problem]:
    number, label = label_key(badge.number), label_key(badge.label)
    if number not in read.resolved:
        if badge.target is not None:
            yield problem("badge-with-target", TEXT, number=badge.number, url=badge.target)
        elif number in positions or (numbered and int(number) < _YEAR):
            yield problem("missing-definition", TEXT, number=number)
    elif badge.is_image:
        # The reader's browser fetches the source.
        yield problem("badge-image", TEXT, number=badge.number)
    elif label and label != number:
        # `[1][2]` is a link with the text 1 to source 2; `[1][sic]` is text.
        shown = f"one link to source {badge.label}" if label in read.resolved else "text"
        yield problem("joined-badges", TEXT, number=badge.number, label=badge.label, shown=shown)
    elif badge.target is not None:
        yield problem("badge-with-target", TEXT, number=badge.number, url=badge.target)
    elif badge.is_glued:
        yield problem("badge-in-url", TEXT, number=badge.number)
    elif badge.number != number:
        yield problem("badge-with-spaces", TEXT, label=badge.number, number=number)


def _check_escaped(read: ReadText, leaf: ReadLeaf, shown: frozenset[str]) -> Iterator[Problem]:
    for match in _ESCAPED.finditer(leaf.without("code")):
        # A number that is a badge elsewhere is intended as text here.
        if match[1] in read.resolved and match[1] not in shown:
            yield problem("badge-escaped", TEXT, marker=match[0], number=match[1])


def foreign_markers(read: ReadText) -> Iterator[str]:
    """The markers that models write and no client shows as a badge, outside code, each once."""
    found = (match[0] for leaf in read.leaves for match in _MARKER.finditer(leaf.without("code")))
    yield from (marker for marker in dict.fromkeys(found) if _is_foreign(marker, read.resolved))


def _is_foreign(marker: str, resolved: Container[str]) -> bool:
    inside = marker[1:-1]
    if not (marker[0] == "【" or _FOOTNOTE.fullmatch(inside) or split_numbered(inside)):
        return False
    return marker[0] != "[" or not (inside.strip().isdecimal() or label_key(inside) in resolved)


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
