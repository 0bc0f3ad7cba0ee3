"""Web Chat, Direct Line and the Emulator: Markdown with reference-style links and the graph.

CITATION.md § "Activity text": "links for citation must format as reference style link".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from ..graph.schema_org import Graph
from ..markdown import Link, MarkdownReading, read_definition
from ..markdown.edit import Edit, apply
from ..markdown.sanitizer import (
    escape,
    escape_lines,
    formula_text,
    leads_only_to,
    loads_nothing,
    readings,
    sanitizing_edits,
    write_closing_fence,
)
from ..model.citation import CitedAnswer, Use
from ..model.link_definition import LinkDefinition
from ..model.wording import Wording
from .shape import Body, Channel, InterimMode

_SEPARATOR: Final = "\u200b"
_JOINS_BEFORE: Final = ("!", "]", "\\", "$")
"""`![1]` is an image, `][1]` the label of a full reference link, `\\[1]` an escape. Web Chat's main build
loses the character behind a formula that begins a line."""
_JOINS_AFTER: Final = ("[", "(", ":")
"""`[1][` is a full reference link, `[1](` an inline link, `[1]:` a definition."""


def write(
    cited: CitedAnswer, definitions: tuple[LinkDefinition, ...], live_hosts: frozenset[str], wording: Wording
) -> Body:
    """The answer with its badges ``[1]``.

    The text and its definitions are read back as the clients' engines do. The answer becomes plain
    characters unless the reading has exactly our definitions and a link for each badge. Nothing else may
    be live.
    """
    layout = cited.layout
    taken = [(use.start, use.end) for use in cited.uses]
    edits = [
        *sanitizing_edits(layout, taken, live_hosts),
        *(Edit(use.start, use.end, _behind_formula(use) + badges(use)) for use in cited.uses),
    ]
    edits.sort(key=itemgetter(0, 1))
    body = _separate_badges(cited.text, edits, cited.uses) + write_closing_fence(layout)
    # Reading the first definition shows that the body allows definitions below it. Each further line is
    # then read alone: no definition continues another (CommonMark § 4.7).
    text = finish(body, definitions[:1], wording)
    known = [read for one in definitions[1:] if (read := read_definition(one.write()))]
    sound = layout.complete and all(
        agrees(outcome, cited, definitions, live_hosts) for outcome in readings(text, body, live_hosts, known)
    )
    return Body(body) if sound else Body(_write_plainly(cited), formatted=False)


def _write_plainly(cited: CitedAnswer) -> str:
    """The answer as plain characters with its badges, without any structure."""
    edits: list[Edit] = []
    behind = 0
    for use in cited.uses:
        edits.append(Edit(behind, use.start, escape_lines(cited.text[behind : use.start])))
        edits.append(Edit(use.start, use.end, escape_lines(use.formula) + badges(use)))
        behind = use.end
    edits.append(Edit(behind, len(cited.text), escape_lines(cited.text[behind:])))
    return _separate_badges(cited.text, edits, cited.uses)


def badges(use: Use) -> str:
    """The badges of a marker, and the part of it that stays readable."""
    shown = _SEPARATOR.join(f"[{position}]" for position in use.positions)
    return " ".join(part for part in (shown, escape(use.rest)) if part)


def _behind_formula(use: Use) -> str:
    """The rest of the formula around the marker."""
    return f"{formula_text(use.formula)}{_SEPARATOR}" if use.formula else ""


def agrees(
    outcome: MarkdownReading,
    cited: CitedAnswer,
    definitions: Sequence[LinkDefinition],
    live_hosts: frozenset[str] = frozenset(),
) -> bool:
    """Whether a reader gets these definitions and a link for each badge, and nothing else that is live."""
    ours = [(definition.label, definition.destination, definition.title) for definition in definitions]
    targets = {definition.label: definition.destination for definition in definitions}
    positions = (str(position) for use in cited.uses for position in use.positions)
    badge_links = Counter(Link(position, targets.get(position, "")) for position in positions)
    return (
        loads_nothing(outcome)
        and [(found.label, found.url, found.title) for found in outcome.definitions] == ours
        and not any(found.nested for found in outcome.definitions)
        and leads_only_to(badge_links, Counter(outcome.links), live_hosts)
    )


def _separate_badges(text: str, edits: Sequence[Edit], uses: Sequence[Use]) -> str:
    """``text`` with its edits applied, and a zero-width space where a badge would join its neighbour."""
    badges = {(use.start, use.end) for use in uses if use.positions}
    separated: list[Edit] = []
    behind, tail = 0, ""
    for number, (start, end, new) in enumerate(edits):
        written = new
        tail = text[max(behind, start - 1) : start] or tail
        if (start, end) in badges:
            following = edits[number + 1] if number + 1 < len(edits) else None
            after = following.new if following and following.start == end else text[end : end + 1]
            if tail in _JOINS_BEFORE:
                written = _SEPARATOR + written
            if written.endswith("]") and after.startswith(_JOINS_AFTER):
                written += _SEPARATOR
        behind, tail = end, written[-1:] or tail
        separated.append(Edit(start, end, written))
    return apply(text, separated)


def finish(body: str, definitions: Sequence[LinkDefinition], wording: Wording) -> str:
    """The definitions at the end, after one blank line.

    They "cannot interrupt a paragraph" (CommonMark § 4.7).
    """
    if not definitions:
        return body
    return body.rstrip() + "\n\n" + "\n".join(definition.write() for definition in definitions)


CHANNEL: Final = Channel(
    "webchat",
    "markdown",
    Graph.WEB_CHAT,
    write,
    finish,
    InterimMode.REPLACING,
    passes_channel_data=True,
    opens_pages=True,
    shows_suggestions=True,
    lists_suggestions=False,
    shows_typing=True,
)
