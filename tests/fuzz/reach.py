"""Which inputs reach something that the others don't: as a fuzzer sees it, but without one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import citations

OURS = str(Path(citations.__file__).parent)
Step = tuple[CodeType, int, int]
"""From one line of a function to the next."""


def reaching(
    walk: Callable[[bytes], None], inputs: Iterable[bytes], seeds: Iterable[bytes]
) -> Iterator[bytes]:
    """Those of ``inputs``, the shortest first, that take a step in ``citations`` that none before took.

    Nor does one of ``seeds``: those are tests already.
    """
    taken = set[Step]().union(*(steps_of(walk, data) for data in seeds))
    for data in sorted(inputs, key=lambda data: (len(data), data)):
        steps = steps_of(walk, data)
        if not steps <= taken:
            taken |= steps
            yield data


def steps_of(walk: Callable[[bytes], None], data: bytes) -> set[Step]:
    """All steps that an input takes."""
    steps: set[Step] = set()
    last: dict[FrameType, int] = {}

    def enter(frame: FrameType, _event: str, _argument: object) -> Any:
        return step if frame.f_code.co_filename.startswith(OURS) else None

    def step(frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            steps.add((frame.f_code, last.get(frame, 0), frame.f_lineno))
            last[frame] = frame.f_lineno
        elif event == "return":
            last.pop(frame, None)
        return step

    sys.settrace(enter)
    try:
        walk(data)
    finally:
        sys.settrace(None)
    return steps
