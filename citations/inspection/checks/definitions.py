"""Link definitions: those that are lost, those that wrongly precede others, and those without effect."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final

from ...markdown import open_fence
from ...model.errors import Problem
from ..outcome import Definition, label_key, read_markdown
from .claims import check_url
from .message_text import (
    ReadText,
    indented_definitions,
    last_closing_fence,
    lines_like_definitions,
    lines_of_text,
)
from .rules import problem

TEXT: Final = "$.text"
_LIVE: Final = re.compile(r"(?:https?|ftp|mailto|sip|tel):", re.IGNORECASE)
_SCRIPTS: Final = re.compile(r"(?:javascript|vbscript|data|file):", re.IGNORECASE)
_LABEL_AND_URL: Final = re.compile(r"\[[^\[\]]+\]:[ \t]*(?:<[^<>]*>|\S+)")
_MOST_BROKEN: Final = 50
"""Broken definitions that are examined: each is read once more by itself."""


def check_definitions(read: ReadText) -> Iterator[Problem]:
    """Every fault of a text's link definitions."""
    yield from _check_broken(read)
    yield from _check_labels(read)
    yield from _check_destinations(read)
    yield from _check_use(read)


def is_link(url: str) -> bool:
    """Whether Web Chat makes a link of it. Of anything else it makes a button, which needs a claim."""
    return _LIVE.match(url) is not None


def _check_labels(read: ReadText) -> Iterator[Problem]:
    for definition in read.outcome.definitions:
        label = definition.label
        winner = read.resolved[label_key(label)]
        if definition is not winner and definition.url != winner.url:
            yield problem(
                "hijacked-definition",
                TEXT,
                label=label,
                url=winner.url,
                line=winner.line + 1,
                other=definition.line + 1,
            )
        elif definition is not winner:
            yield problem("duplicate-definition", TEXT, label=label)
        if definition.nested:
            yield problem("nested-definition", TEXT, label=label)


def _check_destinations(read: ReadText) -> Iterator[Problem]:
    first_of: dict[str, Definition] = {}
    for definition in read.resolved.values():
        raw = read.raw_destination(definition) or definition.url
        if _SCRIPTS.match(raw) or is_link(raw):
            yield from (
                fault
                for fault in check_url(TEXT, raw)
                # A mail address or a telephone number is a valid link, too.
                if fault.code != "url" or raw.lower().startswith("http")
            )
        other = first_of.setdefault(definition.url, definition)
        if other is not definition:
            yield problem("same-destination", TEXT, label=definition.label, other=other.label)


def _check_use(read: ReadText) -> Iterator[Problem]:
    badges = read.badges()
    targets = Counter(link.url for link in read.outcome.links)
    for name, definition in read.listed.items():
        if (name, definition.url) in badges or read.resolved[name] is not definition:
            continue
        code = "worded-link" if targets[definition.url] else "unused-definition"
        yield problem(code, TEXT, label=definition.label)


def _check_broken(read: ReadText) -> Iterator[Problem]:
    """Lines that look like a definition and are not one."""
    for line, label in islice(indented_definitions(read), _MOST_BROKEN):
        yield problem("indented-definition", TEXT, label=label, line=line + 1)
    right = {definition.line for definition in read.outcome.definitions}
    wrong = [(line, label) for line, label in lines_like_definitions(read) if line not in right]
    if not wrong:
        return
    shown, code_ends = lines_of_text(read), last_closing_fence(read)
    broken: set[int] = set()
    for line, label in islice(wrong, _MOST_BROKEN):
        if line not in shown:
            yield from _check_hidden(read, line, label, code_ends)
        elif code := _fault(read.lines[line].strip()):
            broken.add(line)
            yield problem(code, TEXT, label=label, line=line + 1)
        elif line - 1 in broken:
            broken.add(line)
            yield problem("broken-definition-above", TEXT, label=label)
        elif label_key(label) not in read.resolved:
            broken.add(line)
            yield problem("no-blank-line", TEXT, label=label)


def _fault(line: str) -> str | None:
    """The fault of a line by itself; None if it is a definition."""
    if read_markdown(line).definitions:
        return None
    bare = _LABEL_AND_URL.match(line)
    whole = bare is not None and bool(read_markdown(bare[0]).definitions)
    rest = line[bare.end() :].lstrip() if bare else ""
    return "broken-title" if whole and rest[:1] in ('"', "'", "(") else "broken-url"


def _check_hidden(read: ReadText, line: int, label: str, code_ends: int) -> Iterator[Problem]:
    """A definition inside HTML or code. It is a mistake if that was left open."""
    if any(read.lines[line].strip() in block for block in read.outcome.html):
        yield problem("swallowed-by-html", TEXT, label=label)
    elif line > code_ends and (fence := open_fence(read.text).strip()):
        yield problem("unclosed-fence", TEXT, label=label, fence=fence)
