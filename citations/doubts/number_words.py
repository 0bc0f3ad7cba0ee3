"""Numbers that are written in words, in English, German, French and Spanish.

No language has to be known: few words of one are words of another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

_COUNTED: Final = (
    (1, ("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen")),
    (10, "ten twenty thirty forty fifty sixty seventy eighty ninety"),
    (1, ("ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn"
        " siebzehn achtzehn neunzehn")),
    (10, "zehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"),
    (1, "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"),
    (10, "dix vingt trente quarante cinquante soixante septante huitante nonante"),
    (1, "un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"),
    (10, "diez veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa"),
    (100, ("cien doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos"
          " novecientos")),
    (100, ("ciento doscientas trescientas cuatrocientas quinientas seiscientas setecientas ochocientas"
          " novecientas")),
)  # fmt: skip
"""Words that count from one multiple of the number on."""
_OTHERS: Final = {
    "eins": 1, "eine": 1, "einen": 1, "einer": 1, "une": 1, "uno": 1, "una": 1, "zwo": 2, "dreissig": 30,
    "quatre-vingt": 80, "quatre-vingts": 80, "vingts": 20, "dieci": 10, "veinti": 20, "ún": 1, "dós": 2,
    "trés": 3, "séis": 6, "dozen": 12, "dutzend": 12, "douzaine": 12, "docena": 12,
}  # fmt: skip
_SCALES: Final = {
    "hundred": 100, "hundert": 100, "cent": 100, "cents": 100, "thousand": 1000, "tausend": 1000,
    "mille": 1000, "mil": 1000, "million": 10**6, "millionen": 10**6, "millions": 10**6, "millón": 10**6,
    "millones": 10**6, "billion": 10**9, "milliarde": 10**9, "milliarden": 10**9, "milliard": 10**9,
    "milliards": 10**9,
}  # fmt: skip
_VALUES: Final = _OTHERS | {
    word: step * number for step, words in _COUNTED for number, word in enumerate(words.split(), 1)
}
NUMBER_WORDS: Final = (
    frozenset(word for word, value in (_VALUES | _SCALES).items() if value > 1)
    | {f"{one}und{ten}" for one in _COUNTED[2][1].split()[:9] for ten in _COUNTED[3][1].split()[1:]}
    | {f"{ten}{one}" for ten in ("dieci", "veinti") for one in (*_COUNTED[6][1].split(), *_OTHERS)}
)
"""The words of which one stands in most numbers in words."""
_AMBIGUOUS: Final = frozenset("once neuf elf sept dos mil mille".split())
"""Words that alone may be something else, such as English ``once`` and French ``neuf`` (new)."""


def _either(words: Iterable[str]) -> str:
    """A regular expression for the longest of ``words``, which tries each letter once."""
    endings: dict[str, list[str]] = {}
    for word in words:
        endings.setdefault(word[:1], []).append(word[1:])
    optional = "?" if endings.pop("", None) else ""
    return (
        f"(?:{'|'.join(one + _either(rest) for one, rest in endings.items())}){optional}" if endings else ""
    )


_PIECE: Final = _either([*_VALUES, *_SCALES])
_PIECES: Final = re.compile(rf"und|({_PIECE})")
# Atomic: pieces such as French "cent" and "cents" would be tried in all their combinations.
_RUN: Final = re.compile(rf"\b(?>{_PIECE})(?:(?:und|[ -](?:and |und |et[ -]|y )?)?+(?>{_PIECE}))*+\b")
_PERCENT: Final = re.compile(r"(?:per|pour|por)\s+\Z")


class NumberInWords(NamedTuple):
    """``text[start:end]`` is a number in words. ``vague`` says that the words may mean something else."""

    start: int
    end: int
    value: int
    vague: bool


def find_numbers_in_words(folded: str) -> Iterator[NumberInWords]:
    """The numbers in words of a text in lower case.

    >>> [one.value for one in find_numbers_in_words("zweihundertfünfzig, vingt-cinq, two hundred and six")]
    [250, 25, 206]
    """
    for run in _RUN.finditer(folded):
        pieces = [piece for piece in _PIECES.findall(run[0]) if piece]
        if pieces[0] in ("cent", "ciento") and _PERCENT.search(folded, max(0, run.start() - 8), run.start()):
            continue
        value = _add_up(pieces)
        alone = len(pieces) == 1 and (run[0] in _AMBIGUOUS or run[0] in _SCALES)
        yield NumberInWords(run.start(), run.end(), value, alone or value == 1)


def _add_up(pieces: list[str]) -> int:
    """The value of the pieces: sums of multiples, as all four languages build them."""
    total = current = 0
    for piece in pieces:
        scale = _SCALES.get(piece)
        if scale is None:
            current += _VALUES[piece]
        elif scale == 100:
            current = max(current, 1) * scale
        elif total and not current:  # Spanish "mil millones" is a thousand million
            total *= scale
        else:
            total, current = total + max(current, 1) * scale, 0
    return total + current
