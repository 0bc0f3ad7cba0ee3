"""The positions of sources, in order of their first use. This module alone gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Final

from ..markdown import Badge, Marker, MarkerKind, Name, Where
from ..model.answer import Dialect
from ..model.citation import MAX_CITATIONS, Citation
from ..model.errors import Problem
from ..model.reference import Reference
from .grammar import MarkerForm, Names, PossibleMarker, is_bare, is_bare_number, is_year
from .source_identity import (
    WITH_PAGE,
    SourceIndex,
    is_name,
    join_references,
    other_names_of,
    spellings_of,
    split_page,
    target_spellings,
)

_OPAQUE_ID: Final = re.compile(r"(?=[^\d]*\d)[A-Za-z0-9_\-]{8,}")
"""A target that looks like an id, such as a UUID or a hash, and not like a path."""
_LIKELY_TARGET: Final = re.compile(rf"[1-9]\d?|{_OPAQUE_ID.pattern}")
_LIKELY: Final = 100
"""A number below this may belong to a reference that hasn't arrived."""


class Positions:
    """The references, by all spellings of their names, and the positions given so far.

    A position is given once and never changes. It belongs to the source that a marker names. With
    ``waits``, it may belong to a marker whose reference hasn't arrived. With ``keeps_text``, a name that
    was left as text stays text.
    """

    def __init__(
        self, dialect: Dialect | None = None, *, waits: bool = False, keeps_text: bool = False
    ) -> None:
        self._keeps_text = keeps_text
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
        self._found: dict[str, int] = {}
        """The sources that were found for links and brackets, where what is shown stays."""
        self._named_already: dict[tuple[str, str], bool] = {}
        """Whether the words of a link, by its target, were the name of its source when they were shown."""
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

    def is_certain(self, position: int) -> bool:
        """Whether a position is final."""
        return position < self._first_expected

    @property
    def _first_expected(self) -> int:
        """The first position whose reference hasn't arrived; infinitely high if there is none."""
        return min(self._expected.values(), default=MAX_CITATIONS + 1)

    def number(self, names: Names, *, where: Where = Where.TEXT) -> bool:
        """Whether ``[names]`` cites something. In a formula ``[0, 1]`` is an interval, if one is unknown."""
        known = map(self._is_cited, names)
        return all(known) if where is Where.FORMULA else any(known)

    def link(self, names: Names) -> Name | None:
        """The target of ``[title](target)`` that cites something, or that no reader should see."""
        first = names[0].shown
        return self._known(names) or (names[0] if self._may_be_cited(first) or self._is_dead(first) else None)

    def note(self, read: PossibleMarker) -> None:
        """Note that brackets were read, and are settled: those that cite nothing stay text."""
        match read.form:
            case MarkerForm.NUMBER | MarkerForm.INTERVAL:
                for one in read.names:
                    if not self._is_cited(one):
                        self._passed.update(one.spellings)
                        if read.form is MarkerForm.NUMBER:
                            self._report_unknown(one)
            case MarkerForm.LINK:
                self._note_link(read)
            case _ if self._keeps_text:
                left = (one for one in read.names if not self._has(one, read.form))
                self._passed.update(spelling for one in left for spelling in one.spellings)

    def _has(self, name: Name, form: MarkerForm) -> bool:
        return self._is_known(name) if form is MarkerForm.TOKEN else bool(self._find(name.spellings))

    def _note_link(self, read: PossibleMarker) -> None:
        """Note a link: if it cites nothing, it stays text, or its title does."""
        first = read.names[0].shown
        if self._known(read.names) or self._may_be_cited(first):
            return
        if self._is_dead(first):
            self._report(
                "unknown-reference", f"marker [{read.title}] names no reference; its name stays text"
            )
        else:
            self._passed.update(spelling for one in read.names for spelling in one.spellings[:WITH_PAGE])

    def _known(self, names: Names) -> Name | None:
        """The first target that a reference has."""
        for name in names:
            if not self._was_passed(name.spellings[:WITH_PAGE]) and self._find(name.spellings):
                return name
        return None

    def identifier(self, name: Name) -> bool:
        """Whether ``[id]`` cites a source, which has the id or an alias, or whose file is called so."""
        return not self._was_passed(name.spellings) and self._find(name.spellings) is not None

    def page_of(self, target: Name) -> int | None:
        """The page of a link to a page of a source, if the address of the source has none itself."""
        exact, page = target.spellings[:WITH_PAGE], split_page(target.shown)[1]
        return None if page is None or self._sources.find(exact) else page

    def _find(self, spellings: Sequence[str]) -> int | None:
        """The source that a link or brackets name. Where what is shown stays, it stays the same."""
        if not self._keeps_text:
            return self._sources.find_named(spellings)
        found = self._found.get(spellings[0]) or self._sources.find_named(spellings)
        if found:
            self._found[spellings[0]] = found
        return found

    def _may_be_cited(self, target: str) -> bool:
        """Whether a target has a position, or may name a reference that will arrive, with an id."""
        if target in self._expected:
            return True
        # Where links cite, each target may be an id; elsewhere only what looks like one.
        likely = self.waits and target and (self._named or _LIKELY_TARGET.fullmatch(target))
        return bool(likely) and not self._was_passed(target_spellings(target)[:WITH_PAGE])

    def _is_dead(self, target: str) -> bool:
        """Whether a target is an id that no reference has."""
        return bool(self._sources) and _OPAQUE_ID.fullmatch(target) is not None

    def cite(self, marker: Marker) -> Badge | None:
        """The badge of a number or a span, whose sources get their positions; None if it shows nothing."""
        found = [(one, self._position_of(one, marker.kind)) for one in marker.names]
        positions = tuple(dict.fromkeys(position for _, position in found if position))
        if marker.kind in (MarkerKind.SPAN, MarkerKind.CLIENT):
            return Badge(positions, "", marker.start, marker.end) if positions else None
        unknown = [one.shown for one, position in found if position is None]
        rest = [f"[{', '.join(unknown)}]"] if unknown else []
        rest += [f"({marker.locator})"] if marker.locator else []
        return Badge(positions, " ".join(rest), marker.start, marker.end) if positions or rest else None

    def add(self, references: Iterable[Reference]) -> None:
        """Add references. Those that a marker waits for get the marker's position."""
        self._cited = None
        for reference in references:
            self._add(reference)

    def settle(self) -> None:
        """Note that no more references will arrive."""
        self.waits = False
        for name, position in self._expected.items():
            self._report(
                "reference-never-came", f"marker [{name}] was shown as [{position}], and no reference has it"
            )

    def keeps_words(self, marker: Marker, words: str, *, begins: bool) -> bool:
        """Whether a reader would miss the ``words`` of a link to a source.

        A badge says what its source is called, so that words are kept that are another name. Where the link
        ``begins`` a block, nothing stands in front of it that a badge could belong to.
        """
        spellings, target = marker.names[0]
        source = self._find(spellings)
        if source is None and not self._may_be_cited(target):
            return True
        if is_bare_number(words) or not words.strip():
            return False
        if begins:
            return True
        return not (is_bare(words) or self._is_name(source, target, words))

    def is_same(self, marker: Marker, link: Marker) -> bool:
        """Whether a marker cites nothing but the source of a link."""
        source = self._find(link.names[0].spellings)
        return all(self._source_of(name) == source for name in marker.names)

    def _is_name(self, source: int | None, target: str, words: str) -> bool:
        """Whether a source, or the one that will come for ``target``, is called so."""
        if (target, words) in self._named_already:
            return self._named_already[target, words]
        if source is not None:
            same = is_name(words, self._sources.parts(source), self._names.get(source, words))
        else:
            same = self._awaited.get(target, ("", words))[1] == words
        if self._keeps_text:
            self._named_already[target, words] = same
        return same

    def cite_name(self, marker: Marker, words: str) -> Badge | None:
        """The badge of a named link with these ``words``; None without a citation."""
        spellings, target = marker.names[0]
        position = 0
        if source := self._find(spellings):
            # Writer's `references.files` have no name; only the marker has it. A number is none.
            if source not in self._names and words.strip() and not words.strip(" []()").isdecimal():
                self._names[source] = words.strip()
                self._cited = None
            position = self._position(source)
        elif self._may_be_cited(target):
            position = self._expect(target, spellings, words.strip())
        rest = f"({marker.locator})" if marker.locator else ""
        return Badge((position,), rest, marker.start, marker.end) if position else None

    def _position_of(self, name: Name, kind: MarkerKind) -> int | None:
        """The position of a name; 0 beyond the limit, None if no reference has it or may have it."""
        if self._was_passed(name.spellings):
            return None
        if source := self._source_of(name):
            return self._position(source)
        if (self.waits and kind is MarkerKind.SPAN) or self._may_come(name):
            return self._expect(name.shown, name.spellings)
        return None

    def _was_passed(self, spellings: Iterable[str]) -> bool:
        """Whether a name was shown as text, where what is shown stays."""
        return self._keeps_text and not self._passed.isdisjoint(spellings)

    def _is_cited(self, name: Name) -> bool:
        return not self._was_passed(name.spellings) and self._is_known(name)

    def _is_known(self, name: Name) -> bool:
        return self._source_of(name) is not None or self._may_come(name)

    def _source_of(self, name: Name) -> int | None:
        """The source of a number, by its id alone, or of a name."""
        # A number is an id alone: a file that is called `3` is not the third source.
        if name.shown.isdecimal():
            return self._sources.find(name.spellings)
        if name.shown.startswith("##"):
            # RAGFlow counts its chunks from 0.
            return self._sources.find((name.shown.strip("#$"),)) if self.knows("0") else None
        return self._find(name.spellings)

    def _may_come(self, name: Name) -> bool:
        """Whether a reference may arrive for a number, or the number has been shown as a position."""
        likely = self.waits and name.shown.isdecimal() and 0 < int(name.shown) < _LIKELY
        return likely or name.shown in self._expected

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
        if not self._passed and not self._awaited:
            return
        for spelling in (*spellings_of(reference), *other_names_of(reference)):
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
            if name and self._keeps_text and not is_name(name, self._sources.parts(source), name):
                self._report(
                    "reference-too-late", f"the words {name!r} were left out before their source came"
                )

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

    def _report_unknown(self, name: Name) -> None:
        if self._sources and not is_year(name.shown):
            self._report("unknown-reference", f"marker [{name.shown}] names no reference; it stays text")
