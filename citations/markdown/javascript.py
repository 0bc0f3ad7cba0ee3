"""Code spans as the JavaScript markdown-it finds them: ``lib/rules_inline/backticks.js``, versions 12 to 14.

CommonMark § 6.1 pairs each run of backticks with the next one of its length. This rule, once a run had
no partner, trusts places that later runs overwrite, and takes code for text. Web Chat 4.18.1 has it.
"""

from __future__ import annotations

from markdown_it.rules_inline import StateInline


def pair_backticks(state: StateInline, silent: bool) -> bool:
    """Read the code span, or the run of backticks, that begins at ``state.pos``."""
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
    """Where the run of backticks ends that begins at ``start``; at least one character on."""
    pos = start + 1
    while pos < end and source[pos] == "`":
        pos += 1
    return pos
