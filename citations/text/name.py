"""Names as people mean them: of files, documents, groups and labels; and those that were probably meant."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

_IGNORED: Final = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)  # fmt: skip
"""The ranges of ``Default_Ignorable_Code_Point`` (Unicode 16, DerivedCoreProperties.txt)."""
_NO_IGNORED: Final = {code: None for first, last in _IGNORED for code in range(first, last + 1)}


def clean_spelling(name: str) -> str:
    r"""``name`` in NFKC, without invisible code points; its case stays.

    macOS, zip and rsync keep ``ä`` as two code points, where a keyboard writes one (UAX #15).

    >>> clean_spelling("ｂoa\u00adrd/geha\u0308lter")
    'board/gehälter'
    """
    return name if name.isascii() else unicodedata.normalize("NFKC", name.translate(_NO_IGNORED))


@lru_cache(maxsize=4096)  # the rules of a labels file meet the same names again and again
def fold_name(name: str) -> str:
    r"""``name`` so that two spellings of one name are equal (Unicode § 3.13, D146 and D147).

    >>> fold_name("Straße") == fold_name("STRASSE"), fold_name("Gehälter") == fold_name("geha\u0308lter")
    (True, True)
    """
    if name.isascii():
        return name.lower()
    # D146: a capital may decompose by casefolding only, so that it is normalized before and after.
    return clean_spelling(clean_spelling(name).casefold())


@lru_cache(maxsize=4096)
def fold_loosely(name: str) -> str:
    r"""``name`` so that two names that a person reads as one are equal: ``\`` is ``/``, Turkish has one i.

    >>> fold_loosely("SIRLI\\İK") == fold_loosely("sırlı/ik")
    True
    """
    return fold_name(name).replace("i\u0307", "i").replace("ı", "i").replace("\\", "/")


def spellings(name: str) -> tuple[str, ...]:
    """``name`` loosely folded: as it is, and percent-decoded. Browsers and mirrors write files' names so."""
    return tuple(dict.fromkeys(map(fold_loosely, (name, unquote(name)))))


CUTOFF = 0.6
"""How alike two names are at least, from 0 to 1 (``difflib``)."""


def nearest(name: str, known: Iterable[str], cutoff: float = CUTOFF) -> str:
    """The one of ``known`` that is most like ``name``, whatever its capitals; empty where none is like it.

    >>> nearest("dcos", ["port", "docs"])
    'docs'
    """
    from difflib import get_close_matches  # noqa: PLC0415 - few names are misspelt

    by_letters = {one.casefold(): one for one in known}
    return next((by_letters[one] for one in get_close_matches(name.casefold(), by_letters, 1, cutoff)), "")


def did_you_mean(name: str, known: Iterable[str], *, prefix: str = "") -> str:
    """`` (did you mean docs?)``, to follow a sentence; empty where no known name is near.

    ``prefix`` is shown in front of the name: two options are not alike because both begin with dashes.
    """
    near = nearest(name, known)
    return f" (did you mean {prefix}{near}?)" if near else ""
