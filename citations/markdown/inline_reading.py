"""What is known of an inline text while it is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .delimiters import MAX_EMPHASIS, Delimiters, pair
from .tree import MarkerReader, Node, Text


class Bracket:
    """A ``[`` or ``![`` without its partner."""

    __slots__ = ("image", "inside", "place", "start")

    def __init__(self, place: int, start: int, inside: int, *, image: bool) -> None:
        self.place, self.start, self.inside, self.image = place, start, inside, image


class InlineReading:
    """The nodes of ``source`` so far, and what may still change them.

    ``read`` reads another text without markers: the words of an image.
    """

    def __init__(self, source: str, markers: MarkerReader, read: Callable[[str], Sequence[Node]]) -> None:
        self.source = source
        self.markers = markers
        self.read = read
        self.nodes: list[Node | Delimiters] = []
        self.runs: list[Delimiters] = []
        """The runs of signs of emphasis outside of links."""
        self.has_runs = False
        self.brackets: list[Bracket] = []
        self.around_link = 0
        """How many of the first brackets have a link behind them, so that they can begin none."""
        self.ticks: dict[int, list[int]] | None = None
        """The offsets of the runs of backticks, by their lengths, once they are needed."""
        self.addresses: list[tuple[int, int]] | None = None
        """The ranges of bare addresses, once they are needed."""
        self.held: list[int] = []
        """The offsets from which on more text may change the reading, besides emphasis."""
        self.waiting: list[Delimiters] = []
        """The runs that may still become emphasis."""
        self.pairs: list[tuple[int, int]] = []
        """The ranges of emphasis and links."""

    def add_text(self, text: str, start: int, end: int) -> int:
        """Add words. Returns where they end."""
        if text:
            self.nodes.append(Text(text, start, end))
        return end

    def pair_runs(self) -> None:
        """Pair the runs that no link has."""
        pairs, waiting = pair(self.runs)
        self.pairs.extend((opener.start, closer.end) for opener, closer in pairs)
        recent = len(self.source) - MAX_EMPHASIS
        self.waiting.extend(run for run in waiting if run.end >= recent)

    def drop(self, place: int) -> None:
        """Take back the nodes from an index on."""
        del self.nodes[place:]
        while self.runs and self.runs[-1].place >= place:
            self.runs.pop()


ReadSign = Callable[[InlineReading, int, int], int]
"""Reads the construct at an offset, whose sign ends at another one. Returns where the construct ends."""
