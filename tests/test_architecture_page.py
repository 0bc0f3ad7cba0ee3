"""docs/architecture.md names functions; each of them is where the page says."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"\| `(?P<file>[\w/]+\.py)` \| `(?P<name>[\w.]+)` \|")
STEPS = ROW.findall((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))


def test_the_page_names_steps() -> None:
    assert len(STEPS) > 30


@pytest.mark.parametrize(("file", "name"), STEPS, ids=[name for _, name in STEPS])
def test_the_function_is_where_the_page_says(file: str, name: str) -> None:
    found = importlib.import_module(file.removesuffix(".py").replace("/", "."))
    for part in name.split("."):
        found = getattr(found, part)
