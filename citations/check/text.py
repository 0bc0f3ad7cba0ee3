"""The activity's text, as Web Chat's Markdown engines read it: its definitions and its badges."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ..markdown import Definition, Layout, Outcome, read_layout, read_outcome
from ..resolve import clean_text

_LINE_END: Final = re.compile(r"\n")
_DESTINATION: Final = re.compile(
    r"[ \t>*+\-]*\[(?:[^\[\]\\]|\\.)+\]:[ \t]*(?:<(?P<angled>[^<>]*)>|(?P<bare>\S+))"
)
_SPACES: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadText:
    """A text and what a reader gets of it.

    ``resolved`` are the definitions by identifier that links use: the first of each. ``listed`` are
    those that Web Chat lists below the message: the first of each at the top level.
    """

    text: str
    lines: tuple[str, ...]
    layout: Layout
    outcome: Outcome
    resolved: Mapping[str, Definition]
    listed: Mapping[str, Definition]

    def raw_destination(self, definition: Definition) -> str | None:
        """A definition's destination as it was written, where it stands on the label's line."""
        match = _DESTINATION.match(self.lines[definition.line]) if definition.line < len(self.lines) else None
        return (match["angled"] or match["bare"]) if match else None

    def badges(self) -> frozenset[tuple[str, str]]:
        """The identifier and URL of every link that has a label for its text."""
        return frozenset((identifier(link.text), link.url) for link in self.outcome.links)


def read_text(text: str) -> ReadText:
    """Read a text with CommonMark's rules and GFM's tables, as both of Web Chat's engines do."""
    cleaned = clean_text(text)
    outcome = read_outcome(cleaned)
    resolved: dict[str, Definition] = {}
    listed: dict[str, Definition] = {}
    for definition in outcome.definitions:
        resolved.setdefault(identifier(definition.label), definition)
        if not definition.nested:
            listed.setdefault(identifier(definition.label), definition)
    return ReadText(
        text=cleaned,
        lines=tuple(_LINE_END.split(cleaned)),
        layout=read_layout(cleaned),
        outcome=outcome,
        resolved=resolved,
        listed=listed,
    )


def identifier(label: str) -> str:
    """A label as links are matched: "perform the Unicode case fold and collapse internal spaces"."""
    return _SPACES.sub(" ", label).strip().casefold()


def lines_like_definitions(read: ReadText) -> Iterator[tuple[int, str]]:
    """The numbers and labels of lines at the margin that look like a definition, from 0."""
    for number, line in enumerate(read.lines):
        if match := _CANDIDATE.match(line):
            yield number, match["label"]


_CANDIDATE: Final = re.compile(r" {0,3}\[(?P<label>[^\[\]\\]{1,999})\]:[ \t]*\S")
