"""The grammar of markers: the places in an answer's text that name a reference."""

from __future__ import annotations

import re
import unicodedata
from enum import Enum, auto
from functools import lru_cache
from typing import Final, NamedTuple

from ..markdown import Name
from ..text.languages import LANGUAGES, either
from .source_identity import split_page

MAX_RANGE: Final = 50
"""References that ``[1-50]`` may name. A longer range is text."""
_MAX_CONTENT: Final = 120
_AROUND: Final = " []()"
_ESCAPED: Final = re.compile(r"\\([!-/:-@[-`{-~])")
_NO_IDENTIFIER: Final = re.compile(r"[\W\d_]*|[xX]|\^.*", re.DOTALL)
"""Numbers and signs, the box of a task, and a footnote."""
_WORD: Final = rf"(?:{either(LANGUAGES.words_of('markers', 'sources'))}(?:[ \t]*[.:])?(?:[ \t]*\#)?[ \t]*)?"
_NUMBER: Final = rf"(?:{_WORD}\d{{1,9}}(?:\#(?:[^,;\[\]\s]|;(?![ \t])){{1,100}}+)?|\^\d{{1,9}}\^)"
"""What follows the number in Open WebUI's grammar is ``#[^,\\]\\s]+``. A ``;`` before a space separates.
Microsoft 365 Copilot writes ``[^1^]``, Azure AI Search ``[ref_id:0]``, RAGFlow ``[ID:20]``, DeepSeek
``[citation:1]``, and Gemini ``[cite: 1, 2]``."""
_ITEM: Final = rf"{_NUMBER}(?:[ \t]*[-–—][ \t]*{_NUMBER})?"
AND: Final = either(LANGUAGES.words_of("markers", "and"))
_SEPARATOR: Final = rf"[ \t]*(?:[,;&]|\b{AND}\b)[ \t]*"
PLACE: Final = either(LANGUAGES.words_of("markers", "places"))
"""The beginnings of a locator."""
_CONTENT: Final = re.compile(
    rf"[ \t]*(?P<items>{_ITEM}(?:{_SEPARATOR}{_ITEM})*)[ \t]*"
    rf"(?:[,;:]?[ \t]*(?P<locator>(?:{PLACE}\b\.?|§)[^\[\]†]{{1,60}}))?"
    r"(?:†[^\[\]]{0,100})?[ \t]*",
    re.IGNORECASE,
)
_ITEMS: Final = re.compile(rf"(?P<first>{_NUMBER})(?:[ \t]*[-–—][ \t]*(?P<last>{_NUMBER}))?", re.IGNORECASE)
_DIGITS: Final = re.compile(r"\d+")
_FRAGMENT: Final = re.compile(r"(?<=\d)#.*")
"""The fragment behind a number. ``doc #1`` has none."""
_PAGE: Final = re.compile(r"[^#]*\d#page=(?P<page>[1-9]\d{0,5})", re.IGNORECASE)
"""A page in the form of a PDF's URL (RFC 8118 § 3)."""
_BARE: Final = frozenset((*LANGUAGES.words_of("markers", "sources"), *LANGUAGES.words_of("markers", "link")))
"""Words of a link that say no more than a badge does."""
_YEAR: Final = 1000
"""A number from here on is a year, and no number of a source."""

Names = tuple[Name, ...]
"""The ids that a marker names."""


class MarkerForm(Enum):
    """How brackets name sources."""

    NUMBER = auto()
    """``[1, 2]``"""
    INTERVAL = auto()
    """The same in a formula."""
    IDENTIFIER = auto()
    """``[file.pdf]``"""
    TOKEN = auto()
    """A token of a model's own client."""
    LINK = auto()
    """``[title](target)``: each name is a way to read the target."""


class PossibleMarker(NamedTuple):
    """What was read, and cites something or stays text.

    ``offset`` is that of its last character, or of the first one of a link.
    """

    offset: int
    form: MarkerForm
    names: Names
    title: str = ""


def split_numbered(content: str) -> tuple[Names, str] | None:
    """The ids in a bracket and the locator behind them; None if it is plain text.

    >>> names, locator = split_numbered("1, 3-5, p. 7")
    >>> [shown for _, shown in names], locator
    (['1', '3', '4', '5'], 'p. 7')
    >>> split_numbered("1#page=2")
    ((Name(spellings=('1#page=2', '1'), shown='1'),), 'p. 2')
    """
    return _split(content) if len(content) <= _MAX_CONTENT else None


@lru_cache(maxsize=256)  # answers have the same few numbers
def _split(content: str) -> tuple[Names, str] | None:
    match = _CONTENT.fullmatch(content)
    if match is None:
        return None
    names: list[Name] = []
    for item in _ITEMS.finditer(match["items"]):
        first, last = item["first"], item["last"]
        if last is None:
            names.append(Name(_spellings(first), _digits(first)))
            continue
        low, high = int(_digits(first)), int(_digits(last))
        if not low <= high < low + MAX_RANGE:
            return None
        names.extend(Name((str(number),), str(number)) for number in range(low, high + 1))
    locator = (match["locator"] or "").strip()
    if not locator and (page := _PAGE.fullmatch(match["items"])):
        locator = f"p. {page['page']}"
    return tuple(names), locator


def split_identifier(content: str) -> tuple[Name, int | None] | None:
    """The id in a bracket, and the page behind it; None for what can be none, such as a number or ``x``.

    >>> split_identifier("a b.pdf#page=3")
    (Name(spellings=('a b.pdf#page=3', 'a b.pdf'), shown='a b.pdf#page=3'), 3)
    """
    written = _ESCAPED.sub(r"\1", content.strip(" \t"))
    if len(content) > _MAX_CONTENT or _NO_IDENTIFIER.fullmatch(written):
        return None
    base, page = split_page(written)
    return Name(tuple(dict.fromkeys((written, base))), written), page


def is_year(number: str) -> bool:
    """Whether a number is taken for a year."""
    return int(number) >= _YEAR


def is_bare_number(words: str) -> bool:
    """Whether the words of a link are the number of a source, in brackets or not."""
    words = words.strip(_AROUND)
    return words.isdecimal() and not is_year(words)


def is_bare(words: str) -> bool:
    """Whether the words of a link say no more than its badge does: ``1``, ``Source 1`` or ``source``.

    >>> is_bare("Doc 1"), is_bare("link"), is_bare("2026"), is_bare("2026 travel policy")
    (True, True, False, False)
    """
    words = words.strip(_AROUND)
    if parts := split_numbered(words):
        return not any(is_year(name.shown) for name in parts[0])
    return not words or words.lower() in _BARE


def _digits(number: str) -> str:
    return unicodedata.normalize("NFKC", _DIGITS.findall(number)[0])


def _spellings(number: str) -> tuple[str, ...]:
    """The ids that ``doc1`` may stand for: ``doc1`` itself, else the first reference: ``("doc1", "1")``."""
    written, digits = number.strip(), _digits(number)
    return tuple(dict.fromkeys((written, _FRAGMENT.sub("", written), digits, str(int(digits)))))
