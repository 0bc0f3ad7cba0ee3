"""Links and marks that a model writes where it cites, in text that may still arrive."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..markers.source_identity import normal_url
from .anchor import TextRange

_NAME: Final = r"(?:[^\[\]\n]|\[[^\[\]\n]{0,200}\]){0,500}"
"""The name of a link. xAI writes ``[[1]](url)``."""
_LINK: Final = re.compile(
    rf"\[(?P<name>{_NAME})\]"
    r"\((?P<target>[^()\s]{0,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,2000}){0,4})(?:[ \t]+\"[^\"\n]{0,500}\")?\)"
)
_BARE: Final = r"(?<![\w/<])(?<!\]\()https?://[^\s<>\[\]()\"`]{1,2000}(?=[\s<>\[\]()\"`])"
"""An address, up to the character behind it."""
_SIGNS: Final = ("](", "://")
"""One of these stands in each link and each address."""
_ENDS: Final = ".,;:!?'*_~"
"""Characters at the end of an address that belong to its sentence."""
_FOUND: Final = re.compile(rf"{_LINK.pattern}|{_BARE}")
_MARK: Final = re.compile(r"【[^【】\n]{0,200}】")
_BEGINNING: Final = re.compile(r"(?<![ \t])[ \t]*+(?:\(?\[|【)")
_UNFINISHED: Final = re.compile(
    rf"[ \t]*+(?:\(?\[{_NAME}(?:\[[^\[\]\n]{{0,200}}|\](?:\([^\n]{{0,4000}})?)?|【[^【】\n]{{0,200}}|\(?)\Z"
)
LONGEST_LINK: Final = 3000
"""Characters in which a link is looked for, where a text grows."""
WAIT: Final = 64
"""Characters behind a link that a stream waits for its annotation. The longest recorded wait is 44."""


class WrittenLink(NamedTuple):
    """A Markdown link in a text, or a bare address."""

    place: TextRange
    id: str
    """Its target, as :func:`~.source_address.read_address` writes it."""


def links_in(text: str, start: int = 0) -> Iterator[WrittenLink]:
    """The Markdown links and the bare addresses of ``text`` from ``start`` on."""
    for found in _FOUND.finditer(text, start):
        target = found["target"]
        if target is None:
            target = found[0].rstrip(_ENDS)
        end = found.end() if found["target"] is not None else found.start() + len(target)
        yield WrittenLink(TextRange(found.start(), end), normal_url(target))


class LinkIndex:
    """The links of a text that grows, by their places and by their targets. Each is read once."""

    def __init__(self) -> None:
        self._links: list[WrittenLink] = []
        self._by_id: dict[str, list[WrittenLink]] = {}
        self._length = 0
        self._read = 0
        """Before this offset no further link can begin."""

    def read(self, text: str) -> list[WrittenLink]:
        """Read what is new in ``text``, and return the links in it."""
        if len(text) == self._length:
            return []
        self._length = len(text)
        may_have_links = any(text.find(sign, self._read) >= 0 for sign in _SIGNS)
        new = list(links_in(text, self._read)) if may_have_links else []
        for link in new:
            self._links.append(link)
            self._by_id.setdefault(link.id, []).append(link)
            self._read = link.place.end
        # A link has no line end.
        self._read = max(self._read, text.rfind("\n", self._read) + 1, self._length - LONGEST_LINK)
        return new

    def of(self, source: str) -> tuple[WrittenLink, ...]:
        """The links to ``source``."""
        return tuple(self._by_id.get(source, ()))

    def find(self, source: str, start: int, end: int, hidden: int) -> WrittenLink | None:
        """The link to ``source`` at the offsets, else the nearest to them behind ``hidden``."""
        place = bisect_left(self._links, start, key=_start)
        if place < len(self._links):
            at = self._links[place]
            if at.id == source and at.place.start < end:
                return at
        same = self._by_id.get(source, [])
        behind = bisect_left(same, start, key=_start)
        near = (link for link in same[max(0, behind - 1) : behind + 1] if link.place.start >= hidden)
        return min(near, key=lambda link: abs(link.place.start - start), default=None)


def _start(link: WrittenLink) -> int:
    return link.place.start


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
        rest = re.search(r"(?<![ \t])[ \t]*+\(?\Z", self.held[place:])
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
