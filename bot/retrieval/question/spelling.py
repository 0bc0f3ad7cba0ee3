"""Finds the word of the documents that a person meant who mistyped it.

A slip is one letter that was left out, added, or replaced, or two neighbours that were swapped. Most
words that no document has are synonyms and no slips. So the other word has to stand in the documents as
it is, and to begin with the same letter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from ..passages import read_record, write_context
from ..words import SearchEngine, fold_stem, split_words

_LONGEST: Final = 20
"""A word with more letters is not corrected."""
_SWAPPED: Final = 5
"""The least letters of a word in which two neighbours are swapped."""
_WITHIN: Final = 6
"""The least letters of a word with any other slip before its last letter."""
_AT_END: Final = 8
"""The least letters of a word with another end, which may be an inflection or another word."""
_PASSAGES: Final = 20
"""The word is sought in this many passages that hold a similar stem."""


def find_meant(word: str, engine: SearchEngine, languages: Sequence[str]) -> str | None:
    """The word that was meant by ``word``, as the documents write it; None if there is none.

    Of several words the one in the most passages is returned.
    """
    if len(word) > _LONGEST:
        return None
    frequencies: dict[str, int] = {}
    for stem in dict.fromkeys(fold_stem(word, language) for language in (*languages, None)):
        for hit in engine.find_similar(stem, _PASSAGES):
            passage = read_record(hit.record).passage
            text = f"{passage.text} {write_context(passage)}"
            alike = {one for one in split_words(text) if one[0] == word[0] and abs(len(one) - len(word)) <= 1}
            for other in (one for one in alike if _is_slip(word, one)):
                meant = write_as_in(text, other)
                frequencies[meant] = engine.frequency(fold_stem(other, passage.language))
    return max(sorted(frequencies), key=lambda meant: frequencies[meant], default=None)


def _is_slip(asked: str, meant: str) -> bool:
    """Whether one slip behind the first letter makes ``asked`` of ``meant``.

    >>> [_is_slip(asked, "vacation") for asked in ("vacaton", "vaccation", "vacatino", "location")]
    [True, True, True, False]
    """
    start = _count_common(asked, meant)
    one, other = asked[start:], meant[start:]
    end = _count_common(one[::-1], other[::-1])
    one, other = one[: len(one) - end], other[: len(other) - end]
    if start == 0:
        return False
    if len(one) == 2 and one == other[::-1]:
        return len(asked) >= _SWAPPED
    return len(one) <= 1 >= len(other) and asked != meant and len(asked) >= (_WITHIN if end else _AT_END)


def _count_common(one: str, other: str) -> int:
    """How many letters two words have in common at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def write_as_in(text: str, word: str) -> str:
    """``word``, which is in lower case, as ``text`` writes it first."""
    found = re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)
    return found[0] if found else word
