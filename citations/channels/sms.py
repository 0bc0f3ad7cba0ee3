"""SMS: plain text in short messages with few segments, only some of which are sent at once."""

from __future__ import annotations

import re
from typing import Final

from ..model.link_definition import LinkDefinition
from ..model.wording import Wording
from ..text.gsm import fold, unit_width
from . import plain
from .message_split import cut, length, shorten
from .shape import Channel

LONGEST: Final = 1600
"""Characters of a message. Twilio refuses more (error 21617), and recommends 320 at most."""
SEPTETS: Final = 2 * 153
UNITS: Final = 4 * 67
"""The whole segments that 320 characters can hold, in either encoding."""
AT_ONCE: Final = 4
_SOURCES: Final = re.compile(r"^\([0-9]+\) ", re.MULTILINE)


def finish(body: str, definitions: tuple[LinkDefinition, ...], wording: Wording) -> str:
    """The sources below the answer, as :func:`plain.finish` writes them for messages of this length."""
    return plain.finish(body, definitions, wording, longest=_room(wording))


def spell(text: str, wording: Wording) -> str:
    """``text`` in the alphabet of SMS if all of it fits, and without URLs that no message can hold."""
    return fold(shorten(text, longest=_room(wording)))


def _room(wording: Wording) -> int:
    """Units that a message has besides the hint at its end."""
    return LONGEST - length(wording.more_or_number) - len("\n\n")


def split(text: str, wording: Wording, at_once: int | None) -> tuple[str, ...]:
    """``text`` as messages. Each last message of ``at_once`` says how to get the rest."""
    parts = cut(text, _reach, longest=LONGEST)
    if at_once and len(parts) > at_once:
        hint = f"\n\n{wording.more_or_number if _SOURCES.search(text) else wording.more}"
        parts = cut(text, _reach, longest=LONGEST, kept=lambda number: 0 if number % at_once else len(hint))
        last = len(parts)
        parts = tuple(
            part if number % at_once or number == last else part + hint
            for number, part in enumerate(parts, 1)
        )
    return tuple(_fold(part) for part in parts)


def _fold(part: str) -> str:
    folded = fold(part)
    return folded if length(folded) <= LONGEST else part


def _reach(text: str, kept: int, start: int) -> int:
    septets = units = kept
    plain_alphabet = True
    for place in range(start, len(text)):
        width, more = unit_width(text[place])
        plain_alphabet = plain_alphabet and width > 0
        septets, units = septets + width, units + more
        if septets > SEPTETS if plain_alphabet else units > UNITS:
            return place
    return len(text)


CHANNEL: Final = Channel(
    "sms",
    "plain",
    None,
    plain.write,
    finish,
    split=split,
    spell=spell,
    at_once=AT_ONCE,
)
