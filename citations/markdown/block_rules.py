"""The rules of markdown-it-py's block parser, of which a line is asked only of those that its sign allows."""

from __future__ import annotations

from typing import Final

from markdown_it.common.utils import mdTrim
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock

_SIGNS: Final = {
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": "*-+0123456789",
    "reference": "[",
    "html_block": "<",
    "heading": "#",
}
"""What a line begins with where these rules find something. The other rules look at each line."""


class RulesBySign(Ruler[RuleFuncBlockType]):
    """The enabled rules of another ruler; those of each chain are one, which looks at a line's first sign."""

    def __init__(self, rules: Ruler[RuleFuncBlockType]) -> None:
        super().__init__()
        self.__rules__ = rules.__rules__
        signs = {rule.fn: _SIGNS.get(rule.name) for rule in self.__rules__}
        self._chains = {
            chain: [_one_of({rule: signs[rule] for rule in rules.getRules(chain)})]
            for chain in ("", "paragraph", "reference", "blockquote", "list")
        }

    def getRules(self, chainName: str = "") -> list[RuleFuncBlockType]:  # noqa: N802, N803
        """The rules of a chain, as one."""
        return self._chains[chainName]


def _one_of(signs_of: dict[RuleFuncBlockType, str | None]) -> RuleFuncBlockType:
    """The first of these rules that finds something on a line; None stands for all signs."""
    every = list(signs_of)
    others = [rule for rule, signs in signs_of.items() if signs is None]
    by_sign = {
        sign: [rule for rule, signs in signs_of.items() if signs is None or sign in signs]
        for sign in "".join(_SIGNS.values())
    }

    def find(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        place = state.bMarks[line] + state.tShift[line]
        # "Indented code" (CommonMark § 4.4): no sign counts.
        tried = every if state.is_code_block(line) else by_sign.get(state.src[place : place + 1], others)
        for rule in tried:  # noqa: SIM110 - a generator costs as much as a rule
            if rule(state, line, end, silent):
                return True
        return False

    return find


def find_words(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: ARG001
    """Find a paragraph, or a heading that is underlined: markdown-it-py reads the lines once for each."""
    line, marker = _find_last_line(state, first, end)
    words = mdTrim(state.getLines(first, line, state.blkIndent, False))
    kind, tag = ("heading", "h1" if marker == "=" else "h2") if marker else ("paragraph", "p")
    opening = state.push(f"{kind}_open", tag, 1)
    leaf = state.push("inline", "", 0)
    closing = state.push(f"{kind}_close", tag, -1)
    opening.markup = closing.markup = marker
    leaf.content, leaf.map, leaf.children = words, [first, line], []
    state.line = line + bool(marker)
    opening.map = [first, state.line]
    if not marker:
        # As markdown-it-py leaves it: the rule of lists asks for it.
        state.parentType = "paragraph"
    return True


def _find_last_line(state: StateBlock, first: int, end: int) -> tuple[int, str]:
    """The line behind a paragraph, and the sign with which it underlines that, or nothing."""
    source, begins, shifts, ends = state.src, state.bMarks, state.tShift, state.eMarks
    (ends_paragraph,) = state.md.block.ruler.getRules("paragraph")
    outer, state.parentType = state.parentType, "paragraph"
    line, marker = first + 1, ""
    while line < end and (place := begins[line] + shifts[line]) < ends[line]:
        indent = state.sCount[line]
        # What is indented by more is a "lazy continuation line" (CommonMark § 5.1), as is one of -1.
        if indent - state.blkIndent <= 3:
            sign = source[place]
            if sign in "-=" and indent >= state.blkIndent:
                behind = state.skipSpaces(state.skipCharsStr(place, sign))
                if behind >= ends[line]:
                    marker = sign
                    break
            if indent >= 0 and ends_paragraph(state, line, end, True):
                break
        line += 1
    state.parentType = outer
    return line, marker
