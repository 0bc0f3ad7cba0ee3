"""SMS: plain text in short messages with few segments, only some of which are sent at once."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from ..model.link_definition import LinkDefinition
from ..model.wording import Wording
from ..text.grapheme import utf16
from ..text.gsm import FOREIGN, fit_alphabet, septets_of
from . import plain
from .message_split import Reach, cut, shorten
from .shape import Channel

LONGEST: Final = 1600
"""Characters of a message. Twilio refuses more (error 21617), and recommends 320 at most."""
SEPTETS: Final = 2 * 153
UNITS: Final = 4 * 67
"""The whole segments that 320 characters can hold, in either encoding."""
AT_ONCE: Final = 4
_SOURCES: Final = re.compile(r"^\([0-9]+\) ", re.MULTILINE)


def add_sources(body: str, definitions: tuple[LinkDefinition, ...], wording: Wording) -> str:
    """The sources below the answer, as :func:`plain.add_sources` writes them for messages of this length."""
    return plain.add_sources(body, definitions, wording, longest=_room(wording))


def spell(text: str, wording: Wording) -> str:
    """``text`` in the alphabet of SMS if all of it fits, and without URLs that no message can hold."""
    return fit_alphabet(shorten(text, longest=_room(wording)))


def _room(wording: Wording) -> int:
    """Units that a message has besides the hint at its end."""
    return LONGEST - utf16(wording.more_or_number) - len("\n\n")


def split(text: str, wording: Wording, at_once: int | None) -> tuple[str, ...]:
    """``text`` as messages. Each last message of ``at_once`` says how to get the rest."""
    reach = _measure(text)
    parts = cut(text, reach, longest=LONGEST)
    if at_once and len(parts) > at_once:
        hint = f"\n\n{wording.more_or_number if _SOURCES.search(text) else wording.more}"
        parts = cut(text, reach, longest=LONGEST, kept=lambda number: 0 if number % at_once else len(hint))
        last = len(parts)
        parts = tuple(
            part if number % at_once or number == last else part + hint
            for number, part in enumerate(parts, 1)
        )
    return tuple(_fold(part) for part in parts)


def _fold(part: str) -> str:
    folded = fit_alphabet(part)
    return folded if utf16(folded) <= LONGEST else part


def _measure(text: str) -> Reach:
    """The reach of a message in ``text``, whose widths are added up once."""
    septets = list(accumulate(septets_of(text), initial=0))
    # Without characters of two units, each has one.
    units: Sequence[int] = range(len(text) + 1)
    if utf16(text) > len(text):
        units = list(accumulate(map(utf16, text), initial=0))

    def reach(_: str, kept: int, start: int) -> int:
        end = _find_end(septets, start, SEPTETS - kept)
        foreign = FOREIGN.search(text, start, end + 1)
        return max(foreign.start(), _find_end(units, start, UNITS - kept)) if foreign else end

    return reach


def _find_end(added: Sequence[int], start: int, most: int) -> int:
    """The first offset from ``start`` on behind which there are more than ``most``."""
    return max(start, bisect_right(added, added[start] + most) - 1)


CHANNEL: Final = Channel(
    "sms",
    "plain",
    None,
    plain.write,
    add_sources,
    split=split,
    spell=spell,
    at_once=AT_ONCE,
)
