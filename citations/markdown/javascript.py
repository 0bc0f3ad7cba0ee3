"""Code spans as markdown-it pairs them: ``lib/rules_inline/backticks.js``, versions 12 to 14.

CommonMark § 6.1 pairs each run of backticks with the next one of its length. The JavaScript rule caches
the places of runs, and later runs overwrite them. After a run without a partner it takes code for text.
Web Chat 4.18.1 has this rule.
"""

from __future__ import annotations

from markdown_it.rules_inline import StateInline


def pair_backticks(state: StateInline, silent: bool) -> bool:
    """Read the code span, or the run of backticks, at ``state.pos``."""
    source, start = state.src, state.pos
    if source[start] != "`":
        return False
    pos = _behind_run(source, start, state.posMax)
    length = pos - start
    if not (state.backticksScanned and state.backticks.get(length, 0) <= start):
        close = end = pos
        while (close := source.find("`", end)) >= 0:
            end = _behind_run(source, close, state.posMax)
            if end - close == length:
                if not silent:
                    state.push("code_inline", "code", 0).content = source[pos:close]
                state.pos = end
                return True
            state.backticks[end - close] = close
        state.backticksScanned = True
    if not silent:
        state.append_pending(source[start:pos])
    state.pos = pos
    return True


def _behind_run(source: str, start: int, end: int) -> int:
    """The end of the run of backticks at ``start``, at least one character behind it."""
    pos = start + 1
    while pos < end and source[pos] == "`":
        pos += 1
    return pos
