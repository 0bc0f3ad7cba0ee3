"""The sentences of an answer that cite something, in the words that a reader sees."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from ..languages import LANGUAGES, either
from ..markdown import Badge, Break, Inline, Mark, Text
from ..model.citation import CitedAnswer

_MARK: Final = re.compile(r"""[.!?…。！？](?:(?<=[。！？])|["'”’»)\]_]*+\s++(?=(["'“„«(\[_¿¡]*+)(\S)))""")
"""The end of a sentence, and the signs that begin the next one. A full-width mark needs no space."""
_ADDRESS: Final = re.compile(r"\w+://\S+")
_ABBREVIATED: Final = re.compile(r"\b\w{1,3}\.\Z")
"""Before a number, this may be an abbreviation such as ``ca.``."""


class CitingSentence(NamedTuple):
    """A sentence of an answer, without markup and markers, and the positions that it cites.

    A marker belongs to the sentence before it, also where it stands behind the full stop.
    """

    text: str
    positions: tuple[int, ...]


_Place = tuple[int, tuple[int, ...]]
"""An offset in a text, and the positions that are cited there."""


@cache
def _ordinal() -> re.Pattern[str]:
    """A day, an initial or an abbreviation before a name or a noun, whose full stop ends no sentence."""
    return re.compile(rf"\b(?:\d\d?|\w|{either(LANGUAGES.words_of('sentences', 'abbreviations'))})\.\Z")


def find_citing_sentences(cited: CitedAnswer) -> Iterator[CitingSentence]:
    """The sentences of ``cited`` that cite something, in order."""
    for inline in cited.document.inlines():
        words, places = _strip(inline)
        if places:
            yield from _split(words, places)


def _strip(inline: Inline) -> tuple[str, list[_Place]]:
    """The words of an inline text, and the places in them of what is cited."""
    parts: list[str] = []
    length, places = 0, []
    for node in inline:
        match node:
            case Text(text):
                shown = _ADDRESS.sub("", text) if "://" in text else text
            case Break():
                shown = "\n"
            case Badge(positions) if positions:
                places.append((length, positions))
                shown = ""
            case Mark():
                shown = ""
            case _:
                shown = "  "  # something is left out here
        parts.append(shown)
        length += len(shown)
    return "".join(parts), places


def _split(words: str, places: Sequence[_Place]) -> Iterator[CitingSentence]:
    edges = [0, *_ends(words)]
    cited: dict[int, tuple[int, ...]] = {}
    for offset, positions in places:
        number = bisect_left(edges, len(words[:offset].rstrip()), 1) - 1
        cited[number] = (*cited.get(number, ()), *positions)
    for number, positions in cited.items():
        text = words[edges[number] : (*edges, len(words))[number + 1]]
        text = text.strip().replace(" .", ".").replace(" ,", ",")
        yield CitingSentence(text, tuple(dict.fromkeys(positions)) if len(positions) > 1 else positions)


def _ends(words: str) -> Iterator[int]:
    """The offsets behind the sentences of a text, but for the last one."""
    for match in _MARK.finditer(words):
        following = match[2]
        if following:
            short = _ABBREVIATED if following.isdigit() else _ordinal()
            stop = match.start() + 1
            if following.islower() or short.search(words, max(0, stop - 5), stop):
                continue
        yield match.end()
