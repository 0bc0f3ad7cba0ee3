"""Splits a long text into messages, at a paragraph, line, sentence or word, never in a URL or a character."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Final

from ..text.grapheme import divides
from ..text.url import MAX_URL

Reach = Callable[[str, int, int], int]
"""Returns the latest end in a text, with so many units reserved, of a message from an offset on."""
_PARAGRAPH: Final = "\n\n"
_URL: Final = re.compile(r"https?://(?P<host>[!-.0->@-~]*)[!-~]*")
_URL_AT_END: Final = re.compile(r"https?://[!-~]+\Z")
_HEADING: Final = re.compile(r"[^\W_][^\n|]{0,58}[\w:]")
"""A short line without a full stop. Entries in the list of sources begin with a bracket and don't match."""
_PAUSES: Final = (
    re.compile(r"\n"),
    re.compile(r"[.!?…؟۔][)\"'”’»]*\s|[。！？]"),
    # A number stays with the word before it.
    re.compile(r"\s(?!\([0-9])"),
)
"""The end of a line, of a sentence, of a word."""


def shorten(text: str, *, longest: int) -> str:
    """``text``, in which the host replaces each URL that no message of ``longest`` units can hold."""
    return _URL.sub(lambda url: url[0] if len(url[0]) <= longest else f"{url['host']}/…", text)


def split(text: str, *, limit: int) -> tuple[str, ...]:
    """``text`` as messages of at most ``limit`` UTF-16 code units."""
    return cut(text, lambda text, kept, start: _reach(text, start, limit - kept), longest=limit)


def cut(
    text: str, reach: Reach, *, longest: int, kept: Callable[[int], int] | None = None
) -> tuple[str, ...]:
    """``text`` as messages that ``reach`` measures.

    A paragraph that fits into a message isn't divided. Nor is a paragraph that only its last URL makes
    too long, up to ``longest`` units. ``kept`` gives the units to reserve at the end of a message, by its
    number from 1.
    """
    parts: list[str] = []
    start = _behind_blank(text, 0)
    while start < len(text):
        free = kept(len(parts) + 1) if kept else 0
        end = _MessageRange(text, start, partial(reach, text, free), longest - free).end()
        parts.append(text[start:end].rstrip())
        start = _behind_blank(text, end)
    return tuple(parts)


@dataclass(frozen=True, slots=True)
class _MessageRange:
    """The message of ``text`` from ``start``, which ``reach`` measures and ``longest`` bounds."""

    text: str
    start: int
    reach: Callable[[int], int]
    longest: int

    def end(self) -> int:
        """The end of the message."""
        end = self.reach(self.start)
        if end == len(self.text):
            return end
        paragraph = self.text.rfind(_PARAGRAPH, self.start, end + len(_PARAGRAPH))
        following = _behind_blank(self.text, paragraph) if paragraph > self.start else self.start
        behind = self._paragraph_end(following)
        if self.reach(following) >= behind or self._long_by_url(following, behind):
            return self._before_heading(paragraph) if following > self.start else behind
        if paragraph - self.start > (end - self.start) // 2:
            return self._before_heading(paragraph)
        return self._inside(end)

    def _before_heading(self, paragraph: int) -> int:
        """The end of a paragraph, or of the one before if it is a heading.

        A heading belongs to the text below it.
        """
        before = self.text.rfind(_PARAGRAPH, self.start, paragraph)
        heading = before > self.start and _HEADING.fullmatch(self.text, before + len(_PARAGRAPH), paragraph)
        return before if heading else paragraph

    def _paragraph_end(self, start: int) -> int:
        """The end of the paragraph at ``start``, or the point where it is certainly too long."""
        far = min(len(self.text), start + self.longest + 1)
        end = self.text.find(_PARAGRAPH, start, far + len(_PARAGRAPH))
        return far if end < 0 else end

    def _long_by_url(self, start: int, end: int) -> bool:
        """Whether only the URL at its end makes a paragraph too long for a message."""
        url = _URL_AT_END.search(self.text, start, end)
        return (
            url is not None
            and self.reach(start) >= url.start()
            and end <= _reach(self.text, start, self.longest)
        )

    def _inside(self, end: int) -> int:
        """The last pause before ``end``, of the longest kind that fits, else the last character."""
        ends = [
            [match.end() for match in pause.finditer(self.text, self.start, end + 1)] for pause in _PAUSES
        ]
        far = [[place for place in places if place - self.start > (end - self.start) // 2] for places in ends]
        for place in chain.from_iterable(reversed(places) for places in (*far, *ends)):
            # White space at the end of a message isn't sent.
            if not divides(self.text, place) and (place <= end or self.text[end].isspace()):
                return place
        return self._character(end)

    def _character(self, end: int) -> int:
        for url in _URL.finditer(self.text, self.start, end + MAX_URL):
            if url.start() < end < url.end():
                whole = min(url.end(), _reach(self.text, self.start, self.longest))
                return url.start() if url.start() > self.start else whole
        place = end
        while place > self.start and divides(self.text, place):
            place -= 1
        return place if place > self.start else end


def _behind_blank(text: str, start: int) -> int:
    while start < len(text) and text[start].isspace():
        start += 1
    return start


def _reach(text: str, start: int, limit: int) -> int:
    """The end of the longest text from ``start`` with at most ``limit`` units."""
    units = 0
    for place in range(start, min(len(text), start + limit + 1)):
        units += 2 if text[place] > "\uffff" else 1
        if units > limit:
            return place
    return min(len(text), start + limit + 1)
