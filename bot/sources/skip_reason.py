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
        (r"the format \S+ is not read \(unpack .*\)", Sentence.SKIPPED_ARCHIVE),
        (
            r"the format (?P<format>\S+) is not read \(save it as (?P<first>\w+) or (?P<second>\w+)\)",
            Sentence.SKIPPED_FORMAT,
        ),
        (
            r"the format (?P<format>\S+) is not read \(save .* as (?P<other>[\w ]+)\)",
            Sentence.SKIPPED_FORMAT_SAVED_AS,
        ),
        (r"(?P<count>\d+) files? of a format that is not read", Sentence.SKIPPED_OTHERS),
        (r"(?P<count>\d+) hidden slides? (?:is|are) not read", Sentence.SKIPPED_SLIDES),
        (r"(?P<count>\d+) hidden sheets? (?:is|are) not read", Sentence.SKIPPED_SHEETS),
        (r"(?P<count>\d+) hidden rows? (?:is|are) not read", Sentence.SKIPPED_ROWS),
        (r"(?P<count>\d+) attachments? (?:is|are) not read", Sentence.SKIPPED_ATTACHMENTS),
        (r"(?P<count>\d+) damaged lines? (?:is|are) not read", Sentence.SKIPPED_LINES),
        (r"it is empty", Sentence.SKIPPED_EMPTY),
        (r"it has no text|it has no pages", Sentence.SKIPPED_NO_TEXT),
        (r"it is damaged", Sentence.SKIPPED_DAMAGED),
        (r"it is protected by a password", Sentence.SKIPPED_ENCRYPTED),
        (r"it is encrypted", Sentence.SKIPPED_SEALED),
        (r"it is protected against copying", Sentence.SKIPPED_COPY_PROTECTED),
        (r"it is of the old \.(?P<format>\w+) format", Sentence.SKIPPED_OLD_FORMAT),
        (r"it is no e-mail message|it is not of the format .*", Sentence.SKIPPED_OTHER_FORMAT),
        (r"it is packed for machines", Sentence.SKIPPED_PACKED),
        (r"it is not text", Sentence.SKIPPED_NOT_TEXT),
        (r"it is scanned.*", Sentence.SKIPPED_SCANNED),
        (r"it is too large(?: \((?P<size>\d+) MB; the limit is \d+ MB\))?", Sentence.SKIPPED_TOO_LARGE),
        (r"it unpacks to more than (?P<limit>\d+) MB", Sentence.SKIPPED_UNPACKS),
        (r"it holds installed packages", Sentence.SKIPPED_PACKAGES),
        (r"it is a link that leads out of the folder", Sentence.SKIPPED_LINK),
        (r"it can't be opened \((?P<cause>.*)\)", Sentence.SKIPPED_NOT_OPENED),
        (r"it takes longer than (?P<limit>\S+) s to read", Sentence.SKIPPED_TOO_SLOW),
        (r"it needs more than (?P<limit>\d+) MB of memory to read", Sentence.SKIPPED_TOO_HUNGRY),
        (r"it has too (?:much text|many passages).*", Sentence.SKIPPED_TOO_LONG),
        (r"it makes its reader crash", Sentence.SKIPPED_CRASHED),
        (r"its name is not valid Unicode", Sentence.SKIPPED_NAME),
    )
)


def explain_skip(reason: str) -> str:
    """Write a reason of :mod:`bot.retrieval` as a sentence."""
    for pattern, sentence in _REASONS:
        if found := pattern.fullmatch(reason):
            values = found.groupdict()
            count = {"count": int(values["count"])} if "count" in values else {}
            return say(sentence, **values | count)
    return f"{reason[:1].upper()}{reason[1:]}."
