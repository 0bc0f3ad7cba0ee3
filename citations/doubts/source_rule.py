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
    stems = stems_of(words)
    if len(stems) < LEAST_WORDS:
        return None
    if len(passages) == 1:
        found = sum(map(passages[0].known.__contains__, stems))
    else:
        found = sum(any(stem in one.known for one in passages) for stem in stems)
    share = found / len(stems)
    if share >= CITED_HAS:
        return None
    enough = max(OTHER_HAS, share + OTHER_HAS_MORE)
    others = (one for one in all_sources() if one.is_read and one not in passages)
    return next((one for one in others if has_share(one, stems, enough)), None)


def stems_of(words: Sequence[str]) -> list[str]:
    """The longer ones of ``words``, without their endings."""
    return [word[:-_ENDING] for word in words if len(word) >= _SHORTEST]


def has_share(source: SourceText, stems: Sequence[str], enough: float = OTHER_HAS) -> bool:
    """Whether a source has this share of the words; once it lacks too many, the others are not looked for."""
    known, number = source.known, len(stems)
    missing = 0
    for stem in stems:
        if stem not in known:
            missing += 1
            if (number - missing) / number < enough:
                return False
    return True
