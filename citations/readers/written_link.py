"""Links and marks that a model writes where it cites, in text that may still arrive."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from .anchor import TextRange
from .source_address import without_tracking

_NAME: Final = r"(?:[^\[\]\n]|\[[^\[\]\n]{0,200}\]){0,500}"
"""The name of a link. xAI writes ``[[1]](url)``."""
_LINK: Final = re.compile(
    rf"\[(?P<name>{_NAME})\]"
    r"\((?P<target>[^()\s]{0,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,2000}){0,4})(?:[ \t]+\"[^\"\n]{0,500}\")?\)"
)
_MARK: Final = re.compile(r"【[^【】\n]{0,200}】")
_BEGINNING: Final = re.compile(r"[ \t]*(?:\(?\[|【)")
_UNFINISHED: Final = re.compile(
    rf"[ \t]*(?:\(?\[{_NAME}(?:\[[^\[\]\n]{{0,200}}|\](?:\([^\n]{{0,4000}})?)?|【[^【】\n]{{0,200}}|\(?)\Z"
)
_LINE_START: Final = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]*)?\Z")
WAIT: Final = 64
"""Characters behind a link that a stream waits for its annotation. The longest recorded wait is 44."""


class WrittenLink(NamedTuple):
    """A Markdown link in a text, with parentheses around it if it has them."""

    place: TextRange
    id: str
    """Its target without tracking parameters."""


def links_in(text: str, start: int = 0) -> Iterator[WrittenLink]:
    """The Markdown links of ``text`` from ``start`` on."""
    for found in _LINK.finditer(text, start):
        yield WrittenLink(
            with_parentheses(text, TextRange(found.start(), found.end())), without_tracking(found["target"])
        )


def with_parentheses(text: str, place: TextRange) -> TextRange:
    """``place`` with the parentheses directly around it."""
    if text[place.start - 1 : place.start] == "(" and text[place.end : place.end + 1] == ")":
        return TextRange(place.start - 1, place.end + 1)
    return place


def with_blank_before(text: str, place: TextRange) -> TextRange:
    """``place`` with the blanks before it, unless a line begins there."""
    start = len(text[: place.start].rstrip(" \t"))
    line = text.rfind("\n", 0, start) + 1
    return place if _LINE_START.match(text, line, start) else TextRange(start, place.end)


def is_mark(text: str) -> bool:
    """Whether ``text`` is a mark such as ``【3:0†source】``."""
    return _MARK.fullmatch(text.strip()) is not None


class HeldLinks:
    """Text as it arrives, of which a link is held until its annotation comes: feed it, take, close it.

    So a stream never shows a link that a badge replaces later. Blanks at the end are held, too.
    """

    def __init__(self) -> None:
        self.held = ""

    def feed(self, delta: str) -> str:
        """The text that ``delta`` lets out."""
        self.held += delta
        place = 0
        while found := _BEGINNING.search(self.held, place):
            end = self._link_end(found)
            if end is None and _UNFINISHED.match(self.held, found.start()):
                return self.take(found.start())
            if end is not None and len(self.held) - end < WAIT:
                return self.take(found.start())
            place = found.end() if end is None else end
        rest = re.search(r"[ \t]*\(?\Z", self.held[place:])
        return self.take(place + rest.start() if rest else len(self.held))

    def take(self, length: int) -> str:
        """The next ``length`` characters that are held."""
        taken, self.held = self.held[:length], self.held[length:]
        return taken

    def close(self) -> str:
        """All text that is held."""
        return self.take(len(self.held))

    def _link_end(self, beginning: re.Match[str]) -> int | None:
        sign = beginning.end() - 1
        found = _LINK.match(self.held, sign) or _MARK.match(self.held, sign)
        if found is None:
            return None
        # The closing parenthesis of "([title](url))" may be the next character.
        opened = self.held[sign - 1 : sign] == "(" and sign > 0
        return found.end() + 1 if opened else found.end()
