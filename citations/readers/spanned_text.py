"""The text of an answer whose provider cites by place, and what its parts cite."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from ..model.answer_event import (
    AnswerEvent,
    ProblemFound,
    ReferencesFound,
    SpanFound,
    TextDelta,
    TextReplaced,
)
from ..model.errors import Problem
from ..model.reference import Reference
from ..text.encoding import SurrogatePairs
from .anchor import MeasuredText, OffsetUnit, TextRange, anchor_words, not_placed, place_span
from .conversion import new_references
from .loose_json import Members, number, text
from .thoughts import VisibleText

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
        """Where it begins in all text that was received."""
        self.hidden: int | None = None
        """Code points before the first that is shown, which are the model's thoughts."""


class SpannedText:
    """Collects the parts of one answer, and makes the events of what each adds.

    The text of the parts is joined, and a model's thoughts are left out. Offsets in parts count these, too.
    Each method returns the events to pass on.
    """

    def __init__(self) -> None:
        self.part = TextPart(0)
        """The part that grows."""
        self._pairs = SurrogatePairs()
        self._found: set[Reference] = set()
        self._begin()

    def _begin(self) -> None:
        self.length = self._written = 0
        """Code points that were received, with the model's thoughts, and those of the answer so far."""
        self._runs = [(0, 0)]
        """Where a text begins that is shown as it was received: among all received, and in the answer."""
        self._visible = VisibleText()
        self._apart = self._breaks = False
        self._last = "\n"
        self._cited: set[object] = set()

    def restart(self) -> Iterator[AnswerEvent]:
        """Drop the text and its citations: the provider says another text."""
        self.part = TextPart(0)
        self._pairs.close()
        self._begin()
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
            # Behind a search, a model may think again.
            yield from self._show(self._visible.close())
            self._visible, self._breaks = VisibleText(), True
        self._apart = False
        self.part.add(delta)
        for piece in delta.splitlines(keepends=True) if "<" in delta else (delta,):
            self.length += len(piece)
            yield from self._show(self._visible.feed(piece))

    def _show(self, visible: str) -> Iterator[AnswerEvent]:
        """Show the end of what was received, but for what may become a tag."""
        if self._visible.withdrawn:
            self._written, self._last, self._runs = 0, "\n", [(0, 0)]
            self._cited.clear()
            self.part.hidden = None
            yield TextReplaced("")
        if not visible:
            return
        if self._breaks and not (self._last.isspace() or visible[0].isspace()):
            self._written += len(_PARAGRAPH)
            yield TextDelta(_PARAGRAPH)
        received, shown = self._runs[-1]
        start = self.length - self._visible.held - len(visible)
        if self.part.hidden is None:
            self.part.hidden = start - self.part.start
        if start - received != self._written - shown:
            self._runs.append((start, self._written))
        self._breaks, self._last = False, visible[-1]
        self._written += len(visible)
        yield TextDelta(visible)

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
        start, end = self._shown(part.start + place.start, part.start + place.end)
        if start == end and place.start < place.end:
            return  # it is about the model's thoughts
        span = SpanFound(start, end, tuple(dict.fromkeys(one.id for one in cited)), replaces)
        if span not in self._cited:
            self._cited.add(span)
            yield span

    def _shown(self, start: int, end: int) -> TextRange:
        """The place in the answer of what stands there among all that was received."""
        begin = self._shown_at(start, bisect_right(self._runs, start, key=_received))
        last = self._shown_at(end, bisect_left(self._runs, end, key=_received) or 1)
        return TextRange(min(begin, last), last)

    def _shown_at(self, offset: int, behind: int) -> int:
        """``offset`` in the run before that with the index ``behind``, or its end."""
        received, shown = self._runs[behind - 1]
        end = self._runs[behind][1] if behind < len(self._runs) else self._written
        return min(shown + offset - received, end)

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
        """What was held back: half of a character, or what might have become a thought."""
        if half := self._pairs.close():
            self.length += 1
            self.part.add(half)
            yield from self._show(self._visible.feed(half))
        yield from self._show(self._visible.close())


def _received(run: tuple[int, int]) -> int:
    return run[0]


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
