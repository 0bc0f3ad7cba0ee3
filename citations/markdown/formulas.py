r"""Formulas: ``$$…$$``, ``\(…\)`` and ``\[…\]``, as Web Chat's main build and users of KaTeX write them.

Web Chat's ``mathExtension/tokenizer.ts`` defines their beginning and end. Clients without mathematics
read them as text. So only what is harmless as text counts as a formula here.
"""

from __future__ import annotations

import re
from typing import Final

from markdown_it.rules_inline import escape

from .construct import InlineSpan
from .hazards import ATTRIBUTE
from .inline_state import InlineState, NeedsText
from .spans import read_literal

MAX_FORMULA: Final = 1000
"""Characters between the delimiters."""
_DOLLARS: Final = re.compile(r"\\[$\\]|(?P<close>\$\$)")
"""The end of a formula, or an escape that hides one: "Allow escaping $ and \\"."""
_BRACKET: Final = re.compile(r"(?P<close>\\[)\]])")
_LITERAL: Final = re.compile(r"[\s\d,;\[\]\\–-]*")
r"""``\[1, 2\]`` is a marker that its author has escaped, and no formula."""
_HARMFUL: Final = re.compile(
    rf"`|!\[|\](?=[\[(:])|[【［]|//(?=\w)|@|\.(?<=\w\.)(?=[^\W\d_]{{2}})|{ATTRIBUTE.pattern}"
)
"""Signs of code, links, images, addresses and accessible names, where a client reads the formula as text."""

_MARKER: Final = re.compile(r"\[[^\[\]]*\]")
_JOINED_TAG: Final = re.compile(rf"<(?:{_MARKER.pattern})+[A-Za-z/!?]")
"""A tag that arises when the markers in it move behind the formula."""


def dollars(state: InlineState) -> int:
    """Read ``$$…$$``: "Do not convert $$$$ into a formula"."""
    source, start = state.src, state.pos
    end = start + 2
    while source.startswith("$", end):
        end += 1
    if end - start < MAX_FORMULA and state.waits(end + 1):
        raise NeedsText
    if end - start == 2:
        _read_formula(state, _DOLLARS, lines=True)
    # Brackets in a formula may be markers, so its content is read, too.
    return end


def backslash(state: InlineState) -> int:
    r"""Read ``\(…\)``, ``\[…\]`` or an escape: "Ignore inline formulas … if the line ended"."""
    opening = state.src[state.pos + 1]
    if opening in "([" and _read_formula(state, _BRACKET, lines=opening == "["):
        return state.pos + 2
    return read_literal(state, escape)


def _read_formula(state: InlineState, closing: re.Pattern[str], *, lines: bool) -> bool:
    """Read the formula whose delimiter stands at ``pos``, if there is one."""
    source, start = state.src, state.pos
    if start < state.formula:
        return False
    limit = start + 2 + MAX_FORMULA
    line_end = -1 if lines else source.find("\n", start)
    limit = limit if line_end < 0 else min(limit, line_end)
    close = next((found for found in closing.finditer(source, start + 2, limit + 2) if found["close"]), None)
    end = close.end() if close else min(limit, len(source))
    content = source[start + 2 : close.start() if close else end]
    if _is_harmful(content):
        return False
    if close is None or (source[start] == "$" and end == len(source)):
        if line_end < 0 and state.waits(limit + 2):
            raise NeedsText
        if close is None:
            return False
    if not _is_formula(state, start, content, end):
        return False
    state.spans.append(InlineSpan("formula", start, end))
    state.formula = end
    return True


def _is_harmful(content: str) -> bool:
    """Whether ``content`` is harmful as text, with its markers or without them."""
    if _HARMFUL.search(content):
        return True
    return "[" in content and bool(_JOINED_TAG.search(content) or _HARMFUL.search(_MARKER.sub("", content)))


def _is_formula(state: InlineState, start: int, content: str, end: int) -> bool:
    source = state.src
    if source[start] == "$":
        _, line_end, line = source[:start].rpartition("\n")
        if "\n" in content and (line.strip() or (state.in_line and not line_end)):
            # Web Chat's main build takes `$$` at the beginning of a line for the beginning of a formula.
            return False
        # Engines differ on a third sign: content or delimiter.
        return bool(content.strip()) and not content.endswith("$") and not source.startswith("$", end)
    # Web Chat's main build ends `\(` at `\]`, too.
    pair = source[start + 1] + source[end - 1]
    return pair in ("()", "[]") and not _LITERAL.fullmatch(content)
