"""Microsoft Teams: Markdown with bare badges ``[1]`` and no definitions, which would turn them into links.

"Each chunk must extend the last" (Teams, "Stream bot messages"): text that was shown stays. So each piece
is written by the text before it alone. A whole answer is written the same way.
"""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final, Literal, NamedTuple

from ...graph.schema_org import Graph
from ...markdown import Inline
from ...markdown.block_mark import BlockMark
from ...markdown.edit import Edit, apply
from ...model.citation import CitedAnswer, Use
from ...model.link_definition import LinkDefinition
from ...model.wording import Wording
from ..shape import Body, Channel, InterimMode
from .blocks import Blocks
from .code import WrittenCode
from .escapes import (
    INVISIBLE,
    code_edits,
    info_edits,
    line_edits,
    marker_edits,
    raw_edits,
    sanitize_words,
    text_edits,
)
from .line import EditBehindBadge

_LINE: Final = re.compile(r"[^\n]+")
_UNNAMED_TASK: Final = re.compile(r"[ \t]*(?:[-+*]|[0-9]+[.)])[ \t]+\[[ xX]\][ \t]+")
_TASK_OF_CODE: Final = re.compile(r"[ \t]*(?:[-+*]|[0-9]+[.)])[ \t]+\[[ xX]\][ \t]+(?=\[[^\]\n`]*`)")
_MARKER: Final = r"(?:[-+*]|[0-9]{1,9}[.)])"
_EMPTY_ITEM: Final = re.compile(rf"(?:[ \t>]|{_MARKER}(?=[ \t]))*{_MARKER}[ \t]*")
_BLANK_LINE: Final = re.compile(r"(?:[ \t]*>)*+([ \t]+)")
_BEGINNING: Final = re.compile(r"(?m:^)[ \t>]*+")
_LONGEST_ITEM: Final = 80
_BEGINNINGS: Final = frozenset(
    {"block", "code", "fence", "html", "heading", "rule", "header", "bare header", "row"}
)


def write(
    cited: CitedAnswer, definitions: tuple[LinkDefinition, ...], live_hosts: frozenset[str], wording: Wording
) -> Body:
    """The answer with its badges ``[1]``."""
    layout = cited.layout
    raws = sorted(line for raw in layout.raws for line in raw.lines)
    return Body(TeamsText().write(cited.text, layout.inlines, raws, layout.marks, cited.uses))


class TeamsText:
    """Writes an answer, whole or piece by piece."""

    def __init__(self) -> None:
        self._blocks = Blocks()
        self._code = WrittenCode()
        self._start = 0
        """The offset of the next piece in the answer."""
        self._badge = -1
        """The end of a badge at the end of the last piece, if there is one."""
        self._raw = -1
        """The end of the last piece of HTML or of a definition."""
        self._line = ""
        """The line that the last piece ends in, unless it is too long for a list item without text."""

    def write(
        self,
        text: str,
        inlines: Sequence[Inline],
        raws: Sequence[tuple[int, int]],
        marks: Sequence[BlockMark],
        uses: Sequence[Use],
    ) -> str:
        """``text``, the next piece of the answer, as it is shown.

        ``inlines`` are its inline texts, ``raws`` the spans of HTML and definitions. ``marks`` are the
        places of block markup, ``uses`` its citations. All are in order.
        """
        start = self._start
        self._start += len(text)
        line = self._line
        found = self._item_edits(text, start)
        found.extend(self._apart(text, start, uses))
        for inline in inlines:
            found.extend(text_edits(inline, uses))
            found.extend(line_edits(inline, line + text, start - len(line), uses))
            found.extend(marker_edits(inline, text, start))
        found.extend(self._raw_edits(text, start, raws))
        found.extend(self._block_edits(inlines, marks, uses))
        found = list(_outside(found, uses))
        # `2) x` of a formula would be a list at the beginning of a line.
        beginnings = _beginnings(line + text, start - len(line)) if any(use.formula for use in uses) else ()
        for use in uses:
            if use.start < use.end:
                apart = INVISIBLE if use.formula and use.start in beginnings else ""
                found.append(Edit(use.start, use.end, apart + _badges(use)))
        # At one place, the end of bold text comes before a badge.
        found.extend(Edit(use.start, use.end, _badges(use)) for use in uses if use.start == use.end)
        found.sort(key=_place)
        events = [
            *_begin_events(marks),
            *_spans(text, start, inlines, uses),
            *_lines_between(text, start, inlines, raws),
        ]
        events.sort(key=lambda event: (event.start, event.mark is None))
        return self._apply(text, start, found, events)

    def _apply(self, text: str, start: int, edits: list[Edit], events: Iterable[_Event]) -> str:
        """The piece with its edits. The text written before it decides about code."""
        parts: list[str] = []
        behind, done = start, 0
        for event in events:
            # A header may only be recognised after its beginning has been written.
            place = max(event.start, behind)
            first = done
            while done < len(edits) and (edits[done].start < place or edits[done].end == place):
                done += 1
            if done > first:
                place = max(place, edits[done - 1].end)
            parts.append(_apply_edits(text, start, behind, place, edits[first:done]))
            behind = place
            self._code.add(parts[-1])
            if event.mark:
                begins = text[event.start - start] if start <= event.start < start + len(text) else " "
                self._code.begin_block(event.mark, indented=begins in " \t")
                continue
            if place > event.start:
                # Markup of a table is left out.
                continue
            for edit in self._code_edits(event, text[event.start - start : event.end - start]):
                insort(edits, edit, done, key=_place)
        parts.append(_apply_edits(text, start, behind, start + len(text), edits[done:]))
        self._code.add(parts[-1])
        return "".join(parts)

    def _code_edits(self, event: _Event, code: str) -> list[Edit]:
        match event.kind:
            case "word":
                # Web Chat 4.18.1 reads "{", white space and "aria-label" as one, across blocks.
                return [Edit(event.start, event.start, INVISIBLE)] if self._code.ends_in_brace else []
            case "info":
                return info_edits(code, event.start) if self._code.in_info else []
            case "span":
                keeps = self._code.span_keeps(code)
            case _:
                keeps = self._code.block_keeps()
        return [] if keeps else code_edits(code, event.start)

    def _item_edits(self, text: str, start: int) -> list[Edit]:
        """The edits of list items that cmark-gfm reads otherwise.

        It takes a task without a name for an empty item. A blank line with spaces doesn't end an empty item.
        The text of a task may begin with a definition, even one in code.
        """
        lines = (self._line + text).split("\n")
        edits, place = [], start - len(self._line)
        for line, below in zip_longest(lines, lines[1:]):
            end = place + len(line)
            if (task := _TASK_OF_CODE.match(line)) and place + task.end() >= start:
                edits.append(Edit(place + task.end(), place + task.end(), INVISIBLE))
            if below is not None and _UNNAMED_TASK.fullmatch(line):
                edits.append(Edit(end, end, INVISIBLE))
            elif below and _EMPTY_ITEM.fullmatch(line) and (blank := _BLANK_LINE.fullmatch(below)):
                edits.append(Edit(end + 1 + blank.start(1), end + 1 + blank.end(1), ""))
            place = end + 1
        self._line = lines[-1] if len(lines[-1]) < _LONGEST_ITEM else "…"
        return edits

    def _apart(self, text: str, start: int, uses: Sequence[Use]) -> Iterator[Edit]:
        """The edits that separate badges from the text behind them.

        `[1](noted)` would be a link, `[1]: noted` a definition.
        """
        badges = [use.end for use in uses if _badges(use).endswith("]")]
        for end in (self._badge, *badges):
            if 0 <= end - start < len(text) and text[end - start] in "(:":
                placed = any(use.start == use.end == end for use in uses)
                yield (EditBehindBadge if placed else Edit)(end, end, INVISIBLE)
        self._badge = start + len(text) if badges[-1:] == [start + len(text)] else -1

    def _raw_edits(self, text: str, start: int, raws: Iterable[tuple[int, int]]) -> Iterator[Edit]:
        for first, last in raws:
            yield from raw_edits(text[first - start : last - start], first, begins=first != self._raw)
            self._raw = last

    def _block_edits(
        self, inlines: Sequence[Inline], marks: Sequence[BlockMark], uses: Sequence[Use]
    ) -> Iterator[Edit]:
        """The edits of the blocks, in source order."""
        events: list[tuple[int, int, BlockMark | Inline | Use]] = [
            *((mark.start, 0, mark) for mark in marks),
            *((inline.rows[0].source, 1, inline) for inline in inlines),
            *((use.start, 2, use) for use in uses),
        ]
        events.sort(key=lambda event: event[:2])
        for _, _, event in events:
            match event:
                case BlockMark():
                    yield from self._blocks.mark(event)
                case Inline():
                    yield from self._blocks.text(event, uses)
                case Use(positions=[_, *_]):
                    self._blocks.cite()


class _Event(NamedTuple):
    """The beginning of a block, or ``text[start:end]`` of the answer that may be live elsewhere.

    ``kind`` says which text: code, or the beginning of a ``word``, which may be a name in braces.
    """

    start: int
    end: int
    mark: BlockMark | None = None
    kind: Literal["", "span", "line", "info", "word"] = ""


def _begin_events(marks: Iterable[BlockMark]) -> Iterator[_Event]:
    for mark in marks:
        if mark.part in _BEGINNINGS:
            yield _Event(mark.start, mark.start, mark)


def _spans(text: str, start: int, inlines: Iterable[Inline], uses: Sequence[Use]) -> Iterator[_Event]:
    """The code spans that stay, and texts that may begin with ``aria-label``."""
    for inline in inlines:
        if inline.content[:1] in ("a", "A"):
            yield _Event(inline.place(0), inline.place(0), kind="word")
        for kind, first, last in inline.spans:
            if kind == "code":
                place, end = inline.place(first), inline.place_end(last)
                use = bisect_right(uses, place, key=lambda use: use.start) - 1
                replaced = use >= 0 and place < uses[use].end
                if not replaced and code_edits(text[place - start : end - start], place):
                    yield _Event(place, end, kind="span")


def _lines_between(
    text: str, start: int, inlines: Iterable[Inline], raws: Iterable[tuple[int, int]]
) -> Iterator[_Event]:
    """The lines of code blocks: the text that is neither inline, nor HTML, nor a definition."""
    covered = [(inline.rows[0].source, inline.place_end(len(inline.content))) for inline in inlines]
    behind = start
    for first, last in sorted((*covered, *raws, (start + len(text), start + len(text)))):
        if first > behind:
            for line in _LINE.finditer(text, behind - start, first - start):
                end = start + line.end()
                if "|" in line[0]:
                    yield _Event(start + line.start() + line[0].index("|"), end, kind="info")
                if edits := code_edits(line[0], start + line.start()):
                    yield _Event(edits[0].start, end, kind="line")
        behind = max(behind, last)


def _apply_edits(text: str, start: int, first: int, last: int, edits: Iterable[Edit]) -> str:
    """``text[first:last]`` of the answer with its edits, where ``text`` begins at ``start``."""
    moved = (Edit(edit.start - first, edit.end - first, edit.new) for edit in edits)
    return apply(text[first - start : last - start], moved)


def _outside(edits: Iterable[Edit], uses: Sequence[Use]) -> Iterator[Edit]:
    """The edits that are not inside words which a badge replaces."""
    replaced = [(use.start, use.end) for use in uses if use.start < use.end]
    for edit in edits:
        number = bisect_right(replaced, edit.start, key=lambda words: words[0]) - 1
        first, last = replaced[number] if number >= 0 else (0, 0)
        if edit.start >= last or edit.end > last or edit.end == first:
            yield edit


def _place(edit: Edit) -> tuple[int, int, bool]:
    return edit.start, edit.end, isinstance(edit, EditBehindBadge)


def _beginnings(text: str, start: int) -> set[int]:
    """Where each line of ``text`` begins behind the markers of its quotes. ``text`` stands at ``start``."""
    return {start + line.end() for line in _BEGINNING.finditer(text)}


def _badges(use: Use) -> str:
    shown = "".join(f"[{position}]" for position in use.positions)
    return sanitize_words(use.formula) + " ".join(part for part in (shown, sanitize_words(use.rest)) if part)


def finish(body: str, definitions: tuple[LinkDefinition, ...], wording: Wording) -> str:
    """The body alone: the graph has the sources."""
    return body


CHANNEL: Final = Channel(
    "msteams",
    "markdown",
    Graph.TEAMS,
    write,
    finish,
    InterimMode.APPEND_ONLY,
    passes_channel_data=True,
    opens_pages=True,
    shows_typing=True,
)
