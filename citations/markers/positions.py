"""The positions of sources, in order of their first use. This module alone gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Final
from urllib.parse import unquote

from ..model.citation import Citation, Use
from ..model.dialect import Dialect
from ..model.errors import Problem
from ..model.reference import Reference
from .grammar import Key, Marker
from .source_identity import SourceIndex, join_references, normal_url, spellings_of

MAX_CITATIONS: Final = 20
"""Citations of an answer. Teams refuses more (400), and Web Chat's time grows with their square."""
_OPAQUE_ID: Final = re.compile(r"(?=[^\d]*\d)[A-Za-z0-9_\-]{8,}")
"""A target that looks like an id, such as a UUID or a hash, and not like a path."""
_LIKELY_TARGET: Final = re.compile(rf"[1-9]\d?|{_OPAQUE_ID.pattern}")
_LIKELY: Final = 100
"""A number below this may belong to a reference that hasn't arrived."""
_YEAR: Final = 1000
"""A number from here on without a reference is taken for a year, not for a lost citation."""


class Positions:
    """The references, by all spellings of their names, and the positions given so far.

    A position is given once and never changes. It belongs to the source that a marker names. With
    ``waits``, it may belong to a marker whose reference hasn't arrived.
    """

    def __init__(self, dialect: Dialect | None = None, *, waits: bool = False) -> None:
        self._named = dialect is Dialect.NAMED_LINK
        self.waits = waits
        """Whether further references may arrive."""
        self._problems: dict[Problem, None] = {}
        self._sources = SourceIndex()
        self._names: dict[int, str] = {}
        self._positions: dict[int, int] = {}
        self._expected: dict[str, int] = {}
        """The positions of markers whose reference hasn't arrived, by the name that the reader sees."""
        self._awaited: dict[str, tuple[str, str]] = {}
        """By each spelling of such a reference: its key in ``_expected``, and the marker's name for it."""
        self._passed: set[str] = set()
        """The names that were left as text, because no reference had them."""
        self._given: dict[int, int | None] = {}
        """The source of each position, or None where it hasn't arrived."""
        self._cited: tuple[Citation, ...] | None = None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was left out, without duplicates."""
        return tuple(self._problems)

    def citations(self) -> tuple[Citation, ...]:
        """The citations in order of position. The same object is returned until they change."""
        if self._cited is None:
            self._cited = tuple(
                Citation(
                    position,
                    join_references(parts := self._sources.parts(source), self._names.get(source)),
                    parts,
                )
                for position, source in sorted(self._given.items())
                if source is not None
            )
        return self._cited

    def certain(self) -> tuple[Citation, ...]:
        """The citations whose position is final: those before the first whose reference may never arrive."""
        first = self._first_expected
        return tuple(citation for citation in self.citations() if citation.position < first)

    @property
    def _first_expected(self) -> int:
        """The first position whose reference hasn't arrived; infinitely high if there is none."""
        return min(self._expected.values(), default=MAX_CITATIONS + 1)

    def uses(self, markers: Iterable[Marker]) -> Iterator[Use]:
        """The uses of those ``markers`` that cite something, in order."""
        behind = 0
        formula: list[tuple[Use, str]] = []
        for marker in markers:
            if marker.start < behind:
                continue
            if formula and not _goes_on(formula[-1], marker):
                yield _behind_formula(formula)
                formula.clear()
            use = self._use_of(marker)
            if use:
                behind = use.end
                if marker.rest:
                    formula.append((use, marker.rest))
                else:
                    yield use
        if formula:
            yield _behind_formula(formula)

    def add(self, references: Iterable[Reference]) -> None:
        """Add references. Those that a marker waits for get the marker's position."""
        self._cited = None
        for reference in references:
            self._add(reference)

    def forget_uncertain(self) -> None:
        """Withdraw all positions that aren't :meth:`certain`. Call it only while they have not been shown."""
        first = self._first_expected
        for position in [given for given in self._given if given >= first]:
            source = self._given.pop(position)
            if source is not None:
                del self._positions[source]
        self._cited = None
        self._expected.clear()
        self._awaited.clear()
        self._passed.clear()

    def settle(self) -> None:
        """Note that no more references will arrive."""
        self.waits = False
        for name, position in self._expected.items():
            self._report(
                "reference-never-came", f"marker [{name}] was shown as [{position}], and no reference has it"
            )

    def _use_of(self, marker: Marker) -> Use | None:
        if marker.dialect is Dialect.NUMBERED:
            return self.use_of_numbers(marker)
        return self.use_of_name(marker) if marker.dialect is Dialect.NAMED_LINK else self.use_of_span(marker)

    def use_of_span(self, marker: Marker) -> Use | None:
        """The use of a span; None if no reference has any of its ids."""
        found = [self._position_of_id(key.shown) for key in marker.keys]
        positions = dict.fromkeys(position for position in found if position)
        return Use(marker.start, marker.keys[0].end, tuple(positions)) if positions else None

    def use_of_numbers(self, marker: Marker) -> Use | None:
        """The use of a marker such as ``[1, 2]``; None if no reference has any of its numbers."""
        found = [(key, self._position_of(key)) for key in marker.keys]
        unknown = [key for key, position in found if position is None]
        self._report_unknown(unknown)
        # In a formula `[0, 1]` is an interval.
        if len(unknown) == len(found) or (unknown and marker.rest):
            return None
        rest = [f"[{', '.join(key.shown for key in unknown)}]"] if unknown else []
        rest += [f"({marker.locator})"] if marker.locator else []
        positions = dict.fromkeys(position for _, position in found if position)
        return Use(marker.start, marker.keys[0].end, tuple(positions), " ".join(rest))

    def use_of_name(self, marker: Marker) -> Use | None:
        """The use of ``[name](id)``; None if no reference has that id or URL."""
        for key in marker.keys:
            if source := self._sources.find(_target_spellings(key.spellings[0])):
                # Writer's `references.files` have no name; only the marker has it.
                if source not in self._names:
                    self._names[source] = marker.name.strip()
                    self._cited = None
                position = self._position(source)
                return (
                    Use(marker.start, key.end, (position,), "") if position else self._nameless(marker, key)
                )
        key = marker.keys[0]
        # No reference has an empty id.
        if self.waits and key.shown and (self._named or _LIKELY_TARGET.fullmatch(key.shown)):
            position = self._expect(key.shown, _target_spellings(key.shown), marker.name.strip())
            return Use(marker.start, key.end, (position,), "") if position else self._nameless(marker, key)
        if self._sources and _OPAQUE_ID.fullmatch(key.shown):
            self._report(
                "unknown-reference", f"marker [{marker.name}] names no reference; its name stays text"
            )
            return self._nameless(marker, key)
        self._passed.update(name for key in marker.keys for name in _target_spellings(key.shown))
        return None

    def _nameless(self, marker: Marker, key: Key) -> Use:
        """A named marker without a citation. The reader sees its name, without the dead link."""
        return Use(marker.start, key.end, (), marker.name)

    def _position_of(self, key: Key) -> int | None:
        """The position of a key; 0 beyond the limit, None if no reference has it or may have it."""
        if source := self._sources.find(key.spellings):
            return self._position(source)
        if self.waits and 0 < int(key.shown) < _LIKELY:
            return self._expect(key.shown, key.spellings)
        self._passed.update(key.spellings)
        return None

    def _position_of_id(self, identifier: str) -> int | None:
        """The position of the reference with this id; 0 beyond the limit, None if there is none."""
        if source := self._sources.find((identifier,)):
            return self._position(source)
        return self._expect(identifier, (identifier,)) if self.waits else None

    def knows(self, identifier: str) -> bool:
        """Whether a reference has this id."""
        return self._sources.find((identifier,)) is not None

    def _expect(self, shown: str, spellings: Iterable[str], name: str = "") -> int:
        """The position of a marker whose reference may still arrive; 0 beyond the limit."""
        if shown not in self._expected and len(self._given) < MAX_CITATIONS:
            self._expected[shown] = self._next(None)
            for spelling in spellings:
                self._awaited.setdefault(spelling, (shown, name))
        return self._expected.get(shown, 0)

    def _next(self, source: int | None) -> int:
        position = next(number for number in count(1) if number not in self._given)
        self._given[position] = source
        self._cited = None
        return position

    def _add(self, reference: Reference) -> None:
        source = self._sources.add(reference)
        for spelling in spellings_of(reference):
            if spelling in self._passed:
                self._report(
                    "reference-too-late", f"reference {spelling!r} came after its marker was shown as text"
                )
            if spelling in self._awaited:
                self._place_source(*self._awaited[spelling], source)

    def _place_source(self, shown: str, name: str, source: int) -> None:
        """Give a source the position of the marker that waits for it."""
        position = self._expected.pop(shown, None)
        if position is not None:
            self._given[position] = source
            self._positions.setdefault(source, position)
            if name:
                self._names.setdefault(source, name)

    def _position(self, source: int) -> int:
        """The position of a source, which is given at its first use; 0 beyond the limit."""
        if source in self._positions:
            return self._positions[source]
        if len(self._given) < MAX_CITATIONS:
            self._positions[source] = self._next(source)
            return self._positions[source]
        name = self._sources.parts(source)[0].id
        self._report("too-many-citations", f"reference {name!r} is not cited: {MAX_CITATIONS} sources are")
        return 0

    def _report(self, code: str, message: str) -> None:
        self._problems.setdefault(Problem(code, "$.text", message))

    def _report_unknown(self, keys: Iterable[Key]) -> None:
        for key in keys:
            if int(key.shown) < _YEAR and self._sources:
                self._report("unknown-reference", f"marker [{key.shown}] names no reference; it stays text")


def _goes_on(last: tuple[Use, str], marker: Marker) -> bool:
    """Whether ``marker`` stands in the formula of the ``last`` use, whose remaining text is given."""
    use, rest = last
    return bool(marker.rest) and use.start + len(rest) == marker.start + len(marker.rest)


def _behind_formula(formula: Sequence[tuple[Use, str]]) -> Use:
    """The uses in one formula, joined into one behind it: Web Chat's main build shows no badge inside."""
    (first, text), *others = formula
    end = first.start + len(text)
    parts: list[str] = []
    behind = first.end
    for use, _ in others:
        parts.append(text[behind - first.start : use.start - first.start])
        behind = use.end
    parts.append(text[behind - first.start :])
    positions = dict.fromkeys(position for use, _ in formula for position in use.positions)
    rest = " ".join(use.rest for use, _ in formula if use.rest)
    return Use(first.start, end, tuple(positions), rest, "".join(parts))


def _target_spellings(target: str) -> tuple[str, ...]:
    return (target, unquote(target), normal_url(target))
