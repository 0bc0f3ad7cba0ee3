"""The ``(target "title")`` behind a pair of brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from markdown_it.helpers import parseLinkDestination, parseLinkTitle

from .tree import Target

MAX_TARGET: Final = 2048
"""Characters from the opening parenthesis on. What is longer is text."""
_SPACE: Final = re.compile(r"[ \t\n]*")
_LENIENT: Final = re.compile(r"\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)")
_TO_FIRST: Final = re.compile(r"\(([^)\[\]\n]*)\)")
_TO_SECOND: Final = re.compile(r"\(([^()\n]*\)[!-'*-~]{1,64})\)")
"""A target with a closing parenthesis in it, and text directly behind that."""
_MAY_BE_LENIENT: Final = re.compile(
    r"\((?:[^()\n]*+(?:\([^()\n]*+\)[^()\n]*+)*+(?:\([^()\n]*+)?|[^)\[\]\n]*+|[^()\n]*+\)[!-'*-~]{0,64})\Z"
)
"""Text, up to its end, that begins like one of them."""
_MAY_BE_STRICT: Final = re.compile(
    r"""\([ \t\n]*+(?:<(?:\\.|[^<>\n\\])*+\\?"""
    r"""|(?:<(?:\\.|[^<>\n])*>|(?!<)(?:\\[^ ]|[^\x00-\x20\x7f\\])*+\\?)"""
    r"""(?:[ \t\n]++(?:"(?:\\.|[^"\\])*+\\?|'(?:\\.|[^'\\])*+'?\\?|\((?:\\.|[^()\\])*+\\?)?"""
    r"""|[ \t\n]++(?:"(?:\\.|[^"\\])*+"|'(?:\\.|[^'\\])*+'|\((?:\\.|[^()\\])*+\))[ \t\n]*+)?)\Z""",
    re.DOTALL,
)
"""Text, up to its end, that begins like a target in CommonMark."""


def strict_target(source: str, at: int) -> Target | None:
    """The target of an inline link at ``at`` (CommonMark § 6.3); None if there is none."""
    limit = min(len(source), at + MAX_TARGET)
    if source.find(")", at, limit) < 0:
        return None
    place = _behind_space(source, at + 1)
    address = ""
    destination = parseLinkDestination(source, place, limit)
    if destination.ok:
        address, place = destination.str, destination.pos
        behind = _behind_space(source, place)
        if behind > place:
            title = parseLinkTitle(source, behind, limit)
            place = _behind_space(source, title.pos) if title.ok else behind
    return Target(address, place + 1) if place < limit and source[place] == ")" else None


def lenient_targets(source: str, at: int) -> Iterator[Target]:
    """The same with spaces and parentheses that CommonMark doesn't allow, on one line."""
    for pattern in (_LENIENT, _TO_FIRST, _TO_SECOND):
        if found := pattern.match(source, at, at + MAX_TARGET):
            yield Target(found[1], found.end())


def may_become_target(source: str, at: int, target: Target | None) -> bool:
    """Whether more text could make a target, or another one than ``target``, of what begins at ``at``."""
    if len(source) >= at + MAX_TARGET:
        return False
    if _MAY_BE_LENIENT.match(source, at):
        return True
    return target is None and _MAY_BE_STRICT.match(source, at) is not None


def _behind_space(source: str, at: int) -> int:
    found = _SPACE.match(source, at)
    return found.end() if found else at
