"""The spoken form of an answer: its words and the names of its sources."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..markdown import Badge
from ..model.citation import CitedAnswer
from ..model.link_definition import LinkDefinition
from ..model.wording import Wording
from . import plain
from .plain_text import Signs, write_words

_MARKER: Final = "\x02"
_MARKERS: Final = re.compile(rf"(?<!\s)\s*(?:\([\s,;]*+{_MARKER}[\s,;{_MARKER}]*+\)|{_MARKER})")
_URL: Final = re.compile(r"https?://(?P<host>[!-.0-;=@-~]*)[!-;=?-~]*", re.IGNORECASE)
_ENDS: Final = ".,;:!?)]\"'"
_TAG: Final = re.compile(r"<(?=[A-Za-z/!?])[^<>]*>?")
_UNENDED: Final = re.compile(r"(?<=[^\W_])[)\]\"'”’»]*\Z")
"""The end of a line without a full stop."""
MAX_NAMED: Final = 3
"""Sources whose names are spoken. Of more sources, only the number is."""


def speak(
    cited: CitedAnswer, definitions: Sequence[LinkDefinition], wording: Wording, label: str = ""
) -> str:
    """The spoken form as plain text without markers, URLs, code or SSML. Each block ends like a sentence.

    ``label`` is spoken first, the names of the sources last.
    """
    words = _MARKERS.sub("", write_words(cited.document, _SIGNS))
    lines = [label, *words.split("\n"), _sources([definition.title for definition in definitions], wording)]
    return "\n".join(line for line in map(_sayable, lines) if line)


def _omit(badge: Badge, before: str) -> str:
    """The spoken form of a marker: empty, unless its source was dropped and only its name is left."""
    return _MARKER if badge.positions else badge.rest


_SIGNS: Final = Signs(badge=_omit, bullet="", quote="", cell=", ", line=" ", code=False)


def _sayable(line: str) -> str:
    """A line without what a voice would spell out. An opening tag would turn the text into SSML."""
    shown = _TAG.sub(" ", _URL.sub(_host, line))
    return _UNENDED.sub(r"\g<0>.", " ".join(shown.split()))


def _host(url: re.Match[str]) -> str:
    """The host of a URL, with the sentence's punctuation behind it."""
    return url["host"].rstrip(_ENDS) + url[0][len(url[0].rstrip(_ENDS)) :]


def _sources(names: Sequence[str], wording: Wording) -> str:
    if not names:
        return ""
    named = [*names[:MAX_NAMED]]
    if len(names) > MAX_NAMED:
        named[MAX_NAMED - 1 :] = [wording.other_sources.format(count=len(names) - MAX_NAMED + 1)]
    *others, last = named
    listed = wording.both.format(first=", ".join(others), last=last) if others else last
    return wording.sources_said.format(sources=listed)


CHANNEL: Final = replace(plain.CHANNEL, speaks=True)
"""A channel of a voice, whose text is plain."""
