"""Link definitions: those that are lost, those that wrongly precede others, and those without effect."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final

from ..markdown import Definition, read_markdown
from ..model.errors import Problem
from .claims import check_url
from .text import ReadText, identifier, last_closing_fence, lines_like_definitions, lines_of_text

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
        winner = read.resolved[identifier(label)]
        if definition is not winner and definition.url != winner.url:
            yield Problem(
                "hijacked-definition",
                TEXT,
                f"[{label}] leads to {winner.url:.200} (line {winner.line + 1}), not where line "
                f"{definition.line + 1} says: the first definition wins; sanitize such lines of the answer",
            )
        elif definition is not winner:
            yield Problem(
                "duplicate-definition", TEXT, f"[{label}] is defined twice and listed twice: keep one"
            )
        if definition.nested:
            yield Problem(
                "nested-definition",
                TEXT,
                f"[{label}] is defined inside a quote or a list, so that it isn't listed and its badges "
                f"have no "
                "style: define it at the margin, below the text",
            )


def _check_destinations(read: ReadText) -> Iterator[Problem]:
    first_of: dict[str, Definition] = {}
    for definition in read.resolved.values():
        raw = read.raw_destination(definition) or definition.url
        if _SCRIPTS.match(raw) or is_link(raw):
            yield from (
                Problem(problem.code, TEXT, f"[{definition.label}]: {problem.message}")
                for problem in check_url(TEXT, raw)
                # A mail address or a telephone number is a valid link, too.
                if problem.code != "url" or raw.lower().startswith("http")
            )
        other = first_of.setdefault(definition.url, definition)
        if other is not definition:
            yield Problem(
                "same-destination",
                TEXT,
                f"[{definition.label}] has the destination of [{other.label}], so that its badge "
                + ("loses its style" if is_link(definition.url) else f"opens what [{other.label}] opens")
                + ": one definition for each source",
            )


def _check_use(read: ReadText) -> Iterator[Problem]:
    badges = read.badges()
    targets = Counter(link.url for link in read.outcome.links)
    for name, definition in read.listed.items():
        if (name, definition.url) in badges or read.resolved[name] is not definition:
            continue
        if targets[definition.url]:
            yield Problem(
                "worded-link",
                TEXT,
                f"[{definition.label}] has only worded links: write [{definition.label}] for a badge",
            )
        else:
            yield Problem(
                "unused-definition",
                TEXT,
                f"[{definition.label}] is listed and counted, and no badge leads to it: cite it or drop it",
            )


def _check_broken(read: ReadText) -> Iterator[Problem]:
    """Lines that look like a definition and are not one."""
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
            yield Problem(code, TEXT, f"[{label}] on line {line + 1} {_BROKEN[code]}")
        elif line - 1 in broken:
            broken.add(line)
            yield Problem(
                "broken-definition-above", TEXT, f"[{label}] is lost with the line above it: mend that one"
            )
        elif identifier(label) not in read.resolved:
            broken.add(line)
            yield Problem(
                "no-blank-line", TEXT, f"[{label}] is read as text: leave a blank line above the definitions"
            )


_BROKEN: Final = {
    "broken-title": 'is no definition, for its title isn\'t one: write "…" without quotes or line ends in it',
    "broken-url": "is no definition, for its URL has a space or a parenthesis too many: percent-encode it",
}


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
        yield Problem(
            "swallowed-by-html",
            TEXT,
            f"[{label}] is part of the HTML above it: close that, and leave a blank line",
        )
    elif read.layout.unclosed and line > code_ends:
        yield Problem(
            "unclosed-fence", TEXT, f"[{label}] is shown as code: close the {read.layout.unclosed} above it"
        )
