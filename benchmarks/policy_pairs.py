"""How many right claims of ``benchmarks/policy`` are doubted, and how many errors are found.

``python -m benchmarks.policy_pairs`` prints the part that was asked last, with Wilson's intervals of 95 %.
``--part chosen --list`` prints the one for choosing rules, with what is wrong there. Each claim cites its
passage among three. Their names and dates have numbers, as in a bot.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from citations import Answer, Reference, cite
from citations.doubts import Doubt, find_doubts

from .shares import count

FOLDER = Path(__file__).parent / "policy"
LANGUAGES = {"en": "English", "de": "German", "fr": "French", "es": "Spanish"}
PARTS = ("chosen", "kept", "fresh", "last", "unseen", "blind", "second", "third")
GOAL = ("number", "unit", "date", "quotation", "source")
"""The kinds of errors that the rules should find."""


class Row(NamedTuple):
    """A right claim with its passage, and the same with one error: two pairs."""

    part: str
    kind: str
    passage: str
    right: str
    wrong: str
    """The claim with an error; for a wrong source, the passage that the right claim cites."""


def read_rows(language: str) -> list[Row]:
    """The rows of one language."""
    lines = (FOLDER / f"{language}.txt").read_text("utf-8").splitlines()
    rows = [line.split(" | ") for line in lines if not line.startswith("#")]
    return [Row(*head.split(), *rest) for head, *rest in rows]


def doubts_of(claim: str, cited: str, *others: str) -> tuple[Doubt, ...]:
    """The doubts about a claim that cites the first of these passages."""
    references = tuple(
        Reference(
            id=str(number),
            name=f"Handbook, p. {29 + number}",
            text=text,
            modified="2026-11-23T08:15:00Z",
            complete=True,
        )
        for number, text in enumerate((cited, *others), 1)
    )
    return find_doubts(cite(Answer(text=f"{claim} [1]", references=references)))


def pairs_of(rows: list[Row], part: str) -> Iterator[tuple[Row, bool, tuple[Doubt, ...]]]:
    """Each pair of a part, whether its claim is right, and its doubts."""
    rows = [one for one in rows if one.part == part]
    for number, row in enumerate(rows):
        others = [rows[(number + further) % len(rows)].passage for further in (3, 7)]
        yield row, True, doubts_of(row.right, row.passage, *others)
        if row.kind == "source":
            yield row, False, doubts_of(row.right, row.wrong, row.passage, *others)
        else:
            yield row, False, doubts_of(row.wrong, row.passage, *others)


def report(part: str, *, listed: bool) -> None:
    """Print the table."""
    kinds = [*GOAL, "opposite", "meaning"]
    print(f"| language | right ones doubted | found of the five kinds | {' | '.join(kinds)} |")
    print("|:--|--:|--:|" + "--:|" * len(kinds))
    total: dict[str, list[bool]] = defaultdict(list)
    for language, title in LANGUAGES.items():
        found: dict[str, list[bool]] = defaultdict(list)
        for row, right, doubts in pairs_of(read_rows(language), part):
            for key in ["right"] if right else [row.kind, *(["goal"] if row.kind in GOAL else [])]:
                found[key].append(bool(doubts))
                total[key].append(bool(doubts))
            if listed and bool(doubts) == right:
                words = [(one.code.value, one.words) for one in doubts]
                claim = row.right if right or row.kind == "source" else row.wrong
                print(
                    f"{language} {row.kind} {'ALARM' if right else 'MISSED'}: {row.passage} | {claim} {words}"
                )
        print(f"| {title} | {_cells(found, kinds)} |")
    print(f"| all | {_cells(total, kinds)} |")


def _cells(found: dict[str, list[bool]], kinds: list[str]) -> str:
    total = ("right", "goal")
    each = (f"{sum(found[key])} of {len(found[key])}" if found[key] else "–" for key in kinds)
    shares = (count((str(number), one) for number, one in enumerate(found[key])) for key in total)
    return " | ".join([*map(str, shares), *each])


def main() -> None:
    """Print the table of one part."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.policy_pairs")
    parser.add_argument("--part", choices=PARTS, default=PARTS[-1])
    parser.add_argument("--list", action="store_true", help="print each claim that is judged wrongly")
    chosen = parser.parse_args()
    report(chosen.part, listed=chosen.list)


if __name__ == "__main__":
    main()
