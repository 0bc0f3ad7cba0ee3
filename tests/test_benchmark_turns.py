"""The benchmarks of rendering and streaming compare two checkouts: each is a process with its own library."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import rendering, streaming
from benchmarks.turns import HERE, Checkout

WORKS = [
    *(("benchmarks.rendering", work) for work in rendering.WORKS),
    *(("benchmarks.streaming", work) for work in streaming.OURS),
]


@pytest.mark.parametrize(("module", "work"), WORKS)
def test_a_checkout_does_every_work(module: str, work: str) -> None:
    checkout = Checkout(HERE, module)
    assert checkout.seconds(work, 3_000) >= 0
    checkout.close()


def test_a_folder_without_the_library_is_none(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    checkout = Checkout(tmp_path, "benchmarks.rendering")
    checkout.close()
    assert "AssertionError" in capfd.readouterr().err
