"""Finds the sources that an answer shows, and writes as much of each as is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final

from citations import AnswerKind

from ..passages import Passage, Unit, write_passage
from ..question import Task
from .rank import RankedPassage
from .search_result import SearchResult
from .units import choose_best, choose_excerpt, find_list, find_named_rows

SOURCES: Final = 7
"""At most this many sources are shown."""
_HEADINGS: Final = 12
"""At most this many headings stand for a document that is to be summarized."""
_LIST: Final = 1200
"""Characters of a list of which all items are asked for."""
_ANSWER: Final = 500
"""Characters of the one excerpt that answers."""
_BRIEF_ANSWER: Final = 240
"""The same in a short message."""
_NEAREST: Final = 3
"""At most this many excerpts are shown of the nearest passages."""
_ROOM: Final = 740
"""Characters of these excerpts together: what a short passage leaves is for the next ones."""
_FIRST: Final = 560
"""The most of the first one, which is mostly the one that says the answer."""
_LEAST: Final = 100
"""The least of the others."""
_BRIEF: Final = 120
"""The same for the only passage in a short message, which has room for it, its title and what is around it.

In 374 questions in people's own words, 190 characters had four answers more.
"""


@dataclass(frozen=True, slots=True)
class NumberedPassage:
    """A source of one answer: passages below one heading of a document, in their order, and its id.

    ``best`` is the one of them that matches best. ``bold`` is the unit of it that says most, or None where
    the answer is about all of it.
    """

    id: str
    passages: tuple[Passage, ...]
    best: RankedPassage
    bold: Unit | None = None

    @property
    def path(self) -> str:
        """The path of its document."""
        return self.best.passage.path


def find_place(passage: Passage) -> object:
    """A key that the passages of one source share: those below one heading, and at one place of a document.

    Below no heading, a reader can tell passages apart by what they say alone, so each is a source.
    """
    place = passage.find_places() if passage.headings else passage.start
    return passage.path, passage.headings, place


def find_sources(
    result: SearchResult, find_key: Callable[[Passage], object] = find_place
) -> tuple[NumberedPassage, ...]:
    """The best passages as numbered sources, each with its best unit; what answers is the first."""
    if result.task is Task.SUMMARY:
        return number_passages(result, find_key, len(result.ranked))[:_HEADINGS]
    return tuple(
        replace(one, bold=_choose_bold(result, one))
        for one in number_passages(result, find_key, len(result.ranked))[:SOURCES]
    )


def number_passages(
    result: SearchResult, find_key: Callable[[Passage], object], most: int
) -> tuple[NumberedPassage, ...]:
    """The sources of the best ``most`` passages, numbered from 1; nothing of them is bold."""
    found: dict[object, list[RankedPassage]] = {}
    for ranked in result.ranked[:most]:
        found.setdefault(find_key(ranked.passage), []).append(ranked)
    start = attrgetter("passage.start")
    return tuple(
        NumberedPassage(str(number), tuple(one.passage for one in sorted(group, key=start)), group[0])
        for number, group in enumerate(found.values(), 1)
    )


def _choose_bold(result: SearchResult, source: NumberedPassage) -> Unit | None:
    best = result.best
    if result.kind is not AnswerKind.ANSWERED or best is None or best.ranked is not source.best:
        best = choose_best(result.scores, [source.best])
    return best.unit if best else None


def renumber(sources: Sequence[NumberedPassage]) -> tuple[NumberedPassage, ...]:
    """Number sources anew."""
    return tuple(replace(one, id=str(number)) for number, one in enumerate(sources, 1))


def write_excerpts(result: SearchResult, sources: Sequence[NumberedPassage], *, is_brief: bool) -> list[str]:
    """Write an excerpt of the source that answers, or of the nearest ones; in a brief message, of one."""
    said: set[str] = set()
    if result.kind is AnswerKind.ANSWERED:
        return [_write_excerpt(result, sources[0], _BRIEF_ANSWER if is_brief else _ANSWER, said)]
    if is_brief:
        return [_write_excerpt(result, one, _BRIEF, said) for one in sources[:1]]
    excerpts: list[str] = []
    left = _ROOM
    for place, one in enumerate(sources[:_NEAREST]):
        room = max(_LEAST, left // (_NEAREST - place)) if place else _FIRST
        excerpts.append(_write_excerpt(result, one, room, said))
        left -= len(excerpts[-1])
    return excerpts


def _write_excerpt(result: SearchResult, source: NumberedPassage, room: int, said: set[str]) -> str:
    """Write an excerpt without the sentences that were ``said``, and add its own to them."""
    passage = source.best.passage
    named = find_named_rows(result.scores, source.best)
    if source.bold in named:
        return write_passage(passage, tuple(named), tuple(named))
    if result.task is Task.LIST and not said and (items := find_list(passage, _LIST)):
        return write_passage(passage, (), tuple(items))
    words = {unit: " ".join(passage.text[unit.start : unit.end].split()) for unit in passage.units}
    known = [unit for unit in words if words[unit] in said]
    shown = choose_excerpt(result.scores, source.best, room, source.bold, known)
    said.update(words[unit] for unit in shown)
    return write_passage(passage, (source.bold,) if source.bold else (), tuple(shown))
