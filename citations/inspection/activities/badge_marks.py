"""The text of a message as an answer: each badge becomes a numbered marker, and nothing else is one."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from ...markdown import (
    Badge,
    Inline,
    Leaf,
    MarkdownWriter,
    Marker,
    MarkerKind,
    MarkerReader,
    Name,
    Node,
    Text,
    Typed,
    TypedLines,
    Where,
    escape_text,
    read_document,
    read_inline,
)
from ...markdown.escapes import ANYWHERE, INVISIBLE
from ...markdown.inline_writer import Piece
from ..outcome import label_key

_TEAMS: Final = re.compile(r"</?at(?:\s[^<>]*)?>|<quoted\s[^<>]*>")
"""The tags of a mention, and of a message that Teams shows above. No reader sees them."""
_WIDE: Final = ("【", "［")
_PLAIN_BADGE: Final = re.compile(r"\[([0-9]{1,9})\]")
_LINE_END: Final = re.compile(r"(?<=\S)\n(?=[^\n])")


def mark_badges(text: str, ids: Mapping[str, str], defined: Collection[str]) -> str:
    """Markdown without its link definitions, and with ``[id]`` for each badge.

    ``ids`` has the id of each source by its label. The labels that are ``defined`` also make links of
    words, such as ``[the page][1]``. These words keep a badge behind them. Text that only looks like a
    marker is escaped.
    """
    document = read_document(text, BadgeReader(ids, defined).read_leaf)
    return _AnswerWriter(lambda url: url).document(document)


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


class BadgeReader(MarkerReader):
    """Reads the badges of a message. A link is none, and brackets around badges are text.

    ``ids`` has the number of each source by its label. The labels that are ``defined`` also make
    links of words.
    """

    def __init__(self, ids: Mapping[str, str], defined: Collection[str] = ()) -> None:
        self._ids = ids
        self._defined = defined

    def number(self, inside: str, start: int, end: int, *, where: Where = Where.TEXT) -> Marker | None:
        """The badge ``[inside]``."""
        identifier = self._ids.get(label_key(inside)) if where is Where.TEXT else None
        names = (Name((identifier,), identifier),) if identifier else ()
        return Marker(MarkerKind.NUMBER, names, start, end) if names else None

    def reference(self, inside: str, label: str, start: int, end: int) -> Marker | None:
        """The badge ``[1][]`` or ``[1][1]``, and the one behind the words of ``[words][1]``."""
        key = label_key(label) or label_key(inside)
        if key not in self._defined or (label_key(inside) in self._ids and key != label_key(inside)):
            return None
        return self.number(key, start, end)

    def read_leaf(self, leaf: Leaf, start: int) -> Inline:
        """The inline text of a leaf with its badges, without what a rendering puts between two of them."""
        nodes: list[Node] = []
        content = leaf.content[start:]
        for node in read_inline(content, self):
            if isinstance(node, Marker) and content[node.start : node.start + 1] in _WIDE:
                # No client shows wide brackets as a badge.
                nodes.append(Text(content[node.start : node.end], node.start, node.end))
            elif isinstance(node, Marker):
                if len(nodes) > 1 and isinstance(nodes[-2], Badge) and _is_joint(nodes[-1]):
                    nodes.pop()
                nodes.append(Badge((int(node.names[0].shown),), "", node.start, node.end))
            else:
                nodes.append(node)
        return tuple(nodes)


def _is_joint(node: Node) -> bool:
    return isinstance(node, Text) and node.text == INVISIBLE


class _AnswerWriter(MarkdownWriter):
    """Writes the Markdown of an answer: with its links, images and HTML, which a rendering makes harmless."""

    escapes = ANYWHERE
    links_numbers = True
    between = ""
    brackets = ""

    def piece(self, node: Node, *, line: bool) -> Piece:
        """Images and tags stay, but for those of Teams."""
        if isinstance(node, Typed):
            return Piece(Typed, _TEAMS.sub("", node.typed))
        return super().piece(node, line=line)

    def typed_lines(self, block: TypedLines) -> list[str]:
        """HTML stays, and definitions go."""
        lines = (_TEAMS.sub("", line) for line in block.lines)
        return [] if block.definition else [line for line in lines if line.strip()]
