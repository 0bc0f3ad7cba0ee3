"""A folder for a bot that runs as a command."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "Ferns at home"
    folder.mkdir()
    (folder / "ferns.md").write_text("# Water\n\nWater a fern twice a week.\n", encoding="utf-8")
    return folder
