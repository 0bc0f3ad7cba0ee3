"""The containers that are open at the end of a growing text, of which all that is complete is left behind.

A container is a quote, a list, an item or a table. What follows is read behind a few lines that open them
anew, and is the rest of them: :class:`~citations.markdown.writer.Above` goes on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from ..markdown import Block, Leaf, List, Quote, Table, closing, leaves, parse_blocks, read_settled
from ..markdown.writer import Above

_LISTS: Final = ("bullet_list_open", "ordered_list_open")
_MARKS: Final = {
    "blockquote_open": re.compile(">"),
    "list_item_open": re.compile(r"[-+*]|[0-9]{1,9}[.)]"),
}
"""The marks of the containers whose lines are marked."""
_TIGHT_QUOTE: Final = re.compile(r">(?![ \t])")
_NO_QUOTE: Final = re.compile(r"[^>\t]")
_STUB: Final = "#"
"""An empty heading: the line below it neither goes on with it, nor is read otherwise because of it."""


class Stub(NamedTuple):
    """Lines that open containers in each other, at so many ``levels``. A list has an item in them."""

    text: str = ""
    levels: int = 0

    def without(self, tokens: Sequence[Leaf]) -> tuple[Sequence[Leaf], int]:
        """``tokens`` without those of the stub but for containers that go on, and how many these are."""
        first = self.text.count("\n")
        behind = next((place for place, one in enumerate(tokens) if one.map and one.map[0] >= first), None)
        if behind is None:
            return (), 0
        opened = _open_tokens(tokens[:behind])
        return [*opened, *tokens[behind:]], min(len(opened), self.levels)

    def move(self, opening: Opening, tokens: Sequence[Leaf], lines: Sequence[str]) -> Stub | None:
        """The lines that open the containers of ``opening``; None if no such lines can be found."""
        containers = [*opening.containers]
        if not containers:
            return Stub()
        *_, last = containers
        if last.type in _LISTS:
            # Behind an item, the next one is no header of a table.
            items = (one for one in tokens[: opening.place] if one.type == "list_item_open")
            containers += [one for one in items if one.level == last.level + 1][-1:]
        kept: list[str] = []
        for line in sorted({one.map[0] for one in containers if one.map and one.type not in _LISTS}):
            if last.type == "table_open" and last.map and line == last.map[0]:
                kept += lines[line : line + 2]
            elif (marks := _marks(containers, lines[line], line)) is not None:
                kept.append(marks + _STUB)
            else:
                return None
        first = tokens[opening.place].map
        if first and not lines[first[0] - 1].strip(" \t>"):
            # A blank behind a mark of a quote belongs to it.
            kept.append(_NO_QUOTE.sub(" ", _TIGHT_QUOTE.sub("> ", kept[-1])))
        moved = Stub("".join(f"{line}\n" for line in kept), len(opening.containers))
        return moved if moved == self or _are_opened(containers, moved.text) else None


def _are_opened(containers: Sequence[Leaf], text: str) -> bool:
    """Whether these lines open the containers, and nothing else."""
    tokens = parse_blocks(text).tokens
    inline = max((place for place, one in enumerate(tokens) if one.type == "inline"), default=0)
    opened = [one.type for one in _open_tokens(tokens[:inline])]
    kinds = [one.type for one in containers]
    return opened[: len(kinds)] == kinds and (kinds[-1] == "table_open" or len(opened) == len(kinds) + 1)


def _open_tokens(tokens: Sequence[Leaf]) -> list[Leaf]:
    """The tokens that open something that none of these closes."""
    opened: list[Leaf] = []
    for token in tokens:
        if token.nesting > 0:
            opened.append(token)
        elif token.nesting < 0:
            opened.pop()
    return opened


def _marks(containers: Sequence[Leaf], line: str, number: int) -> str | None:
    """The marks of containers on a line, and the blanks behind them; None if they are not found."""
    place = 0
    for one in containers:
        first = one.map[0] if one.map else 0
        if one.type in _MARKS and (first == number or (first < number and one.type == "blockquote_open")):
            found = _MARKS[one.type].match(line, _behind_blanks(line, place))
            if not found:
                return None
            place = found.end()
    end = _behind_blanks(line, place)
    # "Five or more spaces" behind a mark are one, and code; so is an item that begins with a blank line.
    width = len(line[:end].expandtabs(4)) - len(line[:place].expandtabs(4))
    return line[:place] + (line[place:end] if 0 < width <= 4 and end < len(line) else " ")


def _behind_blanks(line: str, place: int) -> int:
    return len(line) - len(line[place:].lstrip(" \t"))


class Opening(NamedTuple):
    """What may still grow begins at the token ``place``, in these ``containers``."""

    place: int
    containers: Sequence[Leaf]

    def divide(self, tokens: Sequence[Leaf]) -> tuple[Sequence[Leaf], Sequence[Leaf]]:
        """The tokens of what is complete, and of what may still grow, each with the containers."""
        closed = tokens[len(tokens) - len(self.containers) :]
        return [*tokens[: self.place], *closed], [*self.containers, *tokens[self.place :]]

    def is_begun(self, above: Above) -> bool:
        """Whether something has been written in each of the containers."""
        for one in self.containers:
            if one.type in _MARKS and above.inside:
                above = above.inside
                if above.block is None:
                    return False
        return True


def first_open(tokens: Sequence[Leaf], goes_on: int, *, worded: bool, rows: bool, deepest: int) -> Opening:
    """Where what may still grow begins: the last block, item or row, in at most ``deepest`` containers.

    The first ``goes_on`` tokens are containers that go on. With ``rows``, it may be a row of a table. With
    ``worded``, it is the last block or item with words: those in front of it are complete.
    """
    kinds = _LISTS if worded else (*_LISTS, *_MARKS, "table_open" if rows else "")
    found, level, first, end = goes_on, 0, 0, len(tokens)
    while level <= deepest:
        inside = range(first, end)
        places = [place for place in inside if tokens[place].level == level and tokens[place].nesting >= 0]
        in_table = level > 0 and tokens[first - 1].type == "table_open"
        if in_table:
            places = [place for place in places if tokens[place].type == "tr_open"]
        while worded and places and not _has_words(tokens, places[-1]):
            places.pop()
        if not places:
            break
        last = _last_block(tokens, places)
        if last >= goes_on and (last != places[0] or in_table or first <= goes_on):
            found = last
        if tokens[last].type not in kinds or closing(tokens, last) != end - 1:
            break
        level, first, end = level + 1, last + 1, end - 1
    return Opening(found, _open_tokens(tokens[:found]))


def _has_words(tokens: Sequence[Leaf], first: int) -> bool:
    # What may still become a definition or HTML has no words.
    return any(
        read_settled(leaf.content).shown for leaf in leaves(tokens[first : closing(tokens, first) + 1])
    )


def _last_block(tokens: Sequence[Leaf], places: Sequence[int]) -> int:
    """The index at which the last of the blocks at ``places`` begins.

    A definition goes on with the lines directly below it, which may become its title.
    """
    *others, last = places
    for place in reversed(others):
        above, below = tokens[place].map, tokens[last].map
        if tokens[place].type != "definition" or not above or not below or above[1] < below[0]:
            break
        last = place
    return last


def join(above: Sequence[Block], more: Sequence[Block], goes_on: int) -> list[Block]:
    """Blocks, and more of them, of which so many containers are the rest of the last ones above."""
    if not (goes_on and above and more):
        return [*above, *more]
    return [*above[:-1], _joined(above[-1], more[0], goes_on - 1), *more[1:]]


def _joined(above: Block, more: Block, goes_on: int) -> Block:
    match above, more:
        case Quote(blocks=blocks), Quote(blocks=others):
            return replace(above, blocks=tuple(join(blocks, others, goes_on)))
        case List(items=(*items, last)), List(items=(first, *others)) if goes_on:
            grown = replace(last, blocks=tuple(join(last.blocks, first.blocks, goes_on - 1)))
            return replace(above, items=(*items, grown, *others))
        case List(items=items), List(items=others):
            return replace(above, items=(*items, *others))
        case Table(rows=rows), Table(rows=others):
            return replace(above, rows=rows + others)
    raise AssertionError("a container goes on")
