"""CPU time of one text and of one that is eight times as long."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from time import thread_time

from citations.markdown import sanitize

from .routes import ROUTES
from .shapes import Shape

TIMES = 8
MOST = 12.0
"""The most that eight times the text may cost."""
SHORT = 4_000
SHORT_STREAM = 1_000
"""Characters of the shorter text."""
_LEAST = 0.005
"""Seconds below which nothing is measured; as much less as a text is shorter than asked for here."""


@dataclass(frozen=True, slots=True)
class Growth:
    """How often the time of the shorter text the longer one takes, and the seconds that it takes."""

    ratio: float
    seconds: float
    shape: Shape
    route: str


def measure(shape: Shape, route: str, length: int | None = None) -> Growth:
    """The growth of one shape of ``length`` characters on one route. What seems too much is measured again.

    Last, twice the longer text is compared with it: a text that is cut to a message's size costs more once.
    """
    usual = SHORT_STREAM if "stream" in route else SHORT
    length = length or usual
    least = _LEAST * length / usual
    for rounds in (1, 3):
        short = _least(shape, route, length, rounds + 1)
        long = _least(shape, route, length * TIMES, rounds)
        if (ratio := long / max(short, least)) <= MOST:
            return Growth(ratio, long, shape, route)
    twice = _least(shape, route, 2 * length * TIMES, 3) / long
    return Growth(min(ratio, twice**3), long, shape, route)


def _least(shape: Shape, route: str, length: int, rounds: int) -> float:
    return min(_seconds(shape, route, length) for _ in range(rounds))


def _seconds(shape: Shape, route: str, length: int) -> float:
    answer = shape.answer(length)
    sanitize.cache_clear()  # a passage that it was asked for before costs nothing
    gc.disable()
    try:
        begun = thread_time()
        ROUTES[route](answer)
        return thread_time() - begun
    finally:
        gc.enable()
