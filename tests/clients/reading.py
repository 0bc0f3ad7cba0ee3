"""What an engine finds in a text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import unquote


class ReadLink(NamedTuple):
    """A link as an engine reads it. ``bare``: its text is the address that it leads to."""

    text: str
    href: str
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What an engine finds live in a text, and the ``[1]`` and ``(1)`` that it shows outside code."""

    links: tuple[ReadLink, ...] = ()
    images: tuple[str, ...] = ()
    html: tuple[str, ...] = ()
    aria_labels: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()


class Collected:
    """A reading that is being made, of pieces in the order of the text."""

    def __init__(self) -> None:
        self.links: list[ReadLink] = []
        self.images: list[str] = []
        self.html: list[str] = []
        self._visible: list[str] = []
        self._href = ""
        self._inside: list[str] = []

    def add(self, text: str, *, code: bool = False) -> None:
        """Text, which code keeps badges out of."""
        self._inside.append(text)
        self._visible.append("\0" if code else text)

    def end(self) -> None:
        """The end of a line or of a block."""
        self._inside.append(" ")
        self._visible.append("\n")

    def open_link(self, href: str) -> None:
        """Begin a link."""
        self._href = href
        self._inside = []

    def close_link(self) -> None:
        """End it."""
        text = "".join(self._inside)
        self.links.append(ReadLink(text, self._href, is_bare(text, self._href)))

    def reading(self, *, shown: bool) -> Reading:
        """All of it."""
        badges = _SHOWN.findall("".join(self._visible)) if shown else ()
        return Reading(tuple(self.links), tuple(self.images), tuple(self.html), (), tuple(badges))


_SHOWN: Final = re.compile(r"\[[0-9]+\]|\([0-9]+\)")


def is_bare(text: str, href: str) -> bool:
    """Whether a link's text is the address that it leads to."""
    if text == href:
        return True
    said, goal = _address(text), _address(href)
    return goal in {f"{scheme}{said}" for scheme in ("", "http://", "https://", "mailto:")}


def _address(text: str) -> str:
    """An address as a reader may compare it: decoded, in small letters."""
    return _PUNYCODE.sub(_decoded, unquote(text)).lower()


_PUNYCODE: Final = re.compile(r"xn--([a-z0-9+-]+)", re.IGNORECASE)


def _decoded(label: re.Match[str]) -> str:
    try:
        return label[1].encode("ascii").decode("punycode")
    except UnicodeError:
        return label[0]
