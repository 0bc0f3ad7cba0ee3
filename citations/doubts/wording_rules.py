"""Sentences whose words stand in another source than the one that is cited, and quotations of none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from .source_text import SourceText
from .text_scan import lower_in_place

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
LEAST_QUOTED: Final = 5
"""Words of a quotation that is compared."""
_QUOTED: Final = re.compile(r"[“„]([^“”„]+)[“”]|(?<!\w)\"([^\"]+)\"(?!\w)|«([^«»]+)»|»([^«»]+)«|‹([^‹›]+)›")
_LEFT_OUT: Final = re.compile(r"\[[^\[\]]*\]|…|\.\.\.+|\s{2,}|\d+")
_CHANGED: Final = re.compile(r"\[(\w)\](?=\w)")
"""A letter whose case was changed: ``[N]one``."""
_WORD: Final = re.compile(r"\w+")


def find_better_source(
    words: Sequence[str], passages: Sequence[SourceText], all_sources: Callable[[], Iterable[SourceText]]
) -> SourceText | None:
    """The one of ``all_sources`` that has far more of a sentence's ``words`` than ``passages`` together.

    The words are in lower case.
    """
    stems = stems_of(words)
    if len(stems) < LEAST_WORDS:
        return None
    known = passages[0].known if len(passages) == 1 else "\n".join([one.known for one in passages])
    share = sum(map(known.__contains__, stems)) / len(stems)
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


def find_doubtful_quotations(sentence: str, passages: Sequence[SourceText]) -> Iterator[str]:
    """The quotations of ``sentence`` with five words or more that none of ``passages`` has.

    What is left out of a quotation, or stands in brackets in it, need not be in the passage. Nor need its
    digits, which the rule of numbers compares.
    """
    if sentence.isascii() and '"' not in sentence:
        return
    for match in _QUOTED.finditer(sentence):
        quoted = match[match.lastindex or 0].strip()
        pieces = [
            _WORD.findall(lower_in_place(piece)) for piece in _LEFT_OUT.split(_CHANGED.sub(r"\1", quoted))
        ]
        if sum(map(len, pieces)) < LEAST_QUOTED:
            continue
        spaced = [f" {' '.join(piece)} " for piece in pieces if piece]
        if not any(all(piece in one.spaced for piece in spaced) for one in passages):
            yield quoted
