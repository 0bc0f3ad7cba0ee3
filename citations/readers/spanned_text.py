"""The text of an answer whose provider cites by place, and what its parts cite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from ..model.answer import (
    AnswerEvent,
    ProblemFound,
    ReferencesFound,
    SpanFound,
    TextDelta,
    TextReplaced,
)
from ..model.errors import Problem
from ..model.reference import Reference
from .anchor import MeasuredText, OffsetUnit, TextRange, anchor_words, not_placed, place_span
from .conversion import new_references
from .loose_json import Members, number, text
from .surrogates import SurrogatePairs

_PARAGRAPH: Final = "\n\n"


class CitedRange(NamedTuple):
    """Words of an answer that rest on something, as their provider says where they stand.

    Either the words or the offsets may be missing. A missing start is 0: JSON made from Protocol Buffers
    leaves zeros out.
    """

    words: str
    start: int | None
    end: int | None
    unit: OffsetUnit = OffsetUnit.CODE_POINTS

    @classmethod
    def read(
        cls, data: Members, words: str, start: str, end: str, unit: OffsetUnit = OffsetUnit.CODE_POINTS
    ) -> CitedRange:
        """The words under these names of ``data``."""
        return cls(text(data, words), number(data, start), number(data, end), unit)


class TextPart(MeasuredText):
    """A part of an answer, as its provider counts offsets: a content part, a block, or all of the text."""

    def __init__(self, start: int) -> None:
        super().__init__()
        self.start = start
        """Where it begins in the answer's text."""


class SpannedText:
    """Collects the parts of one answer, and makes the events of what each adds.

    The text of the parts is joined. Each method returns the events to pass on.
    """

    def __init__(self) -> None:
        self.part = TextPart(0)
        """The part that grows."""
        self.length = 0
        """Code points of the answer so far."""
        self._apart = False
        self._last = "\n"
        self._pairs = SurrogatePairs()
        self._found: set[Reference] = set()
        self._cited: set[object] = set()

    def restart(self) -> Iterator[AnswerEvent]:
        """Drop the text and its citations: the provider says another text."""
        self.part, self.length, self._last, self._apart = TextPart(0), 0, "\n", False
        self._pairs.close()
        self._cited.clear()
        yield TextReplaced("")

    def begin_part(self) -> TextPart:
        """Begin the next part of the text."""
        self.part = TextPart(self.length)
        return self.part

    def set_apart(self) -> None:
        """Begin a paragraph with the next text: something else, such as a search, stands before it."""
        self._apart = True

    def add(self, delta: str) -> Iterator[AnswerEvent]:
        """Add text to the part that grows."""
        delta = self._pairs.feed(delta)
        if not delta:
            return
        if self._apart and not self.part.length:
            self._apart = False
            if not (self._last.isspace() or delta[0].isspace()):
                self.length += len(_PARAGRAPH)
                self.part.start = self.length
                yield TextDelta(_PARAGRAPH)
        self._apart = False
        self._last = delta[-1]
        self.length += len(delta)
        self.part.add(delta)
        yield TextDelta(delta)

    def find(self, references: Iterable[Reference]) -> Iterator[AnswerEvent]:
        """Note references that the answer was made with."""
        if new := new_references(references, self._found):
            yield ReferencesFound(new)

    def cite(
        self,
        part: TextPart,
        place: TextRange | None,
        references: Iterable[Reference],
        *,
        missing: Problem,
        replaces: bool = False,
    ) -> Iterator[AnswerEvent]:
        """Cite ``references`` at ``place`` of ``part``, once. ``missing`` is the problem if it is None."""
        cited = tuple(references)
        yield from self.find(cited)
        if not cited:
            return
        if place is None:
            yield ProblemFound(missing)
            return
        span = SpanFound(
            part.start + place.start,
            part.start + place.end,
            tuple(dict.fromkeys(one.id for one in cited)),
            replaces,
        )
        if span not in self._cited:
            self._cited.add(span)
            yield span

    def cite_words(
        self, part: TextPart, cited: CitedRange, references: Iterable[Reference], path: str
    ) -> Iterator[AnswerEvent]:
        """Cite ``references`` where the words stand. ``path`` is the JSON path of the citation."""
        missing = not_placed(path, cited.words)
        yield from self.cite(part, place_of(part, cited), references, missing=missing)

    def cite_part(self, part: TextPart, references: Iterable[Reference], path: str) -> Iterator[AnswerEvent]:
        """Cite ``references`` for all of a part, if it has a text."""
        end = len(part.text.rstrip())
        place = TextRange(0, end) if end else None
        yield from self.cite(part, place, references, missing=not_placed(path))

    def close(self) -> Iterator[AnswerEvent]:
        """The half of a character that still waited for the other."""
        if half := self._pairs.close():
            self.length += len(half)
            self.part.add(half)
            yield TextDelta(half)


def place_of(whole: MeasuredText, cited: CitedRange) -> TextRange | None:
    """The place of the words in ``whole``, or of the offsets where the provider sends no words."""
    words, start, end, unit = cited
    if words.strip():
        return anchor_words(whole, words, start or 0, end, unit)
    if end is None:
        return None
    units = dict.fromkeys((unit, *OffsetUnit))
    found = [place for one in units if (place := place_span(whole, start or 0, end, one))]
    return max(found, key=lambda place: _fits(whole.text, place), default=None)


def _fits(whole: str, place: TextRange) -> int:
    """How many ends of ``place`` are those of words: a wrong unit ends inside a word, or behind a blank."""
    words = whole[place.start : place.end]
    return sum(
        not (whole[at - 1 : at].isalnum() and whole[at : at + 1].isalnum()) and not edge.isspace()
        for at, edge in ((place.start, words[:1]), (place.end, words[-1:]))
    )
