"""The activity's text as Web Chat's Markdown engines read it: its definitions and its badges."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from ...markdown import (
    Break,
    Code,
    Mark,
    MarkKind,
    Text,
    Typed,
    clean_text,
    read_inline,
)
from ..outcome import (
    Definition,
    LeafBlock,
    MarkdownReading,
    label_key,
    read_markdown,
)

_DESTINATION: Final = re.compile(
    r"[ \t>*+\-]*\[(?:[^\[\]\\]|\\.)+\]:[ \t]*(?:<(?P<angled>[^<>]*)>|(?P<bare>\S+))"
)
_LINE_END: Final = re.compile(r"\n")
_CODE: Final = ("fence", "code")
_CANDIDATE: Final = re.compile(r" {0,3}\[(?P<label>[^\[\]\\]{1,999})\]:[ \t]*\S")
_INDENTED: Final = re.compile(
    r"^(?: {4}| {0,3}\t)[ \t]*\[(?P<label>\d{1,9})\]:[ \t]*\S", re.ASCII | re.MULTILINE
)
_PART: Final = re.compile(r"[`<&\\]|\]\(")
_CLOSING_FENCE: Final = re.compile(r" {0,3}(?:`{3,}|~{3,})[ \t]*")


PartKind = Literal["code", "tag", "autolink", "image", "target", "escape"]
"""What isn't shown as it is written; an escape is a backslash with a sign, or an entity."""


class InlinePart(NamedTuple):
    """``content[start:end]`` of an inline text is of this kind. ``address`` is that of a link's target."""

    kind: PartKind
    start: int
    end: int
    address: str = ""


@dataclass(frozen=True, slots=True)
class ReadLeaf:
    """The inline text of a block, or of a table's cell, that begins on ``line``, which counts from 0."""

    content: str
    line: int
    in_table: bool
    parts: tuple[InlinePart, ...]

    def without(self, *kinds: PartKind) -> str:
        """The content with U+0000 for each character of these kinds, so that offsets stay."""
        pieces: list[str] = []
        behind = 0
        for part in self.parts:
            if part.kind in kinds:
                pieces += self.content[behind : part.start], "\0" * (part.end - part.start)
                behind = part.end
        return "".join((*pieces, self.content[behind:]))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadText:
    """A text and its reading.

    ``resolved`` are the definitions that links use, by identifier: the first of each. ``listed`` are
    those that Web Chat lists below the message: the first of each at the top level. ``marked`` says
    whether the text began with a byte order mark, which is not in ``text``.
    """

    text: str
    lines: tuple[str, ...]
    leaves: tuple[ReadLeaf, ...]
    outcome: MarkdownReading
    resolved: Mapping[str, Definition]
    listed: Mapping[str, Definition]
    marked: bool

    def raw_destination(self, definition: Definition) -> str | None:
        """The destination of a definition as it was written, if it stands on the label's line."""
        match = _DESTINATION.match(self.lines[definition.line]) if definition.line < len(self.lines) else None
        return (match["angled"] or match["bare"]) if match else None

    def badges(self) -> frozenset[tuple[str, str]]:
        """The identifier and URL of every link whose text is a label."""
        return frozenset((label_key(link.text), link.url) for link in self.outcome.links)


def read_text(text: str) -> ReadText:
    """Read a text with CommonMark's rules and GFM's tables, as both engines of Web Chat do."""
    cleaned = clean_text(text, turned=True)
    outcome = read_markdown(cleaned)
    resolved: dict[str, Definition] = {}
    listed: dict[str, Definition] = {}
    for definition in outcome.definitions:
        resolved.setdefault(label_key(definition.label), definition)
        if not definition.nested:
            listed.setdefault(label_key(definition.label), definition)
    return ReadText(
        text=cleaned,
        lines=tuple(cleaned.split("\n")),
        leaves=tuple(_read_leaf(block) for block in outcome.blocks if block.kind not in _CODE),
        outcome=outcome,
        resolved=resolved,
        listed=listed,
        marked=text.startswith("\ufeff"),
    )


def _read_leaf(block: LeafBlock) -> ReadLeaf:
    in_table = block.kind in ("header", "cell")
    return ReadLeaf(block.content, block.first, in_table, tuple(_parts(block.content)))


def _parts(content: str) -> Iterator[InlinePart]:
    """The parts of an inline text that aren't shown as they are written."""
    for node in read_inline(content) if _PART.search(content) else ():
        match node:
            case Code(_, start, end):
                yield InlinePart("code", start, end)
            case Typed(typed, words, start, end):
                tag: PartKind = "tag" if typed == words else "autolink"
                yield InlinePart("image" if typed.startswith("!") else tag, start, end)
            case Mark(MarkKind.LINK, False, start, end, address):
                yield InlinePart("target", start + 1, end, address)
            case Text(text, start, end) if end - start > len(text) and content[start] in "\\&<":
                yield InlinePart("tag" if content[start] == "<" else "escape", start, end)
            case Break(_, start, end) if "<" in content[start:end]:
                yield InlinePart("tag", start, end)


def lines_like_definitions(read: ReadText) -> Iterator[tuple[int, str]]:
    """The numbers, from 0, and labels of unindented lines that look like a definition."""
    for number, line in enumerate(read.lines):
        if match := _CANDIDATE.match(line):
            yield number, match["label"]


def indented_definitions(read: ReadText) -> Iterator[tuple[int, str]]:
    """The numbers, from 0, and labels of lines that only their indent keeps from being a definition."""
    blocks = read.outcome.blocks if _INDENTED.search(read.text) else ()
    for block in blocks:
        # What is indented in a list or a quote is probably meant as code.
        if block.kind == "text" or (block.kind == "code" and not block.nested):
            for number in range(block.first, block.end):
                match = _INDENTED.match(read.lines[number])
                if match and match["label"] not in read.resolved:
                    yield number, match["label"]


def lines_of_text(read: ReadText) -> frozenset[int]:
    """The numbers, from 0, of lines that begin as inline text and not as code, HTML or a table's row."""
    return frozenset(number for leaf in read.leaves if not leaf.in_table for number in _lines_of_words(leaf))


def _lines_of_words(leaf: ReadLeaf) -> Iterator[int]:
    yield leaf.line
    shown = leaf.without("code", "tag")
    for number, end in enumerate(_LINE_END.finditer(leaf.content), leaf.line + 1):
        if shown[end.start()] == "\n":
            yield number


def last_closing_fence(read: ReadText) -> int:
    """The number of the last line that closes a code fence, or -1."""
    closing = (number for number, line in enumerate(read.lines) if _CLOSING_FENCE.fullmatch(line))
    return max(closing, default=-1)
