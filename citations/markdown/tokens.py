r"""Tokens that models write for their own clients: citations, and words with more behind them.

ChatGPT's stand between U+E200 and U+E201, with U+E202 between their parts. Where these are taken out,
``citeturn0search0`` is left, and ``\ue202turn0search0`` where they were typed. Assistants write
``【4:0†source】``, ChatGPT's older models ``:contentReference[oaicite:0]{index=0}``, and RAGFlow ``##0$$``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

_KINDS: Final = (
    "(?:academia|business|calculator|click|fetch|file|finance|forecast|image|map|msearch|news|open|product|reddit"
    "|search|sports|time|video|view|weather)"
)
_TURN: Final = rf"turn\d{{1,4}}{_KINDS}\d{{1,4}}(?:L\d{{1,6}}(?:-L\d{{1,6}})?)?"
_TYPED: Final = r"(?:\\ue20[0-6]){0,3}+"
_CITES: Final = "(?:filecite|cite|image_group)?"
_WORD: Final = rf"{_TYPED}{_CITES}{_TYPED}{_TURN}(?:{_TYPED}{_TURN}){{0,15}}+{_TYPED}"
"""A word that is a token. Nothing else of a word, a path or an address may stand beside it."""
_ALONE: Final = r"(?<![\w/.\-\\=&?#%~+])"
_TOKEN: Final = re.compile(
    rf"{_ALONE}{_WORD}(?![\w/(\\]|\.\w)"
    r"|:contentReference\[oaicite:\d{1,4}\]\{index=\d{1,4}\}"
    r"|\#\#\d{1,4}\$\$(?!\$)"
)
_TURNS: Final = re.compile(_TURN)
_IN_BRACKETS: Final = re.compile(
    rf"(?P<numbers>\d{{1,4}}:\d{{1,4}})†(?P<source>.{{0,100}})|oaicite:\d{{1,4}}|{_WORD}"
)
_OF_NUMBER: Final = re.compile(r"\d{1,4}†.{0,100}")
_SIGNS: Final = ("turn", ":contentReference[", "##")
"""What a token has."""
_CITATIONS: Final = frozenset({"cite", "filecite", "image_group"})
_WORDED: Final = {"entity": 1, "url": 0, "navlist": 0}
"""Which string of a token a reader sees, by its kind; of other kinds, all that are words."""
_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*+)"')
_NO_WORDS: Final = re.compile(rf"{_TURN}|\w+://\S*|[\W\d_]*")
_NO_TEXT: Final = re.compile(r"[\u202a-\u202e\u2066-\u2069\ue000-\uf8ff]")
"""What JSON may have as escapes, and no text has."""
_LONGEST_PART: Final = 1000


class ClientToken(NamedTuple):
    """The ids that may name its sources, each with its spellings, and the words that it shows."""

    ids: tuple[tuple[str, ...], ...]
    words: str = ""


def has_tokens(text: str) -> bool:
    """Whether ``text`` has tokens that are words."""
    for sign in _SIGNS:
        if sign in text:
            return _TOKEN.search(text) is not None
    return False


def find_token(text: str, start: int) -> re.Match[str] | None:
    """The next token in ``text``."""
    return _TOKEN.search(text, start)


def read_word(word: str) -> ClientToken:
    """The token of :func:`find_token`."""
    if word.startswith("##"):
        return ClientToken(((word,),))
    if word.startswith(":"):
        return ClientToken(((word[word.index("[") + 1 : word.index("]")],),))
    return ClientToken(tuple((one,) for one in _TURNS.findall(word)))


def read_bracket(inside: str, *, wide: bool) -> ClientToken | None:
    """The token between two brackets, or two wide ones such as ``【4:0†source】``; None for other words."""
    if "†" in inside and not wide:
        return None
    found = _IN_BRACKETS.fullmatch(inside.strip())
    if found is None:
        return ClientToken(()) if _OF_NUMBER.fullmatch(inside.strip()) else None
    if found["numbers"]:
        return ClientToken(((found[0], found["numbers"], found["source"]),))
    return ClientToken(tuple((one,) for one in _TURNS.findall(found[0])) or ((found[0],),))


def read_private(token: str) -> ClientToken:
    r"""A token between U+E200 and U+E201.

    >>> read_private('\ue200entity\ue202["city","Paris","France"]\ue201').words
    'Paris'
    """
    kind, *parts = token.strip("\ue200\ue201").split("\ue202")
    ids = tuple((one,) for part in parts for one in _TURNS.findall(part))
    if kind in _CITATIONS:
        others = tuple((part,) for part in parts if part and not _TURNS.search(part) and "{" not in part)
        return ClientToken((*ids, *others))
    strings = [one for part in parts for one in _strings_of(part)]
    if kind in _WORDED:
        return ClientToken((), "".join(strings[_WORDED[kind] :][:1]))
    return ClientToken(ids, ", ".join(one for one in strings if not _NO_WORDS.fullmatch(one)))


def _strings_of(part: str) -> Sequence[str]:
    """The strings of a part: those of its JSON, else the part itself."""
    if not part.startswith(("[", "{")):
        return (part,)
    return [_decode(found[0]) for found in _STRING.finditer(part)]


def _decode(string: str) -> str:
    try:
        return _NO_TEXT.sub("", str(json.loads(string)))
    except ValueError:
        return string.strip('"')


def _part_of(*atoms: str) -> str:
    """An expression for the beginnings of ``atoms``."""
    pattern = ""
    for atom in reversed(atoms):
        pattern = f"(?:{atom}{pattern})?"
    return pattern


_BEGUN: Final = re.compile(
    rf"\ue200(?:[a-z_]++\ue202|(?:{'|'.join(_part_of(*kind) for kind in (*sorted(_CITATIONS), *_WORDED))})\Z)"
)
"""What is no word of a person, though its end is missing."""
_PARTS_OF_TURN: Final = (r"\d{1,4}", "[a-z]{1,10}", r"\d{1,4}", "L", r"\d{1,6}", "-", "L", r"\d{1,6}")
_PARTS_OF_REFERENCE: Final = (r"\[", *"oaicite:", r"\d{1,4}", r"\]", r"\{", *"index=", r"\d{1,4}")
_PARTS_OF_CHUNK: Final = (r"\#", r"\#", r"\d{1,4}", r"\$", r"\$")
_PARTS_OF_WORD: Final = ("filecite", "cite", "image_group", (r"\\", *"ue20"), (*"turn", *_PARTS_OF_TURN))
_PART: Final = re.compile(
    rf"{_ALONE}(?=[\\cfit]){_TYPED}{_CITES}(?:{_TYPED}{_TURN}){{0,16}}{_TYPED}"
    rf"(?:{'|'.join(_part_of(*part) for part in _PARTS_OF_WORD)})(?:(?<=[0-9])\.)?\Z"
    rf"|{_part_of(*':contentReference', *_PARTS_OF_REFERENCE)}\Z"
    rf"|{_part_of(*_PARTS_OF_CHUNK)}\Z"
)


def find_part(text: str) -> int:
    """Where a token begins that more text may complete; the end of ``text`` if none does."""
    # No token has a blank.
    start = max(text.rfind(" "), text.rfind("\n"), len(text) - _LONGEST_PART - 1) + 1
    found = _PART.search(text, max(0, start))
    return found.start() if found else len(text)


def is_begun(rest: str) -> bool:
    """Whether a text ends in a part of a token between U+E200 and U+E201."""
    return _BEGUN.match(rest) is not None
