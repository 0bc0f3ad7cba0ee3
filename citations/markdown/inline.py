"""An inline text, read as CommonMark reads it, as it arrives: what in it isn't plain text, and where.

markdown-it-py's rules decide what is an autolink, an escape or an entity, its expression what is a
tag. Brackets are read by rules of our own, with the stack of CommonMark's appendix ("An algorithm
for parsing nested emphasis and links"): every pair is a possible marker, and a stack is linear where
a look-ahead isn't.

Whatever needs more text than there is waits for it, but never for longer than the bounds below: a
construct beyond them is text. A finished text is read by the same rules, so that both can't differ.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from enum import Enum, auto
from typing import Final, NamedTuple, cast

from markdown_it import MarkdownIt
from markdown_it.common.html_re import HTML_TAG_RE
from markdown_it.rules_inline import StateInline, autolink, entity, escape

MAX_LABEL: Final = 300
"""Characters of ``[…]`` that may be a marker: the name of a file and its page."""
MAX_TAIL: Final = 2048
"""Characters of a link's ``(…)``."""
MAX_CODE: Final = 1000
"""Characters of a code span."""
MAX_RUN: Final = 100
"""Backticks in a row; of a longer row the last so many count."""
MAX_TAG: Final = 500
"""Characters of a tag or an autolink."""
MAX_WIDE: Final = 120
"""Characters from a wide bracket to its partner."""

_SPECIAL: Final = re.compile(r"[`\[\]【［]|\\(?=[!-/:-@\[-`{-~\n])|<(?=[A-Za-z/!?])|&(?=[#A-Za-z])|!(?=\[)")
"""Where something other than text may begin."""
_LAST: Final = frozenset("\\<&!")
"""What begins something only with the next character."""
_WIDE: Final = {"【": "】", "［": "］"}
_RUNS: Final = {character: re.compile(re.escape(character) + "+") for character in "[]`"}
_SPACE: Final = re.compile(r"[ \t\n]*")
_EXTENSION: Final = re.compile(r"[!-'*-~]{1,64}\)")
"""What follows a target without a space, up to another parenthesis."""
_MAY_EXTEND: Final = re.compile(r"[!-'*-~]{0,64}\Z")
_REPEATED: Final = 32
"""How far behind a pair a second ``]`` may stand that was meant to close it."""

_VALUE: Final = r"""\s*+=\s*+(?:[^\s"'=<>`]++|'[^']*+'|"[^"]*+")"""
_MAY_BE_TAG: Final = re.compile(
    rf"""<(?:[A-Za-z][A-Za-z0-9\-]*+(?:\s++[A-Za-z_:][\w:.\-]*+(?:{_VALUE})?+)*+"""
    r"""(?:\s*+=\s*+(?:'[^']*+|"[^"]*+)?)?+\s*/?"""
    r"""|[A-Za-z][A-Za-z0-9+.\-]{0,31}(?::[^<>\x00-\x20]*)?"""
    r"""|[A-Za-z0-9.!#$%&'*+/=?^_`{|}~\-]++(?:@[A-Za-z0-9.\-]*)?"""
    r"""|/(?:[A-Za-z][A-Za-z0-9\-]*\s*)?|!-?|!--(?s:.*)|!\[(?s:.*)|![A-Za-z][^>]*|\?(?s:.*))\Z"""
)
"""Text to its end that begins as a tag or an autolink does."""
_MAY_BE_ENTITY: Final = re.compile(r"&(?:#(?:[xX][0-9a-fA-F]{0,6}|[0-9]{0,7})|[A-Za-z][A-Za-z0-9]{0,31})\Z")
_MAY_BE_TAIL: Final = re.compile(
    r"""\([ \t\n]*+(?:<[^<>\n]*|(?:<(?:\\.|[^<>\n])*>|(?!<)[^\s]*+)"""
    r"""(?:[ \t\n]++(?:"(?:\\.|[^"\\])*+\\?|'(?:\\.|[^'\\])*+\\?|\((?:\\.|[^()\\])*+\\?)?"""
    r"""|[ \t\n]++(?:"(?:\\.|[^"\\])*+"|'(?:\\.|[^'\\])*+'|\((?:\\.|[^()\\])*+\))[ \t\n]*+)?)\Z""",
    re.DOTALL,
)
"""Text to its end that begins as a link's ``(target "title")`` does."""


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


class InlineReader:
    """Reads one inline text piece by piece; ``feed`` it, ``read`` on, and ``cut`` off what is settled.

    Offsets count from the last cut: what was cut off is forgotten, but for the brackets that it
    left open.
    """

    def __init__(self) -> None:
        self.state = _State()

    @property
    def content(self) -> str:
        """The text since the last cut."""
        return self.state.src

    def feed(self, text: str) -> None:
        """Append ``text``."""
        state = self.state
        state.src += text
        state.posMax = len(state.src)

    def read(self, *, final: bool) -> int:
        """Read on, and return the offset up to which nothing will change.

        ``final`` says that the text is complete: then it is all of it.
        """
        state = self.state
        state.final = final
        _scan(state)
        return len(state.src) if final else state.settled()

    def constructs(self) -> Iterator[tuple[int, int]]:
        """Where what was found since the last cut begins and ends, the last first."""
        for span in reversed(self.state.spans):
            yield span.start, span.end
        for bracket in reversed(self.state.brackets):
            yield bracket.start, max((bracket.end, *(tail.end for tail in bracket.loose)))

    def cut(self, end: int) -> tuple[tuple[Span, ...], tuple[Bracket, ...]]:
        """Forget ``content[:end]``, and return what was found in it."""
        state = self.state
        spans = [span for span in state.spans if span.end <= end]
        brackets = tuple(bracket for bracket in state.brackets if bracket.start < end)
        state.forget(end)
        return _outermost(spans), brackets


def read_inline(content: str) -> tuple[tuple[Span, ...], tuple[Bracket, ...]]:
    """The spans of ``content`` in order, none inside another, and its bracket pairs by their end."""
    if not _SPECIAL.search(content):
        return (), ()
    reader = InlineReader()
    reader.feed(content)
    return reader.cut(reader.read(final=True))


class _State:
    """What markdown-it-py's rules look at, by the names that they use, and what is recorded."""

    def __init__(self) -> None:
        self.src = ""
        self.pos = self.posMax = 0
        self.md = _MARKDOWN
        self.final = False
        self.spans: list[Span] = []
        self.brackets: list[Bracket] = []
        self.base = 0
        """How much was cut off."""
        self.openers: list[int] = []
        """Where the ``[`` or ``![`` stand that nothing has closed yet, the cut-off text included."""
        self.images: set[int] = set()
        """Which of them are ``![``."""
        self.inactive = 0
        """How many of the openers, from the first, stand before a link and can't open another."""
        self.unpaired: tuple[int, int] | None = None
        """The last pair that is neither a link nor has a digit in it, until it can't be taken up again."""

    def settled(self) -> int:
        """Up to where nothing will change: no bracket there can still become a marker."""
        settled = self.pos
        if self.openers and self.openers[-1] >= self.base + self.pos - MAX_LABEL:
            live = bisect_left(self.openers, self.base + self.pos - MAX_LABEL)
            settled = min(settled, self.openers[live] - self.base)
        if self.unpaired is not None and self._may_be_repeated(self.pos):
            settled = min(settled, self.unpaired[0])
        return max(0, settled)

    def _may_be_repeated(self, position: int) -> bool:
        if self.unpaired is None:
            return False
        start, close = self.unpaired
        return start >= 0 and position - close <= _REPEATED and "\n" not in self.src[start:position]

    def repeated(self) -> int | None:
        """Where the pair begins that a ``]`` at ``pos`` closes for the second time."""
        return self.unpaired[0] if self.unpaired and self._may_be_repeated(self.pos) else None

    def skip(self, count: int) -> None:
        """Let ``count`` characters of plain text have been cut off."""
        self.base += count
        if self.unpaired is not None:
            self.unpaired = (self.unpaired[0] - count, self.unpaired[1] - count)

    def forget(self, end: int) -> None:
        """Let offsets count from ``end``."""
        self.src = self.src[end:]
        self.posMax = len(self.src)
        self.pos -= end
        self.base += end
        self.spans = [Span(kind, a - end, b - end) for kind, a, b in self.spans if b > end]
        self.brackets = [_moved(bracket, -end) for bracket in self.brackets if bracket.start >= end]
        if self.unpaired is not None:
            self.unpaired = (self.unpaired[0] - end, self.unpaired[1] - end)


def _moved(bracket: Bracket, by: int) -> Bracket:
    return Bracket(
        bracket.start + by,
        bracket.close + by,
        bracket.link and Tail(bracket.link.target, bracket.link.end + by),
        tuple(Tail(tail.target, tail.end + by) for tail in bracket.loose),
    )


def _scan(state: _State) -> None:
    """Read from ``state.pos`` on, up to the end or to what needs more text."""
    source = state.src
    while found := _SPECIAL.search(source, state.pos):
        start = state.pos = found.start()
        for rule in _RULES[source[start]]:
            matched = rule(state)
            if matched is None:
                state.pos = start
                return
            if matched:
                break
        else:
            state.pos = start + 1
    waits = not state.final and source[-1:] in _LAST and len(source) > state.pos
    state.pos = max(state.pos, len(source) - waits)


def _outermost(spans: list[Span]) -> tuple[Span, ...]:
    if not any(span.kind is Kind.IMAGE for span in spans):
        return tuple(spans)
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return tuple(kept)


_Rule = Callable[[_State], bool | None]
"""Reads on from ``state.pos`` and says whether it did; None where it needs more text to know."""


def _literal(rule: Callable[[StateInline, bool], bool]) -> _Rule:
    """A rule of markdown-it-py, in the mode that only looks, and what it found recorded."""

    def recorded(state: _State) -> bool:
        start = state.pos
        if not rule(cast("StateInline", state), True):
            return False
        state.spans.append(Span(Kind.LITERAL, start, state.pos))
        return True

    return recorded


def _entity(state: _State) -> bool | None:
    if _literal(entity)(state):
        return True
    return None if not state.final and _MAY_BE_ENTITY.match(state.src, state.pos) else False


def _angle(state: _State) -> bool | None:
    """A tag or an autolink."""
    source, start = state.src, state.pos
    state.posMax = min(len(source), start + MAX_TAG)
    if autolink(cast("StateInline", state), True):
        state.spans.append(Span(Kind.AUTOLINK, start, state.pos))
        matched: bool | None = True
    elif tag := HTML_TAG_RE.match(source, start, start + MAX_TAG):
        state.pos = tag.end()
        state.spans.append(Span(Kind.HTML, start, state.pos))
        matched = True
    else:
        waits = not state.final and len(source) < start + MAX_TAG and _MAY_BE_TAG.match(source, start)
        matched = None if waits else False
    state.posMax = len(source)
    return matched


def _code(state: _State) -> bool | None:
    source, start = state.src, state.pos
    end = _run_end(source, start, "`")
    waits = not state.final
    if end - start > MAX_RUN:
        state.pos = end - MAX_RUN
        return True
    if end == len(source) and waits:
        return None
    limit = end + MAX_CODE
    for run in _RUNS["`"].finditer(source, end, limit + end - start + 1):
        if run.end() == len(source) and waits:
            return None
        if run.end() - run.start() == end - start and run.start() < limit:
            state.pos = run.end()
            state.spans.append(Span(Kind.CODE, start, state.pos))
            return True
    if waits and len(source) <= limit + end - start:
        return None
    state.pos = end
    return True


def _open(state: _State) -> bool:
    start = state.pos
    state.pos = _run_end(state.src, start, "[")
    state.openers.extend(range(state.base + start, state.base + state.pos))
    return True


def _open_image(state: _State) -> bool:
    state.openers.append(state.base + state.pos)
    state.images.add(state.base + state.pos)
    state.pos += 2
    return True


def _run_end(source: str, start: int, character: str) -> int:
    """Where the run of one character ends that begins at ``start``."""
    match = _RUNS[character].match(source, start)
    return match.end() if match else start


def _wide(state: _State) -> bool | None:
    source, start = state.src, state.pos
    end = source.find(_WIDE[source[start]], start, start + MAX_WIDE)
    if end > 0:
        state.brackets.append(Bracket(start, end + 1))
    elif not state.final and len(source) < start + MAX_WIDE:
        return None
    return False


def _close(state: _State) -> bool | None:
    source, close = state.src, state.pos + 1
    if close == len(source) and not state.final:
        return None
    tailed = source.startswith("(", close)
    if state.openers:
        return _pair(state, close, tailed)
    # `[Report ]x](id)`: the first `]` took the opener, the answer source meant the second.
    start = state.repeated() if tailed else None
    if start is not None:
        loose = _loose_tails(state, close, None)
        if loose is None:
            return None
        state.brackets.append(Bracket(start, close, None, loose))
        state.unpaired = None
    state.pos = close
    return True


def _pair(state: _State, close: int, tailed: bool) -> bool | None:
    """Record the pair that ``]`` closes."""
    opener = state.openers[-1]
    image = opener in state.images
    start = opener - state.base + image
    # "If we find one, but it's not active, we remove the inactive delimiter from the stack, and
    # return a literal text node ]."
    active = image or len(state.openers) > state.inactive
    link: Tail | None = None
    loose: tuple[Tail, ...] = ()
    if tailed:
        found = _link_tail(state, close) if active else None
        if found is _MORE:
            return None
        link = found
        if not (image and link):
            tails = _loose_tails(state, close, link)
            if tails is None:
                return None
            loose = tails
    state.openers.pop()
    state.images.discard(opener)
    state.inactive = min(state.inactive, len(state.openers))
    if image and link:
        state.spans.append(Span(Kind.IMAGE, start - 1, link.end))
        state.pos = link.end
        return True
    if start >= 0 and (link or close - start <= MAX_LABEL):
        state.brackets.append(Bracket(start, close, link, loose))
    if link is None:
        digits = any(character.isdigit() for character in state.src[max(0, start) : close])
        state.unpaired = None if digits else (start, close)
        state.pos = close
        return True
    # "If we have a link (and not an image), we also set all [ delimiters before the opening
    # delimiter to inactive."
    state.inactive = len(state.openers)
    state.pos = link.end
    return True


_MORE: Final = Tail("", -1)
"""Stands for a tail that needs more text to be known."""


def _link_tail(state: _State, close: int) -> Tail | None:
    """``(destination "title")`` at ``close``, CommonMark § "Inline link"."""
    source, end = state.src, min(len(state.src), close + MAX_TAIL)
    if source.find(")", close, end) >= 0 and (tail := _parsed_tail(state, close, end)):
        return tail
    waits = not state.final and len(source) < close + MAX_TAIL
    return _MORE if waits and _MAY_BE_TAIL.match(source, close) else None


def _parsed_tail(state: _State, close: int, end: int) -> Tail | None:
    source = state.src
    position = _skip_space(source, close + 1)
    destination = state.md.helpers.parseLinkDestination(source, position, end)
    target = ""
    if destination.ok:
        target, position = destination.str, destination.pos
        after = _skip_space(source, position)
        if after > position:
            title = state.md.helpers.parseLinkTitle(source, after, end)
            position = _skip_space(source, title.pos) if title.ok else after
    if not source.startswith(")", position) or position >= end:
        return None
    return Tail(target, position + 1)


def _skip_space(source: str, position: int) -> int:
    match = _SPACE.match(source, position)
    return match.end() if match else position


def _loose_tails(state: _State, close: int, link: Tail | None) -> tuple[Tail, ...] | None:
    """``(target)`` read literally, within the line: up to the first parenthesis, and up to its partner.

    Either may go on up to one more, where no space comes between. None: more text is needed.
    """
    source = state.src
    line_end = source.find("\n", close, close + MAX_TAIL)
    limit = line_end if line_end >= 0 else close + MAX_TAIL
    waits = not state.final and line_end < 0 and len(source) < limit
    ends: dict[int, None] = {}
    if link is None:
        first, partner = _parentheses(source, close, min(limit, len(source)))
        if waits and partner < 0:
            return None
        ends = dict.fromkeys(end for end in (first, partner) if end > 0)
    for end in (*ends, *((link.end,) if link else ())):
        if extended := _EXTENSION.match(source, end, limit):
            ends[extended.end()] = None
        elif waits and _MAY_EXTEND.match(source, end):
            return None
    return tuple(Tail(source[close + 1 : end - 1], end) for end in ends)


def _parentheses(source: str, start: int, limit: int) -> tuple[int, int]:
    """The ends behind the first ``)`` and behind the partner of the ``(`` at ``start``; -1 for none."""
    first = source.find(")", start, limit) + 1
    depth, position = 0, start
    while first and (found := _PARENTHESIS.search(source, position, limit)):
        position = found.end()
        depth += 1 if found[0] == "(" else -1
        if depth == 0:
            return first, position
        if depth > 32:
            # As CommonMark's readers do with a target: a deeper one is none.
            return first, first
    return first or -1, -1


_PARENTHESIS: Final = re.compile("[()]")
_MARKDOWN: Final = MarkdownIt("commonmark")
# A target's scheme is judged where links are allowed, not where they are read.
_MARKDOWN.validateLink = lambda url: True  # type: ignore[method-assign] # noqa: ARG005

_RULES: Final[dict[str, tuple[_Rule, ...]]] = {
    "\\": (_literal(escape),),
    "`": (_code,),
    "<": (_angle,),
    "&": (_entity,),
    "[": (_open,),
    "!": (_open_image,),
    "]": (_close,),
    "【": (_wide,),
    "［": (_wide,),
}
"""What may begin with a character, in the order of precedence."""
