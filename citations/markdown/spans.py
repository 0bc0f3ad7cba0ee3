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
from .hazards import INTERRUPTS
from .inline_state import InlineState, NeedsText

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


def read_literal(state: InlineState, rule: Callable[[StateInline, bool], bool]) -> int:
    """Read and record what a ``rule`` of markdown-it-py finds."""
    start = state.pos
    if not rule(cast("StateInline", state), True):
        return start + 1
    state.spans.append(InlineSpan("literal", start, state.pos))
    return state.pos


def entity_or_wait(state: InlineState) -> int:
    """Read ``&amp;`` or ``&#38;``."""
    if not state.final and _MAY_BE_ENTITY.match(state.src, state.pos):
        raise NeedsText
    return read_literal(state, entity)


def angle(state: InlineState) -> int:
    """Read a tag or an autolink."""
    source, start = state.src, state.pos
    if start < state.formula:
        return start + 1
    state.posMax = min(len(source), start + MAX_TAG)
    found = autolink(cast("StateInline", state), True)
    state.posMax = len(source)
    if found:
        state.spans.append(InlineSpan("autolink", start, state.pos))
        return state.pos
    if tag := HTML_TAG_RE.match(source, start, start + MAX_TAG):
        state.spans.append(InlineSpan("html", start, tag.end()))
        return tag.end()
    if state.waits(start + MAX_TAG) and _MAY_BE_TAG.match(source, start):
        raise NeedsText
    return start + 1


def code(state: InlineState) -> int:
    """Read a run of backticks and the next run of its length."""
    source, start, end = state.src, state.pos, state.run_end
    if end - start > MAX_RUN:
        return end - MAX_RUN
    limit = end + MAX_CODE
    for run in _BACKTICKS.finditer(source, end, limit + end - start + 1):
        if state.waits(run.end() + 1):
            raise NeedsText
        if run.end() - run.start() == end - start and run.start() < limit:
            if not _closes(state, end, run):
                return end
            state.spans.append(InlineSpan("code", start, run.end()))
            return run.end()
    if state.waits(limit + end - start + 1):
        raise NeedsText
    return end


def _closes(state: InlineState, start: int, run: re.Match[str]) -> bool:
    """Whether ``run`` closes the code from ``start`` on in every engine."""
    source = state.src
    if INTERRUPTS.search(source, start, run.start()):
        return False
    if len(run[0]) < 3 or source[source.rfind("\n", 0, run.start()) + 1 : run.start()].strip():
        return True
    # "Info strings for backtick code blocks cannot contain backticks". Without the backticks behind it,
    # the line would open a fence.
    rest, line_end, _ = source[run.end() : run.end() + MAX_CODE].partition("\n")
    if not (line_end or "`" in rest) and state.waits(run.end() + MAX_CODE):
        raise NeedsText
    return "`" not in rest
