"""The pace of a stream: a channel that replaces each interim gets long ones less often."""

from __future__ import annotations

import pytest

from bot.config.timeouts import Timeouts
from bot.conversation.livestream import Livestream
from bot.resilience.clock import now
from citations import Rendering
from citations.channels import InterimMode

TIMEOUTS = Timeouts(replaced_every=10.0, extended_every=15.0)
PACES = [
    (InterimMode.REPLACING, 100, 10.0),
    (InterimMode.REPLACING, 10_000, 10.0),
    (InterimMode.REPLACING, 20_000, 20.0),
    (InterimMode.REPLACING, 80_000, 80.0),
    (InterimMode.APPEND_ONLY, 100, 15.0),
    (InterimMode.APPEND_ONLY, 80_000, 15.0),
]


@pytest.mark.parametrize(("interim", "length", "seconds"), PACES)
async def test_the_next_interim_is_due(interim: InterimMode, length: int, seconds: float) -> None:
    stream = Livestream(interim, TIMEOUTS)
    before = now()
    stream.note_accepted("a1", before, Rendering(text="x" * length, text_format="markdown"))
    assert before + seconds <= stream.due <= now() + seconds
    assert not stream.takes_interim
    assert stream.next_due == stream.due


async def test_a_channel_without_a_stream_takes_no_interim() -> None:
    stream = Livestream(None, TIMEOUTS)
    assert not stream.takes_interim
    assert stream.build_final("message") == "message"
