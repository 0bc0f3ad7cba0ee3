"""The rules of markdown-it-py's block parser, of which a line is asked only of those that its sign allows."""

from __future__ import annotations

from typing import Final

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
