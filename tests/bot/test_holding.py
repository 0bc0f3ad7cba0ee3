"""One answer, whatever a supplier sends, leaves the event loop to all others."""

from __future__ import annotations

import pytest

from benchmarks.holding import BODIES, TEXTS, as_body, hold, in_one_piece, in_pieces
from tests.model_server import Handler

CASES: dict[str, Handler] = {
    "prose at once": in_one_piece(TEXTS["prose"]),
    "markers in pieces": in_pieces(TEXTS["markers"]),
    "line ends at once": in_one_piece(TEXTS["line ends"]),
    # Two fifths of those that the benchmark sends: the loop's share of the work is the same.
    "many pages": as_body({"search_results": BODIES["pages"]["search_results"][:20_000]}),
}


@pytest.mark.parametrize("behave", CASES.values(), ids=CASES)
@pytest.mark.parametrize("channel_id", ["webchat", "msteams"])
async def test_the_loop_has_a_small_part_of_the_work_at_a_time(behave: Handler, channel_id: str) -> None:
    """In CPU time of its thread: a busy machine makes it no longer. Without threads it was half or more."""
    held = await hold(behave, channel_id)
    assert held.step < held.cpu / 5
