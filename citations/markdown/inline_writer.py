"""Writes an inline text anew, in a small dialect that all engines read alike.

Structure comes from this module alone. Every sign of the text's own words that some engine could take for
structure is written as :mod:`.escapes` says.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Final, NamedTuple
from unicodedata import category

from .escapes import INVISIBLE, NAME_IN_CODE, WEB_CHAT, as_entity, in_code
from .formula import write_formula
from .tree import Badge, Break, Code, Formula, Mark, Marker, MarkKind, Node, Text, Typed, words_of

_RUNS: Final = re.compile("`+")
_TOUCHING: Final = frozenset("[(:$`*~")
"""What may become one with what stands in front of it."""
_MANY: Final = 50
"""Nodes of a text from which on runs of marks are looked for."""
_PAIRED: Final = (MarkKind.EMPHASIS, MarkKind.STRONG)
_EMPHASIS: Final = frozenset((*_PAIRED, MarkKind.STRUCK))


class Piece(NamedTuple):
    """A piece of what is written: the class of its node, and whether it is a mark that ends a pair."""

    kind: type[Node]
    text: str
    closes: bool = False


def join(above: Piece | None, piece: Piece, brackets: str = "])") -> str:
    """U+200B where ``piece`` would become one with the piece in front of it; else nothing.

    ``brackets`` are those that no bracket of ours may follow.
    """
    first = piece.text[0]
    if first not in _TOUCHING and piece.kind is not Formula and not (above and above.kind is Formula):
        return ""
    last = above.text[-1] if above else "\n"
    if INVISIBLE in (first, last):
        return ""
    together = (
        # `[1][2]` is a full reference link, and `](u)[1]` may be one.
        (first == "[" and last in brackets)
        # `![1]` is an image. `$` before a formula begins another one.
        or (first == "[" and last == "!")
        or (first == last == "$")
        # `[1](x)` is a link, `[1]: x` a definition.
        or (first in "(:" and last == "]")
        # Two runs of backticks that touch are one run.
        or (first == last == "`")
        # Emphasis that ends and emphasis that begins would pair otherwise: `*a**b*`.
        or (first == last and above is not None and above.closes and piece.kind is Mark and not piece.closes)
        # Web Chat's main build takes a formula that begins a line for a block, and loses what stands behind.
        or (piece.kind is Formula and last == "\n")
        or (above is not None and above.kind is Formula)
    )
    return INVISIBLE if together else ""


class InlineWriter:
    """Writes inline texts for Web Chat. ``live_url`` gives the address of a link that stays one, or None."""

    escapes: ClassVar[re.Pattern[str]] = WEB_CHAT

    def __init__(self, live_url: Callable[[str], str | None]) -> None:
        self._live_url = live_url
        self.cites: Callable[[int], bool] | None = None
        """Whether a position may be shown as a badge; None for all."""
        self.keeps_numbers = True
        """Whether the other positions are shown as text."""

    def words(self, text: str) -> str:
        """``text`` without any structure."""
        return self.escapes.sub(self.sign, text)

    sign = staticmethod(as_entity)
    """Writes a sign of :attr:`escapes` as text."""

    def inline(self, nodes: Sequence[Node], *, line: bool = False) -> str:
        """The text of ``nodes``; with ``line``, on one line."""
        return self.run(nodes, line=line).strip(" ")

    def run(self, nodes: Sequence[Node], *, line: bool = False) -> str:
        """The same of a part of an inline text, with the blanks at its ends."""
        if len(nodes) == 1 and isinstance(only := nodes[0], Text):
            return self.words(only.text)
        written: list[str] = []
        above: Piece | None = None
        for piece in self._pieces(nodes, line=line):
            text = piece.text
            if text:
                if text[0] == "\n" or text == "  \n":
                    written[-1:] = [one.rstrip(" ") for one in written[-1:]]
                if text[0] in _TOUCHING or piece.kind is Formula or (above and above.kind is Formula):
                    written.append(join(above, piece, self.brackets))
                written.append(text)
                above = piece
        return "".join(written)

    def _pieces(self, nodes: Sequence[Node], *, line: bool) -> Iterator[Piece]:
        marked = Mark in map(type, nodes)
        kept = _kept_marks(nodes, self._live_url, self.links_numbers) if marked else frozenset[int]()
        words = ""
        for number, node in enumerate(nodes):
            if isinstance(node, Text):
                words += node.text
            elif isinstance(node, Mark) and number not in kept:
                words += node.typed
            elif isinstance(node, Badge) and not node.positions:
                words += node.rest
            else:
                if words:
                    yield Piece(Text, self.words(words))
                    words = ""
                yield self.piece(node, line=line)
        if words:
            yield Piece(Text, self.words(words))

    def piece(self, node: Node, *, line: bool) -> Piece:  # noqa: PLR0911 - one for each kind
        """A node that is no text, and no mark that is left out."""
        match node:
            case Mark() if node.kind is not MarkKind.LINK:
                return Piece(Mark, node.kind.value, not node.opens)
            case Mark():
                shown = "[" if node.opens else f"]({self._live_url(node.target)})"
                return Piece(Mark, shown, not node.opens)
            case Badge():
                return Piece(Badge, self.badge(node))
            case Code():
                return self._code(node.text)
            case Break():
                return Piece(Break, " " if line else "  \n" if node.hard else "\n")
            case Typed():
                return Piece(Text, self.words(node.typed.replace("\n", " ")))
            case Formula():
                formula = write_formula(node.closing, node.text)
                return Piece(Formula, formula) if formula else Piece(Text, self.words(node.text))
            case _:
                return Piece(Text, "")

    def badge(self, badge: Badge) -> str:
        """The badges of a marker, and the part of it that stays readable."""
        known = badge.positions
        rest = self.words(badge.rest) if badge.rest else ""
        if self.cites is not None and not all(map(self.cites, known)):
            known = tuple(filter(self.cites, badge.positions))
            left = [str(position) for position in badge.positions if position not in known]
            others = self.words(f"[{', '.join(left)}]") if self.keeps_numbers else "" if known else INVISIBLE
            rest = f"{others} {rest}" if others and rest else others or rest
        shown = self.between.join(map(self.one_badge, known))
        return f"{shown} {rest}" if shown and rest else shown or rest

    between: ClassVar[str] = INVISIBLE
    """Stands between two badges."""
    links_numbers: ClassVar[bool] = False
    """Whether a number may be the words of a link, which looks like a badge then."""
    brackets: ClassVar[str] = "])"
    """The brackets of ours that no other bracket of ours may follow."""

    def one_badge(self, position: int) -> str:
        """The badge of one position."""
        return f"[{position}]"

    def _code(self, code: str) -> Piece:
        if not code.strip():
            return Piece(Text, self.words(code))
        code = NAME_IN_CODE.sub(in_code, code)
        # Each run has its partner, so that all engines pair them alike.
        ticks = "`" * (1 + max(map(len, _RUNS.findall(code)), default=0)) if "`" in code else "`"
        space = " " if len(ticks) > 1 or code[0] == " " == code[-1] else ""
        return Piece(Code, f"{ticks}{space}{code}{space}{ticks}")


def _kept_marks(
    nodes: Sequence[Node], live_url: Callable[[str], str | None], links_numbers: bool
) -> set[int]:
    """The indices of the marks that are written: links to live hosts, and emphasis that every engine sees."""
    kept: set[int] = set()
    edges = _MarkEdges(nodes, kept)
    emphasis: defaultdict[MarkKind, list[int]] = defaultdict(list)
    """The kept marks of each kind, in order."""
    opened: list[int] = []
    link = -1
    for number, node in enumerate(nodes):
        if not isinstance(node, Mark):
            continue
        if node.kind is MarkKind.LINK:
            if node.opens:
                link = number
            elif _stays_link(nodes[link + 1 : number], node, live_url, links_numbers):
                kept |= {link, number}
        elif node.opens:
            opened.append(number)
        elif opened and edges.is_seen(first := opened.pop(), number, node.kind):
            # Emphasis in emphasis is written once: `*a *b**` would be read otherwise.
            of_kind = emphasis[node.kind]
            while of_kind and of_kind[-1] > first:
                kept.discard(of_kind.pop())
            of_kind += first, number
            kept |= {first, number}
    return kept


def _stays_link(
    inside: Sequence[Node], closing: Mark, live_url: Callable[[str], str | None], links_numbers: bool
) -> bool:
    """Whether a link may stay one: words that are no number, and no badge or formula in it."""
    address = live_url(closing.target)
    return (
        address is not None
        and (links_numbers or not words_of(inside).strip(" []()").isdecimal())
        and "(" not in address
        and ")" not in address
        and not any(isinstance(one, Badge | Marker | Formula | Typed) for one in inside)
        and any(isinstance(one, Code) or (isinstance(one, Text) and one.text.strip()) for one in inside)
    )


def _find_runs(nodes: Sequence[Node]) -> dict[int, tuple[int, int]]:
    """The runs of marks of emphasis, by each index in them: hundreds of open ones are closed in one run."""
    runs: dict[int, tuple[int, int]] = {}
    first = 0
    for number, node in enumerate((*nodes, Text("", 0, 0))):
        if not (isinstance(node, Mark) and node.kind in _PAIRED):
            if number > first + 1:
                runs |= dict.fromkeys(range(first, number), (first, number - 1))
            first = number + 1
    return runs


class _MarkEdges:
    """What stands at the edges of marks, of which those in ``kept`` are written."""

    def __init__(self, nodes: Sequence[Node], kept: set[int]) -> None:
        self._nodes, self._kept = nodes, kept
        self._runs = _find_runs(nodes) if len(nodes) > _MANY else {}

    def is_seen(self, first: int, last: int, kind: MarkKind) -> bool:
        """Whether all engines take the marks at ``first`` and ``last`` for a pair (CommonMark § 6.2)."""
        if last == first + 1:
            return False
        begins = self._edge(first + 1, last, inside=kind)
        ends = self._edge(last - 1, first, inside=kind)
        before = self._edge(first - 1, -1, jumps=False)
        # Which of the marks behind are written is not decided yet: they are passed over.
        behind = self._edge(last + 1, len(self._nodes))
        return _belongs(before, begins) and _belongs(behind, ends)

    def _edge(self, place: int, limit: int, *, inside: MarkKind | None = None, jumps: bool = True) -> str:
        """The first character that is written of the nodes from ``place`` up to ``limit``.

        Backwards it is the last one of theirs. With ``inside``, they are inside marks of this kind, in which
        no others of the kind are written. With ``jumps``, nothing is written of a run of marks.
        """
        kept, begins = self._kept, place < limit
        step = 1 if begins else -1
        while (limit - place) * step > 0:
            node = self._nodes[place]
            if isinstance(node, Text):
                shown = node.text
            elif jumps and place in self._runs:
                shown, place = "", self._runs[place][begins]
            # `***a***` has one run at each end.
            elif inside and place in kept and isinstance(node, Mark) and node.kind in (*_PAIRED, inside):
                shown = ""
            else:
                shown = _shown(node, kept=place in kept, begins=begins)
            if shown:
                return shown[0 if begins else -1]
            place += step
        return " "


def _shown(node: Node, *, kept: bool, begins: bool) -> str:
    """Something that is written with the first and the last character of what a node becomes."""
    match node:
        case Typed(typed=shown):
            return shown
        case Badge(positions, rest):
            return f"{'[]' if positions else ''}{rest}"
        case Mark(kind) if kept:
            return kind.value if kind in _EMPHASIS else "[" if begins else ")"
        case Mark(typed=typed):
            return typed
        case Code():
            return "`"
    return INVISIBLE if isinstance(node, Formula) else " "


def _belongs(outer: str, inner: str) -> bool:
    """Whether each engine lets a run of signs between these characters belong to ``inner``."""
    if inner.isspace() or inner == INVISIBLE:
        return False
    return inner.isalnum() or outer.isspace() or category(outer)[0] == "P"
