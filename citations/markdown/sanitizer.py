r"""Sanitizes hostile Markdown: content that isn't ours is shown as it was typed, without any effect.

Images, HTML, links, autolinks and link definitions become readable text by HTML entities. Backslashes
don't work everywhere: Web Chat's newer builds read ``\[…\]`` as mathematics. All other text stays byte
for byte.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from ..text.url import host_of, safe_url
from . import (
    DELIMITER,
    Bracket,
    Definition,
    Inline,
    Layout,
    Link,
    MarkdownReading,
    Raw,
    clean_text,
    read_layout,
    read_markdown,
)
from .disambiguation import disambiguating_edits
from .edit import Edit, apply
from .flow_math import without_flow_math
from .hazards import ALIVE, LIVE
from .table_row import divided_cells

_PUNCTUATION: Final = {ord(one): f"&#{ord(one)};" for one in '!"#$&()*+-.:<=>@[\\]^_`{|}~⟬⟭'}
RISKY: Final = re.compile(
    # Web Chat's main build reads `\(`, `\[` and `$$` as the beginning of mathematics, and so with all in it.
    # A backtick that one engine pairs may end another engine's code, escaped or not.
    r"\\[(\[`]|\$(?:(?=\$)|(?<=\$\$))|`|"
    # Any other escaped character shows itself: it stays, and opens nothing.
    r"\\[!-/:-@\[-`{-~]|"
    rf"{DELIMITER.pattern}|{LIVE}"
)
"""Text that some client may read as more than text."""
_SHOWS_ITSELF: Final = re.compile(r"\\[^(\[`|]")
"""An escape that stays. A pipe in a cell was written with two backslashes. To micromark it ends the cell."""
_OPEN_BRACKET: Final = re.compile(r"(?<!\\)((?:\\\\)*)\[")
_ODD_BACKSLASHES: Final = re.compile(r"(?<!\\)(?:\\\\)*\\\|")
"""An odd number of backslashes, and a pipe."""
_SIGNS: Final = tuple("`\\<&[*_~")
_LOST: Final = "\u200b"
"""Stands behind a formula that begins a line. Web Chat's main build leaves out the character there.

To that build, what stands behind such a formula begins a line, too.
"""
_IN_FORMULA: Final = re.compile(r"<(?=[A-Za-z/!?])|\[(?=\d+\])")


_STRUCTURED: Final = re.compile(
    r"[\[<]|^(?! {0,9}(?:(?:#{1,6}|[-+*>]|[0-9]{1,9}[.)]) )?[(*_\"'“‘„«]{0,3}(?![0-9]+[.)])[^\W_]| *$)",
    re.MULTILINE,
)
"""A bracket, or a line that begins with anything but words behind one marker. Without a bracket there is
no image, link, HTML or definition (CommonMark § 4.6, 4.7, 6.3–6.6). Such a line may leave code open, or
nest containers too deep."""


_BACKTICKS: Final = re.compile("`+")


def sanitize(markdown: str, *, live_hosts: frozenset[str] = frozenset()) -> str:
    """``markdown`` without anything that a client would load, follow or take for ours.

    Inline links to ``live_hosts`` (``example.com``, ``localhost:3978``) stay. Text with a bracket, and
    text that was changed, is read back by an independent parser. If that finds anything, every character
    is escaped.
    """
    text = clean_text(markdown)
    if not _STRUCTURED.search(text) and not RISKY.search(text):
        return text
    layout = read_layout(text)
    written = apply(text, sanitizing_edits(layout, (), live_hosts)) + write_closing_fence(layout)
    if layout.complete and is_harmless(written, live_hosts):
        return written
    return escape_lines(text)


def is_harmless(text: str, live_hosts: frozenset[str]) -> bool:
    """Whether no reading of ``text`` has an image, HTML, a definition or a foreign link."""
    return all(_is_harmless(outcome, live_hosts) for outcome in readings(text, text, live_hosts))


def _is_harmless(
    outcome: MarkdownReading, live_hosts: frozenset[str], ours: Sequence[Definition] = ()
) -> bool:
    badges = {(definition.label, definition.url) for definition in ours}
    links = (link for link in outcome.links if (link.text, link.url) not in badges)
    return (
        loads_nothing(outcome)
        and len(outcome.definitions) == len(ours)
        and all(live_url(link.url, live_hosts) == link.url for link in links)
    )


def readings(
    text: str, body: str, live_hosts: frozenset[str], known: Sequence[Definition] = ()
) -> Iterator[MarkdownReading]:
    """The readings of ``text``, one for each way in which clients' engines differ.

    ``body`` is ``text`` without what we have written below it. Engines differ only where something in it
    could come alive. Otherwise no reading finds a link, an image, HTML or an address. ``known``
    definitions stand at the end of ``text``, and need not be read with it.
    """
    alive = ALIVE.search(body) is not None
    first = read_markdown(text, encoded=False, addresses=alive, known=known)
    yield first
    other = without_flow_math(body)
    if other != body:
        yield read_markdown(other + text[len(body) :], encoded=False, addresses=alive, known=known)
    if not alive:
        return
    if not all(_is_harmless(part, live_hosts, first.definitions) for part in _without_tables(body, first)):
        # An incomplete reading never passes verification.
        yield replace(first, complete=False)
    if "`" in body and len({len(run) for run in _BACKTICKS.findall(body)}) > 1:
        yield read_markdown(text, encoded=False, javascript=True, addresses=True, known=known)


def _without_tables(body: str, outcome: MarkdownReading) -> Iterator[MarkdownReading]:
    """The readings without tables, of tables and of the text below them, and those of cells.

    Without tables a row is text, and the lines below may continue it.
    """
    lines = body.split("\n") if outcome.tables else []
    for first, last in outcome.tables:
        start = next((number for number in range(first, 0, -1) if not lines[number - 1].strip()), 0)
        end = next((number for number in range(last, len(lines)) if not lines[number].strip()), len(lines))
        part = "\n".join(lines[start:end])
        if ALIVE.search(part):
            yield read_markdown(part, tables=False, encoded=False, addresses=True, known=outcome.definitions)
    for cell in divided_cells(body, outcome.tables):
        yield read_markdown(cell, encoded=False, addresses=True, known=outcome.definitions)


def loads_nothing(outcome: MarkdownReading) -> bool:
    """Whether a reading has nothing that a client would load, show as HTML, or link by itself."""
    return (
        outcome.complete
        and not outcome.images
        and not outcome.html
        and not outcome.addresses
        and not outcome.doubtful
    )


def leads_only_to(ours: Counter[Link], links: Counter[Link], live_hosts: frozenset[str]) -> bool:
    """Whether ``links`` have ``ours``, and others to ``live_hosts`` alone."""
    others = links - ours
    return not ours - links and all(live_url(link.url, live_hosts) == link.url for link in others)


def live_url(url: str, live_hosts: frozenset[str]) -> str | None:
    """``url`` if its host is in ``live_hosts``, so that it may stay a link; else None."""
    if not live_hosts:
        return None
    safe = safe_url(url)
    return safe if safe and host_of(safe) in live_hosts else None


def write_closing_fence(layout: Layout) -> str:
    """The fence that closes a text's open code, so that text of ours below it isn't code."""
    if not layout.unclosed:
        return ""
    return layout.unclosed if layout.text.endswith("\n") else f"\n{layout.unclosed}"


def escape(text: str) -> str:
    """``text`` as plain characters, in which no reading finds structure. Line ends stay."""
    return text.translate(_PUNCTUATION).replace("//", "/&#47;")


def escape_lines(text: str) -> str:
    """A whole text as plain characters: the last resort if its structure can't be trusted."""
    return "\n".join(escape(line.strip(" \t")) for line in text.split("\n"))


def sanitizing_edits(
    layout: Layout, taken: Sequence[tuple[int, int]], live_hosts: frozenset[str] = frozenset()
) -> list[Edit]:
    """The edits that sanitize a text, in order.

    ``taken`` are the source ranges of the markers, in order. They are replaced elsewhere and not edited
    here.
    """
    edits = [*_raw_edits(layout.text, layout.raws), *disambiguating_edits(layout, taken)]
    cursor = 0
    for inline in layout.inlines:
        # Of all constructs only code may have no risky characters.
        if not inline.brackets and not RISKY.search(inline.content):
            continue
        first, last = inline.rows[0].source, inline.place_end(len(inline.content))
        while cursor < len(taken) and taken[cursor][1] <= first:
            cursor += 1
        inside = cursor
        while inside < len(taken) and taken[inside][0] < last:
            inside += 1
        edits.extend(_inline_edits(inline, taken[cursor:inside], live_hosts))
    return sorted(edits, key=lambda edit: (edit.start, edit.end))


def _raw_edits(text: str, raws: Sequence[Raw]) -> Iterator[Edit]:
    """The edits that show HTML blocks and definitions as the lines that were typed."""
    joins = {raw.lines[0][0] for raw in raws} & {raw.lines[-1][1] + 1 for raw in raws}
    for raw in raws:
        first, last = raw.lines[0][0], raw.lines[-1][1]
        # The neighbours at the top level are other blocks, and must stay so.
        above = raw.alone and first not in joins and text[max(0, first - 2) : first] not in ("", "\n\n")
        below = raw.alone and last + 1 not in joins and text[last : last + 2] not in ("", "\n", "\n\n")
        for start, end in raw.lines:
            before, behind = "\n" * (above and start == first), "\n" * (below and end == last)
            yield Edit(start, end, before + escape(text[start:end].strip(" \t")) + behind)


def _inline_edits(
    inline: Inline, taken: Sequence[tuple[int, int]], live_hosts: frozenset[str]
) -> Iterator[Edit]:
    content = inline.content
    # A line outside its paragraph's list item is no delimiter row of a table.
    outside = {row.start for row in inline.rows if row.indented}
    behind = 0
    for start, end, new in (*_constructs(inline, taken, live_hosts), (len(content), len(content), "")):
        if start < behind:
            continue
        for found in RISKY.finditer(content[behind:start]):
            sign, place = found[0], behind + found.start()
            if not (_SHOWS_ITSELF.match(sign) or (sign in ":|-" and place in outside)):
                place_end = inline.place_end(behind + found.end())
                yield Edit(inline.place(place), place_end, escape(sign.removeprefix("\\")))
        if new is not None:
            yield from _per_line(inline, start, end, new)
        behind = end


def _constructs(
    inline: Inline, taken: Sequence[tuple[int, int]], live_hosts: frozenset[str]
) -> list[tuple[int, int, str | None]]:
    """The constructs and their replacements: code stays, all others become characters.

    None marks ``taken`` ranges, which are replaced elsewhere.
    """
    content = inline.content
    found: list[tuple[int, int, str | None]] = [(*inline.span(start, end), None) for start, end in taken]
    markers = [(start, end) for start, end, _ in found if start < end]
    begins, behind = True, 0
    for kind, start, end in inline.spans:
        if kind == "formula":
            _, line_end, above = content[behind:start].rpartition("\n")
            begins, behind = (begins or bool(line_end)) and not above.strip(), end
            inside = bisect_left(markers, (start,))
            first, last = markers[inside] if inside < len(markers) else (end, end)
            if last < end:
                begins = False
                continue  # a formula would hide the badge that stays in it
            lost = _LOST if begins and first >= end and content[end : end + 1] in _SIGNS else ""
            first = min(first, end)
            found.append((start, first, formula_text(content[start:first]) + lost))
        elif kind != "literal":
            text = content[start:end]
            keeps = kind == "code" and not _may_be_divided(inline, start, end)
            found.append((start, end, text if keeps else escape(text)))
    for bracket in inline.brackets:
        if bracket.link:
            found.extend(_link(content, bracket, live_hosts))
    found.sort(key=lambda piece: (piece[0], -piece[1]))
    return found


def _may_be_divided(inline: Inline, start: int, end: int) -> bool:
    """Whether some engine ends a table's cell in the code ``content[start:end]``.

    "It is possible to include a pipe in a cell's content by escaping it" (GFM § "Tables"). To micromark, two
    backslashes escape each other, and not the pipe behind them.
    """
    pipes = (found.end() for found in _ODD_BACKSLASHES.finditer(inline.content, start, end))
    return any(inline.place(pipe - 1) - inline.place(pipe - 2) > 1 for pipe in pipes)


def formula_text(formula: str) -> str:
    """A formula, without what clients without mathematics take for a tag or a badge.

    Such a client would search for an unpaired bracket's partner up to the end of the text.
    """
    if formula.count("[") != formula.count("]"):
        formula = _OPEN_BRACKET.sub(r"\1\\lbrack ", formula)
    return _IN_FORMULA.sub(lambda found: "< " if found[0] == "<" else "[{}", formula)


def _link(
    content: str, bracket: Bracket, live_hosts: frozenset[str]
) -> Iterator[tuple[int, int, str | None]]:
    """A link's brackets and tail: kept for a live host, else shown as typed. So is a tail over lines."""
    start, close, end = bracket.start, bracket.close, bracket.end
    in_line = bracket.link if "\n" not in content[close:end] else None
    live = live_url(in_line.target, live_hosts) if in_line else None
    if live and "[" not in content[start + 1 : close - 1]:
        yield start, start + 1, "["
        yield close - 1, close, "]"
        yield close, end, f"({live})"
    else:
        yield start, start + 1, escape("[")
        yield close - 1, close, escape("]")
        # The tail is an edit of its own: it is text even if the brackets are a marker.
        yield close, end, escape(content[close:end])


def _per_line(inline: Inline, start: int, end: int, new: str) -> Iterator[Edit]:
    """An edit for each source line of a piece, so that the containers' prefixes stay."""
    old = inline.content[start:end]
    if new == old:
        return
    # No edit adds or removes a line end.
    for line, written in zip(old.split("\n"), new.split("\n"), strict=True):
        if line != written:
            yield Edit(inline.place(start), inline.place_end(start + len(line)), written)
        start += len(line) + 1
