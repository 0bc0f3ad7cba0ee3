"""Microsoft Teams: Markdown with bare badges ``[1]`` and no definitions, which would turn them into links.

"Teams supports a limited subset" of Markdown (Teams, "Format your bot messages"): headings, tables and
thematic breaks are written as paragraphs. "Each chunk must extend the last" (Teams, "Stream bot messages"):
so nothing is written that the text behind it could change.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import ClassVar, Final

from ..graph.schema_org import Graph
from ..markdown import (
    Badge,
    Block,
    CodeBlock,
    Formula,
    Heading,
    Inline,
    Item,
    Mark,
    MarkdownWriter,
    MarkKind,
    Node,
    Paragraph,
    Table,
    Text,
    has_badge,
    words_of,
)
from ..markdown.escapes import INVISIBLE, TEAMS, TEAMS_EXTENDED, apart
from ..markdown.formula import OPENING
from ..markdown.inline_writer import Piece
from ..markdown.writer import Above
from ..model.citation import CitedAnswer
from ..model.link_definition import LinkDefinition
from ..model.wording import Wording
from ..text.line import clean_name
from ..text.url import live_hosts_only
from .shape import TEAMS_LIMIT, Channel, InterimMode

_NAME: Final = 40
"""Characters of a column's name where it is repeated."""
_MOST: Final = 8
"""A table's rows have their columns' names up to this many times the characters that were typed."""
_MARKS: Final = re.compile(r"[.,;:!?)\]}’”»、。，；：！？）】」』]*")
"""What belongs to the words in front of a badge, and isn't bold behind it."""
_FENCE: Final = 30
"""The most backticks of a fence."""
_CLOSING: Final = re.compile(r"^([ \t]*)(?=(`+)[ \t]*$)", re.MULTILINE)


class TeamsWriter(MarkdownWriter):
    """Writes for Teams."""

    escapes, sign = TEAMS, staticmethod(apart)
    between = ""
    brackets = ""
    keeps_first_number = True
    rule: ClassVar[str] = "———"

    def heading(self, heading: Heading) -> list[str]:
        """A bold line. What only the line below makes a heading has been shown as a paragraph."""
        if heading.underlined:
            return self.lines(self.inline(heading.inline))
        return [self._bold(heading.inline) or INVISIBLE]

    def _bold(self, inline: Inline) -> str:
        """The text in bold, but for its badges: Teams' emulator doesn't show them there."""
        nodes = [node for node in inline if not isinstance(node, Mark) or node.kind is MarkKind.LINK]
        if Badge not in map(type, nodes):
            words, shown = self.inline(nodes, line=True), words_of(nodes).strip()
            if words and INVISIBLE not in (shown[:1], shown[-1:]):
                return f"**{words}**"
            return "".join(self.lines(words))
        written: list[Node] = []
        behind = False
        for is_badge, group in groupby(nodes, key=lambda node: isinstance(node, Badge)):
            run = list(group)
            written += run if is_badge else self._strong(run, behind=behind)
            behind = is_badge
        return "".join(self.lines(self.inline(written, line=True)))

    def _strong(self, run: list[Node], *, behind: bool) -> list[Node]:
        """``run`` between marks, without the white space at its ends and the signs behind a badge."""
        first, last = run[0], run[-1]
        before: list[Node] = []
        after: list[Node] = []
        if isinstance(first, Text):
            marks = _MARKS.match(first.text) if behind else None
            cut = marks.end() if marks else 0
            cut += len(first.text[cut:]) - len(first.text[cut:].lstrip())
            before = [Text(first.text[:cut], 0, 0)]
            run[0] = first = Text(first.text[cut:], 0, 0)
            last = run[-1]
        if isinstance(last, Text):
            end = len(last.text.rstrip())
            after = [Text(last.text[end:], 0, 0)]
            run[-1] = Text(last.text[:end], 0, 0)
        if not any(not isinstance(node, Text) or node.text for node in run):
            return [*before, *after]
        strong = (Mark(MarkKind.STRONG, opens, 0, 0) for opens in (True, False))
        return [*before, next(strong), *run, next(strong), *after]

    def table(self, table: Table, above: Above, *, goes_on: bool) -> list[str]:
        """The header as a line of bold names, and a paragraph for each row."""
        first = above.block if goes_on and isinstance(above.block, Table) else table
        titles = [self.words(clean_name(words_of(cell), _NAME)) for cell in first.header]
        written: list[str] = []
        if not goes_on:
            # A header without a pipe in front may have been shown as text.
            names = [self._cell(cell, bold=not table.bare) for cell in table.header]
            written = ["".join(self.lines(" · ".join(filter(None, names)))) or "—"]
            # A header, and the row of hyphens below it, count twice.
            above.room = _MOST * (_typed(table.header) + 2 * len(titles)) - len(written[0])
        for row in table.rows:
            above.room += _MOST * _typed(row)
            line = self._row(row, titles)
            if len(line) > above.room:
                line = self._row(row, [""] * len(titles))
            above.room -= len(line)
            written += "", line
        return written

    def _cell(self, cell: Inline, *, bold: bool) -> str:
        return self._bold(cell) if bold else self.inline(cell, line=True)

    def _row(self, row: Sequence[Inline], titles: Sequence[str]) -> str:
        """``• first: second``, or ``• first – title: second; title: third``."""
        width = len(titles)
        line, shown = "• ", 0
        for number, cell in enumerate(row):
            words = self._cell(cell, bold=number == 0 and width > 1)
            if not words:
                continue
            name = f"{titles[number]}: " if number and width > 2 and titles[number] else ""
            sign = (": " if width == 2 else " – ") if shown == number == 1 else "; "
            line += f"{sign if shown else ''}{name}{words}"
            shown += 1
        return line if shown else ""

    def fence(self, block: CodeBlock) -> int:
        """The fence as it was: it is shown before the code behind it is known."""
        return min(block.fence, _FENCE)

    def code_lines(self, block: CodeBlock) -> list[str]:
        """The lines of the code, of which none ends it."""
        length = self.fence(block)
        return [
            _CLOSING.sub(lambda found: INVISIBLE + found[0] if len(found[2]) >= length else found[0], line)
            for line in super().code_lines(block)
        ]

    def is_apart(self, above: Item, item: Item) -> bool:
        """Whether a blank line stands between two items of a list.

        Teams' emulator finds badges only in paragraphs, and an item has one if its list is loose: "its
        constituent list items are separated by blank lines" (CommonMark § 5.3).
        """
        return item.apart or has_badge(above.blocks)

    def follows(self, above: Block | None, block: Block) -> bool:
        """Whether ``block`` stands directly below a paragraph of its item."""
        is_paragraph = isinstance(above, Heading) or (isinstance(above, Paragraph) and has_badge((above,)))
        return not is_paragraph and super().follows(above, block)


class ExtendedWriter(TeamsWriter):
    """Writes for Teams' ``extendedmarkdown``: headings, thematic breaks and tables stay what they are.

    Governing source: Teams, "Format your bot messages", a public developer preview. In this format a single
    dollar begins a formula, and a fence of ``html-widget`` is an app of HTML.
    """

    escapes = TEAMS_EXTENDED
    rule = MarkdownWriter.rule
    holds_tables = True
    language = re.compile(r"(?!html-widget)[A-Za-z0-9+#.-]{1,20}(?!\S)", re.IGNORECASE)

    def heading(self, heading: Heading) -> list[str]:
        """A heading, but for one that only the line below makes one: it has been shown as a paragraph."""
        return super().heading(heading) if heading.underlined else MarkdownWriter.heading(self, heading)

    def table(self, table: Table, above: Above, *, goes_on: bool) -> list[str]:
        """A table without badges.

        Of many badges in a table, Teams' web client drops some at random (microsoft/teams-sdk#2931).
        """
        cells = (cell for row in (table.header, *table.rows) for cell in row)
        if table.bare or has_badge(Paragraph(cell) for cell in cells):
            return super().table(table, above, goes_on=goes_on)
        return MarkdownWriter.table(self, table, above, goes_on=goes_on)

    def piece(self, node: Node, *, line: bool) -> Piece:
        """A piece of a line. A formula is text: what Teams makes of one is not known."""
        if isinstance(node, Formula):
            return Piece(Text, self.words(f"{OPENING[node.closing]}{node.text}{node.closing}"))
        return super().piece(node, line=line)


def _typed(row: Sequence[Inline]) -> int:
    """The characters that a row has at least: its words, and a pipe or the line's end behind each cell."""
    return sum(len(words_of(cell)) + 1 for cell in row)


def write(
    cited: CitedAnswer, definitions: tuple[LinkDefinition, ...], live_hosts: frozenset[str], wording: Wording
) -> str:
    """The answer with its badges ``[1]``."""
    return writer(live_hosts).document(cited.document)


def writer(live_hosts: frozenset[str]) -> MarkdownWriter:
    """A writer of blocks."""
    return TeamsWriter(live_hosts_only(live_hosts))


def _write_extended(
    cited: CitedAnswer, definitions: tuple[LinkDefinition, ...], live_hosts: frozenset[str], wording: Wording
) -> str:
    return _extended_writer(live_hosts).document(cited.document)


def _extended_writer(live_hosts: frozenset[str]) -> MarkdownWriter:
    return ExtendedWriter(live_hosts_only(live_hosts))


def add_sources(body: str, definitions: tuple[LinkDefinition, ...], wording: Wording) -> str:
    """The body alone: the graph has the sources."""
    return body


CHANNEL: Final = Channel(
    "msteams",
    "markdown",
    Graph.TEAMS,
    write,
    add_sources,
    InterimMode.APPEND_ONLY,
    writer=writer,
    limit=TEAMS_LIMIT,
    asks_for_votes=True,
    shows_suggestions=True,
    most_buttons=3,  # "The first three are shown" (Teams, "Suggested actions"); the list has them all
    passes_channel_data=True,
    opens_pages=True,
    shows_typing=True,
)
EXTENDED: Final = replace(
    CHANNEL, text_format="extendedmarkdown", write=_write_extended, writer=_extended_writer
)
"""The same with more of Markdown, which older clients may show as plain text."""
