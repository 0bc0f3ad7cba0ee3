"""The page with the table: ``docs/peers.md``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .answers import Case
from .peers import Peer

TEMPLATE: Final = Path(__file__).with_name("page.md")
RULES: Final = {
    1: "Numbers are 1 to n in order of first use, one for each source, at most 20; a drop is reported",
    2: "Each number has a claim and a visible badge, in Web Chat also a link definition, and they agree",
    3: "The clients' engines find no foreign link, image, HTML or accessible name",
    4: "Code, lists, tables and emphasis render as without citations",
    5: "What only looks like a marker stays readable, and cites nothing",
    6: "The graph is JSON-LD of one message with its context and id; nothing is empty or unknown",
    7: "A stream ends as the finished answer; on Teams each piece begins with the one before it",
    8: "The message's label is the highest of all sources, cited or not",
    9: "Four times the text takes about four times the processor time",
}
"""The rules of a rendering, in the words of this page."""


@dataclass(frozen=True, slots=True)
class Row:
    """A peer with what fails, by rule. A rule that is not there is left to the peer's user."""

    peer: Peer
    versions: dict[str, str]
    failures: dict[int, list[str]]


def write_page(rows: Sequence[Row], cases: Sequence[Case]) -> str:
    """The whole page."""
    return TEMPLATE.read_text("utf-8").format(
        count=len(cases),
        hostile=sum(case.hostile for case in cases),
        table="\n".join(_table(rows)),
        failures="\n\n".join(_failures(row) for row in rows if any(row.failures.values())),
        peers="\n\n".join(_described(row) for row in rows if row.peer.better),
        answers="\n".join(_answers(cases)),
    )


def _table(rows: Sequence[Row]) -> Iterator[str]:
    yield "| rule | " + " | ".join(row.peer.name for row in rows) + " |"
    yield "|---|" + ":-:|" * len(rows)
    for rule, words in RULES.items():
        yield f"| {rule}. {words} | " + " | ".join(table_cell(row, rule) for row in rows) + " |"


def table_cell(row: Row, rule: int) -> str:
    """What the table says of a peer and a rule."""
    if rule not in row.failures:
        return "–"
    found = len(row.failures[rule])
    # The time is that of one answer.
    return "✓" if not found else "✗" if rule == 9 else f"✗ {found}"


def _failures(row: Row) -> str:
    first = [f"- Rule {rule}: {_quoted(found[0])}" for rule, found in sorted(row.failures.items()) if found]
    return "\n".join((f"**{row.peer.name}**", "", *first))


def _quoted(failure: str) -> str:
    """As one line in which nothing is live."""
    case, separator, words = failure.partition(": ")
    plain = " ".join(words.replace("`", "'").split())
    return f"{case}{separator}`{plain}`" if separator else failure


def _described(row: Row) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in row.versions.items())
    title = row.peer.name.partition(",")[0]
    lines = (f"### {title}", "", *([f"{versions}.", ""] if versions else []), row.peer.better, "")
    return "\n".join((*lines, "```python", row.peer.snippet, "```"))


def _answers(cases: Sequence[Case]) -> Iterator[str]:
    yield "| answer | what it is there for |"
    yield "|---|---|"
    for case in cases:
        yield f"| `{case.id}` | {case.why}{' (hostile)' if case.hostile else ''} |"
