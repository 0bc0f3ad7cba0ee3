"""Why a file of a folder is not read, in the language of the turn.

:mod:`bot.retrieval` writes its reasons in English, for the log. They are the keys of this table, as in
gettext. A reason that is not in the table stays in English.
"""

from __future__ import annotations

import re
from typing import Final

from ..messages import Sentence, say

_REASONS: Final = tuple(
    (re.compile(pattern), sentence)
    for pattern, sentence in (
        (r"the format (?P<format>\S+) is not read.*", Sentence.SKIPPED_FORMAT),
        (r"it is empty", Sentence.SKIPPED_EMPTY),
        (r"it has no text|it has no pages", Sentence.SKIPPED_NO_TEXT),
        (r"it is damaged", Sentence.SKIPPED_DAMAGED),
        (r"it is encrypted", Sentence.SKIPPED_ENCRYPTED),
        (r"it is of the old \.doc format", Sentence.SKIPPED_OLD_WORD),
        (r"it is not text", Sentence.SKIPPED_NOT_TEXT),
        (r"it is scanned.*", Sentence.SKIPPED_SCANNED),
        (r"it is too large(?: \((?P<size>\d+) MB; the limit is \d+ MB\))?", Sentence.SKIPPED_TOO_LARGE),
        (r"it unpacks to more than (?P<limit>\d+) MB", Sentence.SKIPPED_UNPACKS),
        (r"it is a link that leads out of the folder", Sentence.SKIPPED_LINK),
        (r"it can't be opened \((?P<cause>.*)\)", Sentence.SKIPPED_NOT_OPENED),
        (r"it takes longer than (?P<limit>\S+) s to read", Sentence.SKIPPED_TOO_SLOW),
        (r"it needs more than (?P<limit>\d+) MB of memory to read", Sentence.SKIPPED_TOO_HUNGRY),
        (r"it has too (?:much text|many passages).*", Sentence.SKIPPED_TOO_LONG),
        (r"it makes its reader crash", Sentence.SKIPPED_CRASHED),
    )
)


def explain_skip(reason: str) -> str:
    """Write a reason of :mod:`bot.retrieval` as a sentence."""
    for pattern, sentence in _REASONS:
        if found := pattern.fullmatch(reason):
            return say(sentence, **found.groupdict())
    return f"{reason[:1].upper()}{reason[1:]}."
