"""The text of a message as an answer: each badge becomes a numbered marker, and nothing else is one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from ..markdown import Bracket, Inline, Layout, escape_text, read_layout
from ..markdown.edit import Edit, apply
from ..markers.finder import find_markers
from ..model.dialect import Dialect
from .source import label_key

_SEPARATOR: Final = "\u200b"
_OPENING: Final = re.compile(r"[\[【［]")
_PLAIN_BADGE: Final = re.compile(r"\[([0-9]{1,9})\]")
_LINE_END: Final = re.compile(r"(?<=\S)\n(?=[^\n])")


def mark_badges(text: str, ids: Mapping[str, str], defined: Collection[str]) -> str:
    """Markdown without its link definitions, and with ``[id]`` for each badge.

    ``ids`` has the id of each source by its label. The labels that are ``defined`` also make links of
    words, such as ``[the page][1]``. These words keep a badge behind them. Text that only looks like a
    marker is escaped.
    """
    layout = read_layout(text)
    written = _write(text, [*_definitions(layout), *_badges(layout, ids, defined)])
    return _escape_others(written, frozenset(ids.values()))


def mark_plain(text: str, ids: Mapping[str, str]) -> str:
    """Plain text as Markdown that shows it, with ``[id]`` for each badge."""
    parts: list[str] = []
    behind = 0
    for badge in _PLAIN_BADGE.finditer(text):
        if badge[1] in ids:
            parts += escape_text(text[behind : badge.start()]), f"[{ids[badge[1]]}]"
            behind = badge.end()
    # "A line ending … preceded by two or more spaces … is parsed as a hard line break" (CommonMark § 6.7).
    return _LINE_END.sub("  \n", "".join((*parts, escape_text(text[behind:]))))


class _Badge(Edit):
    """A badge in place of ``text[start:end]``."""


class _MarkedText(NamedTuple):
    """A text, and the places of its badges."""

    text: str
    badges: frozenset[tuple[int, int]]


def _definitions(layout: Layout) -> Iterator[Edit]:
    for raw in layout.raws:
        # Any other raw block is HTML.
        if layout.text.startswith("[", raw.lines[0][0]):
            for start, end in raw.lines:
                before = layout.text[layout.text.rfind("\n", 0, start) + 1 : start]
                alone = not before.strip(" ")
                yield Edit(start - len(before), end + 1, "") if alone else Edit(start, end, "")


def _badges(layout: Layout, ids: Mapping[str, str], defined: Collection[str]) -> Iterator[Edit]:
    for inline in layout.inlines:
        images = [span for span in inline.spans if span.kind == "image"]
        starts = {one.start: one for one in inline.brackets if inline.content[one.start] == "["}
        taken: set[int] = set()
        for bracket in sorted(starts.values()):
            image = bisect_right(images, bracket.start, key=lambda span: span.start) - 1
            inside_image = image >= 0 and bracket.start < images[image].end
            if bracket.link or inside_image or bracket.start in taken:
                continue
            label = _label(inline, bracket)
            following = starts.get(bracket.close)
            target = _label(inline, following) if following else ""
            if following and label not in ids and target in defined and not following.link:
                # A "full reference link" (CommonMark § 6.3): its words stay.
                yield _edit(inline, bracket.start, bracket.start + 1, "")
                yield _edit(inline, bracket.close - 1, following.close, ids[target])
                taken.add(following.start)
            elif label in ids:
                # `[1][]` and `[1][1]` are one link.
                empty = following is not None and following.close - following.start == 2
                if following and not following.link and label in defined and (empty or target == label):
                    taken.add(following.start)
                    yield _edit(inline, bracket.start, following.close, ids[label])
                else:
                    yield _edit(inline, bracket.start, bracket.close, ids[label])


def _label(inline: Inline, bracket: Bracket) -> str:
    return label_key(inline.content[bracket.start + 1 : bracket.close - 1])


def _edit(inline: Inline, start: int, end: int, identifier: str) -> Edit:
    place = inline.place(start), inline.place_end(end)
    return _Badge(*place, f"[{identifier}]") if identifier else Edit(*place, "")


def _write(text: str, edits: Iterable[Edit]) -> _MarkedText:
    """``text`` with its edits. Badges that a client needs apart touch again."""
    parts: list[str] = []
    badges: set[tuple[int, int]] = set()
    behind, length, touches = 0, 0, False
    for edit in sorted(edits):
        between = text[behind : edit.start]
        if touches and isinstance(edit, _Badge) and between == _SEPARATOR:
            between = ""
        length += len(between)
        if isinstance(edit, _Badge):
            badges.add((length, length + len(edit.new)))
        parts += between, edit.new
        length += len(edit.new)
        behind, touches = edit.end, isinstance(edit, _Badge)
    return _MarkedText("".join((*parts, text[behind:])), frozenset(badges))


def _escape_others(written: _MarkedText, ids: frozenset[str]) -> str:
    """The text, in which no marker but a badge names a source."""
    text, badges = written
    starts = {start for start, _ in badges}
    edits: dict[int, Edit] = {}
    for marker in find_markers(read_layout(text), Dialect.NUMBERED):
        end = marker.keys[0].end
        named = any(spelling in ids for key in marker.keys for spelling in key.spellings)
        if not named or (marker.start, end) in badges:
            continue
        for opening in _OPENING.finditer(text, marker.start, end):
            place = opening.start()
            if place not in starts:
                # In a formula an entity would be shown as it is typed.
                shown = f"{opening[0]}{{}}" if marker.rest else f"&#{ord(opening[0])};"
                edits[place] = Edit(place, place + 1, shown)
    return apply(text, sorted(edits.values()))
