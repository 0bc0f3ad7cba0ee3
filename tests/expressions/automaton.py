"""The automaton of a regular expression: the places where it takes a character, and what leads from each to which.

``re``'s own parser reads the expression. A condition of one character around a place is exact. Of a longer
one, the first or the last character counts. A condition is also a way that ends nowhere, because it is tried.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

UNBOUNDED: Final = 100
"""A repetition of so many times counts as one without an end."""
WORDS: Final = 8
"""So many words of a list of words stand for all of them."""
_SAMPLE: Final = (
    "az AZ09\t\n\r\x0b\x00_-.,:;!?*+/\\()[]{}<>'\"`~@#$%&|^=é漢\u0301²٣\u00a0\u2028\u200b€“”\ue200\ufeff"
)
_Op = tuple[Any, Any]


class Edge(NamedTuple):
    """From one place to another, where the characters before and behind it are of these classes."""

    target: int
    before: int
    behind: int


@dataclass(slots=True)
class Place:
    """Where a character of the classes in ``mask`` is taken.

    ``atoms`` are the groups around it that give nothing back.
    """

    mask: int
    atoms: frozenset[int]
    edges: list[Edge] = field(default_factory=list)


START: Final = 0
"""The place of the text in front of a match."""
END: Final = -1
"""The target of an edge that ends a match."""


class Automaton:
    """The places of an expression. Bits of a mask are classes of characters that it doesn't tell apart."""

    def __init__(self, pattern: str, flags: int) -> None:
        tree = _parser.parse(pattern, flags)
        self._flags = tree.state.flags
        self._alphabet(tree)
        self.places = [Place(self.every, frozenset())]
        self._atoms: tuple[int, ...] = ()
        self._count = 0
        self._dead: list[list[_Way]] = []
        ends = self._sequence(tree, [_Way(START, self._any, self._any)])
        for way in ends:
            self._link(way, END)
        self.places[START].edges.append(Edge(START, self._any, self.every))
        for place in self.places:
            place.edges = list(dict.fromkeys(place.edges))

    # Classes of characters

    def _alphabet(self, tree: Any) -> None:
        tests: dict[str, Callable[[str], bool]] = {}
        letters = set(_SAMPLE)
        for op, value in _walk(tree):
            for code in _codes(op, value):
                letters |= {chr(one) for one in (code - 1, code, code + 1) if 0 <= one <= 0x10FFFF}
            if op in _ONE:
                tests.setdefault(repr((op, value)), self._test(op, value))
        letters |= {one for letter in letters for one in (letter.lower(), letter.upper()) if len(one) == 1}
        self._tests = tests
        signs: dict[tuple[bool, ...], str] = {}
        words = re.compile(r"\w")
        for letter in sorted(letters):
            key = (*(test(letter) for test in tests.values()), bool(words.match(letter)), letter == "\n")
            signs.setdefault(key, letter)
        self.letters = list(signs.values())
        """One character of each class."""
        self.every = (1 << len(self.letters)) - 1
        self._outside = 1 << len(self.letters)
        """The bit for the beginning or the end of the text."""
        self._any = self.every | self._outside
        self._words = self._mask(lambda letter: bool(words.match(letter)))
        self._line_end = self._mask(lambda letter: letter == "\n")

    def _test(self, op: Any, value: Any) -> Callable[[str], bool]:
        if op is _constants.LITERAL and not self._flags & re.IGNORECASE:
            return chr(value).__eq__
        state = _parser.State()
        state.flags = self._flags
        one = _parser.SubPattern(state, [(op, value)])
        found = _compiler.compile(one, self._flags)
        return lambda letter: bool(found.match(letter))

    def _mask(self, test: Callable[[str], bool]) -> int:
        return sum(1 << number for number, letter in enumerate(self.letters) if test(letter))

    def _mask_of(self, op: Any, value: Any) -> int:
        return self._mask(self._tests[repr((op, value))])

    # Ways through the expression

    def _link(self, way: _Way, target: int) -> None:
        edge = Edge(target, way.before, way.behind)
        self.places[way.place].edges.append(edge)

    def _take(self, mask: int, ways: Iterable[_Way]) -> list[_Way]:
        self.places.append(Place(mask, frozenset(self._atoms)))
        number = len(self.places) - 1
        for way in ways:
            if way.behind & mask:
                self._link(way, number)
        return [_Way(number, self._any, self._any)]

    def _sequence(self, tree: Any, ways: list[_Way]) -> list[_Way]:
        for op, value in tree:
            ways = self._read(op, value, ways)
        return _merged(ways)

    def _read(self, op: Any, value: Any, ways: list[_Way]) -> list[_Way]:  # noqa: PLR0911 - one for each kind
        if op in _ONE:
            return self._take(self._mask_of(op, value), ways)
        if op is _constants.BRANCH:
            branches = value[1][:WORDS] if all(map(_is_finite, value[1])) else value[1]
            return _merged(way for branch in branches for way in self._sequence(branch, ways))
        if op is _constants.SUBPATTERN:
            return self._sequence(value[3], ways)
        if op is _constants.ATOMIC_GROUP:
            return self._atomic(lambda: self._sequence(value, ways))
        if op is _constants.POSSESSIVE_REPEAT:
            return self._atomic(lambda: self._repeat(value, ways, gives_back=False))
        if op in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
            return self._repeat(value, ways)
        if op in (_constants.ASSERT, _constants.ASSERT_NOT):
            return self._condition(value, ways, wanted=op is _constants.ASSERT)
        if op is _constants.AT:
            return self._at(value, ways)
        if op in (_constants.GROUPREF, _constants.GROUPREF_IGNORE):
            # What it takes is not known; it may fail.
            return [way.narrowed(behind=self.every) for way in ways] + self._take(self.every, ways)
        raise NotImplementedError(str(op))

    def _atomic(self, read: Callable[[], list[_Way]]) -> list[_Way]:
        self._count += 1
        self._atoms = (*self._atoms, self._count)
        ways = read()
        self._atoms = self._atoms[:-1]
        return ways

    def _repeat(self, value: Any, ways: list[_Way], *, gives_back: bool = True) -> list[_Way]:
        least, most, body = value
        single = not gives_back and len(body) == 1 and body[0][0] in _ONE
        outside = self._any & ~self._mask_of(*body[0]) if single else self._any
        found = [] if least else [way.narrowed(behind=outside) for way in ways]
        for number in range(min(max(least, 1), 3)):
            ways = self._sequence(body, ways)
            if number + 1 >= min(least, 3):
                found += ways
        if most >= UNBOUNDED:
            first = len(self.places)
            again = self._sequence(body, ways)
            # The last round leads to its own beginning.
            begins = {edge for way in ways for edge in self.places[way.place].edges if edge.target >= first}
            for way in again:
                for edge in begins:
                    before, behind = edge.before & way.before, edge.behind & way.behind
                    if before and behind:
                        self.places[way.place].edges.append(Edge(edge.target, before, behind))
            found += again
        if most >= UNBOUNDED:
            found = [way.narrowed(behind=outside) for way in found]
        return _merged(found)

    def _condition(self, value: Any, ways: list[_Way], *, wanted: bool) -> list[_Way]:
        direction, body = value
        masks = self._single(body)
        if direction < 0:
            if masks is None:
                return ways
            mask = masks if wanted else self._any & ~masks
            return [way.narrowed(before=mask) for way in ways]
        if masks is None:
            # It is tried, and nothing follows it.
            self._sequence(body, ways)
            return [way.narrowed(behind=self._any) for way in ways]
        mask = masks if wanted else self._any & ~masks
        return [way.narrowed(behind=mask) for way in ways]

    def _single(self, body: Any) -> int | None:
        """The classes of a condition of one character, or of the text's end; None for another."""
        if len(body) == 1:
            op, value = body[0]
            if op in _ONE:
                return self._mask_of(op, value)
            if op is _constants.AT and value in (_constants.AT_END_STRING, _constants.AT_BEGINNING_STRING):
                return self._outside
            if op is _constants.AT and value in (_constants.AT_END, _constants.AT_BEGINNING):
                return self._outside | (self._line_end if self._flags & re.MULTILINE else 0)
            if op is _constants.SUBPATTERN:
                return self._single(value[3])
            if op is _constants.BRANCH:
                masks = [self._single(branch) for branch in value[1]]
                return None if None in masks else _union(mask for mask in masks if mask is not None)
        return None

    def _at(self, value: Any, ways: list[_Way]) -> list[_Way]:
        lines = self._line_end if self._flags & re.MULTILINE else 0
        outside, words = self._outside, self._words
        match value:
            case _constants.AT_BEGINNING | _constants.AT_BEGINNING_STRING:
                mask = outside | (lines if value is _constants.AT_BEGINNING else 0)
                return [way.narrowed(before=mask) for way in ways]
            case _constants.AT_END | _constants.AT_END_STRING:
                mask = outside | (self._line_end if value is _constants.AT_END else 0)
                return [way.narrowed(behind=mask) for way in ways]
        others = self._any & ~words
        pairs = (
            [(words, others), (others, words)]
            if value is _constants.AT_BOUNDARY
            else [(words, words), (others, others)]
        )
        return [way.narrowed(before=before, behind=behind) for way in ways for before, behind in pairs]


class _Way(NamedTuple):
    """A way from a place to here, and the classes of the characters before and behind it."""

    place: int
    before: int
    behind: int

    def narrowed(self, *, before: int = -1, behind: int = -1) -> _Way:
        return _Way(self.place, self.before & before, self.behind & behind)


def _merged(ways: Iterable[_Way]) -> list[_Way]:
    """``ways`` once each, without those that no text takes."""
    return [way for way in dict.fromkeys(ways) if way.before and way.behind]


def _union(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


_ONE: Final = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN)


def _is_finite(branch: Any) -> bool:
    """Whether an alternative repeats nothing."""
    repeats = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
    return all(op not in repeats or value[1] < UNBOUNDED for op, value in _walk(branch))


def _walk(tree: Any) -> Iterable[_Op]:
    for op, value in tree:
        yield op, value
        if op is _constants.BRANCH:
            for branch in value[1]:
                yield from _walk(branch)
        elif op is _constants.SUBPATTERN:
            yield from _walk(value[3])
        elif op is _constants.ATOMIC_GROUP:
            yield from _walk(value)
        elif op in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
            yield from _walk(value[2])
        elif op in (_constants.ASSERT, _constants.ASSERT_NOT):
            yield from _walk(value[1])


def _codes(op: Any, value: Any) -> Iterable[int]:
    if op in (_constants.LITERAL, _constants.NOT_LITERAL):
        yield value
    elif op is _constants.IN:
        for kind, one in value:
            if kind is _constants.LITERAL:
                yield one
            elif kind is _constants.RANGE:
                yield from one


@cache
def automaton(pattern: str, flags: int) -> Automaton:
    """The automaton of an expression."""
    return Automaton(pattern, flags)
