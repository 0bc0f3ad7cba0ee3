"""Markers and references become citations: positions are given here, once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import unquote

from .answer import Answer, AnswerEvent, Origin, OriginKnown, ReferencesFound, TextDelta
from .citation import Citation, CitedAnswer, Use
from .errors import Problem
from .find import find_markers
from .markdown import clean_text, read_layout
from .marker import Dialect, Key, Marker
from .reference import Reference
from .url import safe_url

MAX_CITATIONS: Final = 20
"""Teams refuses more (400), and Web Chat's time grows with their square."""
_OPAQUE_ID: Final = re.compile(r"(?=[^\d]*\d)[A-Za-z0-9_\-]{8,}")
"""A target that looks like an id (a UUID, a hash) and not like a place or a word."""
_YEAR: Final = 1000
"""A number from here on, that no reference has, is taken for a year and not for a lost citation."""
_NESTING: Final = re.compile(r"^(?:[ \t]*(?:[>*+\-]|\d{1,9}[.)])(?=[ \t>]|$))*[ \t]*", re.MULTILINE)
"""What makes lines stand in quotes and lists."""
_NESTED: Final = Problem(
    "too-deep", "$.text", "quotes and lists are nested too deeply: the text is shown without them"
)


class CitationStream:
    """An answer as it arrives: feed it events, close it, and have the cited answer.

    A finished answer is a stream that is fed once and closed, so that both can't differ.
    """

    def __init__(self, dialect: Dialect | None = None) -> None:
        self._dialect = dialect
        self._text: list[str] = []
        self._references: list[Reference] = []
        self._origin = Origin()

    def feed(self, event: AnswerEvent) -> None:
        """Take the next event; references may come before, during or after the text."""
        match event:
            case TextDelta(text):
                self._text.append(text)
            case ReferencesFound(references):
                self._references.extend(references)
            case OriginKnown(origin):
                self._origin = origin

    def close(self) -> CitedAnswer:
        """The answer is complete: settle every marker."""
        problems = []
        text = clean_text("".join(self._text))
        layout = read_layout(text)
        if not layout.complete:
            problems.append(_NESTED)
            text = _NESTING.sub("", text)
            layout = read_layout(text)
        markers = find_markers(layout, self._dialect)
        known = _Known(self._references)
        uses = tuple(_uses(markers, known))
        return CitedAnswer(
            text=text,
            layout=layout,
            uses=uses,
            citations=known.citations(),
            references=tuple(self._references),
            origin=self._origin,
            problems=(*problems, *known.problems),
        )


def cite(answer: Answer) -> CitedAnswer:
    """Turn the markers of a finished answer into citations.

    Positions are ``1..n`` in order of first use, one for each distinct source: references with the
    same id, or the same URL, share one. What is left out is reported in ``problems``.
    """
    stream = CitationStream(answer.dialect)
    stream.feed(ReferencesFound(answer.references))
    stream.feed(OriginKnown(answer.origin))
    stream.feed(TextDelta(answer.text))
    return stream.close()


def _uses(markers: Sequence[Marker], known: _Known) -> Iterable[Use]:
    behind = 0
    for marker in markers:
        if marker.start < behind:
            continue
        use = known.named(marker) if marker.dialect is Dialect.NAMED_LINK else known.numbered(marker)
        if use:
            behind = use.end
            yield use


class _Known:
    """The references by all the spellings of their names, and the positions given so far."""

    def __init__(self, references: Sequence[Reference]) -> None:
        self._problems: dict[Problem, None] = {}
        self._sources: dict[str, list[Reference]] = {}
        self._spellings: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._positions: dict[str, int] = {}
        for reference in references:
            self._add(reference)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was left out, each once however often it was named."""
        return tuple(self._problems)

    def citations(self) -> tuple[Citation, ...]:
        """What was cited, in order of position."""
        return tuple(
            Citation(position, _joined(parts := self._sources[source], self._names.get(source)), tuple(parts))
            for source, position in self._positions.items()
        )

    def numbered(self, marker: Marker) -> Use | None:
        """The use of a marker such as ``[1, 2]``; None if no reference has any of its numbers."""
        found = [(key, self._find(key.spellings)) for key in marker.keys]
        if not any(source for _, source in found):
            self._report_unknown(marker.keys)
            return None
        unknown = [key for key, source in found if not source]
        if unknown:
            self._report_unknown(unknown)
        rest = [f"[{', '.join(key.shown for key in unknown)}]"] if unknown else []
        rest += [f"({marker.locator})"] if marker.locator else []
        positions = tuple(dict.fromkeys(self._position(source) for _, source in found if source))
        positions = tuple(position for position in positions if position)
        return Use(marker.start, marker.keys[0].end, positions, " ".join(rest))

    def named(self, marker: Marker) -> Use | None:
        """The use of ``[name](id)``; None if no reference has that id or URL."""
        for key in marker.keys:
            if source := self._find(_target_spellings(key.spellings[0])):
                # Writer's `references.files` have no name; it stands only in the marker.
                self._names.setdefault(source, marker.name.strip())
                position = self._position(source)
                return (
                    Use(marker.start, key.end, (position,), "") if position else self._nameless(marker, key)
                )
        key = marker.keys[0]
        if self._spellings and _OPAQUE_ID.fullmatch(key.shown):
            self._report(
                "unknown-reference", f"marker [{marker.name}] names no reference; its name stays text"
            )
            return self._nameless(marker, key)
        return None

    def _nameless(self, marker: Marker, key: Key) -> Use:
        """A named marker without a citation: the reader keeps the name, and not a dead target."""
        return Use(marker.start, key.end, (), marker.name)

    def _add(self, reference: Reference) -> None:
        spellings = [reference.id]
        if reference.url:
            spellings += [reference.url, normal_url(reference.url)]
        source = self._find(spellings)
        if source is None:
            source = f"{len(self._sources)}"
            self._sources[source] = []
        self._sources[source].append(reference)
        for name in spellings:
            self._spellings.setdefault(name, source)

    def _find(self, spellings: Iterable[str]) -> str | None:
        return next((self._spellings[name] for name in spellings if name in self._spellings), None)

    def _position(self, source: str) -> int:
        """The position of a source, given at first sight; 0 beyond the limit."""
        if source in self._positions:
            return self._positions[source]
        if len(self._positions) < MAX_CITATIONS:
            self._positions[source] = len(self._positions) + 1
            return self._positions[source]
        name = self._sources[source][0].id
        self._report("too-many-citations", f"reference {name!r} is not cited: {MAX_CITATIONS} sources are")
        return 0

    def _report(self, code: str, message: str) -> None:
        self._problems.setdefault(Problem(code, "$.text", message))

    def _report_unknown(self, keys: Iterable[Key]) -> None:
        for key in keys:
            if int(key.shown) < _YEAR and self._spellings:
                self._report("unknown-reference", f"marker [{key.shown}] names no reference; it stays text")


def _joined(parts: Sequence[Reference], name: str | None) -> Reference:
    """One source of several snippets: their texts together, and what each of them knows."""
    if len(parts) == 1:
        return parts[0] if parts[0].name or not name else replace(parts[0], name=name)

    def first(field: str) -> str | None:
        return next((value for part in parts if (value := getattr(part, field))), None)

    texts = dict.fromkeys(part.text for part in parts if part.text)
    pages = {part.page for part in parts}
    return replace(
        parts[0],
        name=first("name") or name or None,
        url=first("url"),
        text="\n\n".join(texts) or None,
        page=parts[0].page if len(pages) == 1 else None,
        media_type=first("media_type"),
        modified=first("modified"),
        editor=first("editor"),
        document_url=first("document_url"),
    )


def _target_spellings(target: str) -> tuple[str, ...]:
    return (target, unquote(target), normal_url(target))


def normal_url(url: str) -> str:
    """A URL in one of its spellings: ``&amp;``, a trailing slash and percent-encoding don't count."""
    cleaned = safe_url(url.replace("&amp;", "&")) or unquote(url)
    return cleaned.rstrip("/")
