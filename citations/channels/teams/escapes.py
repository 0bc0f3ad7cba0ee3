"""Escapes for Teams: the edits of text that Teams would load, follow or take for a badge."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Final

from ...markdown import DELIMITER, Inline
from ...markdown.edit import Edit
from ...model.citation import Use

INVISIBLE: Final = "\u200b"
_ALIVE: Final = (
    # A tag, a comment, an autolink; a link's target; a definition; a bare address. remark-gfm decodes
    # entities before it looks for addresses, so addresses get a separator and not an entity.
    r"<(?=[A-Za-z/!?])|\](?=[(:])|:(?=/)|(?i:www)(?=\.)|@|⟬"
)
# An encoded sign of an address, which remark-gfm decodes first.
_SIGN: Final = r"(?:\#0*(?:46|47|58|64|87|119)|\#[xX]0*(?:2[eEfF]|3[aA]|40|[57]7)|period|sol|colon|commat);"
_IN_TEXT: Final = (
    rf"`|\{{|{DELIMITER.pattern}|{_ALIVE}|&{_SIGN}"
    # Teams turns every visible number in brackets into a badge, even an escaped one.
    r"|(?:\[|&(?:\#91|\#[xX]0*5[bB]|lsqb|lbrack);)(?=[0-9])"
)
_RISKY: Final = re.compile(
    # An escaped backslash hides nothing. An escaped backtick may end another engine's code.
    rf"\\[\\`<./:@]|{_IN_TEXT}"
)
_RAW: Final = re.compile(rf"\\|{_IN_TEXT}")
_IN_CODE: Final = re.compile(rf"\{{(?=[\sAa]|\Z)|{_ALIVE}|&(?={_SIGN})")
_ENTITIES: Final = {
    "<": "&lt;",
    "`": "&#96;",
    "\\<": "&lt;",
    "\\`": "&#96;",
    "{": "&#123;",
    "⟬": "&#10220;",
    "\\\\": "\\\\",
    "\\": "&#92;",
}
_MARKERS: Final = re.compile(r"(?:[ \t>]|(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t]))*+")
"""The markers of containers at the beginning of a line."""
_MARKER_ALONE: Final = re.compile(r"[ \t>]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]*")
"""A line of a paragraph that has a list's marker and nothing else."""
_PIPE: Final = re.compile(r"\|")
_BEGINS: Final = re.compile(r"[ \t]*(?=[-#>+*=~|_:0-9])")


def sanitize_words(text: str) -> str:
    """Plain ``text``, sanitized for Teams."""
    return _RISKY.sub(_write, text)


def text_edits(inline: Inline, uses: Sequence[Use]) -> Iterator[Edit]:
    """The edits outside code and citations."""
    kept = [
        (inline.place(start), inline.place_end(end)) for kind, start, end in inline.spans if kind == "code"
    ]
    for match in _RISKY.finditer(inline.content):
        start, end = inline.place(match.start()), inline.place_end(match.end())
        code = bisect_right(kept, start, key=lambda span: span[0]) - 1
        use = bisect_right(uses, start, key=lambda use: use.start) - 1
        if code >= 0 and start < kept[code][1]:
            continue
        if use < 0 or start >= uses[use].end:
            yield Edit(start, end, _write(match))


def line_edits(inline: Inline, text: str, start: int, uses: Sequence[Use]) -> Iterator[Edit]:
    """The edits of a paragraph's line that is indented like code: it is joined to the line above.

    markdown-it takes such a line behind a quote for code. ``text`` stands at offset ``start`` of the
    answer.
    """
    for row in inline.rows[1:]:
        if row.indented:
            line_end = inline.place(row.start - 1)
            indent = text[line_end - start : row.source - start]
            cited = any(use.start < row.source < use.end for use in uses)
            if not cited and ("\t" in indent or indent.endswith("    ")):
                above = text[: line_end - start].rpartition("\n")[2]
                # Behind a marker alone, the joined line would be the text of a list item.
                yield Edit(line_end, row.source, f"\n{INVISIBLE}" if _MARKER_ALONE.fullmatch(above) else " ")


def marker_edits(inline: Inline, text: str, start: int) -> Iterator[Edit]:
    """Tabs behind a quote's marker, in front of a block's text, become spaces.

    "Tabs are not expanded to spaces", but behave so: markdown-it counts them otherwise there, and takes
    text for code. ``text`` stands at ``start`` in the answer.
    """
    end = inline.rows[0].source - start
    line = text.rfind("\n", 0, end) + 1
    markers = text[line:end]
    if "\t" in markers and ">" in markers and _MARKERS.fullmatch(markers):
        yield Edit(start + line, start + end, markers.expandtabs(4))


def raw_edits(text: str, start: int, *, begins: bool) -> Iterator[Edit]:
    """The edits of HTML or a definition at offset ``start``; ``begins`` says that a line begins there.

    The text will be read as a paragraph. It must not begin a block, or end code below it.
    """
    if begins and (guarded := _BEGINS.match(text)):
        yield Edit(start + guarded.end(), start + guarded.end(), INVISIBLE)
    for match in _RAW.finditer(text):
        yield Edit(start + match.start(), start + match.end(), _write(match))


def code_edits(text: str, start: int) -> list[Edit]:
    """The edits that sanitize code wherever it is read as text. Entities would be visible in code."""
    return [
        # Web Chat looks for more than one name behind this sign.
        Edit(start + match.start(), start + match.end(), "❲" if match[0] == "⟬" else f"{match[0]}{INVISIBLE}")
        for match in _IN_CODE.finditer(text)
    ]


def info_edits(text: str, start: int) -> list[Edit]:
    """The edits of a fence's info string, which is never shown.

    A pipe in it may begin a table's header: markdown-it looks for a table before a fence.
    """
    places = (start + match.start() for match in _PIPE.finditer(text))
    return [Edit(place, place + 1, "&#124;") for place in places]


def _write(match: re.Match[str]) -> str:
    written = _ENTITIES.get(match[0])
    if written:
        return written
    # To remark-gfm and linkify-it the separator may be a part of a host, but not of a name.
    return f"{INVISIBLE}{match[0]}" if unescape(match[0])[-1] in ".:/@|-" else f"{match[0]}{INVISIBLE}"
