"""The closed list of signs that some engine could take for structure, and how each is written as text."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

INVISIBLE: Final = "\u200b"
"""U+200B stands between pieces of ours that an engine would otherwise read as one."""


class Sign(NamedTuple):
    """Signs that an engine could take for structure, as a class of an expression writes them.

    They are, where ``where`` holds behind them.
    """

    signs: str
    where: str = ""


_EVERYWHERE: Final = (
    # All engines: escapes, code, emphasis, brackets, tables, struck text, tags and autolinks (CommonMark
    # § 2.4, 6.1–6.6; GFM § 4.10, 6.5). Web Chat 4.18.1: names in braces, and its own signs for them
    # (`ariaLabel.ts`).
    Sign(r"\\`*\[\]{}|~⟬⟭<"),
    # All engines: entities (CommonMark § 2.5).
    Sign("&", r"(?=[#A-Za-z])"),
    # Web Chat's main build: mathematics (`mathExtension/tokenizer.ts`).
    Sign("$", r"(?:(?=\$)|(?<=\$\$))"),
    # All engines: emphasis, which `_` inside a word never is (CommonMark § 6.2).
    Sign("_", r"(?:(?<![^\W_]_)|(?![^\W_]))"),
)
# linkify-it, in markdown-it with `linkify`, and micromark-extension-gfm-autolink-literal: bare addresses.
_ADDRESSES: Final = (
    Sign(":", "(?=//)"),
    Sign("/", "(?=/)"),
    Sign("@"),
    # At the beginning of a text, it may stand behind U+200B, which linkify-it takes for a letter.
    Sign(".", r"(?:(?<=[Ww]{3}\.)|(?<![\s!-#%-*,\-./:;?@\[-\]{}]\.)(?=[^\W\d_]))"),
)
# remark-gfm finds addresses behind entities, too.
_ADDRESSES_ON_TEAMS: Final = (
    Sign(":", "(?=//)"),
    Sign("@", r"(?:(?<!\u200b@)|(?!\u200b))"),
    Sign(".", r"(?<=[Ww]{3}\.)"),
)


def _one_of(*signs: Sign) -> re.Pattern[str]:
    """The expression of ``signs``. It begins with one class, by which ``re`` skips other text."""
    first = "".join(one.signs for one in signs)
    return re.compile(f"[{first}](?:{'|'.join(f'(?<=[{one.signs}]){one.where}' for one in signs)})")


ANYWHERE: Final = _one_of(*_EVERYWHERE)
"""What is an entity in a text that is read again."""
WEB_CHAT: Final = _one_of(*_EVERYWHERE, *_ADDRESSES)
"""What is an entity in Web Chat, e-mail, and passages."""
TEAMS: Final = _one_of(*_EVERYWHERE, *_ADDRESSES_ON_TEAMS)
"""What is an entity on Teams, or stands beside U+200B."""
TEAMS_EXTENDED: Final = _one_of(*_EVERYWHERE, Sign("$"), *_ADDRESSES_ON_TEAMS)
"""The same where a single dollar begins a formula, too (``textFormat`` ``extendedmarkdown``)."""
COPIES: Final = _one_of(
    *_EVERYWHERE, Sign(":", "(?=//)"), Sign("/", "(?=/)"), Sign("@"), Sign(".", r"(?<=[Ww]{3}\.)")
)
"""What is an entity where cmark-gfm reads, which makes no link of ``travel.md`` (GFM § 6.9)."""
LINE_START: Final = re.compile(r"[-#>+=:]|([0-9]{1,9})([.)])(?=\s|\Z)")
"""What begins a list, a heading, a quote, an underline or a table's delimiter row (CommonMark § 4, 5)."""
NAME_IN_CODE: Final = re.compile(r"[{⟬⟭](?:(?<=\{)\s*(?=aria-label)|(?<=[⟬⟭]))", re.IGNORECASE)
"""Web Chat 4.18.1 looks for names in braces before it looks for code, and across lines (``ariaLabel.ts``)."""
_BEGINNINGS: Final = re.compile("[【［\ue200-\ue206]|(?<=turn)[0-9]")
"""What markers begin with, besides the signs that are escaped anyway."""
_NAMES: Final = {"<": "&lt;", "&": "&amp;"}
_LOOKALIKES: Final = {"⟬": "❲", "⟭": "❳"}


def as_entity(found: re.Match[str]) -> str:
    """The sign as an entity."""
    sign = found[0]
    return _NAMES.get(sign) or f"&#{ord(sign)};"


def apart(found: re.Match[str]) -> str:
    """The sign on Teams: beside U+200B in an address, else as an entity.

    Teams takes every visible number in brackets for a badge, even an escaped one.
    """
    sign = found[0]
    if sign == ":":
        return f":{INVISIBLE}"
    if sign in ".@":
        return f"{INVISIBLE}{sign}{INVISIBLE}"
    if sign == "[" and found.string[found.end() : found.end() + 1].isdigit():
        return f"&#91;{INVISIBLE}"
    return as_entity(found)


def in_code(found: re.Match[str]) -> str:
    """The beginning of a name in code, which has no entities."""
    return _LOOKALIKES.get(found[0]) or f"{found[0]}{INVISIBLE}"


def escape_text(text: str) -> str:
    """Markdown that shows exactly ``text``. Line ends and blanks stay.

    >>> escape_text("a [1] *b*")
    'a &#91;1&#93; &#42;b&#42;'
    """
    return _lines(ANYWHERE, text)


def escape_markers(text: str) -> str:
    """Markdown that shows ``text``, such as a person's words, as it was typed, so that nothing in it cites.

    An answer that repeats them would have badges otherwise: *You said: the limit of [1] is wrong.*

    >>> escape_markers("of [1], 【2】 and turn0search0")
    'of &#91;1&#93;, &#12304;2】 and turn&#48;search0'
    """
    return _BEGINNINGS.sub(as_entity, escape_text(text))


def write_words(text: str) -> str:
    """The same for a text that leaves as it is: no engine makes links of its addresses either."""
    return _lines(WEB_CHAT, text)


def _lines(signs: re.Pattern[str], text: str) -> str:
    lines = signs.sub(as_entity, text).split("\n")
    return "\n".join(line[: len(line) - len(line.lstrip(" \t"))] + guard(line) for line in lines)


def guard(line: str) -> str:
    """``line`` so that it begins no block."""
    line = line.lstrip(" \t")
    if line[:1].isspace():
        return f"&#{ord(line[0])};{line[1:]}"
    found = LINE_START.match(line)
    if not found:
        return line
    if found[1]:
        return f"{found[1]}&#{ord(found[2])};{line[found.end() :]}"
    return f"&#{ord(line[0])};{line[1:]}"
