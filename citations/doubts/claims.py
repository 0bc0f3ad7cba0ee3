"""The sentences of an answer that cite something, in the words that a reader sees."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Final, NamedTuple

from ..markdown import Inline
from ..model.citation import CitedAnswer, Use

_MARK: Final = re.compile(r"""[.!?…。！？](?:(?<=[。！？])|["'”’»)\]_]*+\s++(?=(["'“„«(\[_¿¡]*+)(\S)))""")
"""The end of a sentence, and the signs that begin the next one. A full-width mark needs no space."""
_ADDRESS: Final = re.compile(r"\w+://\S+")
_ORDINAL: Final = re.compile(r"\b(?:\d\d?|\w|Mio|Mrd|Tsd|Nr|Abs|Art|Std|St|Dr|Mrs?|Ms)\.\Z")
"""A day, an initial or an abbreviation before a name or a noun, whose full stop ends no sentence."""
_ABBREVIATED: Final = re.compile(r"\b\w{1,3}\.\Z")
"""Before a number, this may be an abbreviation such as ``ca.``."""
_HIDDEN: Final = frozenset({"code", "html", "autolink", "image", "formula"})
"""Constructs that are no words of a sentence."""


class CitingSentence(NamedTuple):
    """A sentence of an answer, without markup and markers, and the positions that it cites.

    A marker belongs to the sentence before it, also where it stands behind the full stop.
    """

    text: str
    positions: tuple[int, ...]


_Place = tuple[int, tuple[int, ...]]
"""An offset in a text, and the positions that are cited there."""


def find_citing_sentences(cited: CitedAnswer) -> Iterator[CitingSentence]:
    """The sentences of ``cited`` that cite something, in order."""
    uses = sorted(cited.uses, key=_start)
    starts = [use.start for use in uses]
    first = 0
    for inline in cited.layout.inlines:
        if first == len(uses):
            return
        behind = bisect_left(starts, inline.place_end(len(inline.content)) + 1, first)
        if first < behind:
            yield from _split(*_strip(inline, uses[first:behind]))
            first = behind


def _strip(inline: Inline, uses: Sequence[Use]) -> tuple[str, list[_Place]]:
    """The words of an inline text, and the places in them of what is cited."""
    cuts: list[tuple[int, int, tuple[int, ...]]] = [
        (*inline.span(use.start, use.end), use.positions) for use in uses
    ]
    hidden = [(one.start, one.end, ()) for one in inline.spans if one.kind in _HIDDEN]
    hidden += [(one.close, one.link.end, ()) for one in inline.brackets if one.link]
    words, behind, places = "", 0, []
    for start, end, positions in sorted((*cuts, *hidden)) if hidden else cuts:
        words += _show(inline.content[behind:start])
        behind = max(behind, end)
        if positions:
            places.append((len(words), positions))
        else:
            words += "  "  # something is left out here
    return words + _show(inline.content[behind:]), places


def _show(source: str) -> str:
    shown = source.replace("*", "").replace("\\", "")
    if "://" in shown:
        shown = _ADDRESS.sub("", shown)
    return unescape(shown) if "&" in shown else shown


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
            short = _ABBREVIATED if following.isdigit() else _ORDINAL
            stop = match.start() + 1
            if following.islower() or short.search(words, max(0, stop - 5), stop):
                continue
        yield match.end()


def _start(use: Use) -> int:
    return use.start
