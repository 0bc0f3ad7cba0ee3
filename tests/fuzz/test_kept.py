"""What fuzzing found stays mended, and what it reached stays reached: its inputs, once more."""

from __future__ import annotations

import pytest

from . import checking, kept, reading, rendering

TARGETS = {"reading": reading, "rendering": rendering, "checking": checking}


@pytest.mark.parametrize("name", TARGETS)
def test_every_input_that_is_kept_holds_its_promise(name: str) -> None:
    inputs = kept.load(name)
    assert inputs
    for data in inputs:
        try:
            TARGETS[name].promise(data)
        except AssertionError as error:
            error.add_note(repr(data))
            raise
