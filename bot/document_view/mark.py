"""Marks cited words in sanitized HTML.

Words are compared by their letters and digits alone, without case, accents and ligatures. So white space,
inline markup, bullets and the borders of a table's cells make no difference. Nothing of a link gets into
the HTML, and no tag of it is changed: a mark is put around text only.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape, unescape
from itertools import accumulate
from typing import Final

TOKEN: Final = re.compile(r'<(?:[^<>"]|"[^"]*")*>|[^<]+')
"""A tag or a text of sanitized HTML, in which every attribute has double quotes (HTML § 13.3)."""
_CHARACTER: Final = re.compile(r"&(?:[a-zA-Z]+|#\d+|#[xX][0-9a-fA-F]+);|.", re.DOTALL)
"""A character of a text, which may be written as an entity."""
_INLINE: Final = re.compile(
    r"</?(?:a|abbr|b|bdi|bdo|br|cite|code|del|dfn|em|i|ins|kbd|q|s|samp|small|span|strong|sub|sup|u|var)[ >]"
)
_SIGNS: Final = re.compile(r"""[.,;:!?…)\]}"'”’»。！？、，；：」』）】।॥؟۔]+""")
"""Signs that belong to the words before them."""
_OPENING: Final = frozenset("([{\"'“„‘‚«»‹¿¡「『（【<")
"""Signs that belong to the words behind them."""
_LEAST: Final = 0.6
"""The share of words that must be found where not all of them are."""
_MOST: Final = 2_000
"""Occurrences of the same words that are told apart."""
_SLACK: Final = 40
"""Letters that may stand between the beginning and the end of words, besides the words' own."""


@dataclass(frozen=True, slots=True)
class MarkStyle:
    """How words are marked: the mark's name for screen readers, and its class (``passage`` or ``cited``)."""

    name: str
    kind: str = "cited"


def mark_words(html: str, text: str, cited: Iterable[tuple[int, Sequence[str]]], mark: MarkStyle) -> str:
    """Mark the ``cited`` words of a document's ``text`` in its sanitized ``html``.

    Each has its offset in the text, and the ways in which it may be shown. Words that are not found are left
    out. The first mark has the id ``cited``.
    """
    shown = _Shown(html)
    read = fold(text)
    spans: list[tuple[int, int]] = []
    for start, ways in cited:
        spellings = list(dict.fromkeys(filter(None, map(fold, ways))))
        if span := _find(shown.folded, spellings, read, len(fold(text[:start]))):
            spans.append(span)
    return shown.write(_join(spans), mark)


class _Folding(dict[int, str]):
    """Maps a code point to its letters and digits, without case and accents; for ``str.translate``."""

    def __missing__(self, code: int) -> str:
        decomposed = unicodedata.normalize("NFKD", chr(code)).casefold()
        self[code] = folded = "".join(one for one in decomposed if one.isalnum())
        return folded


_FOLDING: Final = _Folding()


def fold(text: str) -> str:
    """The letters and digits of ``text``, by which words are compared.

    >>> fold("Die Straße (»Ä«), ﬁne")
    'diestrasseafine'
    """
    return text.translate(_FOLDING)


def _find(shown: str, spellings: Sequence[str], read: str, position: int) -> tuple[int, int] | None:
    """Find words in what is shown; ``position`` is the offset of the words in what was read."""
    for words in spellings:
        if words in shown:
            start = _choose(shown, words, read, position)
            return start, start + len(words)
    return _find_parts(shown, spellings[-1], position / max(1, len(read))) if spellings else None


def _choose(shown: str, words: str, read: str, position: int) -> int:
    """The occurrence of words that is the cited one: by its number, or else by its position."""
    occurrences = list(_iter_occurrences(shown, words))
    if len(occurrences) == 1:
        return occurrences[0]
    numbered = list(_iter_occurrences(read, words))
    if len(numbered) == len(occurrences):
        distances = [abs(one - position) for one in numbered]
        return occurrences[distances.index(min(distances))]
    expected = position / max(1, len(read)) * len(shown)
    return min(occurrences, key=lambda one: abs(one - expected))


def _iter_occurrences(text: str, words: str) -> Iterator[int]:
    """Yield the offsets of the first occurrences, few enough that a hostile text costs little."""
    start = text.find(words)
    for _ in range(_MOST):
        if start < 0:
            return
        yield start
        start = text.find(words, start + 1)


def _find_parts(shown: str, words: str, share: float) -> tuple[int, int] | None:
    """Find words of which only the beginning and the end are shown as they were read."""
    beginning = words[: _measure(shown, words, from_end=False)]
    end = words[len(words) - _measure(shown, words, from_end=True) :]
    whole = len(words)
    expected = share * len(shown)
    if len(beginning) + len(end) >= _LEAST * whole and beginning and end:
        for start in sorted(_iter_occurrences(shown, beginning), key=lambda one: abs(one - expected)):
            stop = shown.find(end, start, start + 2 * whole + _SLACK)
            if stop >= 0:
                return start, stop + len(end)
    part = max(beginning, end, key=len)
    if len(part) < _LEAST * whole:
        return None
    start = min(_iter_occurrences(shown, part), key=lambda one: abs(one - expected))
    return start, start + len(part)


def _measure(shown: str, words: str, *, from_end: bool) -> int:
    """The length of the longest beginning, or end, of words that is shown."""
    least, most = 0, len(words)
    while least < most:
        length = (least + most + 1) // 2
        part = words[len(words) - length :] if from_end else words[:length]
        least, most = (length, most) if part in shown else (least, length - 1)
    return least


def _join(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans in order; those that overlap become one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


class _Shown:
    """The text of sanitized HTML, with the offset of each piece of it."""

    def __init__(self, html: str) -> None:
        self._tokens = [token[0] for token in TOKEN.finditer(html)]
        folded = ["" if one.startswith("<") else fold(unescape(one)) for one in self._tokens]
        self._starts = [0, *accumulate(map(len, folded))]
        """The offset of each token in the folded text."""
        self.folded = "".join(folded)

    def write(self, spans: Sequence[tuple[int, int]], mark: MarkStyle) -> str:
        """The HTML with a mark around the text of each span."""
        tokens = list(self._tokens)
        for number, (start, end) in reversed(list(enumerate(spans, 1))):
            first, last = self._find_token(start), self._find_token(end - 1)
            if signs := self._find_signs_behind(last, end):
                tokens[signs[0]] = _wrap(tokens[signs[0]], 0, signs[1], f'<mark class="{mark.kind}">')
            for index in filter(self._is_marked, range(last, first - 1, -1)):
                token = tokens[index]
                before = _find_first(token, start - self._starts[index]) if index == first else 0
                behind = _find_end(token, end - self._starts[index]) if index == last else len(token)
                opening = _write_opening(mark, number) if index == first else f'<mark class="{mark.kind}">'
                tokens[index] = _wrap(token, before, behind, opening)
        return "".join(tokens)

    def _find_token(self, offset: int) -> int:
        """The index of the token with the letter at an offset."""
        return bisect_right(self._starts, offset) - 1

    def _find_signs_behind(self, last: int, end: int) -> tuple[int, int] | None:
        """The token with the full stop behind an inline element that ends a span, and its length."""
        if self._starts[last + 1] != end or not self._tokens[last][-1:].strip():
            return None
        index = last + 1
        while index < len(self._tokens) and _INLINE.match(self._tokens[index]):
            index += 1
        signs = _SIGNS.match(self._tokens[index]) if last + 1 < index < len(self._tokens) else None
        return (index, signs.end()) if signs else None

    def _is_marked(self, index: int) -> bool:
        """Whether a token is text, or white space between inline elements."""
        token = self._tokens[index]
        if token.startswith("<"):
            return False
        beside = self._tokens[index - 1 : index] + self._tokens[index + 1 : index + 2]
        return bool(token.strip()) or all(map(_INLINE.match, beside))


def _wrap(token: str, first: int, end: int, opening: str) -> str:
    return f"{token[:first]}{opening}{token[first:end]}</mark>{token[end:]}"


def _write_opening(mark: MarkStyle, number: int) -> str:
    """Write the first tag of a mark. The role has a name and leaves the words to be read."""
    name = f"cited-{number}" if number > 1 else "cited"
    return (
        f'<mark class="{mark.kind}" id="{name}" tabindex="-1" role="note" aria-label="{escape(mark.name)}">'
    )


def _find_first(token: str, count: int) -> int:
    """The offset of the letter behind ``count`` others, or of the opening signs before it."""
    offsets, letters = _count_letters(token)
    place = bisect_right(letters, count) - 1
    while place > 0 and letters[place - 1] == count and token[offsets[place - 1]] in _OPENING:
        place -= 1
    return offsets[place]


def _find_end(token: str, count: int) -> int:
    """The offset behind ``count`` letters of a text, and behind the signs that end them."""
    offsets, letters = _count_letters(token)
    end = offsets[bisect_left(letters, count)]
    signs = _SIGNS.match(token, end)
    return signs.end() if signs else end


def _count_letters(token: str) -> tuple[list[int], list[int]]:
    """The offset of each character of a text and of its end, and the number of letters before each."""
    characters = list(_CHARACTER.finditer(token))
    offsets = [0, *(one.end() for one in characters)]
    return offsets, [0, *accumulate(len(fold(unescape(one[0]))) for one in characters)]
