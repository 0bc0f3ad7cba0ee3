"""The tree of a text: blocks, and the nodes of their inline text.

Offsets of nodes count code points of the inline text that a block contains, without the markup of its
containers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

_ADDRESS: Final = re.compile(r"(?<!\w)\w+://\S+")


class Text(NamedTuple):
    """Words. Escapes and entities are decoded."""

    text: str
    start: int
    end: int


class Code(NamedTuple):
    """A code span (CommonMark § 6.1)."""

    text: str
    start: int
    end: int


class Formula(NamedTuple):
    r"""Mathematics between ``$$``, ``\(`` and ``\)``, or ``\[`` and ``\]``."""

    closing: str
    text: str
    start: int
    end: int


class Typed(NamedTuple):
    """An image, an autolink or a tag: ``typed`` as it was written, ``words`` as a plain text shows it."""

    typed: str
    words: str
    start: int
    end: int


class Break(NamedTuple):
    """A line end, or with ``hard`` a hard line break (CommonMark § 6.7)."""

    hard: bool
    start: int
    end: int


class MarkKind(Enum):
    """What a pair of marks encloses. The value is how CommonMark, or GFM, writes it."""

    EMPHASIS = "*"
    STRONG = "**"
    STRUCK = "~~"
    LINK = "["


class Mark(NamedTuple):
    """The beginning or the end of emphasis or of a link.

    The marks of a link have its ``target``. ``typed`` is how a link's mark was written. Both are empty around
    the words of a marker that is a link.
    """

    kind: MarkKind
    opens: bool
    start: int
    end: int
    target: str = ""
    typed: str = ""


class MarkerKind(Enum):
    """What names the references of a marker."""

    NUMBER = "number"
    NAME = "name"
    SPAN = "span"
    CLIENT = "client"
    """A token of a model's own client (:mod:`.tokens`). It shows its badges, else nothing."""


class Name(NamedTuple):
    """One reference that a marker names: ``spellings`` of its id, and the name as a reader sees it."""

    spellings: tuple[str, ...]
    shown: str


class Marker(NamedTuple):
    """What cites references that are known or expected.

    ``title`` is the text of a named link as it was written; its words stand in front of it, in marks of a
    link. ``locator`` is a place in the reference (``p. 6``).
    """

    kind: MarkerKind
    names: tuple[Name, ...]
    start: int
    end: int
    title: str = ""
    locator: str = ""


class Badge(NamedTuple):
    """What stands in place of a marker: ``positions``, and ``rest``, the part that stays readable.

    The rest may be a page (``p. 6``), a number without a reference (``[9]``), or the name of a dropped
    link.
    """

    positions: tuple[int, ...]
    rest: str
    start: int = 0
    end: int = 0


Node = Text | Code | Formula | Typed | Break | Mark | Marker | Badge
Inline = tuple[Node, ...]
"""The inline text of one block."""


class LinkTarget(NamedTuple):
    """The ``(target)`` behind a bracket, and the offset behind it."""

    address: str
    end: int


class Where(Enum):
    """Where a number stands: in square brackets, in wide ones such as ``【1】``, or in a formula."""

    TEXT = "text"
    WIDE = "wide"
    FORMULA = "formula"


class MarkerReader:
    """Says which brackets are markers, of each form none. An inline text is read with it."""

    def number(self, inside: str, start: int, end: int, *, where: Where = Where.TEXT) -> Marker | None:
        """The marker ``[inside]``; None if it cites nothing."""

    def group(self, insides: Sequence[str], start: int, end: int) -> Marker | None:
        """The marker that consists of several brackets in one more pair."""

    def name(self, inside: str, targets: Sequence[LinkTarget], start: int) -> Marker | None:
        """The marker ``[inside](target)``, for the first target that cites something."""

    def token(self, ids: Sequence[tuple[str, ...]], start: int, end: int) -> Marker | None:
        """The marker of a model's own token, which names sources by spellings of their ids."""

    def reference(self, inside: str, label: str, start: int, end: int) -> Marker | None:
        """The marker ``[inside][label]``, or ``[inside]`` where there is no label."""


NO_MARKERS: Final = MarkerReader()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph (CommonMark § 4.8)."""

    inline: Inline
    task: str = ""
    """The box of a task in a list's item: ``[ ] `` or ``[x] `` (GFM § 5.3)."""
    apart: bool = True


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1 to 6; ``underlined`` says that it was written with a line below it."""

    level: int
    inline: Inline
    underlined: bool = False


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A block of code. ``info`` is the info string of its fence, ``fence`` the length of the fence."""

    text: str
    info: str = ""
    fence: int = 3
    apart: bool = True


@dataclass(frozen=True, slots=True)
class Quote:
    """A block quote."""

    blocks: tuple[Block, ...]
    apart: bool = True


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list. ``apart`` says that a blank line stands above it."""

    blocks: tuple[Block, ...]
    apart: bool = False


@dataclass(frozen=True, slots=True)
class List:
    """A list: ``start`` is the first number of an ordered one, None of a bullet list."""

    items: tuple[Item, ...]
    start: int | None = None
    apart: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """A table (GFM § 4.10). ``alignments`` have ``---``, ``:--`` and the like, one for each column.

    A row may have fewer cells than the header. ``bare`` says that the header was written without a pipe in
    front.
    """

    header: tuple[Inline, ...]
    alignments: tuple[str, ...]
    rows: tuple[tuple[Inline, ...], ...]
    bare: bool = False


@dataclass(frozen=True, slots=True)
class TypedLines:
    """An HTML block, or with ``definition`` a link definition, which is shown as it was typed."""

    lines: tuple[str, ...]
    definition: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A thematic break."""


Block = Paragraph | Heading | CodeBlock | Quote | List | Table | TypedLines | Rule
"""``apart``, where a block has it, says that a blank line stands above the block."""


@dataclass(frozen=True, slots=True)
class Document:
    """A text that was read. ``complete`` is False where it is nested too deeply: it has paragraphs alone."""

    blocks: tuple[Block, ...] = ()
    complete: bool = True

    def inlines(self) -> Iterator[Inline]:
        """The inline texts in order."""
        return inlines_of(self.blocks)

    def badges(self) -> Iterator[Badge]:
        """The badges in order."""
        return (node for inline in self.inlines() for node in inline if isinstance(node, Badge))


def inlines_of(blocks: Iterable[Block]) -> Iterator[Inline]:
    """The inline texts of ``blocks``, in order."""
    for block in blocks:
        match block:
            case Paragraph(inline) | Heading(_, inline):
                yield inline
            case Quote(blocks=inside):
                yield from inlines_of(inside)
            case List(items=items):
                for item in items:
                    yield from inlines_of(item.blocks)
            case Table():
                yield from block.header
                for row in block.rows:
                    yield from row


def positions_in(inlines: Iterable[Sequence[Node]]) -> frozenset[int]:
    """The positions of the badges in these inline texts."""
    badges = (node for inline in inlines for node in inline if isinstance(node, Badge))
    return frozenset(position for badge in badges for position in badge.positions)


def words_of(inline: Iterable[Node]) -> str:
    """The words of an inline text in one line, without markup and badges."""
    parts = []
    for node in inline:
        match node:
            case Text(text) | Code(text) | Formula(_, text) | Typed(words=text):
                parts.append(text)
            case Break():
                parts.append(" ")
    return "".join(parts)


class TextPlace(NamedTuple):
    """An offset: in which inline text of the document, behind how many characters of :func:`shown_words`."""

    inline: int
    end: int


def shown_words(node: Node) -> str:
    """The words of a node, with blanks in place of an address, and of what is no text."""
    if isinstance(node, Text):
        text = node.text
        return _ADDRESS.sub(lambda found: " " * len(found[0]), text) if "://" in text else text
    if isinstance(node, Mark) or (isinstance(node, Badge) and node.positions):
        return ""
    return "\n" if isinstance(node, Break) else "  "  # something is left out here
