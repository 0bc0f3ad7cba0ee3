"""Finds the question in a message that may mention the bot by its name, and the documents that it asks.

Teams: "bots in a group or channel only receive messages in which they are @mentioned". So each has
``<at>Test Bot</at>`` in its text, and an entity that identifies the mentioned account.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from html import unescape
from itertools import islice
from typing import Any, Final, NamedTuple

from citations.text import without_turns

from ..languages import CATALOGUES, Sentence, say_in

# Each takes linear time, because no two matches start from the same characters.
_MENTION: Final = re.compile(r"<at\b[^<>]*>(?P<name>(?:(?!<at\b).)*?)</at>", re.IGNORECASE | re.DOTALL)
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*>")
_BOT_MARK: Final = "\x00"
_BOT_MARK_AND_SPACE: Final = re.compile(r"(?:(?<![^\S\n])[^\S\n]+)?\x00[^\S\n]*")
_QUOTE: Final = re.compile(r"<quoted\b[^<>]*>(?:</quoted>)?", re.IGNORECASE)
"""Teams, "Quoted replies": ``<quoted messageId="1772"/>`` stands for the message that a person quotes."""
_NAMES: Final = 5
"""The most spellings of the bot's name that are searched; a channel uses one."""
_TITLES: Final = [say_in(tag, Sentence.APP_ASK_PRIVATELY) for tag in CATALOGUES]
# Teams, "Slash commands": choosing one inserts its title as the text.
_COMMAND: Final = re.compile(rf"\A/?(?:{'|'.join(map(re.escape, _TITLES))})(?!\w)[\s:,.]*", re.IGNORECASE)


class Mention(NamedTuple):
    """A mentioned account: its spelling in the text, its name, and whether it is the bot."""

    text: str
    name: str
    is_bot: bool


def find_question(activity: Any) -> str:
    """The text of a message without the bot's name, and with others' names as plain words.

    It is empty where the message has no text. Teams, and ``textFormat: xml``, send HTML. There the
    entities become characters, since the person typed those. Of Teams' messages the mark of a quoted message
    and the title of the command for a private question are no part of it.
    """
    text = (activity.text or "").replace(_BOT_MARK, "")
    if activity.channel_id == "msteams":
        text = _QUOTE.sub("", text)
    mentions = _read_mentions(activity)
    is_bot: defaultdict[str, deque[bool]] = defaultdict(deque)
    for mention in mentions:
        for spelling in dict.fromkeys((mention.text, mention.name)):
            is_bot[spelling].append(mention.is_bot)
    marked = _MENTION.sub(lambda match: _replace_mention(match, is_bot), text)
    # Other channels than Teams mention without a tag: `@bot`.
    names = dict.fromkeys(mention.text for mention in mentions if mention.is_bot and mention.text)
    for name in islice((name for name in names if not _MENTION.search(name)), _NAMES):
        marked = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", _BOT_MARK, marked)
    question = _BOT_MARK_AND_SPACE.sub(" ", marked)
    if activity.text_format == "xml":
        question = _TAG.sub("", question)
    if activity.text_format == "xml" or activity.channel_id == "msteams":
        question = unescape(question)
    question = without_turns(question.replace("\xa0", " ")).strip()
    return _COMMAND.sub("", question, count=1) if activity.channel_id == "msteams" else question


def find_chosen_documents(activity: Any) -> frozenset[str] | None:
    """The paths of the documents that alone are asked: ``channelData.documents``; None where all are."""
    data = activity.channel_data
    chosen = data.get("documents") if isinstance(data, dict) else None
    if not isinstance(chosen, list) or not chosen:
        return None
    return frozenset(path for path in chosen if isinstance(path, str))


def _replace_mention(match: re.Match[str], is_bot: dict[str, deque[bool]]) -> str:
    """A mark for the bot's name, and another account's name as it is."""
    for spelling in (match[0], match["name"]):
        if flags := is_bot.get(spelling):
            # Accounts can share a name; their mentions are in the order of the text.
            return _BOT_MARK if (flags.popleft() if len(flags) > 1 else flags[0]) else match["name"]
    return match["name"]


def _read_mentions(activity: Any) -> list[Mention]:
    bot = activity.recipient
    mentions = []
    for entity in activity.entities or []:
        if entity.type != "mention":
            continue
        fields = {**(entity.additional_properties or {}), **vars(entity)}
        account = _to_dict(fields.get("mentioned"))
        is_bot = bot is not None and bot.id is not None and account.get("id") == bot.id
        own_name = bot.name if is_bot and bot else None
        name = _strip_text(account.get("name") or own_name)
        mentions.append(Mention(_strip_text(fields.get("text")), name, is_bot))
    return mentions


def _to_dict(value: object) -> dict[str, Any]:
    """The fields of an account, which the SDK reads as an object or leaves as JSON."""
    if isinstance(value, dict):
        return value
    return vars(value) if hasattr(value, "__dict__") else {}


def _strip_text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
