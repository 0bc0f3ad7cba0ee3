"""The sentences of an answer in the words that a reader sees, and what each of them cites."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from ..markdown import Badge, Heading, Inline, List, Table, TextPlace, inlines_of, shown_words
from ..model.citation import CitedAnswer
from ..text.languages import LANGUAGES, either

_MARK: Final = re.compile(r"""[.!?…。！？](?:(?<=[。！？])|["'”’»)\]_]*+\s++(?=(["'“„«(\[_¿¡]*+)(\S)))""")
"""The end of a sentence, and the signs that begin the next one. A full-width mark needs no space."""
_LONGEST_ROW: Final = 4
_ABBREVIATED: Final = re.compile(r"\b\w{1,3}\.\Z")
"""Before a number, this may be an abbreviation such as ``ca.``."""


class Statement(NamedTuple):
    """A sentence of an answer, without markup and markers, and the positions that it cites.

    A marker belongs to the sentence before it, also where it stands behind the full stop. It stands for the
    sentences of its paragraph, list or table that lie between it and the last marker, too: those are not
    ``marked``. A list or a table without any is cited by the block below it.
    """

    text: str
    positions: tuple[int, ...]
    marked: bool
    inline: int
    end: int

    @property
    def place(self) -> TextPlace:
        """Where it ends."""
        return TextPlace(self.inline, self.end)


_Cited = tuple[int, tuple[int, ...]]
"""An offset in a text, and the positions that are cited there."""


@cache
def _ordinal() -> re.Pattern[str]:
    """A day, an initial or an abbreviation before a name or a noun, whose full stop ends no sentence."""
    return re.compile(rf"\b(?:\d\d?|\w|{either(LANGUAGES.words_of('sentences', 'abbreviations'))})\.\Z")


def find_statements(cited: CitedAnswer) -> Iterator[Statement]:
    """The sentences of ``cited``, in order; those without a position cite nothing.

    A heading without a marker states nothing: "Step 5".
    """
    number, waiting = 0, list[Statement]()
    for block in cited.document.blocks:
        found, waiting = waiting, []
        own, first = list[Statement](), number
        for inline in inlines_of((block,)):
            own += _split(number, inline)
            number += 1
        if isinstance(block, Table):
            own = _without_row_numbers(own, first, len(block.header))
        if not isinstance(block, Heading) or any(one.marked for one in own):
            found += own
        if isinstance(block, List | Table):
            while found and not found[-1].marked:
                waiting.insert(0, found.pop())
        _cite_together(found)
        yield from found
    yield from waiting


def _without_row_numbers(cells: Sequence[Statement], first: int, width: int) -> list[Statement]:
    """The cells of a table, without those of its first column that count its rows.

    The table begins at the inline text ``first``, and has ``width`` columns.
    """
    places = [divmod(one.inline - first, width) for one in cells]
    return [one for one, place in zip(cells, places, strict=True) if place != (_row_of(one), 0)]


def _row_of(cell: Statement) -> int:
    return int(cell.text) if cell.text.isdecimal() and len(cell.text) < _LONGEST_ROW else -1


def _cite_together(sentences: list[Statement]) -> None:
    """Give the sentences without a marker what the next one with a marker cites."""
    positions: tuple[int, ...] = ()
    for number in range(len(sentences) - 1, -1, -1):
        one = sentences[number]
        if one.positions:
            positions = one.positions
        elif positions:
            sentences[number] = Statement(one.text, positions, one.marked, one.inline, one.end)


def _split(number: int, inline: Inline) -> list[Statement]:
    """The sentences of an inline text."""
    words, places = _strip(inline)
    marks = _MARK.finditer(words) if _MARK.search(words) else ()  # the search is the faster of the two
    ends = [one.end() for one in marks if _ends_sentence(words, one)]
    ends.append(len(words))
    cited = _find_cited(words, ends, places) if places else {}
    found, start = [], 0
    for index, end in enumerate(ends):
        text = words[start:end].strip()
        start = end
        if not cited:
            if text:
                found.append(Statement(text, (), False, number, end))
            continue
        positions = cited.get(index, ())
        if text or positions:
            text = text.replace(" .", ".").replace(" ,", ",")
            found.append(Statement(text, positions, bool(positions), number, end))
    return found


def _strip(inline: Inline) -> tuple[str, list[_Cited]]:
    """The words of an inline text, and the places in them of what is cited."""
    parts: list[str] = []
    length, places = 0, []
    for node in inline:
        if isinstance(node, Badge) and node.positions:
            places.append((length, node.positions))
            continue
        shown = shown_words(node)
        parts.append(shown)
        length += len(shown)
    return "".join(parts), places


def _find_cited(words: str, ends: Sequence[int], places: Iterable[_Cited]) -> Mapping[int, tuple[int, ...]]:
    """What each of the sentences with these ``ends`` cites, by its number."""
    cited: dict[int, tuple[int, ...]] = {}
    for offset, positions in places:
        number = bisect_left(ends, len(words[:offset].rstrip()))
        cited[number] = tuple(dict.fromkeys((*cited.get(number, ()), *positions)))
    return cited


def _ends_sentence(words: str, mark: re.Match[str]) -> bool:
    """Whether a mark ends a sentence: the next one begins there, and no abbreviation is before it."""
    following = mark[2]
    if not following:
        return True
    stop = mark.start() + 1
    short = _ABBREVIATED if following.isdigit() else _ordinal()
    return not (following.islower() or short.search(words, max(0, stop - 5), stop))
