"""Where an expression starts over.

Backtracking takes more than linear time where a text leads from one place to itself and also to another one
that it leads to itself: "infinite degree of ambiguity" (Weber and Seidl, 1991). The first of them may be the
text in front of a match: then a search starts over in a run that it has read already.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from .automaton import END, START, Automaton

_STEPS: Final = 40_000


class Ambiguity(NamedTuple):
    """``pump``, repeated behind ``prefix``, is read again and again; ``search`` if by each new start."""

    prefix: str
    pump: str
    search: bool


def find_ambiguity(machine: Automaton, *, searched: bool, whole: bool) -> Ambiguity | None:
    """The first place where the expression starts over. ``whole`` says that a match must reach the text's end.

    An expression that takes too many steps to read counts as one that does.
    """
    try:
        return _find(machine, searched=searched, whole=whole)
    except _TooLargeError:
        return Ambiguity("", "", searched)


class _TooLargeError(Exception):
    """An expression has too many places."""


def _find(machine: Automaton, *, searched: bool, whole: bool) -> Ambiguity | None:
    budget = [_STEPS]
    reach = _reach(machine)
    loops = list(_loops(reach))
    for loop in loops:
        to_loop = sum(1 << one for one in loop)
        leading = sum(1 << one for one, targets in enumerate(reach) if targets & to_loop)
        for place in loop:
            if _ends_anyway(machine, place, whole=whole):
                continue
            if searched and (pump := _pump(machine, START, place, loop, leading, budget)):
                return Ambiguity(_way_to(machine, place, pump[0]), pump[1], True)
            for first in (
                one for other in loops for one in other if one != place and reach[one] >> place & 1
            ):
                if machine.places[first].atoms - machine.places[place].atoms:
                    continue
                between = leading & reach[first]
                if pump := _pump(machine, first, place, loop, between, budget):
                    return Ambiguity(_way_to(machine, first, pump[0]), pump[1], False)
    return None


def _ends_anyway(machine: Automaton, place: int, *, whole: bool) -> bool:
    """Whether a match may end at a place, whatever follows."""
    full = machine._any
    return not whole and any(
        edge.target == END and edge.before == edge.behind == full for edge in machine.places[place].edges
    )


def _reach(machine: Automaton) -> list[int]:
    """The places to which each leads, as bits, but for the text in front of a match."""
    reach = [
        sum(1 << target for target in {edge.target for edge in place.edges if edge.target > START})
        for place in machine.places
    ]
    is_new = True
    while is_new:  # most edges lead forwards: few rounds from the end to the beginning find all
        is_new = False
        for number in reversed(range(1, len(reach))):
            found = reach[number]
            for edge in machine.places[number].edges:
                if edge.target > START:
                    found |= reach[edge.target]
            if found != reach[number]:
                reach[number], is_new = found, True
    reach[START] = 0
    return reach


def _loops(reach: list[int]) -> Iterator[frozenset[int]]:
    """The sets of places that lead to each other."""
    seen: set[int] = set()
    for number, targets in enumerate(reach):
        if targets >> number & 1 and number not in seen:
            loop = frozenset(one for one in _bits(targets) if reach[one] >> number & 1)
            seen |= loop
            yield loop


def _pump(  # noqa: PLR0917 - the places, and where they may lead
    machine: Automaton,
    first: int,
    place: int,
    loop: frozenset[int],
    between: int,
    budget: list[int],
) -> tuple[int, str] | None:
    """A text that leads from ``first`` to itself and to ``place``, and from there to itself."""
    mask = machine.places[place].mask & machine.places[first].mask
    for letter in _bits(mask):
        if word := _lead(machine, first, place, loop, between, letter, budget):
            return letter, word
    return None


def _lead(  # noqa: PLR0917 - the three places, and where they may lead
    machine: Automaton,
    first: int,
    place: int,
    loop: frozenset[int],
    between: int,
    letter: int,
    budget: list[int],
) -> str | None:
    """A text from ``(first, first, place)`` to ``(first, place, place)``, where each ends with a letter."""
    begin = (first, first, place, letter)
    before: dict[tuple[int, int, int, int], tuple[tuple[int, int, int, int], int] | None] = {begin: None}
    waiting, plain = deque([begin]), _take_any(machine)
    seen = defaultdict(int, {begin[:3]: 1 << letter})
    while waiting:
        here = waiting.popleft()
        budget[0] -= 1
        if not budget[0]:
            raise _TooLargeError
        for one, other, third, signs in _steps(machine, here, loop, between, first):
            if (one, other, third) == (first, place, place) and signs >> letter & 1:
                word = [letter]
                trace: tuple[int, int, int, int] = here
                while (step := before[trace]) is not None:
                    trace, taken = step
                    word.append(taken)
                return "".join(machine.letters[one] for one in reversed(word))
            are_alike = plain[one] and plain[other] and plain[third]
            places = one, other, third
            new = (signs & -signs if are_alike else signs) & ~seen[places]
            seen[places] |= new
            for sign in _bits(new):
                there = one, other, third, sign
                before[there] = here, sign
                waiting.append(there)
    return None


def _steps(
    machine: Automaton,
    here: tuple[int, int, int, int],
    loop: frozenset[int],
    between: int,
    first: int,
) -> Iterator[tuple[int, int, int, int]]:
    one, other, third, letter = here
    thirds = [step for step in _open(machine, third, letter) if step[0] in loop]
    for a, signs in _open(machine, one, letter):
        if a != START if first == START else not between >> a & 1 and a != first:
            continue
        for b, other_signs in _open(machine, other, letter):
            both = signs & other_signs
            if both and (between >> b & 1 or b in (START, first)):
                for c, third_signs in thirds:
                    if shared := both & third_signs:
                        yield a, b, c, shared


@lru_cache(10)
def _take_any(machine: Automaton) -> list[bool]:
    """Whether each place leads on whatever letter stands in front of it: then one letter stands for all."""
    return [
        all(edge.before == machine._any for edge in place.edges if edge.target != END)
        for place in machine.places
    ]


@lru_cache(10_000)
def _open(machine: Automaton, place: int, letter: int) -> list[tuple[int, int]]:
    """Where a letter behind a place leads, and by which letters."""
    return [
        (edge.target, signs)
        for edge in machine.places[place].edges
        if edge.target != END
        and edge.before >> letter & 1
        and (signs := edge.behind & machine.places[edge.target].mask)
    ]


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _way_to(machine: Automaton, place: int, letter: int) -> str:
    """A text that leads from the beginning of a match to a place."""
    waiting: deque[tuple[int, int, str]] = deque([(START, len(machine.letters), "")])
    seen = {(START, len(machine.letters))}
    while waiting:
        here, last, text = waiting.popleft()
        if here == place and last == letter:
            return text
        for target, signs in _open(machine, here, last):
            if target == START and here == START and text:
                continue
            for sign in _bits(signs):
                if (target, sign) not in seen:
                    seen.add((target, sign))
                    waiting.append((target, sign, text + machine.letters[sign]))
    return ""
