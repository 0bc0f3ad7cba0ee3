"""Brackets: every pair is a possible marker.

They are read with the stack of CommonMark's appendix ("An algorithm for parsing nested emphasis and
links"), which takes linear time. A look-ahead wouldn't.
"""

from __future__ import annotations

import re
from typing import Final

from markdown_it.helpers import parseLinkDestination, parseLinkTitle

from .construct import Bracket, InlineSpan, LinkTarget
from .inline_state import MAX_LABEL, InlineState, NeedsText

MAX_TAIL: Final = 2048
"""Characters of a link's ``(…)``."""
MAX_WIDE: Final = 120
"""Characters between a wide bracket and its partner."""
_WIDE: Final = {"【": "】", "［": "］"}
_SPACE: Final = re.compile(r"[ \t\n]*")
_PARENTHESIS: Final = re.compile("[()]")
_EXTENSION: Final = re.compile(r"[!-'*-~]{1,64}\)")
"""Text directly behind a target, up to another parenthesis."""
_MAY_EXTEND: Final = re.compile(r"[!-'*-~]{0,64}\Z")
_MAY_BE_TAIL: Final = re.compile(
    r"""\([ \t\n]*+(?:<(?:\\.|[^<>\n\\])*+\\?|(?:<(?:\\.|[^<>\n])*>|(?!<)[^\s]*+)"""
    r"""(?:[ \t\n]++(?:"(?:\\.|[^"\\])*+\\?|'(?:\\.|[^'\\])*+\\?|\((?:\\.|[^()\\])*+\\?)?"""
    r"""|[ \t\n]++(?:"(?:\\.|[^"\\])*+"|'(?:\\.|[^'\\])*+'|\((?:\\.|[^()\\])*+\))[ \t\n]*+)?)\Z""",
    re.DOTALL,
)
"""Text, up to its end, that begins like a link's ``(target "title")``."""


def open_bracket(state: InlineState) -> int:
    """Read a run of ``[``, each of which may open a pair."""
    state.openers.extend(range(state.base + state.pos, state.base + state.run_end))
    return state.run_end


def open_image(state: InlineState) -> int:
    """Read ``![``."""
    state.openers.append(state.base + state.pos)
    state.images.add(state.base + state.pos)
    return state.pos + 2


def wide(state: InlineState) -> int:
    """Read ``【`` or ``［`` with its partner, and the text between them."""
    source, start = state.src, state.pos
    end = source.find(_WIDE[source[start]], start, start + MAX_WIDE)
    if end > 0:
        state.brackets.append(Bracket(start, end + 1))
    elif state.waits(start + MAX_WIDE):
        raise NeedsText
    return start + 1


def close_bracket(state: InlineState) -> int:
    """Read ``]`` with the pair that it closes and the target behind it."""
    source, close = state.src, state.pos + 1
    if state.waits(close + 1):
        raise NeedsText
    tailed = source.startswith("(", close)
    if state.openers:
        return _pair(state, close, tailed)
    # `[Report ]x](id)`: the first `]` closed the bracket, but the provider meant the second.
    if tailed and (start := state.repeated()) is not None:
        state.brackets.append(Bracket(start, close, None, _lenient_targets(state, close, None)))
        state.unpaired = None
    return close


def _pair(state: InlineState, close: int, tailed: bool) -> int:
    """Record the pair that ``]`` closes."""
    opener = state.openers[-1]
    image = opener in state.images
    start = opener - state.base + image
    # "If we find one, but it's not active, we remove the inactive delimiter from the stack, and
    # return a literal text node ]."
    active = image or len(state.openers) > state.inactive
    link: LinkTarget | None = None
    lenient: tuple[LinkTarget, ...] = ()
    if tailed and (not state.final or ")" in state.src[close : close + MAX_TAIL]):
        link = _link_target(state, close) if active else None
        if not (image and link):
            lenient = _lenient_targets(state, close, link)
    state.openers.pop()
    state.images.discard(opener)
    state.inactive = min(state.inactive, len(state.openers))
    if image and link:
        # An image's description loses its formatting.
        while state.spans and state.spans[-1].start >= start:
            state.spans.pop()
        state.spans.append(InlineSpan("image", start - 1, link.end))
        return link.end
    if start >= 0 and (link or close - start <= MAX_LABEL):
        state.brackets.append(Bracket(start, close, link, lenient))
    if link is None:
        state.unpaired = start, close
        return close
    # "If we have a link (and not an image), we also set all [ delimiters before the opening
    # delimiter to inactive."
    state.inactive = len(state.openers)
    return link.end


def _link_target(state: InlineState, close: int) -> LinkTarget | None:
    """The ``(destination "title")`` at ``close``, CommonMark § "Inline link"."""
    source, end = state.src, min(len(state.src), close + MAX_TAIL)
    if source.find(")", close, end) >= 0 and (tail := _parse_target(source, close, end)):
        return tail
    if state.waits(close + MAX_TAIL) and _MAY_BE_TAIL.match(source, close):
        raise NeedsText
    return None


def _parse_target(source: str, close: int, end: int) -> LinkTarget | None:
    position = _skip_space(source, close + 1)
    destination = parseLinkDestination(source, position, end)
    target = ""
    if destination.ok:
        target, position = destination.str, destination.pos
        after = _skip_space(source, position)
        if after > position:
            title = parseLinkTitle(source, after, end)
            position = _skip_space(source, title.pos) if title.ok else after
    if not source.startswith(")", position) or position >= end:
        return None
    return LinkTarget(target, position + 1)


def _skip_space(source: str, position: int) -> int:
    match = _SPACE.match(source, position)
    return match.end() if match else position


def _lenient_targets(state: InlineState, close: int, link: LinkTarget | None) -> tuple[LinkTarget, ...]:
    """``(target)`` read literally within its line: up to the first parenthesis, and up to its partner.

    Either may continue to one more parenthesis if no space comes between.
    """
    source = state.src
    line_end = source.find("\n", close, close + MAX_TAIL)
    limit = line_end if line_end >= 0 else close + MAX_TAIL
    waits = line_end < 0 and state.waits(limit)
    ends: dict[int, None] = {}
    if link is None:
        first, partner = _parentheses(source, close, min(limit, len(source)))
        if waits and partner < 0:
            raise NeedsText
        ends = dict.fromkeys(end for end in (first, partner) if end > 0)
    for end in (*ends, *((link.end,) if link else ())):
        if extended := _EXTENSION.match(source, end, limit):
            ends[extended.end()] = None
        elif waits and _MAY_EXTEND.match(source, end):
            raise NeedsText
    return tuple(LinkTarget(source[close + 1 : end - 1], end) for end in ends)


def _parentheses(source: str, start: int, limit: int) -> tuple[int, int]:
    """The ends behind the first ``)`` and behind the partner of the ``(`` at ``start``; -1 if missing."""
    first = source.find(")", start, limit) + 1
    depth, position = 0, start
    while first and (found := _PARENTHESIS.search(source, position, limit)):
        position = found.end()
        depth += 1 if found[0] == "(" else -1
        if depth == 0:
            return first, position
        if depth > 32:
            # CommonMark's readers limit the nesting of a target, too.
            return first, first
    return first or -1, -1
