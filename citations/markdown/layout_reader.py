"""Reads the layout of a text, whole or as it arrives.

A text is read line by line, each line as soon as enough of it has arrived (:mod:`.block_line`). The text
of the open block is read as it grows (:mod:`.inline_buffer`). A finished text is read like one that
arrived at once.
"""

from __future__ import annotations

from .block_line import MAX_START, BlockLine, Open, read_line
from .block_marks import BlockMarks
from .inline_buffer import MAX_ROW, Inline, InlineBuffer, before_pair
from .layout import Layout, Raw
from .table_row import TableRow, columns_of


def read_layout(text: str) -> Layout:
    r"""The layout of ``text``, which has ``\n`` at line ends and no NUL (CommonMark § 2.3)."""
    reader = LayoutReader()
    reader.feed(text)
    return reader.close(text)


class LayoutReader:
    """Reads a text as it arrives.

    ``inlines``, ``raws`` and ``marks`` grow with the settled part. ``shown`` has the spans of the source
    that are HTML or a definition. ``boundary`` is the start of the last block or list item at the top
    level. Text before it will not change, and the text behind it can be read without it.
    """

    def __init__(self) -> None:
        self.inlines: list[Inline] = []
        self.raws: list[Raw] = []
        self._marks = BlockMarks()
        self.marks = self._marks.found
        self.shown: list[tuple[int, int]] = []
        self.boundary = 0
        self.complete = True
        self._open = Open()
        self._start = 0
        self._line = ""
        self._begun: BlockLine | None = None
        self._blank = True
        self._run: InlineBuffer | None = None
        self._row: TableRow | None = None
        self._fence = ""
        self._raw: list[tuple[int, int]] = []
        self._lines: list[str] = []
        self._columns = 0

    def feed(self, text: str) -> None:
        """Take the next piece, of any length."""
        *lines, rest = text.split("\n")
        for line in lines:
            self._more(line, complete=True)
            self._end_line()
        self._more(rest, complete=False)

    def whole_texts(self) -> tuple[int, int]:
        """How many of ``inlines`` have words behind them, and the offset of these words.

        Words that not all clients show don't count. Call it only if no part was ever settled.
        """
        run = self._run
        if run is not None and not run.defining and (word := run.first_word) is not None:
            return len(self.inlines), word
        for number in range(len(self.inlines) - 1, -1, -1):
            if self.inlines[number].is_shown:
                return number, self.inlines[number].first_word
        return 0, 0

    def settle(self) -> int:
        """Add the settled part of the open block, and return the offset up to which nothing will change."""
        run = self._run
        if run is not None and (part := run.settle()):
            self.inlines.append(part)
        if self._row is not None:
            self.inlines.extend(self._row.settle(final=False))
            return self._row.settled()
        # The kind of the line isn't known, nor the text that must precede it.
        indent = len(self._line) - len(self._line.lstrip(" \t"))
        above = self._start + indent if indent > MAX_START else max(0, self._start - 1)
        if self._begun is None:
            end = above
        else:
            end = self._start + len(self._line)
            if self._open.leaf in ("html", "code", "fence"):
                place = before_pair(self._line, len(self._line))
                if place <= MAX_START and not self._line[:place].strip(" \t>"):
                    # Without its text the line would be a blank one.
                    return above
                end = self._start + place
            if self._open.leaf == "html":
                end = self._show(end)
        if run is None:
            return end
        settled = run.settled()
        if self._begun is not None and settled == self._start + self._begun.offset:
            # A list item's marker without text would itself be read as text.
            return max(above, self._start)
        return min(end, settled)

    def _show(self, end: int) -> int:
        """Add the new part of a line of HTML, up to ``end``."""
        # Indentation was settled before the kind of the line was known.
        start = self._start + len(self._line) - len(self._line.lstrip(" \t"))
        if self._begun is not None:
            start = max(start, self._start + self._begun.offset)
        if self.shown and self.shown[-1][1] > start:
            start = self.shown[-1][1]
        if start < end:
            self.shown.append((start, end))
        return max(start, end)

    def close(self, text: str) -> Layout:
        """The layout of the whole ``text``, which is complete."""
        if self._line:
            self._end_line()
        while self._take_definition(""):
            pass
        unclosed = "" if self._open.containers else self._fence
        self._close_leaf()
        return Layout(
            text=text,
            inlines=tuple(self.inlines),
            raws=tuple(self.raws),
            marks=tuple(self.marks),
            unclosed=unclosed,
            complete=self.complete,
        )

    def _more(self, text: str, *, complete: bool) -> None:
        """Add ``text`` without line ends to the line, which may be complete with it."""
        if not text:
            return
        self._line += text
        if self._begun is None:
            self._begin(complete=complete)
        elif self._row is not None:
            self._row.append(text)
        elif self._run is not None:
            self._run.append(text)

    def _begin(self, *, complete: bool) -> None:
        """Begin the line if enough of it has arrived."""
        if not complete and not self._line.strip(" \t"):
            return
        line = read_line(self._line, self._open, complete=complete)
        if line is None:
            return
        if self._run is not None and self._run.defining:
            goes_on = line.continues and line.open.leaf == "paragraph"
            if self._take_definition(self._line[line.offset :] if goes_on else ""):
                self._begin(complete=complete)
                return
        self._begun = line
        self.complete = self.complete and not line.too_deep
        if line.header:
            self._begin_table()
        elif not line.continues:
            alone = self._open.leaf != "html" and line.open.leaf != "html"
            self._close_leaf()
            depends = self._marks.begin(line, self._line, self._start, self._open)
            if not line.kept and not depends and (self._blank or alone) and self._line.strip(" \t"):
                self.boundary = self._start
        self._go_on(line)

    def _go_on(self, line: BlockLine) -> None:
        """Add the text of a line that has begun."""
        place, text = self._start + line.offset, self._line[line.offset :]
        leaf = line.open.leaf
        if leaf == "paragraph" and line.continues and self._run is not None:
            self._run.begin_line(place, heads=line.heads)
            self._run.append(text)
        elif leaf in ("paragraph", "heading"):
            defining = leaf == "paragraph" and text.startswith("[")
            self._run = InlineBuffer(place, text, defining=defining, heads=line.heads)
            self._lines = []
        elif leaf == "table":
            if line.header:
                self._marks.markup(place, place + len(text))
            else:
                self._marks.row(line.open.containers, self._start)
                self._row = TableRow(self._columns, place, self.marks)
                self._row.append(text)
        elif leaf == "fence":
            if not line.continues:
                self._fence = line.fence
        elif line.continues and self._open.leaf == "paragraph":
            self._close_leaf()
            self._marks.markup(place, place + len(text))
        self._open = line.open
        self._marks.go_on(place)

    def _end_line(self) -> None:
        if self._begun is None:
            self._begin(complete=True)
        line = self._begun
        if line is None:
            raise AssertionError("a complete line begins something")
        text = self._line[line.offset :]
        self._finish(line, text)
        if self._run is not None and self._run.defining:
            self._lines.append(self._line)
        self._blank = not self._line.strip(" \t")
        self._marks.end_line(line, text, self._start, self._open, blank=self._blank)
        self._start += len(self._line) + 1
        self._line, self._begun = "", None

    def _finish(self, line: BlockLine, text: str) -> None:
        """Apply the end of a line to its block."""
        leaf = self._open.leaf
        start = self._start + line.offset
        if leaf == "fence" and line.continues and self._open.closing and self._open.closing.match(text):
            self._fence = ""
            self._open = Open(self._open.containers)
        elif leaf == "html":
            self._raw.append((start, start + len(text)))
            self._show(start + len(text))
            if self._open.closing and self._open.closing.search(text):
                self._close_leaf()
                self._open = Open(self._open.containers)
        elif leaf == "heading":
            self._close_leaf()
            self._open = Open(self._open.containers)
            self._marks.end(start + len(text))
        elif self._row is not None:
            self.inlines.extend(self._row.settle(final=True))
            self._row = None
            self._marks.end(start + len(text))
        elif leaf == "paragraph":
            columns = columns_of(text) if line.heads and len(text) <= MAX_ROW else 0
            if columns != self._open.columns:
                self._open = Open(self._open.containers, leaf, columns=columns)

    def _begin_table(self) -> None:
        """Turn the last line of the open paragraph into the header of a table."""
        run = self._run
        if run is None:
            raise AssertionError("a table's header is the line of a paragraph")
        source, end = run.rows[-1].source, self._start - 1
        header = run.drop_line()
        self._columns = self._open.columns
        self._close_leaf()
        begun = self._marks.header(header, source, self._open)
        row = TableRow(self._columns, source, self.marks, begun=begun)
        row.append(header)
        self.inlines.extend(row.settle(final=True))
        self._marks.end(end)

    def _take_definition(self, following: str) -> bool:
        """Take the definition at the beginning of the open paragraph, and read the text behind it again.

        ``following`` is the text of the next line, empty if the paragraph ends.
        """
        lines = self._run.definition(following) if self._run is not None else ()
        if not lines:
            return False
        self.raws.append(Raw(lines, not self._open.containers))
        self.shown.extend(lines)
        self._marks.end(lines[-1][1], "definition")
        self._run = None
        self._open = Open(self._open.containers)
        rest, current = self._lines[len(lines) :], self._line
        self._start -= sum(len(line) + 1 for line in rest)
        for line in rest:
            self._line = line
            self._end_line()
        self._line = current
        return True

    def _close_leaf(self) -> None:
        """End the open block."""
        if self._run is not None:
            if part := self._run.rest():
                self.inlines.append(part)
            self._run = None
        if self._raw:
            self.raws.append(Raw(tuple(self._raw), not self._open.containers))
            self._raw = []
        self._fence = ""
