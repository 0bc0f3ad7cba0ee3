"""Reads an inline text once (CommonMark § 6).

One expression finds the signs, a stack pairs brackets, and another one pairs emphasis. An error in here costs
formatting, and no safety: what is shown is written anew (:mod:`.inline_writer`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple, cast

from . import bracket_signs, inline_signs
from .bracket_signs import MAX_LABEL, MAX_TARGET
from .delimiters import Delimiters
from .inline_reading import InlineReading, ReadSign
from .inline_signs import LINE_BREAK, MAX_CODE
from .tokens import find_part, find_token, has_tokens
from .tree import NO_MARKERS, Break, Marker, MarkerKind, MarkerReader, Node, Text, Typed

_SIGN: Final = re.compile(
    r"[\\\[\]【［<&\ue200-\ue206\n`*_!$~]"
    r"(?:(?<=[\\\[\]【［<&\ue200-\ue206\n])|(?<=`)`*|(?<=\*)\**|(?<=_)_*|(?<=!)\[|(?<=\$)\$+|(?<=~)~+)"
)
"""It begins with one class, by which ``re`` skips other text."""
_RULES: Final[dict[str, ReadSign]] = {
    "\n": inline_signs.read_line_end,
    "\\": inline_signs.read_backslash,
    "$": inline_signs.read_dollars,
    "`": inline_signs.read_code,
    "<": inline_signs.read_angle,
    "&": inline_signs.read_entity,
    "【": bracket_signs.read_wide,
    "［": bracket_signs.read_wide,
    "[": bracket_signs.open_bracket,
    "!": bracket_signs.open_bracket,
    "]": bracket_signs.close_bracket,
    **dict.fromkeys(map(chr, range(0xE200, 0xE207)), inline_signs.read_private),
}
"""The rule for each first character of a sign; runs of ``*``, ``_`` and ``~`` have the one that is left."""
MAX_HELD: Final = MAX_CODE + MAX_LABEL + MAX_TARGET
"""The most characters that :func:`read_settled` holds back."""


def read_inline(source: str, markers: MarkerReader = NO_MARKERS) -> list[Node]:
    """The nodes of ``source``, the inline text of one block."""
    sign = _SIGN.search(source)
    token = find_token(source, 0) if has_tokens(source) else None
    if not sign and not token:
        return [Text(source, 0, len(source))] if source else []
    return _read(InlineReading(source, markers, read_inline), sign, token)


def _read(reading: InlineReading, sign: re.Match[str] | None, token: re.Match[str] | None) -> list[Node]:
    """The nodes of the whole source, from its first sign and its first token on."""
    source, place, nodes_so_far = reading.source, 0, reading.nodes
    search, rules, run, read_token = _SIGN.search, _RULES, inline_signs.read_run, inline_signs.read_token
    while found := sign or token:
        if token and token.start() <= found.start():
            found = token
        start, end = found.span()
        if start > place:
            nodes_so_far.append(Text(source[place:start], place, start))
        place = (read_token if found is token else rules.get(source[start], run))(reading, start, end)
        if sign and sign.start() < place:
            sign = search(source, place)
        if token and token.start() < place:
            token = find_token(source, place)
    reading.add_text(source[place:], place, len(source))
    if nodes_so_far and isinstance(nodes_so_far[-1], Break):
        nodes_so_far.pop()
    recent = len(source) - MAX_LABEL
    reading.held.extend(bracket.start for bracket in reading.brackets if bracket.start >= recent)
    if not reading.has_runs:
        return cast("list[Node]", reading.nodes)
    reading.pair_runs()
    nodes: list[Node] = []
    for node in reading.nodes:
        if isinstance(node, Delimiters):
            nodes.extend(node.nodes())
        else:
            nodes.append(node)
    return nodes


class Settled(NamedTuple):
    """What an inline text shows while it may grow: ``nodes``, as those of the text ``shown``.

    It shows its characters up to ``end``. Whatever follows, it reads as it does now up to ``firm``.
    ``signs`` counts the nodes that were read, of which some may be held back.
    """

    nodes: Sequence[Node]
    shown: str
    end: int
    firm: int
    signs: int = 0


def read_settled(source: str, markers: MarkerReader = NO_MARKERS, *, strong: bool = False) -> Settled:
    """The beginning of ``source`` that more text doesn't change.

    With ``strong`` all of an emphasis counts that is still open, and strong text is closed at the end.
    """
    sign = _SIGN.search(source)
    token = find_token(source, 0) if has_tokens(source) else None
    if not sign and not token:
        shown = _without_loose_end(source[: find_part(source)])
        return Settled((Text(shown, 0, len(shown)),) if shown else (), shown, len(shown), len(shown))
    if _MAY_DEFINE.match(source):
        return Settled((), "", 0, 0)
    reading = InlineReading(source, markers, read_inline)
    nodes = _read(reading, sign, token)
    whole = [*reading.pairs, *(_range(node) for node in nodes if isinstance(node, Marker | Typed))]
    held = min((*reading.held, find_part(source)))
    # What is held back may belong to a line break or to a tag that shows nothing.
    held = min((node.start for node in nodes if node.end == held and _shows_nothing(node)), default=held)
    firm = _outside(whole, min((held, *(run.start for run in reading.waiting))))
    cut = _outside(whole, held) if strong else firm
    tail = len(_without_loose_end(source[:cut]))
    ends = (node.end for node in nodes if not isinstance(node, Text | Break) and tail < node.end <= cut)
    end = max(ends, default=tail)
    opened = [run for run in reading.waiting if strong and run.length > 1 and run.end < end]
    # Of many that are open, most stay text.
    shown = source[:end] + ("".join(run.char * 2 for run in reversed(opened)) if len(opened) <= 8 else "")
    settled = _up_to(nodes, end) if len(shown) == end else read_inline(shown, markers)
    return Settled(settled, shown, end, min(firm, end), len(nodes))


def _shows_nothing(node: Node) -> bool:
    return isinstance(node, Break) or (isinstance(node, Text) and not node.text)


def _without_loose_end(text: str) -> str:
    """``text`` without an end that reads otherwise with more text behind it."""
    shown = text.rstrip(_LOOSE)
    if shown.endswith((".", ")")) and (number := _NUMBER.search(shown, max(0, len(shown) - _LONGEST_NUMBER))):
        before = shown[: number.start()].rstrip(" \t")
        if not before or _LINE_END.search(before, max(0, len(before) - _LONGEST_LINE_END)):
            return before.rstrip(_LOOSE)
    return shown


def _range(node: Marker | Typed) -> tuple[int, int]:
    """The range of a marker or an image. What is at the end of a named link is in it."""
    return node.start, node.end - (isinstance(node, Typed) or node.kind is MarkerKind.NUMBER)


def _up_to(nodes: Sequence[Node], end: int) -> list[Node]:
    """The nodes in front of an offset, of which a text may be divided."""
    kept = [node for node in nodes if node.end <= end]
    if len(kept) < len(nodes) and isinstance(last := nodes[len(kept)], Text) and last.start < end:
        kept.append(Text(last.text[: end - last.start], last.start, end))
    return kept


def _outside(whole: Sequence[tuple[int, int]], cut: int) -> int:
    """``cut``, or the beginning of what it would cut in two."""
    before = -1
    while cut != before:
        before = cut
        cut = min((start for start, end in whole if start < cut <= end), default=cut)
    return cut


_MAY_DEFINE: Final = re.compile(r"(?s)\[(?:[^][\\]|\\.)*+(?:\]:(?!\s*+(?!<)\S++[ \t]++[^\s\"'(])|[]\\]?\Z)")
"""The beginning of a link definition: behind its address, nothing but a title follows (CommonMark § 4.7)."""
_LOOSE: Final = "".join(filter(str.isspace, map(chr, range(0x3001)))) + "!$_&<:/\\~"
"""What may begin a construct, or be white space that doesn't count."""
_NUMBER: Final = re.compile(r"[0-9]{1,9}\\?[.)]\Z")
"""What would be an item alone on its line, and isn't one with a word directly behind it."""
_LONGEST_NUMBER: Final = 11
_LINE_END: Final = re.compile(rf"(?:\n|{LINE_BREAK})\Z", re.IGNORECASE)
_LONGEST_LINE_END: Final = 6
