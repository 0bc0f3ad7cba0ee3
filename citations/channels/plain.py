"""All other channels: plain text, and a list of the sources below it.

Connectors of such channels may read any text as Markdown and show single line breaks as spaces, whatever
its format. So the text reads well as it is and after such a reading.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Final
from unicodedata import east_asian_width

from ..markdown import Badge
from ..model.citation import CitedAnswer
from ..model.link_definition import LinkDefinition
from ..model.wording import Wording
from ..text.grapheme import utf16
from ..text.url import live_hosts_only
from .message_split import shorten, split
from .plain_text import Signs, keep_words, write_words
from .shape import Channel

_EMPHASIS: Final = re.compile(r"\*|~|(?<![A-Za-z0-9_])_+|(?<!_)_+(?![A-Za-z0-9_])")
_CLOSES: Final = tuple(".,;:!?…%€)]\"'”’»")


def write(
    cited: CitedAnswer, definitions: tuple[LinkDefinition, ...], live_hosts: frozenset[str], wording: Wording
) -> str:
    """The answer as plain text, with ``(1)`` for each citation.

    Only links to ``live_hosts`` keep their URL.
    """
    signs = Signs(badge=_numbers, address=live_hosts_only(live_hosts))
    return keep_words(write_words(cited.document, signs))


def add_sources(
    body: str, definitions: tuple[LinkDefinition, ...], wording: Wording, longest: int | None = None
) -> str:
    """The list of sources: ``(1) Title: URL``, each in its own paragraph.

    A note replaces URLs of more than ``longest`` units.
    """
    sources = [_source(definition, wording, longest) for definition in definitions]
    return "\n\n".join([body, *sources] if body else sources)


def _numbers(badge: Badge, before: str) -> str:
    shown = "".join(f"({position})" for position in badge.positions)
    said = " ".join(part for part in (shown, badge.rest) if part)
    # A number directly behind a word reads as its part: `settings(1)`. Chinese and Japanese have no spaces.
    apart = before.isalnum() or before in _CLOSES
    return f" {said}" if shown and apart and east_asian_width(before) not in "WF" else said


def _source(definition: LinkDefinition, wording: Wording, longest: int | None) -> str:
    named = keep_words(f"({definition.label}) {definition.title}")
    if not definition.is_url:
        return named
    line = f"{named}: {_EMPHASIS.sub(_encode, definition.destination)}"
    return line if longest is None or utf16(line) <= longest else f"{named} ({wording.address_too_long})"


def _encode(match: re.Match[str]) -> str:
    # "URIs that differ in the replacement of an unreserved character … are equivalent" (RFC 3986 § 2.3).
    return "".join(f"%{ord(character):02X}" for character in match[0])


def in_messages(limit: int) -> Channel:
    """A channel with plain text in messages of at most ``limit`` characters."""
    return Channel(
        "plain",
        "plain",
        None,
        write,
        partial(add_sources, longest=limit),
        split=lambda text, *_: split(text, limit=limit),
        spell=lambda text, _: shorten(text, longest=limit),
    )


CHANNEL: Final = Channel("plain", "plain", None, write, add_sources)
