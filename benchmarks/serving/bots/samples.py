"""Whose code a process spends its time in, by looking at it now and then."""

from __future__ import annotations

import signal
from collections import Counter
from types import FrameType
from typing import Final

_EVERY: Final = 0.001
"""Seconds of CPU; kernels look less often (250 times a second is usual), which changes no share."""

_OWNERS: Final = (
    ("/citations/", "citations"),
    ("/bot/", "bot"),
    ("/botbuilder/", "SDK"),
    ("/botframework/", "SDK"),
    ("/microsoft_agents/", "SDK"),
    ("/msrest/", "SDK"),
    ("/msal/", "SDK"),
    ("/aiohttp/", "aiohttp"),
    ("/asyncio/", "asyncio"),
)
"""The owners by a part of the file's path. Other modules, such as ``json``, ``re`` or ``markdown_it``,
count as their caller's."""


class Samples:
    """Counts who is at work, for each few milliseconds of CPU that the process takes."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[str, str]] = Counter()
        self._on = False

    def begin(self) -> None:
        """Count from now on. Needs the ``setitimer`` of POSIX."""
        self._seen.clear()
        self._on = True
        signal.signal(signal.SIGPROF, self._look)
        signal.setitimer(signal.ITIMER_PROF, _EVERY, _EVERY)

    def end(self) -> list[tuple[str, str, int]]:
        """Owner, place (``render.py:render``) and how often it was seen there; empty if not begun."""
        if self._on:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self._on = False
        return [(owner, place, count) for (owner, place), count in self._seen.most_common()]

    def _look(self, _: int, frame: FrameType | None) -> None:
        self._seen[owner_of(frame)] += 1


def owner_of(frame: FrameType | None) -> tuple[str, str]:
    """The owner of ``frame``, or of its nearest caller with an owner, and the place in the code."""
    while frame is not None:
        code = frame.f_code
        path = code.co_filename.replace("\\", "/")
        for part, owner in _OWNERS:
            if part in path:
                return owner, f"{path.rpartition('/')[2]}:{code.co_name}"
        frame = frame.f_back
    return "the rest", ""
