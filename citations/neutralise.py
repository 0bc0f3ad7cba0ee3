"""Make hostile Markdown inert: what isn't ours is shown as it was written, and does nothing.

Images, HTML, links, autolinks and link definitions become readable text by HTML entities, because
backslashes don't work everywhere: Web Chat's newer builds read ``\\[…\\]`` as mathematics. All else
stays byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from .markdown import Bracket, Inline, Kind, Layout, Raw, read_layout, read_outcome
from .resolve import clean_text
from .url import host_of, safe_url

_PUNCTUATION: Final = {ord(character): f"&#{ord(character)};" for character in "!\"#$&()*+-.:<=>@[\\]^_`{|}~"}
_RISKY: Final = re.compile(
    # A bracket, unless it is a group without digits that nothing follows: `[ ]`, `[sic]`. With only
    # our numbers defined, such a group is no link in any reading.
    r"\[(?![^\[\]\\0-9`<>&!(){}\n@:]{0,64}\](?![\[(:]))"
    # A "<" that may open a tag, a comment or an autolink.
    r"|<(?=[A-Za-z/!?])"
    # What Web Chat's two Markdown engines turn into links by themselves: `://`, `//localhost`,
    # an e-mail address, a word with a dot.
    r"|://|//(?=\w)|@|\.(?<=\w\.)(?=[^\W\d_])"
)


@dataclass(frozen=True, slots=True)
class Edit:
    """``text[start:end]`` is written as ``new``."""

    start: int
    end: int
    new: str


def neutralise(markdown: str, *, live_hosts: frozenset[str] = frozenset()) -> str:
    """``markdown`` without anything that a reader's client would load, follow or take for ours.

    ``live_hosts`` (``example.com``, ``localhost:3978``) may keep their inline links. The result is
    read again by an independent parser; if that finds anything, every character is escaped.
    """
    text = clean_text(markdown)
    layout = read_layout(text)
    written = apply(text, inert_edits(layout, (), live_hosts)) + closing_fence(layout)
    if layout.complete and all(is_inert(written, live_hosts, tables) for tables in table_readings(layout)):
        return written
    return escape_lines(text)


def table_readings(layout: Layout) -> tuple[bool, ...]:
    """How a text has to be read to be checked: a reader may know GFM's tables or not."""
    return (True, False) if layout.tables else (True,)


def is_inert(text: str, live_hosts: frozenset[str], tables: bool) -> bool:
    """Whether a CommonMark reader finds no image, HTML, definition or foreign link in ``text``."""
    outcome = read_outcome(text, tables=tables)
    return (
        outcome.complete
        and not outcome.images
        and not outcome.html
        and not outcome.definitions
        and all(live_url(link.url, live_hosts) == link.url for link in outcome.links)
    )


def live_url(url: str, live_hosts: frozenset[str]) -> str | None:
    """``url`` as it may stay a link, or None: its host must be on the list."""
    if not live_hosts:
        return None
    safe = safe_url(url)
    return safe if safe and host_of(safe) in live_hosts else None


def closing_fence(layout: Layout) -> str:
    """What closes the fence that a text leaves open, so that nothing of ours is read as its code."""
    if not layout.unclosed:
        return ""
    return layout.unclosed if layout.text.endswith("\n") else f"\n{layout.unclosed}"


def apply(text: str, edits: Iterable[Edit]) -> str:
    """``text`` with its edits made; they are in order and don't overlap."""
    parts: list[str] = []
    behind = 0
    for edit in edits:
        parts.append(text[behind : edit.start])
        parts.append(edit.new)
        behind = edit.end
    parts.append(text[behind:])
    return "".join(parts)


def escape(text: str) -> str:
    """``text`` as characters only: no reading of it finds structure. Its line ends are kept."""
    return text.translate(_PUNCTUATION).replace("//", "/&#47;")


def escape_lines(text: str) -> str:
    """A whole text as characters only: the last resort, when its structure can't be trusted."""
    return "\n".join(escape(line.strip(" \t")) for line in text.split("\n"))


def inert_edits(
    layout: Layout, taken: Sequence[tuple[int, int]], live_hosts: frozenset[str] = frozenset()
) -> Iterator[Edit]:
    """The edits that make a text inert, in order.

    ``taken`` are the source ranges that are written anew anyhow (the markers), in order: inside
    them nothing is edited.
    """
    edits = list(_raw_edits(layout.text, layout.raws))
    cursor = 0
    for inline in layout.inlines:
        first, last = inline.rows[0].source, inline.place_end(len(inline.content))
        while cursor < len(taken) and taken[cursor][1] <= first:
            cursor += 1
        inside = cursor
        while inside < len(taken) and taken[inside][0] < last:
            inside += 1
        if inline.spans or inline.brackets or _RISKY.search(inline.content):
            edits.extend(_inline_edits(inline, taken[cursor:inside], live_hosts))
    edits.sort(key=lambda edit: (edit.start, edit.end))
    return iter(edits)


def _raw_edits(text: str, raws: Sequence[Raw]) -> Iterator[Edit]:
    """HTML blocks and definitions, shown as the lines that were typed."""
    joins = {raw.lines[0][0] for raw in raws} & {raw.lines[-1][1] + 1 for raw in raws}
    for raw in raws:
        first, last = raw.lines[0][0], raw.lines[-1][1]
        for start, end in raw.lines:
            new = escape(text[start:end].strip(" \t"))
            # What stands beside it at the top level was another block, and stays one.
            if raw.alone and start == first and first not in joins and text[max(0, start - 2) : start] not in ("", "\n\n"):
                new = "\n" + new
            if raw.alone and end == last and last + 1 not in joins and text[end : end + 2] not in ("", "\n", "\n\n"):
                new += "\n"
            yield Edit(start, end, new)


def _inline_edits(
    inline: Inline, taken: Sequence[tuple[int, int]], live_hosts: frozenset[str]
) -> Iterator[Edit]:
    covered = _Covered(taken)
    for start, end, new in _pieces(inline, live_hosts):
        source = inline.place(start)
        if not covered.has(source):
            yield from _per_line(inline, start, end, new)


class _Covered:
    """Source ranges in order, asked with rising offsets."""

    def __init__(self, ranges: Sequence[tuple[int, int]]) -> None:
        self._ranges = ranges
        self._next = 0

    def has(self, offset: int) -> bool:
        """Whether ``offset`` is inside a range."""
        while self._next < len(self._ranges) and self._ranges[self._next][1] <= offset:
            self._next += 1
        return self._next < len(self._ranges) and self._ranges[self._next][0] <= offset


def _pieces(
    inline: Inline, live_hosts: frozenset[str]
) -> Iterator[tuple[int, int, str | None]]:
    """What to write anew in an inline text, in order: ``(start, end, new)``, None to escape it."""
    content = inline.content
    behind = 0
    for start, end, new in _constructs(inline, live_hosts):
        if start < behind:
            continue
        yield from _text_pieces(content, behind, start)
        if new != content[start:end]:
            yield start, end, new
        behind = end
    yield from _text_pieces(content, behind, len(content))


def _constructs(inline: Inline, live_hosts: frozenset[str]) -> list[tuple[int, int, str | None]]:
    """What isn't plain text, as pieces; one that stays is written as it is."""
    found: list[tuple[int, int, str | None]] = []
    for span in inline.spans:
        kept = span.kind in (Kind.CODE, Kind.LITERAL)
        found.append((span.start, span.end, inline.content[span.start : span.end] if kept else None))
    for bracket in inline.brackets:
        if bracket.link:
            found.extend(_link(inline, bracket, live_hosts))
    found.sort(key=lambda piece: (piece[0], -piece[1]))
    return found


def _link(
    inline: Inline, bracket: Bracket, live_hosts: frozenset[str]
) -> Iterator[tuple[int, int, str | None]]:
    """A link's brackets and tail: kept for a live host, and shown as typed for any other."""
    assert bracket.link
    live = live_url(bracket.link.target, live_hosts)
    plain = "[" not in inline.content[bracket.start + 1 : bracket.close - 1]
    yield bracket.start, bracket.start + 1, "[" if live and plain else None
    yield bracket.close - 1, bracket.close, "]" if live and plain else None
    # A piece of its own: where the brackets are a marker, the tail is still text.
    yield bracket.close, bracket.end, f"({live})" if live and plain else None


def _text_pieces(content: str, start: int, end: int) -> Iterator[tuple[int, int, str | None]]:
    for match in _RISKY.finditer(content, start, end):
        yield match.start(), match.end(), None


def _per_line(inline: Inline, start: int, end: int, new: str | None) -> Iterator[Edit]:
    """An edit for each source line that a piece stands on: the container's prefix stays."""
    if new is not None:
        yield Edit(inline.place(start), inline.place_end(end), new)
        return
    for line in inline.content[start:end].split("\n"):
        if line:
            yield Edit(inline.place(start), inline.place_end(start + len(line)), escape(line))
        start += len(line) + 1
