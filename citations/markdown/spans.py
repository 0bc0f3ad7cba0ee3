"""Code, tags, autolinks, escapes and entities: spans that brackets can't reach into.

markdown-it-py's rules find autolinks, escapes and entities, its regular expression finds tags.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, cast

from markdown_it.common.html_re import HTML_TAG_RE
from markdown_it.rules_inline import StateInline, autolink, entity

from .construct import InlineSpan
from .hazards import DELIMITER_ROW, FLOW_MATH, FOOTNOTE, TAG_LINE
from .inline_state import InlineState, Rule

MAX_CODE: Final = 1000
"""Characters of a code span."""
MAX_RUN: Final = 100
"""Consecutive backticks. Of a longer run only the last ones count."""
MAX_TAG: Final = 500
"""Characters of a tag or an autolink."""
_BACKTICKS: Final = re.compile("`+")
_VALUE: Final = r"""\s*+=\s*+(?:[^\s"'=<>`]++|'[^']*+'|"[^"]*+")"""
_MAY_BE_TAG: Final = re.compile(
    rf"""<(?:[A-Za-z][A-Za-z0-9\-]*+(?:\s++[A-Za-z_:][\w:.\-]*+(?:{_VALUE})?+)*+"""
    r"""(?:\s*+=\s*+(?:'[^']*+|"[^"]*+)?)?+\s*/?"""
    r"""|[A-Za-z][A-Za-z0-9+.\-]{0,31}(?::[^<>\x00-\x20]*)?"""
    r"""|[A-Za-z0-9.!#$%&'*+/=?^_`{|}~\-]++(?:@[A-Za-z0-9.\-]*)?"""
    r"""|/(?:[A-Za-z][A-Za-z0-9\-]*\s*)?|!-?|!--(?s:.*)|!\[(?s:.*)|![A-Za-z][^>]*|\?(?s:.*))\Z"""
)
"""Text, up to its end, that begins like a tag or an autolink."""
_MAY_BE_ENTITY: Final = re.compile(r"&(?:#(?:[xX][0-9a-fA-F]{0,6}|[0-9]{0,7})|[A-Za-z][A-Za-z0-9]{0,31})\Z")


def literal(rule: Callable[[StateInline, bool], bool]) -> Rule:
    """A rule of markdown-it-py in silent mode, whose findings are recorded."""

    def record(state: InlineState) -> bool:
        start = state.pos
        if not rule(cast("StateInline", state), True):
            return False
        state.spans.append(InlineSpan("literal", start, state.pos))
        return True

    return record


def entity_or_wait(state: InlineState) -> bool | None:
    """Read ``&amp;`` or ``&#38;``."""
    if literal(entity)(state):
        return True
    return None if not state.final and _MAY_BE_ENTITY.match(state.src, state.pos) else False


def angle(state: InlineState) -> bool | None:
    """Read a tag or an autolink."""
    source, start = state.src, state.pos
    if start < state.formula:
        return False
    state.posMax = min(len(source), start + MAX_TAG)
    if autolink(cast("StateInline", state), True):
        state.spans.append(InlineSpan("autolink", start, state.pos))
        matched: bool | None = True
    elif tag := HTML_TAG_RE.match(source, start, start + MAX_TAG):
        state.pos = tag.end()
        state.spans.append(InlineSpan("html", start, state.pos))
        matched = True
    else:
        waits = not state.final and len(source) < start + MAX_TAG and _MAY_BE_TAG.match(source, start)
        matched = None if waits else False
    state.posMax = len(source)
    return matched


def code(state: InlineState) -> bool | None:
    """Read a run of backticks and the next run of its length."""
    source, start = state.src, state.pos
    end = state.run_end
    waits = not state.final
    if end - start > MAX_RUN:
        state.pos = end - MAX_RUN
        return True
    if end == len(source) and waits:
        return None
    limit = end + MAX_CODE
    for run in _BACKTICKS.finditer(source, end, limit + end - start + 1):
        if run.end() == len(source) and waits:
            return None
        if run.end() - run.start() == end - start and run.start() < limit:
            closes = _closes(source, end, run, waits=waits)
            if closes:
                state.spans.append(InlineSpan("code", start, run.end()))
            state.pos = run.end() if closes else end
            return None if closes is None else True
    if waits and len(source) <= limit + end - start:
        return None
    state.pos = end
    return True


_INTERRUPTS: Final = (DELIMITER_ROW, FLOW_MATH, FOOTNOTE, TAG_LINE)


def _closes(source: str, start: int, run: re.Match[str], *, waits: bool) -> bool | None:
    """Whether ``run`` closes the code from ``start`` on in every engine; None if more text is needed."""
    if any(hazard.search(source, start, run.start()) for hazard in _INTERRUPTS):
        # Another engine may take the line above for a table's header, in which a cell ends the code. The
        # line may then be a block of its own.
        return False
    line = source[source.rfind("\n", 0, run.start()) + 1 : run.start()]
    if len(run[0]) < 3 or line.strip():
        return True
    # "Info strings for backtick code blocks cannot contain backticks". Without the backticks behind it,
    # the line would open a fence.
    rest, line_end, _ = source[run.end() : run.end() + MAX_CODE].partition("\n")
    if "`" in rest:
        return False
    return None if waits and not line_end and len(rest) < MAX_CODE else True
