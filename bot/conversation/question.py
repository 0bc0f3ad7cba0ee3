"""What a person asks, in a conversation where the bot has to be called by its name.

Teams: "bots in a group or channel only receive messages in which they are @mentioned", so each has
``<at>Test Bot</at>`` in its text, and an entity that says whom that means.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from html import unescape
from itertools import islice
from typing import Any, Final, NamedTuple

# Each is in linear time: none looks from two beginnings at the same characters.
_CALLED: Final = re.compile(r"<at\b[^<>]*>(?P<name>(?:(?!<at\b).)*?)</at>", re.IGNORECASE | re.DOTALL)
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*>")
_OURS: Final = "\x00"
_AROUND: Final = re.compile(r"(?:(?<![^\S\n])[^\S\n]+)?\x00[^\S\n]*")
_NAMES: Final = 5
"""Spellings of the bot's own name that are looked for in a message; it has one."""


class Mention(NamedTuple):
    """Somebody who is mentioned: how the text has it, the name within, and whether it is the bot."""

    text: str
    name: str
    ours: bool


def question_of(activity: Any) -> str:
    """The text of a message without the bot's own name, and with the names of others as words.

    Empty where there is no text. Where the channel sends HTML (Teams, and ``textFormat: xml``), its
    entities become characters: the person has typed these.
    """
    text = (activity.text or "").replace(_OURS, "")
    mentions = _mentions(activity)
    called: defaultdict[str, deque[bool]] = defaultdict(deque)
    for mention in mentions:
        for spelling in dict.fromkeys((mention.text, mention.name)):
            called[spelling].append(mention.ours)
    written = _CALLED.sub(lambda found: _drop_own_name(found, called), text)
    # Other channels than Teams have it without a tag: `@bot`.
    names = dict.fromkeys(mention.text for mention in mentions if mention.ours and mention.text)
    for name in islice((name for name in names if not _CALLED.search(name)), _NAMES):
        written = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", _OURS, written)
    asked = _AROUND.sub(" ", written)
    if activity.text_format == "xml":
        asked = _TAG.sub("", asked)
    if activity.text_format == "xml" or activity.channel_id == "msteams":
        asked = unescape(asked)
    return asked.replace("\xa0", " ").strip()


def _drop_own_name(found: re.Match[str], called: dict[str, deque[bool]]) -> str:
    """The name of somebody else; nothing for the bot's own."""
    for spelling in (found[0], found["name"]):
        if whose := called.get(spelling):
            # Two may have the same name: their mentions come in the order of the text.
            return _OURS if (whose.popleft() if len(whose) > 1 else whose[0]) else found["name"]
    return found["name"]


def _mentions(activity: Any) -> list[Mention]:
    bot = activity.recipient
    found = []
    for entity in activity.entities or []:
        if entity.type != "mention":
            continue
        fields = {**(entity.additional_properties or {}), **vars(entity)}
        who = fields.get("mentioned")
        who = (
            who
            if isinstance(who, dict)
            else vars(who)
            if who is not None and hasattr(who, "__dict__")
            else {}
        )
        ours = bot is not None and bot.id is not None and who.get("id") == bot.id
        own_name = bot.name if ours and bot else None
        found.append(Mention(_word(fields.get("text")), _word(who.get("name") or own_name), ours))
    return found


def _word(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
