"""What an inline text shows while it grows: more text changes nothing of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from citations.markdown import Break, Node, Text, clean_text, read_inline, read_settled
from citations.markers.marker_reader import DialectReader
from citations.markers.positions import Positions
from citations.model.reference import Reference
from tests.clients.answers import hostile_text
from tests.clients.short_texts import short_text
from tests.depth import examples

CUTS = 20


def a_reader() -> DialectReader:
    positions = Positions(None, keeps_text=True)
    positions.add((Reference(id="1"), Reference(id="2", url="https://good.example/2")))
    return DialectReader(positions, None)


def constructs(nodes: Sequence[Node], end: int) -> Iterator[Node]:
    """What is no text of ``nodes``, as far as it begins before ``end``."""
    return (node for node in nodes if not isinstance(node, Text | Break) and node.start < end)


@examples(200)
@given(st.integers(0, 2**32))
def test_what_is_settled_reads_so_in_the_whole_text(seed: int) -> None:
    chance = Random(seed)
    for write in (short_text, hostile_text):
        for whole in clean_text(write(chance)).split("\n\n"):
            nodes = read_inline(whole, a_reader())
            for cut in sorted({chance.randint(0, len(whole)) for _ in range(CUTS)}):
                shown = read_settled(whole[:cut], a_reader())
                found = list(constructs(shown.nodes, shown.firm))
                assert found == list(constructs(nodes, shown.firm)), (whole[:cut], whole[cut:])
