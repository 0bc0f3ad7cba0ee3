"""Sentences whose words stand in another source than the one that is cited."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from .source_text import SourceText

_SHORTEST: Final = 5
"""Letters of a word that may carry meaning: in European languages, shorter ones rarely do."""
_ENDING: Final = 2
"""Letters at the end of a word that are not compared: its ending, or a comma."""
LEAST_WORDS: Final = 4
"""Words without which too little can be compared."""
CITED_HAS: Final = 0.5
"""A cited source with this share of the words is not doubtful."""
OTHER_HAS: Final = 0.5
"""Another source must have this share of them,"""
OTHER_HAS_MORE: Final = 0.35
"""and this much more than the cited one."""


def find_better_source(
    words: Sequence[str], passages: Sequence[SourceText], all_sources: Callable[[], Iterable[SourceText]]
) -> SourceText | None:
    """The one of ``all_sources`` that has far more of a sentence's ``words`` than ``passages`` together.

    The words are in lower case.
    """
    stems = [word[:-_ENDING] for word in words if len(word) >= _SHORTEST]
    if len(stems) < LEAST_WORDS:
        return None
    share = _share(stems, passages)
    if share >= CITED_HAS:
        return None
    enough = max(OTHER_HAS, share + OTHER_HAS_MORE)
    others = (one for one in all_sources() if one.is_read and one not in passages)
    return next((one for one in others if _has_share(one, stems, enough)), None)


def _share(stems: Sequence[str], passages: Sequence[SourceText]) -> float:
    if len(passages) == 1:
        return sum(map(passages[0].known.__contains__, stems)) / len(stems)
    return sum(any(stem in one.known for one in passages) for stem in stems) / len(stems)


def _has_share(source: SourceText, stems: Sequence[str], enough: float) -> bool:
    """Whether a source has this share of the words; once it lacks too many, the others are not looked for."""
    known, number = source.known, len(stems)
    missing = 0
    for stem in stems:
        if stem not in known:
            missing += 1
            if (number - missing) / number < enough:
                return False
    return True


def has_words_of(source: SourceText, words: Sequence[str]) -> bool:
    """Whether a source has half of a sentence's longer words, or there are none."""
    stems = [word[:-_ENDING] for word in words if len(word) >= _SHORTEST]
    return source.is_read and source.complete and (not stems or _has_share(source, stems, OTHER_HAS))
