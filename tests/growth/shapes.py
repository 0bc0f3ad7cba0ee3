"""Texts of one piece that is repeated: every sign of Markdown, markers, classes of Unicode, and where they stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random
from string import punctuation

from citations import Answer, Reference

_MARKERS = (
    "[1]", "[1] ", "[1][2]", "[[1]]", "[[1][2]]", "[1, 2]", "[1-3]", "[1–9; 2 and 3]", "[source 1]", "[1, p. 3]",
    "[1†source]", "【1】", "【4:0†source】", "［1］", "[^1]", "^1^", "[id: 1]", "[1](a)", "[1]: x", "a [1]\r\n",
    "[One](https://example.com/1)", "[One][1]", "![1](x)", "\\[1\\]", "(1)", "<sup>[1]</sup>", "\ue200cite\ue202a\ue201",
    "[1#page=2]", "[doc1]", "$$[1]$$", '([One](https://example.com/1 "t")) ', "[2024]", "*[1]*", "**a** [1], ",
)  # fmt: skip
_WORDS = (
    "a", "a ", "1", "1 ", "1. ", "a.", "A. ", "and ", "und ", "50 days ", "12 % ", "€ 50 ", "1,000.5 ", "3/4/2020 ",
    "31.12.2020 ", "10 a.m. ", "one hundred and ", "“a” ", '"a" ', "«a» ", "not ", "more than ", "section 3 ",
    "art. 5 ", "§ 5 ", "what about ", "thanks ", "it ", "://", "a://", "http://", "https://a ", "www.", "a@b.c ",
    "a@", "a.b", "+.@?", "*a **b", "a*", "**a** ", "_a_", "~~a~~", "`a`", "`a", "``a`", "$$a$$", "$$", "\\(a\\)",
    "\\[a\\]", "\\\\", "<b>", "<b", "<!--", "<br>", '<a b="c">', "<?", "</a>", "<a@b>", "&amp;", "&#1;", "&a",
    "| a ", "|-", "|-|\n", "- a\n", "1. a\n", "> a\n", ">", "> ", "- ", "# ", "#", "***\n", "```\n", "~~~\n", "    a\n",
    "[a", "[a]", "[a](", "[a](b", "![", "![[", '[a](b "c', "[a]: b\n", "a\n", "a\n\n", "a  \n", "a\r", "\t", "\u2028",
    "{aria-label=a}", "{aria-label", "⟬a⟭", "{{a}}", "::: a\n", "<at>a</at>", "<at>", "<su", "e\u0301", "a\u200b",
    "Mr. ", "St. Gallen ", "a, b; c: ", "one. Two. ", "?!", "...", "…", "aus?", "and? ", "h) ",
)  # fmt: skip
_CLASSES = (
    "é", "ß", "İ", "漢", "あ", "한", "ᄀ", "ก", "ำ", "श", "्", "ب", "א", "🏻", "🇦", "👩\u200d", "\u0301", "\u00a0", "\u3000",
    "\u200b", "\u200d", "\u202e", "\u2066", "\ufeff", "\ue200", "\ue201", "\ue000", "\x00", "\x1b", "\x85", "１", "²", "½",
    "。", "，", "“", "”", "„", "«", "–", "—", "−", "…", "·", "【", "】", "［", "］", "⟬", "⟭", "€", "%", "§", "†", "𝟏", "\U000e0041",
)  # fmt: skip
_SIGNS = (*punctuation, " ", "\n", "\r", "\t", "a", "1")


@cache
def units() -> tuple[str, ...]:
    """The pieces: signs and pairs of signs, markers, words, and one character of each class."""
    pairs = ("".join(pair) for pair in product(_SIGNS, repeat=2))
    return tuple(dict.fromkeys((*_MARKERS, *_WORDS, *_CLASSES, *_SIGNS, *pairs)))


def _in_text(before: str, behind: str = "") -> Callable[[str], Answer]:
    return lambda run: _answer(f"{before}{run}{behind}")


def _answer(text: str, name: str = "One", url: str = "https://example.com/1", passage: str = "") -> Answer:
    first = Reference(id="1", name=name, url=url, text=passage or "It takes 50 days.", complete=True)
    second = Reference(id="2", name="Two", url="https://example.com/2", text="Not 3 days.", complete=True)
    return Answer(text=f"{text} x [1]", references=(first, second))


_TABLE = "| a | b |\n|---|---|\n"
PLACES: Mapping[str, Callable[[str], Answer]] = {
    "paragraph": _in_text("a "),
    "beginning": _in_text(""),
    "heading": _in_text("# a ", " b"),
    "item": _in_text("- a\n- "),
    "quote": _in_text("> "),
    "cell": _in_text(f"{_TABLE}| ", " | c |\n\n"),
    "header": _in_text("| ", " | c |\n|---|---|\n| a | b |\n\n"),
    "code": _in_text("`", "`"),
    "block of code": _in_text("```\n", "\n```\n"),
    "words of a link": _in_text("[", "](https://example.com/1)"),
    "words of an image": _in_text("![", "](https://example.com/1)"),
    "title": _in_text('[a](https://example.com/1 "', '")'),
    "address": _in_text("[a](https://example.com/", ")"),
    "formula": _in_text("$$", "$$"),
    "HTML": _in_text("<div ", ">\n"),
    "definition": _in_text("[a]: ", "\n"),
    "name of a source": lambda run: _answer("a", name=run),
    "address of a source": lambda run: _answer("a", url=f"https://example.com/{run}"),
    "passage": lambda run: _answer("It takes 50 days.", passage=run),
}
_LINES: Mapping[str, tuple[str, str]] = {
    "lines": ("", "{}\n"),
    "paragraphs": ("", "{}\n\n"),
    "items": ("", "- {}\n"),
    "numbers": ("", "1. {}\n"),
    "rows": (_TABLE, "{} | {}\n"),
    "quoted lines": ("", "> {}\n"),
    "headings": ("", "# {}\n"),
    "words": ("", "a {} b "),
}
"""What stands in front, and the line of a piece."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A piece, and where it is repeated."""

    unit: str
    place: str

    def answer(self, length: int) -> Answer:
        """An answer with about ``length`` characters of it."""
        if self.place in PLACES:
            return PLACES[self.place](_repeat(self.unit, length))
        before, line = _LINES[self.place]
        return _answer(before + _repeat(line.format(self.unit, self.unit), length))

    def __str__(self) -> str:
        return f"{self.unit!r} in {self.place}"


def _repeat(piece: str, length: int) -> str:
    return piece * (length // len(piece) + 1)


def some_shapes(count: int, seed: int) -> list[Shape]:
    """``count`` shapes. Markers, words and classes come as often as signs and pairs of them."""
    chance = Random(seed)
    places, every = (*PLACES, *_LINES), units()
    worded = len(_MARKERS) + len(_WORDS) + len(_CLASSES)
    found: dict[Shape, None] = {}
    while len(found) < count:
        among = every[:worded] if chance.random() < 0.5 else every[worded:]
        found[Shape(chance.choice(among), chance.choice(places))] = None
    return list(found)
