"""One inline text, read as CommonMark reads it, with the place of everything that isn't plain text.

markdown-it-py's rules decide what is a code span, a tag, an autolink, an escape or an entity.
Brackets are read by rules of our own, with the stack of CommonMark's appendix ("An algorithm for
parsing nested emphasis and links"): every pair is a possible marker, and a stack is linear where a
look-ahead isn't.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum, auto
from typing import Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, autolink, backtick, entity, escape, html_inline

_SPECIAL: Final = re.compile(r"[`\[\]【［]|\\(?=[!-/:-@\[-`{-~\n])|<(?=[A-Za-z/!?])|&(?=[#A-Za-z])|!(?=\[)")
"""Where something other than text may begin."""
_WIDE: Final = {"【": "】", "［": "］"}
_WIDE_LENGTH: Final = 120
"""How far a wide bracket may be from its partner, in characters."""
_SHORT: Final = 240
"""How long a pair without a target may be, in characters: a longer one is no marker."""
_LOOSE_LENGTH: Final = 2048
_LOOSE_TRIES: Final = 4
_RUNS: Final = {character: re.compile(re.escape(character) + "+") for character in "[]"}
_SPACE: Final = re.compile(r"[ \t\n]*")


class Kind(Enum):
    """What a span is, where it isn't plain text."""

    CODE = auto()
    HTML = auto()
    AUTOLINK = auto()
    IMAGE = auto()
    LITERAL = auto()
    """A backslash escape or an entity: it shows a character and can't be part of a construct."""


class Span(NamedTuple):
    """``content[start:end]`` of an inline text is of this kind."""

    kind: Kind
    start: int
    end: int


class Tail(NamedTuple):
    """What follows ``[…]`` as ``(target)``; ``end`` is the offset behind its parenthesis."""

    target: str
    end: int


class Bracket(NamedTuple):
    """A matched pair ``[…]``, ``【…】`` or ``［…］``: ``content[start:close]``, brackets included.

    ``link`` is the tail that makes it an inline link (CommonMark § "Links"). ``loose`` are the tails
    that CommonMark doesn't read as one, because the target has spaces or a parenthesis too many:
    answer sources write them all the same.
    """

    start: int
    close: int
    link: Tail | None = None
    loose: tuple[Tail, ...] = ()

    @property
    def end(self) -> int:
        """Behind the whole construct, the tail of a link included."""
        return self.link.end if self.link else self.close


class _State(StateInline):
    """markdown-it-py's state, and what is recorded."""

    def __init__(self, content: str) -> None:
        super().__init__(content, _MARKDOWN, {}, [])
        self.spans: list[Span] = []
        self.brackets: list[Bracket] = []
        self.openers: list[int] = []
        """Where the ``[`` or ``![`` stand that nothing has closed yet."""
        self.inactive = 0
        """How many of the openers, from the first, stand before a link and can't open another."""
        self.unpaired = -1
        """Where the last ``[`` stood that was closed without becoming a link."""
        self.last_tail = content.rfind(")")
        """No link's tail can begin behind this."""


def read_inline(content: str) -> tuple[tuple[Span, ...], tuple[Bracket, ...]]:
    """The spans of ``content`` in order, none inside another, and its bracket pairs by their end."""
    found = _SPECIAL.search(content)
    if not found:
        return (), ()
    state = _State(content)
    while found:
        start = state.pos = found.start()
        for rule in _RULES[content[start]]:
            if rule(state):
                break
        else:
            state.pos = start + 1
        found = _SPECIAL.search(content, state.pos)
    return _outermost(state.spans), tuple(state.brackets)


def _outermost(spans: list[Span]) -> tuple[Span, ...]:
    if not any(span.kind is Kind.IMAGE for span in spans):
        return tuple(spans)
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return tuple(kept)


def _stock(kind: Kind, rule: Callable[[StateInline, bool], bool]) -> Callable[[_State], bool]:
    """A rule of markdown-it-py, in the mode that only looks, and what it found recorded."""

    def recorded(state: _State) -> bool:
        start = state.pos
        if not rule(state, True):
            return False
        state.spans.append(Span(kind, start, state.pos))
        return True

    return recorded


def _code(state: _State) -> bool:
    start = state.pos
    backtick(state, True)
    # A run of backticks without a partner is text: the rule has only passed over it.
    if state.src[start : state.pos].strip("`"):
        state.spans.append(Span(Kind.CODE, start, state.pos))
    return True


def _open(state: _State) -> bool:
    start = state.pos
    state.pos = _run_end(state.src, start, "[")
    if state.pos == start + 1:
        state.openers.append(start)
    else:
        state.openers.extend(range(start, state.pos))
    return True


def _open_image(state: _State) -> bool:
    state.openers.append(state.pos)
    state.pos += 2
    return True


def _run_end(source: str, start: int, character: str) -> int:
    """Where the run of one character ends that begins at ``start``."""
    match = _RUNS[character].match(source, start)
    return match.end() if match else start


def _wide(state: _State) -> bool:
    start = state.pos
    end = state.src.find(_WIDE[state.src[start]], start, start + _WIDE_LENGTH)
    if end > 0:
        state.brackets.append(Bracket(start, end + 1))
    return False


def _close(state: _State) -> bool:
    source, close = state.src, state.pos + 1
    if state.openers:
        state.pos = _pair(state, close)
        return True
    state.pos = _run_end(source, state.pos, "]")
    # `[Report ]x](id)`: the first `]` took the opener, the answer source meant the second.
    tailed = state.pos == close < state.last_tail and source[close] == "("
    if tailed and state.unpaired >= 0 and source.find("\n", state.unpaired, close) < 0:
        state.brackets.append(Bracket(state.unpaired, close, None, _loose_tails(source, close)))
        state.unpaired = -1
    return True


def _pair(state: _State, close: int) -> int:
    """Record the pair that ``]`` closes; where reading goes on."""
    opener = state.openers.pop()
    image = state.src[opener] == "!"
    # "If we find one, but it's not active, we remove the inactive delimiter from the stack, and
    # return a literal text node ]."
    active = image or len(state.openers) >= state.inactive
    state.inactive = min(state.inactive, len(state.openers))
    tailed = close < state.last_tail and state.src[close] == "("
    link = _link_tail(state, close) if active and tailed else None
    if image and link:
        state.spans.append(Span(Kind.IMAGE, opener, link.end))
        return link.end
    start = opener + image
    if tailed or close - start <= _SHORT:
        state.brackets.append(Bracket(start, close, link, _loose_tails(state.src, close) if tailed else ()))
    if link is None:
        state.unpaired = start
        return close
    # "If we have a link (and not an image), we also set all [ delimiters before the opening
    # delimiter to inactive."
    state.inactive = len(state.openers)
    return link.end


def _link_tail(state: _State, close: int) -> Tail | None:
    """``(destination "title")`` at ``close``, CommonMark § "Inline link"."""
    source, end = state.src, state.posMax
    position = _skip_space(source, close + 1)
    destination = state.md.helpers.parseLinkDestination(source, position, end)
    target = ""
    if destination.ok:
        target, position = destination.str, destination.pos
        after = _skip_space(source, position)
        if after > position:
            title = state.md.helpers.parseLinkTitle(source, after, end)
            position = _skip_space(source, title.pos) if title.ok else after
    if not source.startswith(")", position):
        return None
    return Tail(target, position + 1)


def _skip_space(source: str, position: int) -> int:
    match = _SPACE.match(source, position)
    return match.end() if match else position


def _loose_tails(source: str, close: int) -> tuple[Tail, ...]:
    """``(target)`` read literally: up to each of the next few ``)`` of the line."""
    line_end = source.find("\n", close, close + _LOOSE_LENGTH)
    limit = line_end if line_end >= 0 else close + _LOOSE_LENGTH
    tails: list[Tail] = []
    end = close
    while len(tails) < _LOOSE_TRIES and (end := source.find(")", end + 1, limit)) >= 0:
        tails.append(Tail(source[close + 1 : end], end + 1))
    return tuple(tails)


_MARKDOWN: Final = MarkdownIt("commonmark")
# A target's scheme is judged where links are allowed, not where they are read.
_MARKDOWN.validateLink = lambda url: True  # type: ignore[method-assign] # noqa: ARG005

_RULES: Final[dict[str, tuple[Callable[[_State], bool], ...]]] = {
    "\\": (_stock(Kind.LITERAL, escape),),
    "`": (_code,),
    "<": (_stock(Kind.AUTOLINK, autolink), _stock(Kind.HTML, html_inline)),
    "&": (_stock(Kind.LITERAL, entity),),
    "[": (_open,),
    "!": (_open_image,),
    "]": (_close,),
    "【": (_wide,),
    "［": (_wide,),
}
"""What may begin with a character, in the order of precedence."""
