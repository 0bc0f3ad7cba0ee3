"""Hostile answers, from a seed: what models, documents and people could write to be read otherwise."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from citations import Answer, Dialect, Reference, Span
from tests.hostile_answers import ANSWERS
from tests.ordinary_answers import ordinary_answers
from tests.streams import short_answers

from .pieces import (
    ADDRESSES,
    ANYTHING,
    ATTRIBUTES,
    CELLS,
    DEFINITIONS,
    ENTITIES,
    LINES,
    LIVE_PIECES,
    MARKERS,
    MATH,
    NAMES,
    ODDITIES,
    STARTS,
    TAILS,
    URLS,
    WORDS,
)

LIVE: Final = frozenset({"live.example"})


@dataclass(frozen=True, slots=True)
class HostileAnswer:
    """An answer, and the hosts whose links it may keep."""

    answer: Answer
    live_hosts: frozenset[str] = frozenset()


def hostile_answer(chance: Random, write: Callable[[Random], str] | None = None) -> HostileAnswer:
    """The next answer, whose text ``write`` makes; :func:`hostile_text` if it is not given."""
    text = (write or hostile_text)(chance)
    live = LIVE if chance.random() < 0.1 else frozenset[str]()
    dialect = None if chance.random() < 0.7 else chance.choice((Dialect.NUMBERED, Dialect.NAMED_LINK))
    answer = Answer(text=text, references=references(chance), dialect=dialect)
    # Its own chance, so that the other answers of a seed stay the same.
    return HostileAnswer(with_spans(answer, Random(text.encode("utf-8", "surrogatepass"))), live)


def with_spans(answer: Answer, chance: Random) -> Answer:
    """``answer``, or one time in five the same text with spans and without markers."""
    if chance.random() > 0.2:
        return answer
    spans = []
    for _ in range(chance.randint(1, 4)):
        start = chance.randint(0, len(answer.text))
        end = min(len(answer.text), start + chance.choice((0, 1, 3, 10, 40)))
        one = chance.choice(answer.references)
        spans.append(Span(start, end, (one.id,), chance.random() < 0.4))
    return replace(answer, dialect=Dialect.NONE, spans=tuple(spans))


def hostile_text(chance: Random) -> str:
    """A text of one of the kinds below, changed somewhat, nearly always with a marker."""
    text = chance.choice(_KINDS)(chance)
    if chance.random() < 0.3:
        text = mutated(text, chance)
    place = chance.random()
    if place < 0.5:
        return f"{text}\n\nSee [1]."
    if place < 0.7:
        return f"See [1]. {text}"
    if place < 0.8:
        cut = chance.randint(0, len(text))
        return f"{text[:cut]}[1]{text[cut:]}"
    return text


def references(chance: Random) -> tuple[Reference, ...]:
    """Up to three, with plain names and URLs more often than hostile ones."""
    return tuple(
        Reference(
            id=id_,
            name=chance.choice(NAMES),
            url=chance.choice(URLS),
            text=hostile_text(chance) if chance.random() < 0.1 else "A passage.",
        )
        for id_ in ("1", "2", "file-2")[: chance.randint(1, 3)]
    )


def some(chance: Random, pieces: Sequence[str], most: int) -> str:
    """Some of ``pieces``."""
    return "".join(chance.choices(pieces, k=chance.randint(1, most)))


def ticks(chance: Random) -> str:
    """Runs of backticks of every length, with what is live between them."""
    parts: list[str] = []
    for _ in range(chance.randint(2, 8)):
        run = "`" * chance.choice((1, 1, 1, 2, 2, 3, 3, 4, 5))
        if chance.random() < 0.4:
            parts += (run, chance.choice((*LIVE_PIECES, *LIVE_PIECES, *MARKERS, *TAILS, *ATTRIBUTES)), run)
        else:
            parts += (
                run,
                chance.choice((" ", " ", "", "x", "\n", "[", "]", "\\", "|", "(", "![", "a `", "*")),
            )
        parts.append(chance.choice(("", " ", " ", "x")))
    return "".join(parts)


def tails(chance: Random) -> str:
    """Brackets, and tails of links that break off."""
    return "".join(
        piece
        for _ in range(chance.randint(1, 4))
        for piece in (
            chance.choice(("[x", "![x", "[1", "[[x]", "[`x`", "[x\n", "\\[x", "[", "![", "[a b")),
            chance.choice(TAILS),
            chance.choice((*WORDS, *LIVE_PIECES, "`", "`", ")", ")`", "`)`", '"', '")', ">)", "\\", "\n")),
        )
    )


def table(chance: Random) -> str:
    """A table, or what nearly is one, with rows of any width and lines behind it."""
    cells: Callable[[], str] = lambda: some(chance, CELLS, 3).replace("\n", " ")  # noqa: E731
    width = chance.randint(1, 3)
    edge = chance.choice(("", "", "|", "| "))

    def row() -> str:
        count = width if chance.random() < 0.7 else chance.randint(1, 4)
        return edge + chance.choice(("|", " | ")).join(cells() for _ in range(count)) + edge.rstrip()

    rule = edge + "|".join(chance.choices(("-", "---", ":-", ":-:", " - "), k=width)) + edge.rstrip()
    rows = [row() for _ in range(chance.randint(0, 3))]
    behind = [
        chance.choice(("    ", "\t", *STARTS)) + some(chance, (*CELLS, *LIVE_PIECES), 2)
        for _ in range(chance.choice((0, 1, 1, 2)))
    ]
    before = [cells()] if chance.random() < 0.3 else []
    return "\n".join((*before, row(), rule, *rows, *behind))


def addresses(chance: Random) -> str:
    """Addresses with neighbours."""
    return "".join(
        chance.choice(("", " ", "(", "*", "[", "\n", '"', "x", "/", "&#8203;", "<", "> ", "`"))
        + chance.choice(ADDRESSES)
        + chance.choice((*WORDS, *MARKERS, "", " "))
        for _ in range(chance.randint(1, 3))
    )


def encoded(chance: Random) -> str:
    """Structure with some of its characters as entities or escapes."""
    text = some(chance, (*LIVE_PIECES, *ADDRESSES, *ATTRIBUTES, *DEFINITIONS), 2)
    odds = chance.choice((0.05, 0.15, 0.4))
    return "".join(_encode(character, chance) if chance.random() < odds else character for character in text)


def _encode(character: str, chance: Random) -> str:
    code = ord(character)
    return chance.choice(
        (f"&#{code};", f"&#x{code:x};", f"&#X{code:05X};", "\\" + character, chance.choice(ENTITIES))
    )


def attributes(chance: Random) -> str:
    """Attributes at everything that may have one."""
    return "".join(
        chance.choice(
            (
                *WORDS,
                *MARKERS,
                *LIVE_PIECES[:8],
                "**x**",
                "*x*",
                "`x`",
                "- x",
                "# x",
                "> x",
                "|a|b|\n|-|-|\n|c|d|",
                "```\nx\n```",
            )
        )
        + chance.choice(ATTRIBUTES)
        for _ in range(chance.randint(1, 4))
    )


def formulas(chance: Random) -> str:
    """Formulas around everything."""
    return some(chance, (*MATH, *MATH, *LIVE_PIECES, *MARKERS, *WORDS, "`", "``"), 8)


def definitions(chance: Random) -> str:
    """Definitions, with what stands in front of and behind them."""
    return "\n".join(
        chance.choice(("", "", "", *STARTS))
        + chance.choice((*DEFINITIONS, *DEFINITIONS, *LINES, some(chance, WORDS, 3)))
        for _ in range(chance.randint(1, 5))
    )


def lines(chance: Random) -> str:
    """Lines in containers, with fences, HTML and rules between them."""
    return "\n".join(_line(chance) for _ in range(chance.randint(2, 7)))


def _line(chance: Random) -> str:
    start = some(chance, STARTS, 2) if chance.random() < 0.6 else ""
    if chance.random() < 0.45:
        return start + chance.choice(LINES)
    return start + some(chance, ANYTHING, 3).replace("\n", " ")


def odd(chance: Random) -> str:
    """Invisible characters between all else."""
    return some(
        chance, (*ODDITIES, *ODDITIES, *LIVE_PIECES, *WORDS, *MARKERS, *STARTS, *DEFINITIONS, "\n"), 10
    )


def mixed(chance: Random) -> str:
    """Anything behind anything."""
    return some(chance, ANYTHING, 14)


def known(chance: Random) -> str:
    """What the corpora have, changed."""
    text = chance.choice(corpus())
    if len(text) > 500:
        start = chance.randint(0, len(text) - 400)
        text = text[start : start + 400]
    return mutated(text, chance)


@functools.cache
def corpus() -> tuple[str, ...]:
    """The texts of the other tests."""
    from .kept import read_kept_answers

    ordinary = (answer.text for answer in ordinary_answers().values())
    short = (answer.text for answer in short_answers())
    hostile = tuple(text for text in ANSWERS.values() if len(text) < 300)
    return (
        *ordinary,
        *short,
        *hostile * 6,
        *(one.text for one in read_kept_answers()),
        *(one.text for one in read_kept_answers()),
    )


def mutated(text: str, chance: Random) -> str:
    """``text`` with some pieces taken out, put in, moved, or written otherwise."""
    for _ in range(chance.choice((1, 1, 2, 3, 5))):
        start = chance.randint(0, len(text))
        end = min(len(text), start + chance.choice((0, 1, 1, 2, 5, 20)))
        match chance.randrange(6):
            case 0:
                text = text[:start] + text[end:]
            case 1 | 2:
                text = text[:start] + chance.choice(ANYTHING) + text[start:]
            case 3:
                text = text[:start] + chance.choice(ANYTHING) + text[end:]
            case 4:
                to = chance.randint(0, len(text))
                text = text[:to] + text[start:end] + text[to:]
            case _:
                rows = text.split("\n")
                row = chance.randrange(len(rows))
                rows[row] = chance.choice(STARTS) + rows[row]
                text = "\n".join(rows)
    return text


_KINDS: Final[tuple[Callable[[Random], str], ...]] = (
    ticks, ticks, tails, tails, table, table, addresses, encoded, attributes, formulas, definitions, lines, lines, odd, mixed, mixed, known, known,
)  # fmt: skip
