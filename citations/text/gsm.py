"""The alphabet of an SMS, GSM 7-bit (3GPP TS 23.038 § 6.2.1), and the segments of a message.

A message in this alphabet takes 7 bits a character. Any other character turns the whole message into
UCS-2, with 16 bits a code unit.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Final

_BASIC: Final = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
_EXTENSION: Final = frozenset("\f^{}\\[~]|€")
"""Each takes two septets: an escape and a character."""
FOREIGN: Final = re.compile("[^" + re.escape("".join(sorted(_BASIC | _EXTENSION))) + "]")
"""A character outside the alphabet."""
_SEPTETS: Final = {**dict.fromkeys(_BASIC, 1), **dict.fromkeys(_EXTENSION, 2)}
_TYPOGRAPHIC: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′´`", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−•‣◦▪", "-"),
        **dict.fromkeys(
            "\t\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f", " "
        ),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", ""),
        **dict.fromkeys("\u2028\u2029", "\n"),
        "…": "...",
        "‹": "<",
        "›": ">",
        "→": "->",
        "×": "x",
        "™": "(TM)",
        "©": "(C)",
        "®": "(R)",
    }
)
"""Signs with a plain form of the same meaning. Letters are missing, because another letter is another
word."""


@dataclass(frozen=True, slots=True)
class Segments:
    """The encoding and length of a text message.

    ``encoding`` is ``GSM-7`` or ``UCS-2``. ``units`` is the length in septets or in 16-bit code units.
    ``count`` is the number of segments; the sender pays for each.
    """

    encoding: str
    units: int
    count: int


def sms_segments(text: str) -> Segments:
    """The segments of ``text`` as one message.

    A single segment has 160 septets or 70 code units. Of several, each has 153 or 67. A character of two
    units is never divided (3GPP TS 23.040 § 9.2.3.24.1).

    >>> sms_segments("Set a proxy (1).")
    Segments(encoding='GSM-7', units=16, count=1)
    >>> sms_segments("Set a “proxy” (1)." * 4)
    Segments(encoding='UCS-2', units=72, count=2)
    """
    if not FOREIGN.search(text):
        return _segments("GSM-7", list(septets_of(text)), 160, 153)
    units = [2 if character > "\uffff" else 1 for character in text]
    return _segments("UCS-2", units, 70, 67)


def septets_of(text: str) -> Iterator[int]:
    """The septets of each character, 0 for one that is outside the alphabet."""
    return map(_SEPTETS.get, text, repeat(0))


def _segments(encoding: str, widths: Sequence[int], alone: int, together: int) -> Segments:
    units = sum(widths)
    if units <= alone:
        return Segments(encoding, units, min(units, 1))
    count, filled = 1, 0
    for width in widths:
        filled += width
        if filled > together:
            count, filled = count + 1, width
    return Segments(encoding, units, count)


def fit_alphabet(text: str) -> str:
    """``text`` with plain quotes, dashes and spaces if it then fits into the alphabet, else unchanged."""
    if not FOREIGN.search(text):
        return text
    folded = unicodedata.normalize("NFC", text).translate(_TYPOGRAPHIC)
    return text if FOREIGN.search(folded) else folded
